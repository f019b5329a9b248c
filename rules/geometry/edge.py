"""Points near the edge of an area: on which side, how far from it, and what lies a hair beyond it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from shapely import Point, Polygon, intersects_xy
from shapely.geometry.base import BaseGeometry

from rules.scene import Point2

# How far beyond an edge somebody stands who is thought to stand on its other side.
_HAIR_MM = 1e-3
_DIRECTIONS = 16
# How far aside a line is looked at, between where it comes to a thing and where the error ends.
_PARTS = (0.0, 0.25, 0.5, 0.75)
# So near to an obstacle's border runs that of an area which it cuts.
_ALONG_MM = 0.1


def inset_mm(area: BaseGeometry, here: Point, edge_error_mm: float = 0.0, beside: Sequence[BaseGeometry] = ()) -> float:
    """How far inside the area's border the point lies, negative outside; minus infinity for an empty area.

    edge_error_mm  a point no farther outside than the border itself may be off lies on it: 0
    beside         what the border follows where it does not count for a point inside; infinity if no other is left
    """
    if area.is_empty:
        return -math.inf
    gap_mm = float(area.boundary.distance(here))
    if not area.covers(here):
        return 0.0 if gap_mm <= edge_error_mm else -gap_mm
    left = area.boundary
    for shape in beside:
        if shape.dwithin(here, gap_mm + _ALONG_MM):
            left = left - shape.boundary.buffer(_ALONG_MM)
            gap_mm = math.inf if left.is_empty else float(left.distance(here))
    return gap_mm


def over_edge(here: Point2, area: Polygon) -> tuple[Point2, float]:
    """The point a hair beyond the nearest edge of the area, on its other side, and how far the edge is away."""
    rim = area.exterior
    edge = np.array(rim.interpolate(rim.project(Point(here))).coords[0])
    way = edge - here
    gap_mm = float(np.hypot(*way))
    if gap_mm > 0:
        x_mm, y_mm = edge + way / gap_mm * _HAIR_MM
        return (float(x_mm), float(y_mm)), gap_mm
    return _beside(here, area), 0.0


def _beside(here: Point2, area: Polygon) -> Point2:
    """A point a hair outside the area, for one that lies on its very edge."""
    turns = np.arange(_DIRECTIONS) * (math.tau / _DIRECTIONS)
    around = np.asarray(here) + _HAIR_MM * np.column_stack((np.cos(turns), np.sin(turns)))
    x_mm, y_mm = next((one for one in around if not intersects_xy(area, *one)), here)
    return float(x_mm), float(y_mm)


def swept(a: Point2, b: Point2, from_mm: float, to_mm: float) -> Iterator[tuple[Point2, Point2]]:
    """The segment as it may lie as well: its ends aside by all of `to_mm` first, then by less, down to a hair more than
    `from_mm`. What it meets on the way an end that is far aside may stand in.
    """
    least_mm = from_mm + _HAIR_MM
    yield from shifted(a, b, to_mm)
    for part in _PARTS if least_mm < to_mm else ():
        yield from shifted(a, b, least_mm + part * (to_mm - least_mm))


def shifted(a: Point2, b: Point2, by_mm: float) -> Iterator[tuple[Point2, Point2]]:
    """The segment as it may lie as well: either end, or both, that far aside to the left or to the right."""
    if a == b:
        return
    ahead = np.subtract(b, a) / math.dist(a, b)
    aside = np.array((-ahead[1], ahead[0])) * by_mm
    for of_a, of_b in ((1, 1), (1, 0), (0, 1), (-1, -1), (-1, 0), (0, -1)):
        (ax, ay), (bx, by) = np.add(a, of_a * aside), np.add(b, of_b * aside)
        yield (float(ax), float(ay)), (float(bx), float(by))
