"""The camera over the table, followed wherever it is put: by texture, by what lies in known places, by the pieces."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from calibration.kick.parallax import Bodies
from calibration.lens import Lens
from calibration.maps.glass import lying_again
from calibration.plane import TablePlane
from vision.frame import Frame
from vision.look_at import LookAt
from vision.memory.agree import Look
from vision.memory.tracker import Tracker
from vision.stream.camera_news import CameraNews
from vision.tripod.bodies import bodies_of
from vision.tripod.by_pieces import carried_px, plane_by_pieces
from vision.tripod.landmark_search import Landmarks, LandmarkSearch, Searches
from vision.tripod.stand import Stand, is_aside


@dataclass(eq=False)
class Camera:
    """Where one camera stands.

    plane       the table as it is seen from there
    look        the eyes: (frame, plane) to detections
    tracker     gives what is known of the pieces
    beside      one thread in which searches run while frames go on; None to let each frame wait
    landmarks   finds the table by what lies in known places on it; None where nothing does
    is_carried  whether it was put elsewhere, and not only turned, since somebody last set this False
    """

    plane: TablePlane
    look: LookAt
    table_size_mm: tuple[float, float]
    tracker: Callable[[], Tracker]
    beside: Executor | None = None
    landmarks: Landmarks | None = None
    is_carried: bool = False
    _stand: Stand | None = None

    @property
    def is_soft(self) -> bool:
        """Whether the picture is out of focus, or its lens looks for it: pieces are not read from it."""
        return self._stand is not None and self._stand.is_soft

    @property
    def is_away(self) -> bool:
        """Whether it was found to have moved, and the table is not measured again yet."""
        return self._stand is not None and self._stand.away_s is not None

    @property
    def is_astray(self) -> bool:
        """Whether what is drawn by the present plane would lie beside the pieces."""
        return self._stand is not None and self._stand.is_astray

    def check(self, frame: Frame, moving: bool) -> CameraNews | None:
        """Follow it into the next frame; what happened to it. Once the table is measured again `plane` is another.

        moving  whether anything moves in the picture
        """
        if self._stand is None:
            self._stand = self._stood(frame)
        news, plane = self._stand.check(frame, moving)
        if plane is not None:
            self.is_carried |= is_aside(self.plane, plane)
            self.plane = lying_again(plane, self.plane.folds)
        return news

    def carried(self, frame: Frame, look: Look) -> CameraNews | None:
        """News of a camera that was carried, though the table's texture did not tell; None for one that stands.

        Pieces that all moved alike tell it: a print of hexes that went by one hex looks the same. Where the texture
        does not show, it is enough that no piece is where one was."""
        if self._stand is None:
            return None
        far_px = carried_px(self.plane, self.tracker(), look, self.table_size_mm)
        is_told = far_px > 0 or (math.isnan(far_px) and self._stand.is_covered)
        return self._stand.carried(frame, far_px) if is_told else None

    def by_pieces(self, frame: Frame, lens: Lens) -> TablePlane | None:
        """The table plane by the pieces on it, through the lens that measured them, then sharpened by its texture."""
        plane = replace(self.plane, lens=lens)
        rough = plane_by_pieces(frame, plane, self.tracker(), self.look, self.table_size_mm)
        return self._stand.sharpened(frame, rough.flat) if self._stand is not None and rough is not None else None

    def _stood(self, frame: Frame) -> Stand:
        """Its stand, and what finds the table from elsewhere: what lies in known places, the table itself, or the
        pieces."""
        known = (
            self.landmarks,
            *(Landmarks(measure, is_quick=False) for measure in (self._from_elsewhere, self.by_pieces)),
        )
        searches = Searches(tuple(LandmarkSearch(each, self.beside) for each in known))
        glimpse = LandmarkSearch(Landmarks(self._glimpsed, is_quick=False), self.beside)
        return Stand.of(frame, self.plane.flat, self.table_size_mm, searches, glimpse, self._bodies)

    def _bodies(self, plane: TablePlane) -> Bodies:
        return bodies_of(self.tracker(), plane)

    def _from_elsewhere(self, frame: Frame, _: Lens) -> TablePlane | None:
        stand = self._stand
        return stand.from_elsewhere(frame) if stand is not None and not stand.is_disproved else None

    def _glimpsed(self, frame: Frame, _: Lens) -> TablePlane | None:
        return self._stand.glimpsed(frame) if self._stand is not None else None
