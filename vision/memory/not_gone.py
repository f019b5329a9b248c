"""Where pieces are that no look tells and that nobody took: a lamp blinds the camera there, or a figure fell over."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from shapely import MultiPolygon, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import FIGURES, Detection
from vision.frame import Frame, ImageBgr
from vision.memory.fallen import Lying, fallen
from vision.memory.likeness import covered_share
from vision.motion.blown_out import newly_blown_out
from vision.track import Track

# How far he was pushed is known to so much (seven pushes on four drawn films: 0.8 to 2 mm off; *script*).
_PUSHED_SIGMA_MM = 1.5
# A picture that was agreed, and the table's plane by the camera that took it.
Agreed = tuple[Frame, TablePlane]


@dataclass(eq=False)
class NotGone:
    """Remembers of each figure that fell over, by its id, the pictures in which it stood last and lay first, and what
    else showed then: it lies on though its place is touched again, while it shows where it lay, or where it was pushed.
    """

    _stood: dict[str, tuple[Detection, Agreed]] = field(default_factory=dict)
    _fell: dict[str, tuple[Agreed, tuple[Detection, ...]]] = field(default_factory=dict)
    # Those that were pushed on by the look whose `places` were told last, where they lie.
    pushed: dict[str, Detection] = field(default_factory=dict)

    def places(
        self,
        tracks: Sequence[Track],
        seen: Sequence[Detection],
        frame: Frame,
        plane: TablePlane,
        agreed: Agreed | None,
        as_from_here: Callable[[Frame, Agreed | None], ImageBgr],
    ) -> BaseGeometry:
        """Their places, mm on the table.

        seen          what the looks at the frame saw
        agreed        what was agreed last
        as_from_here  gives the picture of what was agreed as the camera that took the frame would show it
        """
        self.pushed = {}
        after_bgr, before_bgr = frame.image_bgr, as_from_here(frame, agreed)
        fell_mm = fallen(tracks, seen, before_bgr, after_bgr, plane)
        blown_out_mm = newly_blown_out(tracks, before_bgr, after_bgr, plane)
        lay = [track for track in tracks if track.hidden and track.id in self._stood]
        showed = tuple(track.seen for track in tracks if not track.hidden)
        if agreed is not None:
            self._fell = {track.id: self._fell.get(track.id, (agreed, showed)) for track in lay}
            new = {track.id: (track.seen, agreed) for track in tracks if _fell(track, fell_mm)}
            self._stood = {track.id: self._stood[track.id] for track in lay} | new
        there_mm = [self._place(track, (*showed, *seen), before_bgr, frame, plane, as_from_here) for track in lay]
        return union_all([blown_out_mm, fell_mm, *there_mm])

    def _place(
        self,
        track: Track,
        others: Sequence[Detection],
        before_bgr: ImageBgr,
        frame: Frame,
        plane: TablePlane,
        as_from_here: Callable[[Frame, Agreed | None], ImageBgr],
    ) -> BaseGeometry:
        """Where a figure that fell lies by now; nowhere if it is gone."""
        (was, stood), (fell, showed) = self._stood[track.id], self._fell[track.id]
        pictures = as_from_here(frame, stood), as_from_here(frame, fell)
        lying = Lying(was, track.seen.position_mm, showed, *pictures, plane)
        if lying.lies_on(frame.image_bgr):
            return track.seen.footprint
        shift_mm = lying.pushed(before_bgr, frame.image_bgr, others)
        if shift_mm is None:
            return MultiPolygon()
        del self._fell[track.id]
        sigma_mm = math.hypot(track.seen.sigma_mm, _PUSHED_SIGMA_MM)
        self.pushed[track.id] = replace(track.seen.shifted(*shift_mm), sigma_mm=sigma_mm)
        return self.pushed[track.id].footprint


def _fell(track: Track, fell_mm: BaseGeometry) -> bool:
    return track.seen.kind in FIGURES and not track.hidden and covered_share(track.seen, fell_mm) > 0.5
