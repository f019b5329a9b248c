"""How deep a segment runs in an area: how far it must shift sideways to leave the area on one side."""

from __future__ import annotations

import math

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon

from rules.geometry.compiled import compiled

Floats = NDArray[np.float64]


def depth_mm(line: LineString, area: Polygon) -> float:
    """How far the segment must shift so that the area's outline, as far as it lies beside it, is on one side of it."""
    ends = shapely.get_coordinates(line)
    return float(_depth(shapely.get_coordinates(area.exterior), ends[0], ends[1]))


@compiled
def _depth(ring: Floats, start: Floats, end: Floats) -> float:
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    high, low = 0.0, 0.0
    ahead, left = _seen_from(ring[0], start, ux, uy)
    for corner in range(1, len(ring)):
        before, left_before = ahead, left
        ahead, left = _seen_from(ring[corner], start, ux, uy)
        if 0.0 <= ahead <= length:
            high, low = max(high, left), min(low, left)
        for limit in (0.0, length):
            if (before - limit) * (ahead - limit) < 0.0:
                across = left_before + (left - left_before) * (before - limit) / (before - ahead)
                high, low = max(high, across), min(low, across)
    return max(0.0, min(high, -low))


@compiled
def _seen_from(corner: Floats, start: Floats, ux: float, uy: float) -> tuple[float, float]:
    """How far ahead of the start a corner lies, and how far to the left."""
    dx, dy = corner[0] - start[0], corner[1] - start[1]
    return dx * ux + dy * uy, dy * ux - dx * uy
