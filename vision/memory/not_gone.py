"""Where pieces are that no look tells and that nobody took: a lamp blinds the camera there, or a figure fell over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from shapely import union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import FIGURES, Detection
from vision.frame import Frame, ImageBgr
from vision.memory.fallen import fallen, lies_on
from vision.memory.likeness import covered_share
from vision.motion.blown_out import newly_blown_out
from vision.track import Track

# A picture that was agreed, and the table's plane by the camera that took it.
Agreed = tuple[Frame, TablePlane]


@dataclass(eq=False)
class NotGone:
    """Remembers of each figure that fell over, by its id, the pictures in which it stood last and lay first, and what
    else showed then: it lies on though its place is touched again, while it shows where it lay."""

    _stood: dict[str, Agreed] = field(default_factory=dict)
    _fell: dict[str, tuple[Agreed, tuple[Detection, ...]]] = field(default_factory=dict)

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
        after_bgr, before_bgr = frame.image_bgr, as_from_here(frame, agreed)
        fell_mm = fallen(tracks, seen, before_bgr, after_bgr, plane)
        blown_out_mm = newly_blown_out(tracks, before_bgr, after_bgr, plane)
        lay = [track for track in tracks if track.hidden and track.id in self._stood]
        if agreed is not None:
            showed = tuple(track.seen for track in tracks if not track.hidden)
            self._fell = {track.id: self._fell.get(track.id, (agreed, showed)) for track in lay}
            new = {track.id: agreed for track in tracks if _fell(track, fell_mm)}
            self._stood = {track.id: self._stood[track.id] for track in lay} | new

        def lies(track: Track) -> bool:
            fell, showed = self._fell[track.id]
            pictures = as_from_here(frame, self._stood[track.id]), as_from_here(frame, fell)
            return lies_on(track.seen, showed, *pictures, after_bgr, plane)

        return union_all([blown_out_mm, fell_mm, *(track.seen.footprint for track in lay if lies(track))])


def _fell(track: Track, fell_mm: BaseGeometry) -> bool:
    return track.seen.kind in FIGURES and not track.hidden and covered_share(track.seen, fell_mm) > 0.5
