"""The colour that shows within an outline on the table, and how far two colours are apart."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from vision.detect.solid.glance import Sight
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Of Lab: lightness counts by half, for a shadow is no other sheet.
LAB_WEIGHTS = np.array([0.5, 1.0, 1.0], np.float32)
# Colours are those well within a sheet.
_WITHIN_MM = 3.0


def colour_of(outline: BaseGeometry, close: Sight[TopView]) -> Array:
    """(3,) the mean in Lab of what shows within an outline, mm."""
    lab, mask = _within(outline, close)
    return np.array(cv2.mean(lab, mask)[:3])


def unevenness_of(outline: Polygon, close: Sight[TopView]) -> float:
    """The standard deviation of the lightness (of 255) of what shows within an outline, mm."""
    lab, mask = _within(outline, close)
    return float(cv2.meanStdDev(lab, mask=mask)[1][0, 0])


def _within(outline: BaseGeometry, close: Sight[TopView]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(h, w, 3) in Lab, and (h, w) 1 well within an outline."""
    within = outline.buffer(-_WITHIN_MM)
    core = outline if within.is_empty else within
    low_high = close.view.to_px(np.array(core.bounds).reshape(2, 2))
    size = np.array(close.view.size_px)
    first = np.clip(np.floor(low_high.min(axis=0)), 0, size - 1).astype(int)
    last = np.clip(np.ceil(low_high.max(axis=0)), first + 1, size).astype(int)
    part = close.seen[first[1] : last[1], first[0] : last[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    for piece in getattr(core, "geoms", [core]):
        px = close.view.to_px(np.array(piece.exterior.coords)) - first
        cv2.fillPoly(mask, [np.rint(px).astype(np.int32)], (1,))
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2LAB), np.uint8), mask


def apart(one: Array, other: Array) -> Array:
    """(...,) how far colours (..., 3) in Lab are apart."""
    return np.asarray(np.abs(one - other) @ LAB_WEIGHTS, float)
