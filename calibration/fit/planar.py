"""Turns and circles in the plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def cross(a: Array, b: Array) -> Array:
    """(...,) a_x b_y - a_y b_x of vectors (..., 2): positive where b is to the left of a (y up)."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], float)


def turn(triangle: Array) -> float:
    """Twice the signed area of (3, 2) corners."""
    return float(cross(triangle[1] - triangle[0], triangle[2] - triangle[0]))


def circle_through(points: Array) -> tuple[Array, float]:
    """Centre (2,) and radius of the circle nearest to (n, 2) points of an arc, algebraically (Kasa 1976)."""
    middle = points.mean(axis=0)
    local = points - middle
    found = np.linalg.lstsq(np.c_[2 * local, np.ones(len(local))], np.square(local).sum(axis=1), rcond=None)[0]
    return middle + found[:2], float(np.sqrt(max(found[2] + found[:2] @ found[:2], 0.0)))
