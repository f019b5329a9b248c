"""Sheets by their four sides: quadrilaterals of long edges, light or dark inside, corners hidden or out of the picture.

Where a sheet's corner is covered, lies beyond the picture or runs into a shadow, its sides still tell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.long_edge import LongEdge
from calibration.planar import cross

Array = NDArray[np.float64]

# Ways of a sheet's sides in the picture, light on the left, from the near side on: near, right, far, left.
_WAYS = np.array([[1, 0], [0, -1], [-1, 0], [0, 1]], float)
# A camera held upright shows each side within 65 degrees of its way.
_COS_OF_WAY = 0.42
_MOST_A_WAY = 8
# Of a side and of the edges on it together, the least share that both have.
_FEWEST_SEEN = 0.55
# How far, in shares of the picture, a corner may lie out of it.
_OUTSIDE = 0.2
_ON_LINE_PX, _COS_OF_LINE = 6.0, 0.9996
# One sheet's sides stand out alike, but for light and shadow.
_FAINT_POWER = 0.25


@dataclass(frozen=True, eq=False)
class Outline:
    """Four corners (4, 2) px as a lens without distortion shows them: near left, near right, far right, far left.

    seen   the product, over the sides, of the share that edges and side have in common, faint ones counting less
    area   of the picture
    """

    corners: Array
    seen: float
    area: float


def outlines(edges: Sequence[LongEdge], size_px: tuple[int, int]) -> list[Outline]:
    """The quadrilaterals that four of the (straightened) edges make, the best seen and largest first."""
    sides = [_Side.of(edge) for edge in edges]
    every = [*_of_one_light(sides, size_px), *_of_one_light([side.turned() for side in sides], size_px)]
    return sorted(every, key=lambda outline: -outline.seen * np.sqrt(outline.area))


@dataclass(frozen=True, eq=False)
class _Side:
    """A line through `middle` along the unit vector `way`, on which edges of that rise are seen from `start` to `end`
    (px along)."""

    middle: Array
    way: Array
    start: float
    end: float
    rise: float

    @classmethod
    def of(cls, edge: LongEdge) -> _Side:
        """The line of most of the edge's points: what strays at an end has left it."""
        points = edge.points_px
        for _ in range(3):
            middle = points.mean(axis=0)
            way = np.linalg.svd(points - middle, full_matrices=False)[2][0]
            off = np.abs(cross(points - middle, way))
            points = points[off <= max(3 * float(np.median(off)), 1.0)]
        way = way * np.sign((edge.points_px[-1] - edge.points_px[0]) @ way)
        along = (points - middle) @ way
        return cls(middle, way, float(along.min()), float(along.max()), edge.rise)

    def turned(self) -> _Side:
        """With what was on its left on its right."""
        return _Side(self.middle, -self.way, -self.end, -self.start, self.rise)

    def joined(self, others: Sequence[_Side]) -> _Side:
        """With the other edges that lie on the same line, the same way round."""
        start, end = self.start, self.end
        for other in others:
            ends = other.middle + np.array([[other.start], [other.end]]) * other.way - self.middle
            if other.way @ self.way > _COS_OF_LINE and np.abs(cross(ends, self.way)).max() < _ON_LINE_PX:
                start, end = min(start, *(ends @ self.way)), max(end, *(ends @ self.way))
        return _Side(self.middle, self.way, start, end, self.rise)

    @property
    def line(self) -> Array:
        """(3,) homogeneous."""
        normal = np.array([-self.way[1], self.way[0]])
        return np.array([*normal, -normal @ self.middle])


def _of_one_light(sides: Sequence[_Side], size_px: tuple[int, int]) -> list[Outline]:
    """All that go round one way."""
    joined = [side.joined(sides) for side in sides]
    ranked = sorted(joined, key=lambda side: side.start - side.end)
    by_way = [[side for side in ranked if side.way @ way > _COS_OF_WAY][:_MOST_A_WAY] for way in _WAYS]
    if not all(by_way):
        return []
    index = np.stack([np.ravel(each) for each in np.meshgrid(*(np.arange(len(mine)) for mine in by_way))])
    numbers = (np.array([_numbers(side) for side in mine]) for mine in by_way)
    return _whole([mine[which] for mine, which in zip(numbers, index, strict=True)], size_px)


def _numbers(side: _Side) -> Array:
    """(10,) line, middle, way, start, end and rise."""
    return np.array([*side.line, *side.middle, *side.way, side.start, side.end, side.rise])


def _whole(chosen: Sequence[Array], size_px: tuple[int, int]) -> list[Outline]:
    """The outlines among (n, 10) numbers of a near, a right, a far and a left side each."""
    crossings = []
    for before, after in zip((chosen[3], *chosen[:3]), chosen, strict=True):
        meet = np.cross(before[:, :3], after[:, :3])
        with np.errstate(divide="ignore", invalid="ignore"):
            crossings.append(meet[:, :2] / meet[:, 2:])
    corners = np.stack(crossings, axis=1)
    limit = np.array(size_px, float)
    near = np.isfinite(corners).all(axis=(1, 2))
    near &= ((corners > -_OUTSIDE * limit) & (corners < (1 + _OUTSIDE) * limit)).all(axis=(1, 2))
    rises = np.stack([side[:, 9] for side in chosen], axis=1)
    seen = np.prod(rises / rises.max(axis=1, keepdims=True), axis=1) ** _FAINT_POWER
    for k, side in enumerate(chosen):
        seen *= _share_seen(side, corners[:, k], corners[:, (k + 1) % 4], limit)
    good = np.flatnonzero(near & (seen > 0))
    return [Outline(corners[i], float(seen[i]), _area(corners[i]) / float(limit.prod())) for i in good]


def _share_seen(side: Array, corner: Array, following: Array, limit: Array) -> Array:
    """(n,) of each side's part in the picture and of the edges on it, what both have; 0 where that is too little."""
    middle, way, start, end = side[:, 3:5], side[:, 5:7], side[:, 7], side[:, 8]
    with np.errstate(invalid="ignore", divide="ignore"):
        first, last = (((place - middle) * way).sum(axis=1) for place in (corner, following))
        walls = np.stack([-middle / way, (limit - 1 - middle) / way])
        enters, leaves = walls.min(axis=0).max(axis=1), walls.max(axis=0).min(axis=1)
    first, last = np.maximum(first, enters), np.minimum(last, leaves)
    common = np.minimum(last, end) - np.maximum(first, start)
    share = common / np.maximum(np.maximum(last, end) - np.minimum(first, start), 1e-9)
    return np.where(share > _FEWEST_SEEN, share, 0.0)


def _area(corners: Array) -> float:
    return float(np.abs(cross(corners, np.roll(corners, -1, axis=0)).sum()) / 2)
