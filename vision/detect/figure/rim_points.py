"""Points on the rims of miniatures' bases, as a camera sees them: the inner loop of their fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled

Array = NDArray[np.float64]

# The upper rim of a base as a share of its foot.
_UPPER = 0.94
# How far ahead a point's neighbour lies, which tells the rim's direction, mm.
_AHEAD_MM = 0.3


@compiled
def rim_points(shapes: Array, facing: Array, eye_mm: Array, low_mm: float) -> tuple[Array, Array]:
    """(n, k, 3) points that bound what shows of bases standing at `low_mm`, and a little ahead of each.

    shapes  (n, 6): x, y, log of half its length, log of length over breadth, turn (rad), thickness, mm
    facing  (k, 2) unit vectors into which the outline faces at its points
    """
    points, ahead = np.empty((len(shapes), len(facing), 3)), np.empty((len(shapes), len(facing), 3))
    for n in range(len(shapes)):
        x, y, long, ratio, turn, thick = shapes[n]
        cos, sin = np.cos(turn), np.sin(turn)
        a, b = np.exp(long), np.exp(long - ratio)
        rise = thick / (eye_mm[2] - low_mm - thick)
        for k in range(len(facing)):
            to_x, to_y = facing[k]
            u, v = (cos * to_x + sin * to_y) * a, (cos * to_y - sin * to_x) * b
            reach = np.sqrt(u * u + v * v)
            p, q = a * u / reach, b * v / reach
            away = (x - eye_mm[0]) * to_x + (y - eye_mm[1]) * to_y
            is_upper = rise * away + _UPPER * (1 + rise) * reach > reach
            share = _UPPER if is_upper else 1.0
            points[n, k, 0] = x + (cos * p - sin * q) * share
            points[n, k, 1] = y + (sin * p + cos * q) * share
            points[n, k, 2] = low_mm + (thick if is_upper else 0.0)
            ahead[n, k, 0] = points[n, k, 0] - _AHEAD_MM * to_y
            ahead[n, k, 1] = points[n, k, 1] + _AHEAD_MM * to_x
            ahead[n, k, 2] = points[n, k, 2]
    return points, ahead
