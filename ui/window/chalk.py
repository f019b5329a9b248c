"""What the set-up draws on a picture for a person to judge: light lines in a dark casing, seen on any ground."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.scene import Point2
from vision.frame import Frame, ImageBgr

LINE_BGR, CASING_BGR = (66, 228, 240), (24, 18, 12)
# A picture of this width is shown smaller on most screens: a line of one of its pixels is lost on a printed map.
_PX_OF_WIDTH = 1 / 800
_CROSS_OF_WIDTH, _RING_OF_WIDTH = 1 / 53, 1 / 106


def lined(frame: Frame, lines_px: Sequence[NDArray[np.float64]]) -> ImageBgr:
    """The frame's picture with lines (n, 2) px drawn in it."""
    bgr = frame.image_bgr.copy()
    seen = [np.round(line).astype(np.int32) for line in lines_px if np.isfinite(line).all()]
    for colour, width in _strokes(bgr):
        cv2.polylines(bgr, seen, isClosed=False, color=colour, thickness=width, lineType=cv2.LINE_AA)
    return bgr


def crossed(bgr: ImageBgr, at_px: Point2) -> None:
    """Draw a cross there."""
    reach = round(bgr.shape[1] * _CROSS_OF_WIDTH)
    for colour, width in _strokes(bgr):
        cv2.drawMarker(bgr, _whole(at_px), colour, cv2.MARKER_CROSS, reach, width, cv2.LINE_AA)


def ringed(bgr: ImageBgr, at_px: Point2) -> None:
    """Draw a ring round it."""
    for colour, width in _strokes(bgr):
        cv2.circle(bgr, _whole(at_px), ring_px(bgr), colour, width, cv2.LINE_AA)


def ring_px(bgr: ImageBgr) -> int:
    """Radius of a ring."""
    width: int = bgr.shape[1]
    return round(width * _RING_OF_WIDTH)


def _strokes(bgr: ImageBgr) -> tuple[tuple[tuple[int, int, int], int], ...]:
    """Colour and width of the casing, and of the line in it."""
    width = max(1, round(bgr.shape[1] * _PX_OF_WIDTH))
    return (CASING_BGR, width + 4), (LINE_BGR, width)


def _whole(at_px: Point2) -> tuple[int, int]:
    return round(at_px[0]), round(at_px[1])
