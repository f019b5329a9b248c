"""The borders of levels as points: where a cheapest path can bend, and what stands in its way on each level."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from rules.geometry.compiled import compiled
from rules.geometry.levels import Levels
from rules.geometry.wavefront import THIN_MM, Flags, Floats, Ints

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from rules.scene import Point2

# Points on a border between two kinds of ground are this close or closer (see the error in `ground.py`).
SPACING_MM = 1.5
# Near the start they are closer, by this share of the distance, but not below the least spacing.
_SPACING_SHARE = 0.15
_LEAST_SPACING_MM = 0.2
# Across a narrow strip they are closer, by this share of its breadth: the path's error is then 2 % of the breadth.
_GAP_SHARE = 0.3
# Points are told apart to this many decimals of a mm.
_DECIMALS = 4
# How far beside a border its two sides are asked for.
_BESIDE_MM = 5e-3


@dataclass(frozen=True, eq=False)
class Borders:
    """Points and walls for `wavefront.settle`, which says what the arrays mean; point 0 is the start.

    walls     (levels,) thinned: what a straight segment on that level may not meet
    segments  (s, 2) numbers of points that are neighbours on a border between two kinds of ground
    left      (s,) level of the ground on the segment's left; `right` likewise
    """

    xy: Floats
    on: Flags
    corners: Floats
    cost_per_mm: Floats
    edges: Floats
    first_edge: Ints
    walls: tuple[BaseGeometry, ...]
    segments: Ints
    left: Ints
    right: Ints


def borders_of(levels: Levels) -> Borders:
    """The borders about the levels' start, within their range."""
    walls = [levels.walls(level) for level in range(len(levels.regions))]
    rings = [(level, ring) for level, wall in enumerate(walls) for ring in _rings(wall)]
    chart = _Chart(levels.start, levels.range_mm)
    segments, left, right = _interfaces(levels, [ring for _, ring in rings], chart)
    places = [(level, ring, [chart.number((x, y)) for x, y in ring[:-1].tolist()]) for level, ring in rings]
    xy = chart.points()
    thin = tuple(shapely.buffer(wall, -THIN_MM, join_style="mitre") for wall in walls)
    edges = [_edges(wall) for wall in thin]
    first_edge = np.cumsum([0, *(len(sides) for sides in edges)])
    return Borders(
        xy,
        _touching(levels.regions, xy),
        _corners(places, len(xy), len(walls)),
        levels.cost_per_mm,
        np.concatenate([np.empty((0, 4)), *edges]),
        first_edge,
        thin,
        segments,
        left,
        right,
    )


class _Chart:
    """Numbers for points, the same number for the same place; -1 for a point that is out of range."""

    def __init__(self, start: Point2, range_mm: float) -> None:
        self._start = start
        self._range_mm = range_mm
        self._points = [start]
        self._numbers = {_key(start): 0}

    def number(self, point: Point2) -> int:
        if math.dist(point, self._start) > self._range_mm:
            return -1
        number = self._numbers.setdefault(_key(point), len(self._points))
        if number == len(self._points):
            self._points.append(point)
        return number

    def points(self) -> Floats:
        return np.array(self._points, float)


def _key(point: Point2) -> Point2:
    return round(point[0], _DECIMALS), round(point[1], _DECIMALS)


def _rings(area: BaseGeometry) -> list[Floats]:
    polygons = [part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon)]
    return [shapely.get_coordinates(ring) for part in polygons for ring in (part.exterior, *part.interiors)]


def _edges(area: BaseGeometry) -> Floats:
    sides = [np.hstack((ring[:-1], ring[1:])) for ring in _rings(area)]
    return np.concatenate([np.empty((0, 4)), *sides])


def _touching(regions: tuple[BaseGeometry, ...], xy: Floats) -> Flags:
    points = shapely.points(xy)
    for region in regions:
        shapely.prepare(region)
    return np.column_stack([shapely.dwithin(region, points, THIN_MM) for region in regions])


def _corners(places: list[tuple[int, Floats, list[int]]], count: int, levels: int) -> Floats:
    corners = np.full((count, levels, 4), np.nan)
    for level, ring, numbers in places:
        around = np.hstack((np.roll(ring[:-1], 1, axis=0), ring[1:]))
        for number, neighbours in zip(numbers, around, strict=True):
            if number >= 0:
                corners[number, level] = neighbours
    return corners


def _interfaces(levels: Levels, rings: list[Floats], chart: _Chart) -> tuple[Ints, Ints, Ints]:
    """The segments between points on borders of two kinds of ground, and the levels on their left and right."""
    sides = np.unique(np.concatenate([np.empty((0, 4)), *(_directed(ring) for ring in rings)]), axis=0)
    left, right = _levels_beside(levels, sides, 1.0), _levels_beside(levels, sides, -1.0)
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    for side, on_left, on_right in zip(sides, left, right, strict=True):
        if on_left >= 0 and on_right >= 0 and on_left != on_right:
            numbers = [chart.number((x, y)) for x, y in _along(side, sides, levels.start, SPACING_MM).tolist()]
            for a, b in itertools.pairwise(numbers):
                if a >= 0 and b >= 0 and a != b and (b, a) not in pairs:
                    pairs[a, b] = (int(on_left), int(on_right))
    segments = np.array(list(pairs), np.intp).reshape(-1, 2)
    beside = np.array(list(pairs.values()), np.intp).reshape(-1, 2)
    return segments, beside[:, 0], beside[:, 1]


def _directed(ring: Floats) -> Floats:
    """The ring's sides, each from its lower left end, so that two areas give the same side for their common border."""
    a, b = ring[:-1], ring[1:]
    swap = (a[:, 0] > b[:, 0]) | ((a[:, 0] == b[:, 0]) & (a[:, 1] > b[:, 1]))
    return np.where(swap[:, None], np.hstack((b, a)), np.hstack((a, b)))


def _levels_beside(levels: Levels, sides: Floats, hand: float) -> Ints:
    along = sides[:, 2:] - sides[:, :2]
    length = np.maximum(np.hypot(*along.T), 1e-12)[:, None]
    left = np.column_stack((-along[:, 1], along[:, 0])) / length
    beside = (sides[:, :2] + sides[:, 2:]) / 2 + hand * _BESIDE_MM * left
    level = np.full(len(sides), -1, np.intp)
    for number, region in enumerate(levels.regions):
        shapely.prepare(region)
        level[shapely.contains_xy(region, beside)] = number
    return level


@compiled
def _along(side: Floats, sides: Floats, start: Point2, spacing: float) -> Floats:
    """Points on a side (x y x y), both ends included, at most `spacing` mm apart.

    They are closer where the start is near, and where another of the `sides` runs beside this one.
    """
    ax, ay, bx, by = side
    length = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / length, (by - ay) / length
    foot = (start[0] - ax) * ux + (start[1] - ay) * uy
    aside = (start[0] - ax) * uy - (start[1] - ay) * ux
    near = _beside(side, sides, spacing / _GAP_SHARE)
    marks = [0.0, min(max(foot, 0.0), length), length]
    for hand in (1.0, -1.0):
        mark = marks[1]
        while 0.0 <= mark <= length:
            gap = _SPACING_SHARE * math.hypot(mark - foot, aside)
            gap = min(gap, _GAP_SHARE * _gap_mm(ax + mark * ux, ay + mark * uy, ux, uy, near))
            mark += hand * min(max(gap, _LEAST_SPACING_MM), spacing)
            if 0.0 < mark < length:
                marks.append(mark)
    ticks = np.unique(np.array(marks))
    points = np.empty((len(ticks), 2))
    points[:, 0], points[:, 1] = ax + ticks * ux, ay + ticks * uy
    points[-1, 0], points[-1, 1] = bx, by
    return points


@compiled
def _beside(side: Floats, sides: Floats, far: float) -> Floats:
    """The other sides whose boxes come within `far` mm of a side's box."""
    found = np.empty_like(sides)
    count = 0
    for other in sides:
        apart_x = max(min(side[0], side[2]), min(other[0], other[2])) - min(
            max(side[0], side[2]), max(other[0], other[2])
        )
        apart_y = max(min(side[1], side[3]), min(other[1], other[3])) - min(
            max(side[1], side[3]), max(other[1], other[3])
        )
        if apart_x < far and apart_y < far and not np.array_equal(side, other):
            found[count] = other
            count += 1
    return found[:count]


@compiled
def _gap_mm(x: float, y: float, ux: float, uy: float, sides: Floats) -> float:
    """How far it is from a point on a border of direction u across to the nearest other side.

    A side that lies ahead along the border, such as the next chord of a circle, is not across; nor is the same border
    once more, from the overlay of other areas.
    """
    nearest = np.inf
    for ax, ay, bx, by in sides:
        wx, wy = bx - ax, by - ay
        share = ((x - ax) * wx + (y - ay) * wy) / (wx * wx + wy * wy)
        share = min(max(share, 0.0), 1.0)
        dx, dy = ax + share * wx - x, ay + share * wy - y
        gap = math.hypot(dx, dy)
        if _BESIDE_MM < gap < nearest and abs(ux * dy - uy * dx) > 0.5 * gap:
            nearest = gap
    return nearest
