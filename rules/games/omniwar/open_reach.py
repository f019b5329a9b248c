"""Where units may end their move without hexes, and what stops them (OMNI-2.1, 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.board import DENSE, ROAD, WATER
from rules.games.omniwar.mobility import PHASE, may_enter, may_stack, standstill, still, stranger, with_room_for
from rules.games.omniwar.open_table import OpenTable, Patch
from rules.games.omniwar.units import Unit
from rules.geometry.ground import mixed_region
from rules.geometry.grown import grown_by, grown_for, room_mm
from rules.geometry.levels import Ground
from rules.geometry.reach import reachable_region
from rules.geometry.templates import TOUCH_MM
from rules.margin import CERTAIN, Margin

# OMNI-2.1 in cost for each mm: vehicles along roads and in dense ground.
_ROAD_COST, _DENSE_COST = 0.5, 2.0
# A barrier whose clearance comes this near to the reach is what cuts it.
_CUTS_MM = 0.1
_AS_MEASURED: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Barrier:
    """What a base keeps clear of on its way: its id, its area, its error, and words for a person."""

    id: str
    area: Polygon
    sigma_mm: float
    rule: str
    why: str


def barriers(seen: OpenTable, unit: Unit) -> list[Barrier]:
    """Ground that the unit may not enter, enemies unless it flies, and what nobody knows."""
    kind = unit.line
    grounds = [patch for patch in seen.patches if not may_enter(kind, patch.ground) and not kind.has("Water bound")]
    enemies = [] if kind.is_flyer else [other for other in seen.standing if other.owner != unit.owner]
    return [
        *(Barrier(patch.id, patch.area, patch.sigma_mm, "OMNI-2.1", f"is {patch.ground}") for patch in grounds),
        *(_base(enemy, "OMNI-2.1", "is an enemy") for enemy in enemies),
        *(_base(one, "C5.2", "is unknown; say what and whose it is") for one in seen.unknown),
    ]


def _base(other: Unit, rule: str, why: str) -> Barrier:
    return Barrier(other.id, other.base, other.piece.sigma_mm, rule, why)


def come_to(
    seen: OpenTable, unit: Unit, nearer_mm: Mapping[str, float] = _AS_MEASURED, shorter_mm: float = 0.0
) -> BaseGeometry:
    """All points that the centre of the unit's base can come to, whether it may end there or not.

    nearer_mm   by how much each thing, by id, is taken to stand nearer to every way than it was measured (C3.4)
    shorter_mm  by how much the move is taken to be shorter than the roster allows
    """
    here, budget_mm = unit.piece.position_mm, max(unit.line.move * seen.hex_mm - shorter_mm, 0.0)
    far_mm = farthest_mm(seen, unit, budget_mm)
    most_mm = far_mm + unit.radius_mm + max((0.0, *nearer_mm.values()))
    near = [one for one in (*barriers(seen, unit), *land(seen, unit)) if one.area.dwithin(Point(here), most_mm)]
    grown = [grown_by(one.area, kept_off_mm(one, unit, nearer_mm.get(one.id, 0.0))) for one in near]
    shut = [part for part in shapely.get_parts(grown) if part.area > 0 and not part.contains(Point(here))]
    prices = [ground for ground in _prices(seen, unit, nearer_mm) if ground.area.dwithin(Point(here), far_mm)]
    if not prices:
        return reachable_region(here, budget_mm, shut, 0.0, seen.bounds)
    return mixed_region(here, prices, 1.0, shut, seen.bounds, budget_mm).area


def farthest_mm(seen: OpenTable, unit: Unit, budget_mm: float) -> float:
    """The longest way for so much movement: along roads that of a vehicle is twice as long."""
    return budget_mm / _ROAD_COST if unit.line.is_vehicle and seen.of_ground(ROAD) else budget_mm


def kept_off_mm(barrier: Barrier, unit: Unit, nearer_mm: float = 0.0) -> float:
    """How far its centre keeps from the barrier, so much nearer than measured; who touches it only goes no nearer."""
    return room_mm(barrier.area.distance(unit.piece.point), unit.radius_mm + nearer_mm)


def land(seen: OpenTable, unit: Unit) -> list[Barrier]:
    """All that is no water, for the water bound."""
    if not unit.line.has("Water bound"):
        return []
    water = seen.of_ground(WATER)
    dry = shapely.get_parts(seen.bounds - shapely.union_all([patch.area for patch in water]))
    sigma_mm = max((patch.sigma_mm for patch in water), default=0.0)
    return [Barrier("land", part, sigma_mm, "OMNI-2.1", "is land") for part in dry if part.area > 0]


def costly(seen: OpenTable, unit: Unit) -> list[Patch]:
    """The patches on which a vehicle pays more or less than elsewhere; roads lie over dense ground."""
    return [*seen.of_ground(DENSE), *seen.of_ground(ROAD)] if unit.line.is_vehicle else []


def _prices(seen: OpenTable, unit: Unit, nearer_mm: Mapping[str, float]) -> list[Ground]:
    return [_priced(patch, nearer_mm.get(patch.id, 0.0)) for patch in costly(seen, unit)]


def _priced(patch: Patch, nearer_mm: float) -> Ground:
    """The patch with its price; nearer it costs more: dense ground is broader then, a road narrower."""
    cost, sign = (_DENSE_COST, 1) if patch.ground == DENSE else (_ROAD_COST, -1)
    return Ground(grown_by(patch.area, sign * nearer_mm) if nearer_mm else patch.area, cost)


def ends(seen: OpenTable, unit: Unit, region: BaseGeometry) -> BaseGeometry:
    """The part of the region where the move may end: clear of enemies and, unless friends may stack, of friends."""
    stacks = may_stack(seen.setup)
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
