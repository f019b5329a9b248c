"""The table searched for in a picture by what lies in known places on it, beside the frames, where texture fails."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass

from calibration.lens import Lens
from calibration.plane import TablePlane
from vision.frame import Frame

# The table in a picture taken through that lens; None where too little that is known shows.
Measure = Callable[[Frame, Lens], TablePlane | None]

# The next search begins so long after one that was in vain, and twice as long after each more: a printed sheet takes
# seconds of a core, and what hides the table may be a cloth that stays.
_LEAST_WAIT_S, _LONGEST_WAIT_S = 0.5, 8.0


@dataclass(frozen=True)
class Landmarks:
    """What lies in known places.

    is_quick  whether it is found in less time than texture: markers are
    """

    measure: Measure
    is_quick: bool


@dataclass(eq=False)
class LandmarkSearch:
    """One search at a time; what is found holds until something moves.

    landmarks  None where nothing lies in a known place
    beside     the looks' thread, for a search that is not quick; None where frames wait, as a file's can
    """

    landmarks: Landmarks | None = None
    beside: Executor | None = None
    _search: Future[TablePlane | None] | None = None
    _still_since_s: float = 0.0
    _wait_s: float = _LEAST_WAIT_S
    _next_s: float = 0.0

    @property
    def is_quick(self) -> bool:
        """Whether what texture tells can be proven each time."""
        return self.landmarks is not None and self.landmarks.is_quick

    @property
    def is_busy(self) -> bool:
        """Whether the table is being searched for."""
        return self._search is not None and not self._search.done()

    def afresh(self) -> None:
        """Forget what was found, or searched for in vain: the camera was moved, or the plane is wrong."""
        self._wait_s, self._next_s = _LEAST_WAIT_S, 0.0
        self._search = self._search if self.is_busy else None

    def plane_in(self, frame: Frame, lens: Lens, still_since_s: float) -> TablePlane | None:
        """The table, if it was found by now, in a picture in which nothing has moved since `still_since_s`."""
        if self._search is None and frame.t_s >= self._next_s:
            self._search, self._still_since_s = self._begun(frame, lens), still_since_s
        if self._search is None or not self._search.done():
            return None
        found, is_same = self._search.result(), self._still_since_s == still_since_s
        if found is not None and is_same:
            return found
        self._search = None
        if is_same:
            self._next_s, self._wait_s = frame.t_s + self._wait_s, min(2 * self._wait_s, _LONGEST_WAIT_S)
        return None

    def _begun(self, frame: Frame, lens: Lens) -> Future[TablePlane | None] | None:
        if self.landmarks is None:
            return None
        if self.beside is not None and not self.is_quick:
            return self.beside.submit(self.landmarks.measure, frame, lens)
        search: Future[TablePlane | None] = Future()
        search.set_result(self.landmarks.measure(frame, lens))
        return search


@dataclass(eq=False)
class Searches:
    """Several, one after the other: those behind the first that finds the table are not asked."""

    each: tuple[LandmarkSearch, ...] = ()

    @property
    def is_quick(self) -> bool:
        """Whether what texture tells can be proven each time."""
        return any(search.is_quick for search in self.each)

    @property
    def is_busy(self) -> bool:
        """Whether the table is being searched for."""
        return any(search.is_busy for search in self.each)

    def afresh(self) -> None:
        """Let every search forget what it found, or searched for in vain."""
        for search in self.each:
            search.afresh()

    def plane_in(self, frame: Frame, lens: Lens, still_since_s: float, *, quick: bool = False) -> TablePlane | None:
        """The first plane that a search has found by now; of `quick` searches only, if so asked."""
        asked = (search for search in self.each if search.is_quick or not quick)
        found = (search.plane_in(frame, lens, still_since_s) for search in asked)
        return next((plane for plane in found if plane is not None), None)
