"""Sheets by their four sides: quadrilaterals of long edges, light or dark inside, whose corners need not show.

Where a sheet's corner is covered, lies beyond the picture or runs into a shadow, its sides still tell it. A map's frame
has its sheet's shape too, and often stands out more; a sheet is the outermost of what lies one in another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges.long_edge import LongEdge
from calibration.fit.planar import cross

Array = NDArray[np.float64]
# Where the picture shows places (n, 2) px of one without distortion.
Bending = Callable[[Array], Array]

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
# Places along a side that are asked whether the picture shows them.
_PLACES = 24
# Margins round a map are narrower than this share of its size. Of two outlines, one so little within the other, the
# outer is taken unless it is this much worse seen; down to half of that the sides that it has beyond are in doubt.
_MARGIN = 0.07
_RIVAL, _DOUBT = 0.6, 0.3
# Margins keep their breadth along a side to this share of the sheet's size; and less than this apart is one side.
_EVEN = 0.005
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
_INWARD = np.array([[0, 1], [-1, 0], [0, -1], [1, 0]], float)
# A side's line is that of most of its edge's points: within this of it, tried through points of so many places.
_STRAYED_PX, _TRIED = 3.0, 9


@dataclass(frozen=True, eq=False)
class Outline:
    """Four corners (4, 2) px as a lens without distortion shows them: near left, near right, far right, far left.

    seen      0 to 1: the product over the sides of the share that edges cover of each, faint edges counting less
    area      share of the picture
    stray_px  (4,) RMS by which each side's edge leaves its straight line
    margin    (4,) px by which each side may lie too far in or out, since a printed frame runs along the other sides and
              not along this one
    """

    corners: Array
    seen: float
    area: float
    stray_px: Array = field(default_factory=lambda: np.zeros(4))
    margin: Array = field(default_factory=lambda: np.zeros(4))


def outlines(edges: Sequence[LongEdge], size_px: tuple[int, int], bent: Bending | None = None) -> list[Outline]:
    """The quadrilaterals that four of the (straightened) edges make, the best seen and largest first.

    bent  how the lens shows what was straightened; None where it bends nothing
    """
    sides = [_Side.of(edge) for edge in edges]
    shows = _Shows(np.array(size_px, float), bent)
    every = [*_of_one_light(sides, shows), *_of_one_light([side.turned() for side in sides], shows)]
    ranked = sorted(every, key=lambda outline: -outline.seen * np.sqrt(outline.area))
    return list(_outermost(ranked))


def _outermost(ranked: Sequence[Outline]) -> Iterator[Outline]:
    """Of outlines that lie evenly one in another the outer, in place of all; those that stand alone as they are."""
    left = list(ranked)
    while left:
        offs = [_breadths(left[0], other) for other in left]
        near = [other for other, off in zip(left, offs, strict=True) if off is not None]
        outer = max((one for one in near if one.seen >= _RIVAL * left[0].seen), key=lambda one: one.area)
        beyond = [one for one in near if one.seen >= _DOUBT * left[0].seen and one.area > outer.area]
        yield replace(outer, margin=np.maximum(_margin(outer, near), _beyond(outer, beyond)))
        left = [other for other, off in zip(left, offs, strict=True) if off is None]


def _breadths(outline: Outline, other: Outline) -> Array | None:
    """(4,) breadth of the strip between each side and the other's, in shares of the outline's size, outward positive;
    None where the strips are too broad or uneven for a margin."""
    across = cv2.getPerspectiveTransform(outline.corners.astype(np.float32), _SQUARE.astype(np.float32))
    there = cv2.perspectiveTransform(other.corners[None], across)[0] - _SQUARE
    # Near and far by y, right and left by x, at the two corners of each side.
    ends = np.array(
        [[-there[0, 1], -there[1, 1]], [there[1, 0], there[2, 0]], [there[2, 1], there[3, 1]], -there[[3, 0], 0]]
    )
    uneven = np.abs(ends[:, 0] - ends[:, 1]).max() > _EVEN
    return None if uneven or np.abs(ends).max() > _MARGIN else np.asarray(ends.mean(axis=1), float)


def _margin(outline: Outline, near: Sequence[Outline]) -> Array:
    """(4,) px, 0 for a side that another runs along; else what the other sides' companions tell of its own.

    A sheet's frame runs along all its sides. Where it runs along some of them only, what was taken for the others is
    the frame itself.
    """
    breadths = [each for other in near if (each := _breadths(outline, other)) is not None]
    widest = np.abs(breadths).max(axis=0)
    alone = widest < _EVEN
    if alone.all() or not alone.any():
        return np.zeros(4)
    return np.where(alone, _strips_px(outline, np.full(4, widest.max())), 0.0)


def _beyond(outline: Outline, others: Sequence[Outline]) -> Array:
    """(4,) px by which one of the others, which are seen worse, lies beyond each side."""
    breadths = [each for other in others if (each := _breadths(outline, other)) is not None]
    widest = np.max([np.zeros(4), *breadths], axis=0)
    return np.where(widest < _EVEN, 0.0, _strips_px(outline, -widest))


def _strips_px(outline: Outline, breadths: Array) -> Array:
    """(4,) px that strips along the sides are broad, inward positive, of breadths (4,) in shares of its size."""
    whole = cv2.getPerspectiveTransform(_SQUARE.astype(np.float32), outline.corners.astype(np.float32))
    ends = np.stack([_SQUARE, np.roll(_SQUARE, -1, axis=0)], axis=1) + (breadths[:, None] * _INWARD)[:, None]
    there = cv2.perspectiveTransform(ends, whole)
    ways = np.roll(outline.corners, -1, axis=0) - outline.corners
    off = np.abs(cross(there - outline.corners[:, None], ways[:, None])) / np.hypot(*ways.T)[:, None]
    return np.asarray(off.max(axis=1), float)


@dataclass(frozen=True, eq=False)
class _Side:
    """A line through `middle` along the unit vector `way`, on which edges of that rise are seen from `start` to `end`
    (px along), `stray_px` off it (RMS)."""

    middle: Array
    way: Array
    start: float
    end: float
    rise: float
    stray_px: float

    @classmethod
    def of(cls, edge: LongEdge) -> _Side:
        """The line of most of the edge's points: what strays at an end has left it."""
        points = _straight_part(edge.points_px)
        for _ in range(3):
            middle = points.mean(axis=0)
            way = np.linalg.svd(points - middle, full_matrices=False)[2][0]
            off = np.abs(cross(points - middle, way))
            kept = off <= max(3 * float(np.median(off)), 1.0)
            points, stray_px = points[kept], float(np.sqrt(np.mean(np.square(off[kept]))))
        way = way * np.sign((edge.points_px[-1] - edge.points_px[0]) @ way)
        along = (points - middle) @ way
        return cls(middle, way, float(along.min()), float(along.max()), edge.rise, stray_px)

    def turned(self) -> _Side:
        """The same edge run through the other way round: what was on its left is on its right."""
        return replace(self, way=-self.way, start=-self.end, end=-self.start)

    def joined(self, others: Sequence[_Side]) -> _Side:
        """This edge and those of the others that lie on the same line, the same way round, as one."""
        start, end = self.start, self.end
        for other in others:
            ends = other.middle + np.array([[other.start], [other.end]]) * other.way - self.middle
            if other.way @ self.way > _COS_OF_LINE and np.abs(cross(ends, self.way)).max() < _ON_LINE_PX:
                start, end = min(start, *(ends @ self.way)), max(end, *(ends @ self.way))
        return replace(self, start=start, end=end)

    @property
    def line(self) -> Array:
        """(3,) the straight line through the edge, homogeneous: line @ (u, v, 1) is 0 on it."""
        normal = np.array([-self.way[1], self.way[0]])
        return np.array([*normal, -normal @ self.middle])


def _straight_part(points: Array) -> Array:
    """Those of (n, 2) points that lie along the line which most of them share."""
    few = points[np.unique(np.linspace(0, len(points) - 1, _TRIED).astype(int))]
    starts, ends = (few[k] for k in np.triu_indices(len(few), 1))
    ways = (ends - starts) / np.hypot(*(ends - starts).T)[:, None]
    off = np.abs(cross(points - starts[:, None], ways[:, None]))
    best = off[np.minimum(off, _STRAYED_PX).sum(axis=1).argmin()]
    return np.asarray(points[best < _STRAYED_PX], float)


@dataclass(frozen=True, eq=False)
class _Shows:
    """What the picture of that size (px) shows of places without distortion."""

    limit: Array
    bent: Bending | None

    def inside(self, places: Array) -> NDArray[np.bool_]:
        """(...,) whether the picture shows places (..., 2)."""
        flat = places.reshape(-1, 2)
        px = self.bent(flat) if self.bent is not None else flat
        return np.asarray(((px >= 0) & (px <= self.limit - 1)).all(axis=1).reshape(places.shape[:-1]), bool)


def _of_one_light(sides: Sequence[_Side], shows: _Shows) -> list[Outline]:
    """All that go round one way."""
    joined = [side.joined(sides) for side in sides]
    ranked = sorted(joined, key=lambda side: side.start - side.end)
    by_way = [[side for side in ranked if side.way @ way > _COS_OF_WAY][:_MOST_A_WAY] for way in _WAYS]
    if not all(by_way):
        return []
    index = np.stack([np.ravel(each) for each in np.meshgrid(*(np.arange(len(mine)) for mine in by_way))])
    numbers = (np.array([_numbers(side) for side in mine]) for mine in by_way)
    return _whole([mine[which] for mine, which in zip(numbers, index, strict=True)], shows)


def _numbers(side: _Side) -> Array:
    """(11,) line, middle, way, start, end, rise and stray."""
    return np.array([*side.line, *side.middle, *side.way, side.start, side.end, side.rise, side.stray_px])


def _whole(chosen: Sequence[Array], shows: _Shows) -> list[Outline]:
    """The outlines among (n, 11) numbers of a near, a right, a far and a left side each."""
    crossings = []
    for before, after in zip((chosen[3], *chosen[:3]), chosen, strict=True):
        meet = np.cross(before[:, :3], after[:, :3])
        with np.errstate(divide="ignore", invalid="ignore"):
            crossings.append(meet[:, :2] / meet[:, 2:])
    corners, limit = np.stack(crossings, axis=1), shows.limit
    near = np.isfinite(corners).all(axis=(1, 2))
    near &= ((corners > -_OUTSIDE * limit) & (corners < (1 + _OUTSIDE) * limit)).all(axis=(1, 2))
    corners, sides = corners[near], [side[near] for side in chosen]
    rises = np.stack([side[:, 9] for side in sides], axis=1)
    seen = np.prod(rises / rises.max(axis=1, keepdims=True), axis=1) ** _FAINT_POWER
    for k, side in enumerate(sides):
        seen *= _share_seen(side, corners[:, k], corners[:, (k + 1) % 4], shows)
    good = np.flatnonzero(seen > 0)
    stray_px = np.stack([side[:, 10] for side in sides], axis=1)
    return [Outline(corners[i], float(seen[i]), _area(corners[i]) / float(limit.prod()), stray_px[i]) for i in good]


def _share_seen(side: Array, corner: Array, following: Array, shows: _Shows) -> Array:
    """(n,) of each side's part in the picture and of the edges on it, what both have; 0 where that is too little."""
    middle, way, start, end = side[:, 3:5], side[:, 5:7], side[:, 7], side[:, 8]
    first, last = (((place - middle) * way).sum(axis=1) for place in (corner, following))
    share = (np.arange(_PLACES) + 0.5) / _PLACES
    along = first[:, None] + share * (last - first)[:, None]
    shown = shows.inside(middle[:, None] + along[..., None] * way[:, None])
    common = (shown & (along >= start[:, None]) & (along <= end[:, None])).mean(axis=1)
    # What the edges have beyond the corners speaks against them, too.
    beyond = np.maximum(first - start, 0) + np.maximum(end - last, 0)
    whole = shown.mean(axis=1) + beyond / np.maximum(last - first, 1e-9)
    part = common / np.maximum(whole, 1 / _PLACES)
    return np.where((part > _FEWEST_SEEN) & (last > first), part, 0.0)


def _area(corners: Array) -> float:
    return float(np.abs(cross(corners, np.roll(corners, -1, axis=0)).sum()) / 2)
