"""What a move costs an arm on each kind of a table's ground (OMOG-2)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from rules.games.omog.battlefield import Battlefield
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, Allowance, tables
from rules.games.omog.terrain import ROADS, Land
from rules.geometry.levels import Ground


@dataclass(frozen=True, eq=False)
class Going:
    """An arm's allowances on a table, from one level; `going_of` gives the same object for the same.

    layers  the ground other than open, the upper over the lower (OMOG-2.2, 2.3)
    """

    row: Allowance
    land: Land
    layers: tuple[Ground, ...]

    @property
    def open_cost_per_mm(self) -> float:
        """The share of a move that a mm in the open costs."""
        return cost_per_mm(self.row.open_in)

    @property
    def open_mm(self) -> float:
        """A move in the open."""
        return self.row.open_in * INCH_MM

    @property
    def climb_mm(self) -> float:
        """The length of a move over a wall."""
        return self.row.climb_in * INCH_MM


def going_of(soldier: Soldier, field: Battlefield) -> Going:
    """His arm's going; a gun's first four columns are a house rule."""
    row = _allowance(soldier.arm, tuple(field.house("gun_push_in")))
    return _going(soldier.piece.elevation_mm, row, field.land)


@lru_cache(maxsize=64)
def _allowance(arm: str, gun_push_in: tuple[float, ...]) -> Allowance:
    row = tables().allowance[arm]
    if arm != "gun":
        return row
    road_in, open_in, uphill_road_in, uphill_in = gun_push_in
    on_good_ground = {"road_in": road_in, "open_in": open_in, "uphill_road_in": uphill_road_in, "uphill_in": uphill_in}
    return row.model_copy(update=on_good_ground)


def cost_per_mm(allowance_in: float) -> float:
    """The share of a move that a mm costs; infinite for no allowance."""
    return 1 / (allowance_in * INCH_MM) if allowance_in else math.inf


@lru_cache(maxsize=256)
def _going(elevation_mm: float, row: Allowance, land: Land) -> Going:
    hills = [hill.area for hill in land.of_meaning("hill") if elevation_mm < hill.top_mm]
    up = shapely.union_all(hills)
    layers: list[tuple[BaseGeometry, float]] = [(area, row.uphill_in) for area in hills]
    layers += [(wood.area, row.wood_in) for wood in land.of_meaning("wood")]
    layers += [(swamp.area, row.swamp_in) for swamp in land.of_meaning("swamp")]
    layers += _roads(land, ROADS, up, row)
    layers += [(river.area, row.ford_in) for river in land.of_meaning("river")]
    layers += _roads(land, ("bridge",), up, row)
    return Going(row, land, tuple(Ground(area, cost_per_mm(inches)) for area, inches in layers if area.area > 0))


def _roads(land: Land, meanings: Iterable[str], up: BaseGeometry, row: Allowance) -> list[tuple[BaseGeometry, float]]:
    roads = [road.area for road in land.of_meaning(*meanings)]
    return [(road, row.road_in) for road in roads] + [(road & up, row.uphill_road_in) for road in roads]
