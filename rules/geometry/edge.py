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
    # The nearest first: one that lies beyond the border at hand may be what the next one follows.
    for shape in sorted(beside, key=here.distance):
        if shape.dwithin(here, gap_mm + _ALONG_MM):
            left = left - shape.boundary.buffer(_ALONG_MM)
            gap_mm = math.inf if left.is_empty else float(left.distance(here))
    return gap_mm


def over_edge(here: Point2, area: Polygon) -> tuple[Point2, float]:
    """The point a hair beyond the nearest edge of the area, on its other side, and how far the edge is away.

    A point on the very edge counts as inside.
    """
    rim = area.exterior
    edge = rim.interpolate(rim.project(Point(here)))
    way = np.array(edge.coords[0]) - here
    gap_mm = float(np.hypot(*way))
    is_inside = gap_mm == 0 or bool(intersects_xy(area, *here))
    if gap_mm > 0:
        x_mm, y_mm = here + way * (1 + _HAIR_MM / gap_mm)
        if bool(intersects_xy(area, x_mm, y_mm)) != is_inside:
            return (float(x_mm), float(y_mm)), gap_mm
    # On the very edge no way leads on, and past a pointed corner it may lead to the same side again.
    around = edge.buffer(_HAIR_MM)
    beyond = (around - area if is_inside else around & area).representative_point()
    return (beyond.x, beyond.y), gap_mm


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
