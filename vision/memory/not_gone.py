"""Where pieces are that no look tells and that nobody took: a lamp blinds the camera there, or a figure fell over."""

from __future__ import annotations

from collections.abc import Sequence

from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.memory.fallen import fallen
from vision.motion.blown_out import newly_blown_out
from vision.track import Track


def not_gone(
    tracks: Sequence[Track], seen: Sequence[Detection], before_bgr: ImageBgr, after_bgr: ImageBgr, plane: TablePlane
) -> BaseGeometry:
    """Their places, mm on the table.

    seen  what the looks at the later picture saw; `before_bgr` was agreed last, both pictures are (h, w, 3)
    """
    blown_out_mm = newly_blown_out(tracks, before_bgr, after_bgr, plane)
    return blown_out_mm.union(fallen(tracks, seen, before_bgr, after_bgr, plane))
