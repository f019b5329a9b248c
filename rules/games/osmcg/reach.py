"""Where a miniature may end its move, for one action point and for two, and what stands in its way (OSMCG-2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import shapely
from shapely import LineString, MultiPolygon, Point, Polygon
from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling
from rules.games.osmcg.field import Field, Unit
from rules.games.osmcg.tables import inch_mm, tables
from rules.geometry.reach import CORNER_SAGITTA_MM, SPECK_MM2, TOUCH_ROOM_MM, Disc, Ground, Walk
from rules.geometry.templates import disc
from rules.scene import Point2


def reaches(field: Field) -> tuple[Ruling, ...]:
    """One `reach` for each unit: the geometry is for 1 AP, `ap2` the region for 2 AP."""
    return tuple(_reach(unit, field) for unit in field.subjects)


def why_no_move(unit: Unit, field: Field) -> tuple[str, str] | None:
    """The rule and the sentence that keep a unit from any move, if any."""
    if unit.known.get("moved"):
        return "C4.9", f"{unit.name} has moved already"
    if unit.known.get("exhausted"):
        return "OSMCG-5", f"{unit.name} is exhausted and skips its activation"
    if unit.status("stun") > 0:
        return "OSMCG-5", f"{unit.name} is stunned and skips its activation"
    if unit.known.get("deployed") and not unit.has("haste"):
        return "OSMCG-2.3", f"{unit.name} was deployed this turn and has no Haste"
    if unit.spd_in == 0:
        return "OSMCG-2.3", f"{unit.name} has speed 0"
    return None


def ap_region(unit: Unit, points: int, field: Field) -> Ground:
    """Where the unit may end after so many action points of moving; leaving contact costs one (OSMCG-2.2)."""
    moves = points - (tables().cost.disengage if field.engaged_with(unit) else 0)
    if moves <= 0 or why_no_move(unit, field) is not None:
        return Polygon()
    step_mm = inch_mm(unit.spd_in)
    if not ignores_bases(unit):
        return _free(walk(unit, moves * step_mm, field).region, unit, field)
    region: Ground = Polygon(disc(unit.at, 1e-3))
    for _ in range(moves):  # every single move must end clear of all bases
        region = _free(_spread(region, unit, step_mm, field), unit, field)
    return region


def ignores_bases(unit: Unit) -> bool:
    """Whether some bases are no obstacle to its way."""
    return unit.has("flying") or unit.has("ethereal")


def walk(unit: Unit, budget_mm: float, field: Field) -> Walk:
    """All paths of the unit within a budget, obstacles by its keywords (OSMCG-2.1)."""
    flies = unit.has("flying")
    walls = () if flies else tuple(piece.footprint for piece in field.barriers)
    bases = tuple(_base(other) for other in field.figures if other.id != unit.id and _stops(other, unit))
    reach_mm = budget_mm + unit.radius_mm
    walls = tuple(wall for wall in walls if wall.distance(Point(unit.at)) <= reach_mm)
    bases = tuple(base for base in bases if Point(base[0]).distance(Point(unit.at)) <= reach_mm + base[1])
    return _walk(unit.at, budget_mm, walls, unit.radius_mm, field.bounds, bases)


@lru_cache(maxsize=512)
def _walk(
    start: Point2,
    budget_mm: float,
    walls: tuple[Polygon, ...],
    radius_mm: float,
    bounds: Polygon,
    bases: tuple[Disc, ...],
) -> Walk:
    """Kept between scenes: what a move did not touch is not computed again."""
    return Walk(start, budget_mm, walls, radius_mm, bounds, bases)


def _stops(other: Unit, unit: Unit) -> bool:
    if unit.has("flying"):
        return False
    return other.team == unit.team or not unit.has("ethereal")


def _base(unit: Unit) -> Disc:
    return (unit.at, unit.radius_mm)


def _spread(region: Ground, unit: Unit, step_mm: float, field: Field) -> BaseGeometry:
    """All points one move away from some point of the region."""
    if unit.has("flying"):
        return shapely.intersection(shapely.buffer(region, step_mm, quad_segs=64), field.bounds)
    paths = walk(unit, 2 * step_mm, field)
    return paths.spread(region, step_mm)


def _free(region: BaseGeometry, unit: Unit, field: Field) -> Ground:
    """The region without the places where the base would lie on another or on a barrier.

    A path keeps clear of what stops it anyway, unless the unit already leans on it.
    """
    through, grow_mm = ignores_bases(unit), unit.radius_mm - TOUCH_ROOM_MM
    others = [other for other in field.figures if other.id != unit.id and (through or unit.gap_mm(other) < 0)]
    barriers = [piece.footprint for piece in field.barriers]
    leaned_on = [wall for wall in barriers if through or wall.distance(Point(unit.at)) < unit.radius_mm]
    taken = [no_room_at(other, unit.radius_mm) for other in others]
    taken += [wall.buffer(grow_mm, quad_segs=32) for wall in leaned_on]
    left = shapely.difference(region, shapely.union_all(taken)) if taken else region
    parts = [part for part in shapely.get_parts(left) if isinstance(part, Polygon) and part.area > SPECK_MM2]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts) if parts else Polygon()


def no_room_at(other: Unit, radius_mm: float) -> Polygon:
    """Where the centre of a base of that radius cannot be, because of the other's base; they may touch."""
    return disc(other.at, max(0.0, other.radius_mm + radius_mm - TOUCH_ROOM_MM), CORNER_SAGITTA_MM)


def _reach(unit: Unit, field: Field) -> Ruling:
    refused = why_no_move(unit, field)
    one, two = ap_region(unit, 1, field), ap_region(unit, 2, field)
    extra: dict[str, Any] = {
        "phase": "activation",
        "ap2": None if two.is_empty else mapping(two),
        "spd_in": unit.spd_in,
        "ap": unit.ap,
    }
    rule, why = refused or _why(unit, field)
    shape = None if one.is_empty else one
    return Ruling(
        "reach", unit.id, "no" if one.is_empty else "yes", rule, why, None,
        0.0 if one.is_empty else inch_mm(unit.spd_in), unit.piece.sigma_mm, shape, extra,
        () if shape is None else (Mark("reach", shape),),
    )  # fmt: skip


def _why(unit: Unit, field: Field) -> tuple[str, str]:
    foes = field.engaged_with(unit)
    if foes:
        names = ", ".join(foe.name for foe in foes)
        return "OSMCG-2.2", f"{unit.name} is engaged with {names}: leaving costs 1 AP more"
    return "OSMCG-2.1", f"{unit.name} moves up to {unit.spd_in:g} inches for 1 AP"


def blocks(field: Field) -> tuple[Ruling, ...]:
    """One `blocked` for each thing that stands in a unit's way within 1 AP."""
    found = []
    for unit in field.subjects:
        if why_no_move(unit, field) is None:
            found += [_blocked(unit, other, shape, field) for other, shape in _in_the_way(unit, field)]
    return tuple(found)


def _in_the_way(unit: Unit, field: Field) -> list[tuple[str, BaseGeometry]]:
    limit_mm = inch_mm(unit.spd_in) + unit.radius_mm
    walls = [] if unit.has("flying") else [(piece.id, piece.footprint) for piece in field.barriers]
    others = [other for other in field.figures if other.id != unit.id and _stops(other, unit)]
    shapes: list[tuple[str, BaseGeometry]] = [
        *walls,
        *((other.id, disc(other.at, other.radius_mm)) for other in others),
    ]
    return [(id_, shape) for id_, shape in shapes if shape.distance(Point(unit.at)) < limit_mm]


def _blocked(unit: Unit, other: str, shape: BaseGeometry, field: Field) -> Ruling:
    nearest = Point(shapely.shortest_line(shape, Point(unit.at)).coords[0])
    gap_mm = shape.distance(Point(unit.at)) - unit.radius_mm
    sigma_mm = unit.piece.sigma_mm
    room = inch_mm(unit.spd_in) - gap_mm
    rule = "OSMCG-2.1" if field.scene[other].is_known or field.scene[other].kind == "terrain" else "C5.2"
    why = f"{field.scene[other].cls} {other} stands in the way of {unit.name}"
    return Ruling(
        "blocked", unit.id, "yes", rule, why, other, room, sigma_mm, nearest, {"phase": "activation"},
        (Mark("blocked", nearest),),
    )  # fmt: skip


def shortest_way(unit: Unit, goal: Point2, budget_mm: float, field: Field) -> LineString | None:
    """A shortest way of the unit to a place within the budget, or None."""
    return walk(unit, budget_mm, field).way_to(goal)
