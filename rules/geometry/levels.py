"""Ground of several kinds cut into levels: areas that do not overlap, one for each cost, cheapest first."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import MultiPolygon, Polygon

from rules.by_value import ByValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

# Overlays snap to this grid: far below any measurement, far above rounding.
GRID_MM = 1e-6


@dataclass(frozen=True, eq=False)
class Ground(ByValue):
    """A kind of ground and where it lies; `cost_per_mm` is positive, and infinite where nobody may go."""

    area: BaseGeometry
    cost_per_mm: float

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Equal areas at the same cost are the same ground."""
        return self.area, self.cost_per_mm


@dataclass(frozen=True, eq=False)
class Levels:
    """The ground of a table.

    cost_per_mm  (levels,), rising
    regions      (levels,) areas; together with `shut` they fill the bounds
    shut         where nobody may go
    bounds       the table
    """

    cost_per_mm: NDArray[np.float64]
    regions: tuple[MultiPolygon, ...]
    shut: tuple[Polygon, ...]
    bounds: Polygon


@lru_cache(maxsize=64)
def levels_of(grounds: tuple[Ground, ...], open_cost_per_mm: float, bounds: Polygon) -> Levels:
    """The levels of a table; later `grounds` lie over earlier ones. Kept: pieces move and the ground does not."""
    areas = _areas(grounds, open_cost_per_mm, bounds)
    shut = areal(shapely.union_all(areas.pop(math.inf, []), grid_size=GRID_MM))
    regions = {cost: areal(shapely.union_all(areas[cost], grid_size=GRID_MM)) for cost in sorted(areas)}
    kept = {cost: region for cost, region in regions.items() if region.area > 0}
    return Levels(np.array(list(kept), float), tuple(kept.values()), tuple(shut.geoms), bounds)


def areal(shape: BaseGeometry) -> MultiPolygon:
    """The polygons of a shape; where areas only touch, an overlay also gives lines and points."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    return MultiPolygon([part for part in parts if isinstance(part, Polygon) and not part.is_empty])


def _areas(grounds: Sequence[Ground], open_cost: float, bounds: Polygon) -> dict[float, list[BaseGeometry]]:
    """Visible areas by cost: from the uppermost ground down, each takes what is left of the table."""
    areas: dict[float, list[BaseGeometry]] = {}
    left: BaseGeometry = bounds
    for ground in reversed(grounds):
        shown = areal(shapely.intersection(ground.area, left, grid_size=GRID_MM))
        areas.setdefault(ground.cost_per_mm, []).append(shown)
        left = areal(shapely.difference(left, ground.area, grid_size=GRID_MM))
    areas.setdefault(open_cost, []).append(left)
    return areas
