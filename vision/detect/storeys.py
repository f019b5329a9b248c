"""What a block stands on: the upper of two books shows whole, as a larger block on the table would that is farther out
from the foot of the camera; of the lower one the lines that the upper does not hide say how high it stands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray
from shapely import MultiPoint, Polygon, union_all

from calibration.plane import TablePlane
from vision.detect.edges import Edges
from vision.detect.fit import Fit, Guess, best_fit
from vision.detect.forms import BLOCK, corners

Array = NDArray[np.float64]

# Of so much of what the net sees a block is no part, beside its edges: it is one of several.
_MORE, _EDGE_MM = 0.12, 5.0
# Heights, turns against the upper block in radians, and its sides as a share, with which a lower one is begun.
_HEIGHTS_MM, _TURNS, _SMALLER = (14.0, 30.0), (-0.25, 0.0, 0.25), 0.82
# How far off each may be: the middle in mm, sides as a share, turn in radians, height in mm. Lower ones than the least
# are a cover and its pages.
_MIDDLE_MM, _LENGTH, _TURN, _HEIGHT_MM, _LEAST_MM = 10.0, 0.15, 0.2, 6.0, 8.0
# The upper block's own edges are so near it, and speak for no other.
_OWN_MM = 2.5
# It stands out over the lower one by no more; each mm beyond costs so much support.
_OVER_MM, _EACH_MM = 2.0, 0.03
# From this support on there is a lower block (rendered pictures, seeds 5, 6, 41107: two stacks of four 0.73 and 0.74,
# 16 single blocks 0.68 at most).
_SUPPORT = 0.7


def is_one_of_several(block: Fit, footprint: Polygon, plane: TablePlane) -> bool:
    """Whether the footprint that the net sees reaches well beyond the block, so that another may lie under it."""
    return bool(footprint.difference(_body(block.shape, plane, _EDGE_MM)).area > _MORE * footprint.area)


def below(block: Fit, edges: Edges) -> Fit | None:
    """The lower block, if `block` was measured as if it stood on the table and the picture's lines bear one out."""
    hidden = edges.behind(_body(block.shape, edges.plane, _OWN_MM))
    fit = best_fit(_guesses(block.shape, np.asarray(edges.plane.camera_position_mm)), hidden)
    return fit if fit is not None and fit.support > _SUPPORT else None


def top_mm(upper: Fit, lower: Fit, plane: TablePlane) -> float:
    """Height above the table, mm, of the top of `upper`, which was measured as if on the table, on the lower block."""
    return float(lower.height_mm + upper.height_mm * _nearer(lower.height_mm, np.asarray(plane.camera_position_mm)))


def whole(upper: Fit, lower: Fit, plane: TablePlane) -> Polygon:
    """The part of the table, mm, that the lower block and the one on it stand over together."""
    both = union_all([lower.footprint, BLOCK.footprint(_lifted(upper.shape, lower.height_mm, plane))])
    return both if isinstance(both, Polygon) else lower.footprint


def _guesses(upper: Array, eye_mm: Array) -> Iterator[Guess]:
    for tall, turned in product(_HEIGHTS_MM, _TURNS):
        share = _nearer(tall, eye_mm)
        x, y = eye_mm[:2] + (upper[:2] - eye_mm[:2]) * share
        length, breadth = upper[2:4] * share / _SMALLER
        start = np.array([x, y, length, breadth, upper[4] + turned, tall])
        spread = (_MIDDLE_MM, _MIDDLE_MM, _LENGTH * length, _LENGTH * breadth, _TURN, _HEIGHT_MM)
        size = float(upper[2] * upper[3] * share**2)
        yield Guess(BLOCK, start, np.array(spread), size, _LEAST_MM, lambda lower: _cost(upper, lower, eye_mm))


def _cost(upper: Array, lower: Array, eye_mm: Array) -> Array:
    """(n,) of what a block stands out over lower ones (n, 6)."""
    feet = eye_mm[:2] + (corners(upper[None]) - eye_mm[:2]) * _nearer(lower[:, 5], eye_mm)[:, None, None]
    x, y = np.moveaxis(feet - lower[:, None, :2], -1, 0)
    c, s = np.cos(lower[:, 4, None]), np.sin(lower[:, 4, None])
    over = [np.abs(c * x + s * y) - lower[:, 2, None] / 2, np.abs(c * y - s * x) - lower[:, 3, None] / 2]
    return np.asarray(_EACH_MM * np.maximum(np.max(over, axis=(0, 2)) - _OVER_MM, 0), float)


def _nearer(height_mm: float | Array, eye_mm: Array) -> Array:
    """By what share a thing at some height is nearer to the foot of the camera than it looks."""
    return np.asarray(1 - np.asarray(height_mm) / eye_mm[2], float)


def _lifted(block: Array, height_mm: float, plane: TablePlane) -> Array:
    """A block as one at some height that looks so."""
    eye_mm = np.asarray(plane.camera_position_mm)
    share = _nearer(height_mm, eye_mm)
    at = eye_mm[:2] + (block[:2] - eye_mm[:2]) * share
    return np.array([*at, *(block[2:4] * share), block[4], block[5] * share])


def _body(block: Array, plane: TablePlane, around_mm: float) -> Polygon:
    """What a block hides of the table, and so much around it."""
    foot = corners(block[None])[0]
    hidden = MultiPoint([*foot, *plane.behind(foot, float(block[5]))]).convex_hull.buffer(around_mm)
    assert isinstance(hidden, Polygon)
    return hidden
