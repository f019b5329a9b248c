"""Where a segment enters an area, and how deep it runs in it: how far it must shift to leave it on one side."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon

from rules.compiled import compiled

Floats = NDArray[np.float64]


def depth_mm(line: LineString, area: Polygon) -> float:
    """How far the segment must shift so that the area's outline, as far as it lies beside it, is on one side of it."""
    ends = shapely.get_coordinates(line)
    return float(depth(shapely.get_coordinates(shapely.get_exterior_ring(area)), ends[0], ends[1]))


@compiled
def depth(ring: Floats, start: Floats, end: Floats) -> float:
    """The same for a closed ring of corners, (n, 2)."""
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


def entry_of(line: LineString, area: Polygon, rings: Sequence[Floats]) -> Point | None:
    """The first point of the segment that lies in the area or on its border; None if there is none.

    rings  `rings_of` the area: many segments ask the same one
    """
    ends = shapely.get_coordinates(line)
    if shapely.intersects_xy(area, *ends[0]):
        return Point(ends[0])
    share = min(float(entry(ring, ends[0], ends[1])) for ring in rings)
    return Point(*(ends[0] + share * (ends[1] - ends[0])).tolist()) if share <= 1.0 else None


def rings_of(area: Polygon) -> tuple[Floats, ...]:
    """The corners (n, 2) of the outline and of each hole, mm."""
    return tuple(shapely.get_coordinates(ring) for ring in shapely.get_rings(area))


@compiled
def entry(ring: Floats, start: Floats, end: Floats) -> float:
    """The share of the segment from `start` to `end` before it meets the ring (n, 2); infinite if it does not."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    first = np.inf
    for corner in range(1, len(ring)):
        ax, ay = ring[corner - 1, 0] - start[0], ring[corner - 1, 1] - start[1]
        bx, by = ring[corner, 0] - start[0], ring[corner, 1] - start[1]
        a_side, b_side = dx * ay - dy * ax, dx * by - dy * bx
        # A side along the segment is met where its neighbours are.
        if a_side * b_side > 0.0 or a_side == b_side:
            continue
        share = a_side / (a_side - b_side)
        x, y = ax + share * (bx - ax), ay + share * (by - ay)
        along = (x * dx + y * dy) / (dx * dx + dy * dy)
        if 0.0 <= along <= 1.0:
            first = min(first, along)
    return first
