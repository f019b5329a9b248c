"""Whether something round or solid lies at a place that was clicked: a click on its top is off by how high that is."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.maps.overhead import overhead
from calibration.pose import CameraGuess

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# What marks a corner and is a coin, a bottle top, a draughtsman, a die or a square of card: from a dime's half to two
# inches across, as broad as long, its middle where somebody clicks.
_ACROSS_MM, _LONGER, _OFF_MM = (7.0, 50.0), 1.6, 6.0
# What fills less of its outline than this is a cross, a corner of tape, or grain.
_SOLID = 0.88
# How far about it the table is looked at, how finely, and from where on nothing of the mark is left.
_AROUND_MM, _PX_PER_MM, _TABLE_FROM_MM = 34.0, 1.6, 27.0
# What is so many times as far from the table's colour as that scatters, and so many grey levels at least, is no table.
_SCATTERS, _LEAST_LEVELS = 3.5, 9.0
# Joints, seams and lines by pen that run up to it are thinner than this, 4 mm.
_THIN_PX = 7
# 1.4826 of the median of absolute deviations is the standard deviation of normal ones.
_OF_MEDIAN = 1.4826


def stands_at(image: Image, camera: CameraGuess, at_mm: Array) -> bool:
    """Whether a thing of its own, round or solid, shows at a place (2,) mm of the table; the picture is (h, w, 3).

    A mark that is as broad and as full but flat, a sticker, looks the same from one side, and counts.
    """
    view, _ = overhead(image, camera, at_mm, _AROUND_MM, _PX_PER_MM)
    outline = _outline_at_middle(_unlike_table(view))
    if outline is None:
        return False
    (u, v), sides_px, _ = cv2.minAreaRect(outline)
    across_mm = np.array(sides_px) / _PX_PER_MM
    off_mm = np.hypot(u - view.shape[1] // 2, v - view.shape[0] // 2) / _PX_PER_MM
    fills = cv2.contourArea(outline) / max(cv2.contourArea(cv2.convexHull(outline)), 1e-9)
    is_of_size = _ACROSS_MM[0] < across_mm.min() and across_mm.max() < _ACROSS_MM[1]
    return bool(is_of_size and across_mm.max() < _LONGER * across_mm.min() and off_mm < _OFF_MM and fills > _SOLID)


def _unlike_table(view: Image) -> Image:
    """Where a view from above is not of the table's colour, as that shows about its middle."""
    rows, columns = np.indices(view.shape[:2]) - view.shape[0] // 2
    table = view[np.hypot(rows, columns) > _TABLE_FROM_MM * _PX_PER_MM].astype(float)
    colour = np.median(table, axis=0)
    scatter = _OF_MEDIAN * np.median(np.abs(table - colour), axis=0)
    off = np.abs(view - colour) / np.maximum(_SCATTERS * scatter, _LEAST_LEVELS)
    thin = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_THIN_PX, _THIN_PX))
    return np.asarray(cv2.morphologyEx(np.asarray(off.max(axis=2) > 1, np.uint8), cv2.MORPH_OPEN, thin), np.uint8)


def _outline_at_middle(mask: Image) -> NDArray[np.int32] | None:
    """The outline of what covers the middle of a mask; None where nothing does."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    middle = (mask.shape[1] // 2, mask.shape[0] // 2)
    there = [each for each in outlines if cv2.pointPolygonTest(each, middle, measureDist=False) >= 0]
    return np.asarray(there[0], np.int32) if there else None
