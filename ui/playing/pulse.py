"""What is wrong with a camera's picture, told once when it begins and once when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from vision.stream.health import Trouble

# A picture must have been good for this long before it is called good: longer than the time between two measurements
# (`vision.light.clarity_watch`), so that at least two say so.
GOOD_AGAIN_S = 0.8
# And for this long if it was called good less than so long ago: what fails now and then is told once.
_RELAPSED_S, _RELAPSE_S = 3.0, 10.0


class Ailing(Protocol):
    """What may be in trouble: `vision.source.Source`, `vision.observe.Observer`."""

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong now, if anything."""
        ...


@dataclass(eq=False)
class Pulse:
    """Feels a source's pulse, and asks the eyes whether they see enough.

    eyes  who look at the source's pictures, if they can tell how good those are
    """

    source: Ailing
    eyes: Ailing | None = None
    _told: Trouble | None = None
    _good_since_s: float | None = None
    _called_good_s: float = float("-inf")
    _is_relapse: bool = False

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong now: with the camera, or else with what its pictures show."""
        return self.source.trouble or (self.eyes.trouble if self.eyes is not None else None)

    def news(self, time_s: float) -> dict[str, Any] | None:
        """The fields of a `camera` event if there is something to tell that was not told yet.

        time_s  of the newest frame
        """
        trouble = self.trouble
        if trouble is None:
            return self._recovered(time_s)
        self._good_since_s = None
        if self._told is not None and self._told.kind == trouble.kind:
            return None
        self._is_relapse = time_s - self._called_good_s < _RELAPSE_S
        self._told = trouble
        return _fields("trouble", trouble.kind, trouble.sentence)

    def _recovered(self, time_s: float) -> dict[str, Any] | None:
        if self._told is None:
            return None
        if self._good_since_s is None:
            self._good_since_s = time_s
        if time_s - self._good_since_s < (_RELAPSED_S if self._is_relapse else GOOD_AGAIN_S):
            return None
        kind, self._told, self._called_good_s = self._told.kind, None, time_s
        return _fields("good", kind, "the camera's picture is good again")


def _fields(what: str, kind: str, sentence: str) -> dict[str, Any]:
    return {"what": what, "kind": kind, "shift_px": None, "sentence": sentence}
