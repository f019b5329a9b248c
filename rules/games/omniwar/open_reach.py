"""Where units may end their move without hexes, and what stops them (OMNI-2.1, 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.board import DENSE, ROAD, WATER
from rules.games.omniwar.mobility import PHASE, may_enter, standstill, still, stranger, with_room_for
from rules.games.omniwar.open_table import OpenTable
from rules.games.omniwar.units import Unit
from rules.geometry.ground import mixed_region
from rules.geometry.grown import grown_for
from rules.geometry.levels import Ground
from rules.geometry.reach import reachable_region
from rules.geometry.templates import TOUCH_MM
from rules.margin import CERTAIN, Margin

# OMNI-2.1 in cost for each mm: vehicles along roads and in dense ground.
_ROAD_COST, _DENSE_COST = 0.5, 2.0
# A barrier whose clearance comes this near to the reach is what cuts it.
_CUTS_MM = 0.1


@dataclass(frozen=True)
class Barrier:
    """What a base keeps clear of on its way: its id, its area, and words for a person."""

    id: str
    area: Polygon
    rule: str
    why: str


def barriers(seen: OpenTable, unit: Unit) -> list[Barrier]:
    """Ground that the unit may not enter, enemies unless it flies, and what nobody knows."""
    kind = unit.line
    grounds = [patch for patch in seen.patches if not may_enter(kind, patch.ground) and not kind.has("Water bound")]
    enemies = [] if kind.is_flyer else [other for other in seen.standing if other.owner != unit.owner]
    return [
        *(Barrier(patch.id, patch.area, "OMNI-2.1", f"is {patch.ground}") for patch in grounds),
        *(Barrier(enemy.id, enemy.base, "OMNI-2.1", "is an enemy") for enemy in enemies),
        *(Barrier(one.id, one.base, "C5.2", "is unknown; say what and whose it is") for one in seen.unknown),
    ]


def come_to(seen: OpenTable, unit: Unit) -> BaseGeometry:
    """All points that the centre of the unit's base can come to, whether it may end there or not."""
    here, budget_mm = unit.piece.position_mm, unit.line.move * seen.hex_mm
    areas = [*(barrier.area for barrier in barriers(seen, unit)), *_land(seen, unit)]
    near = [area for area in areas if area.dwithin(Point(here), budget_mm + unit.radius_mm)]
    grown = [grown_for(area, Point(here), unit.radius_mm) for area in near]
    shut = [part for part in shapely.get_parts(grown) if part.area > 0 and not part.contains(Point(here))]
    prices = [ground for ground in _prices(seen, unit) if ground.area.dwithin(Point(here), budget_mm)]
    if not prices:
        return reachable_region(here, budget_mm, shut, 0.0, seen.bounds)
    return mixed_region(here, prices, 1.0, shut, seen.bounds, budget_mm).area


def _land(seen: OpenTable, unit: Unit) -> list[Polygon]:
    """All that is no water, for the water bound."""
    if not unit.line.has("Water bound"):
        return []
    land = seen.bounds - shapely.union_all([patch.area for patch in seen.of_ground(WATER)])
    return [part for part in shapely.get_parts(land) if part.area > 0]


def _prices(seen: OpenTable, unit: Unit) -> list[Ground]:
    if not unit.line.is_vehicle:
        return []
    dense = [Ground(patch.area, _DENSE_COST) for patch in seen.of_ground(DENSE)]
    return [*dense, *(Ground(patch.area, _ROAD_COST) for patch in seen.of_ground(ROAD))]


def ends(seen: OpenTable, unit: Unit, region: BaseGeometry) -> BaseGeometry:
    """The part of the region where the move may end: clear of enemies and, unless friends may stack, of friends."""
    stacks = seen.setup.house.get("stacking", "no") == "yes"
    others = [other for other in seen.standing if other.id != unit.id and not (stacks and other.owner == unit.owner)]
    near = [other.base for other in others if other.base.dwithin(region, unit.radius_mm)]
    taken = [grown_for(base, unit.piece.point, unit.radius_mm) for base in near]
    return region - shapely.union_all(taken) if taken else region


def open_transports(seen: OpenTable, unit: Unit, region: BaseGeometry) -> list[str]:
    """The friendly transports with room that the unit can come to touch."""
    near = (one for one in seen.standing if one.base.dwithin(region, unit.radius_mm + _CUTS_MM))
    return sorted(one.id for one in with_room_for(unit, near, seen.units))


def can_leave(seen: OpenTable, region: BaseGeometry) -> bool:
    """Whether the region comes to the table's edge (OMNI-2.2)."""
    return bool(region.dwithin(seen.bounds.exterior, TOUCH_MM))


def open_reaches(seen: OpenTable) -> Iterator[Ruling]:
    """One `reach` for each unit, and a `blocked` for each thing that cuts it."""
    for unit in seen.units:
        if not unit.is_known:
            yield stranger(unit)
            continue
        fault = standstill(unit)
        if fault is not None:
            yield still(unit, fault)
            continue
        region = come_to(seen, unit)
        yield _reach(seen, unit, region)
        cut = (one for one in barriers(seen, unit) if region.dwithin(one.area, unit.radius_mm + _CUTS_MM))
        yield from (_blocked(unit, barrier) for barrier in cut)


def _reach(seen: OpenTable, unit: Unit, region: BaseGeometry) -> Ruling:
    end, move_mm = ends(seen, unit, region), unit.line.move * seen.hex_mm
    extra: dict[str, Any] = {"phase": PHASE, "move_mm": move_mm}
    transports = open_transports(seen, unit, region)
    if transports:
        extra["transports"] = transports
    if can_leave(seen, region):
        extra["may_leave"] = True
    return ruling_from(
        Margin(move_mm, unit.piece.sigma_mm), kind="reach", piece=unit.id, rule="OMNI-4.3",
        why=f"{unit.name} with move {unit.line.move} may go {move_mm:g} mm", geometry=end, extra=extra,
        marks=(Mark("reach", end),),
    )  # fmt: skip


def _blocked(unit: Unit, barrier: Barrier) -> Ruling:
    where = Point(shapely.shortest_line(barrier.area, unit.piece.point).coords[0])
    return ruling_from(
        CERTAIN, kind="blocked", piece=unit.id, other=barrier.id, rule=barrier.rule,
        why=f"{unit.name} keeps clear of {barrier.id}, which {barrier.why}", geometry=where, extra={"phase": PHASE},
        marks=(Mark("blocked", where),),
    )  # fmt: skip
