"""The outlines that blocks show, as a compiled loop: fits draw some ten thousand blocks for each look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled

Array = NDArray[np.float64]

# Points on each side and upright edge, and where the first and the last of them lie, as a share of it.
SIDE = 14
_SIDES_FROM, _UPRIGHTS_FROM = 0.02, 0.05
# Each of the four sides of the top, of the foot, and upright edges.
PARTS = 12
# Which way the corners lie, along and aside.
_WAYS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
# How much an upright edge of a block counts, from such a height on, and of that one between two sides that show.
_UPRIGHT_WEIGHT, _UPRIGHT_MM, _FOLD = 0.25, 25.0, 0.5


@compiled
def corners(shapes: Array) -> Array:
    """(n, 4, 2) of the feet of blocks (n, 6) as below, counter-clockwise, mm."""
    feet = np.empty((len(shapes), 4, 2))
    for n in range(len(shapes)):
        x, y, length, breadth, turn = shapes[n, 0], shapes[n, 1], shapes[n, 2], shapes[n, 3], shapes[n, 4]
        c, s = np.cos(turn), np.sin(turn)
        for corner in range(4):
            along, aside = length / 2 * _WAYS[corner][0], breadth / 2 * _WAYS[corner][1]
            feet[n, corner, 0], feet[n, corner, 1] = x + c * along - s * aside, y + s * along + c * aside
    return feet


@compiled
def _draw(
    at: Array, then: Array, x: float, y: float, along_x: float, along_y: float, high: float, first: float
) -> None:
    """Fill in points (SIDE, 3) on a line from x, y, and those a millimetre ahead; `first` as in `_SIDES_FROM`."""
    length = np.sqrt(along_x * along_x + along_y * along_y) + 1e-9
    for k in range(SIDE):
        share = first + k * (1 - 2 * first) / (SIDE - 1)
        at[k, 0], at[k, 1], at[k, 2] = x + along_x * share, y + along_y * share, high
        then[k, 0], then[k, 1], then[k, 2] = at[k, 0] + along_x / length, at[k, 1] + along_y / length, high


@compiled
def block_outlines(shapes: Array, eye_mm: Array) -> tuple[Array, Array, Array]:
    """Points of the outlines above the table (PARTS, n, SIDE, 3), those a millimetre ahead, and what each outline
    counts (PARTS, n): 0, its points left out, where it does not show.

    Top and foot of each side in turn, then the upright edges: those between a side that faces the camera and one that
    does not end the thing, that between two is a fold; low ones hardly show.

    shapes  (n, 6) x, y, length, breadth, turn in radians, height
    eye_mm  (3,) the camera
    """
    feet_mm = corners(shapes)
    count = len(shapes)
    points, ahead = np.zeros((PARTS, count, SIDE, 3)), np.zeros((PARTS, count, SIDE, 3))
    weights = np.zeros((PARTS, count))
    faces = np.zeros(4, np.bool_)
    for n in range(count):
        height, feet = shapes[n, 5], feet_mm[n]
        for side in range(4):
            x, y = feet[side]
            along_x, along_y = feet[(side + 1) % 4, 0] - x, feet[(side + 1) % 4, 1] - y
            faces[side] = along_y * (eye_mm[0] - x) - along_x * (eye_mm[1] - y) > 0
            top, foot = 2 * side, 2 * side + 1
            weights[top, n] = 1.0
            _draw(points[top, n], ahead[top, n], x, y, along_x, along_y, height, _SIDES_FROM)
            if faces[side] and height > 0:
                weights[foot, n] = 1.0
                _draw(points[foot, n], ahead[foot, n], x, y, along_x, along_y, 0.0, _SIDES_FROM)
        # From a foot to where the corner above it shows on the table.
        farther = eye_mm[2] / max(eye_mm[2] - height, 1.0) - 1.0
        for corner in range(4):
            beside, before = faces[corner], faces[corner - 1]
            if height > 0 and (beside or before):
                x, y = feet[corner]
                upright = 8 + corner
                weights[upright, n] = _UPRIGHT_WEIGHT * min(height / _UPRIGHT_MM, 1.0)
                weights[upright, n] *= _FOLD if beside and before else 1.0
                along_x, along_y = (x - eye_mm[0]) * farther, (y - eye_mm[1]) * farther
                _draw(points[upright, n], ahead[upright, n], x, y, along_x, along_y, 0.0, _UPRIGHTS_FROM)
    return points, ahead, weights
