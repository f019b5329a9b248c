"""Outlines without the points that say nothing."""

from __future__ import annotations

import numpy as np

from rules.compiled import compiled
from rules.geometry.screens import Floats

# A point this near to the line between its neighbours is on it: far below any measurement, above rounding.
_STRAIGHT_MM = 1e-6


@compiled
def straightened(outline: Floats) -> Floats:
    """The corners (n, 2) of a polygon without repetitions and without those on a straight line.

    Rays are cast at even turns, so that most of them end in the middle of a wall: half of a union's time went into
    those. The first point stays.
    """
    kept = np.empty_like(outline)
    count = 0
    for number in range(len(outline)):
        x, y = outline[number, 0], outline[number, 1]
        while count > 1 and _is_between(
            kept[count - 2, 0], kept[count - 2, 1], kept[count - 1, 0], kept[count - 1, 1], x, y
        ):
            count -= 1
        if count and abs(x - kept[count - 1, 0]) + abs(y - kept[count - 1, 1]) <= _STRAIGHT_MM:
            continue
        kept[count, 0], kept[count, 1] = x, y
        count += 1
    return kept[:count]


@compiled
def _is_between(ax: float, ay: float, px: float, py: float, bx: float, by: float) -> bool:
    """Whether the point p lies on the straight line from a to b."""
    ux, uy = bx - ax, by - ay
    dx, dy = px - ax, py - ay
    length2, along = ux * ux + uy * uy, ux * dx + uy * dy
    aside = ux * dy - uy * dx
    return bool(0.0 <= along <= length2 and aside * aside <= _STRAIGHT_MM * _STRAIGHT_MM * length2)
