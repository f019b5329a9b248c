"""Ground of several kinds cut into levels: areas that do not overlap, one for each cost, cheapest first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import MultiPolygon, Point, Polygon

from rules.scene import Point2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

# Overlays snap to this grid: far below any measurement, far above rounding.
GRID_MM = 1e-6
# What is kept beyond the farthest point of the reach, so that no border is cut at its rim.
_BESIDE_MM = 5.0


@dataclass(frozen=True)
class Ground:
    """A kind of ground and where it lies; `cost_per_mm` is positive, and infinite where nobody may go."""

    area: BaseGeometry
    cost_per_mm: float


@dataclass(frozen=True)
class Levels:
    """The ground about a start.

    cost_per_mm  (levels,), rising
    regions      (levels,) areas; together with the obstacles they fill the window
    obstacles    where nobody may go
    range_mm     no path within the budget is longer
    """

    start: Point2
    cost_per_mm: NDArray[np.float64]
    regions: tuple[BaseGeometry, ...]
    obstacles: BaseGeometry
    range_mm: float

    def walls(self, level: int) -> BaseGeometry:
        """All that a straight segment on that level may not enter: obstacles and dearer ground."""
        return shapely.union_all([self.obstacles, *self.regions[level + 1 :]], grid_size=GRID_MM)


def levels_about(
    start: Point2,
    grounds: Sequence[Ground],
    open_cost_per_mm: float,
    obstacles: Sequence[BaseGeometry],
    bounds: Polygon,
    budget: float,
) -> Levels:
    """The levels within `budget` of the start; later `grounds` lie over earlier ones."""
    near = [ground for ground in grounds if ground.area.distance(Point(start)) * open_cost_per_mm <= budget * 4]
    range_mm = budget / min([open_cost_per_mm, *(ground.cost_per_mm for ground in near)])
    window = bounds & shapely.box(*_square(start, range_mm + _BESIDE_MM))
    areas = _areas(near, open_cost_per_mm, window)
    shut = areal(shapely.union_all([*_meeting(obstacles, window), *areas.pop(math.inf, [])], grid_size=GRID_MM))
    costs = sorted(areas)
    unions = (shapely.union_all(areas[cost], grid_size=GRID_MM) for cost in costs)
    regions = tuple(areal(shapely.difference(union, shut, grid_size=GRID_MM)) for union in unions)
    kept = [(cost, region) for cost, region in zip(costs, regions, strict=True) if region.area > 0]
    return Levels(start, np.array([cost for cost, _ in kept]), tuple(region for _, region in kept), shut, range_mm)


def areal(shape: BaseGeometry) -> MultiPolygon:
    """The polygons of a shape; where areas only touch, an overlay also gives lines and points."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    return MultiPolygon([part for part in parts if isinstance(part, Polygon) and not part.is_empty])


def _square(centre: Point2, half_mm: float) -> tuple[float, float, float, float]:
    return centre[0] - half_mm, centre[1] - half_mm, centre[0] + half_mm, centre[1] + half_mm


def _meeting(shapes: Sequence[BaseGeometry], window: BaseGeometry) -> list[BaseGeometry]:
    return [shape for shape in shapes if shape.intersects(window)]


def _areas(grounds: Sequence[Ground], open_cost: float, window: BaseGeometry) -> dict[float, list[BaseGeometry]]:
    """Visible areas by cost: from the uppermost ground down, each takes what is left of the window."""
    areas: dict[float, list[BaseGeometry]] = {}
    left = window
    for ground in reversed(grounds):
        shown = areal(shapely.intersection(ground.area, left, grid_size=GRID_MM))
        areas.setdefault(ground.cost_per_mm, []).append(shown)
        left = areal(shapely.difference(left, ground.area, grid_size=GRID_MM))
    areas.setdefault(open_cost, []).append(left)
    return areas
