"""Where a miniature may end its move, for one action point and for two, and what stands in its way (OSMCG-2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import shapely
from shapely import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling
from rules.games.osmcg.able import why_no_move
from rules.games.osmcg.field import Field
from rules.games.osmcg.ground import Near
from rules.games.osmcg.tables import inch_mm, tables
from rules.games.osmcg.units import Unit
from rules.geometry.reach import CORNER_SAGITTA_MM, SPECK_MM2, TOUCH_ROOM_MM, Ground, Walk
from rules.geometry.templates import disc
from rules.margin import CLOSE_SIGMAS, pair_sigma_mm
from rules.scene import UNKNOWN, Piece, Point2


def reaches(field: Field) -> tuple[Ruling, ...]:
    """One `reach` for each unit: the geometry is for 1 AP, `ap2` the region for 2 AP, and so on for who has more."""
    standing = tuple(_reach(unit, field.near(unit, rings(unit) * inch_mm(unit.spd_in))) for unit in field.subjects)
    return (*standing, *(_no_reach(unit) for unit in field.fallen))


def rings(unit: Unit) -> int:
    """For how many action points there is a region: two, or as many as the unit has."""
    return max(2, unit.ap_left)


def ap_region(unit: Unit, points: int, near: Near) -> Ground:
    """Where the unit may end after so many action points of moving; leaving contact costs one (OSMCG-2.2)."""
    moves = points - (tables().cost.disengage if near.foes else 0)
    if moves <= 0 or points > unit.ap_left or why_no_move(unit) is not None:
        return Polygon()
    step_mm = inch_mm(unit.spd_in)
    if not ignores_bases(unit):
        return _free(_paths(unit, near).within(moves * step_mm), unit, near)
    region: Ground = Polygon(disc(unit.at, TOUCH_ROOM_MM))
    for _ in range(moves):  # every single move must end clear of all bases
        region = _free(_spread(region, unit, step_mm, near), unit, near)
    return region


def ignores_bases(unit: Unit) -> bool:
    """Whether some bases are no obstacle to its way."""
    return unit.has("flying") or unit.has("ethereal")


def walk(unit: Unit, budget_mm: float, near: Near) -> Walk:
    """All paths of the unit within a budget, obstacles by its keywords (OSMCG-2.1)."""
    walls = () if unit.has("flying") else tuple(piece.footprint for piece in near.barriers)
    bases = tuple((other.at, other.radius_mm) for other in near.figures if _stops(other, unit))
    return Walk(unit.at, budget_mm, walls, unit.radius_mm, near.bounds, bases)


@lru_cache(maxsize=2)
def _paths(unit: Unit, near: Near) -> Walk:
    """The paths for all that is near, shared by the regions for one action point and for two."""
    return walk(unit, rings(unit) * inch_mm(unit.spd_in), near)


def _stops(other: Unit, unit: Unit) -> bool:
    if unit.has("flying"):
        return False
    return not unit.has("ethereal") or other.team == unit.team or not other.is_known


def _spread(region: Ground, unit: Unit, step_mm: float, near: Near) -> BaseGeometry:
    """All points one move away from some point of the region."""
    if unit.has("flying"):
        return shapely.buffer(region, step_mm, quad_segs=64).intersection(near.bounds)
    return walk(unit, 2 * step_mm, near).spread(region, step_mm)


def _free(region: BaseGeometry, unit: Unit, near: Near) -> Ground:
    """The region without the places where the base would lie on another or on a barrier.

    A path keeps clear of what stops it anyway, unless the unit already leans on it.
    """
    through, grow_mm = ignores_bases(unit), unit.radius_mm - TOUCH_ROOM_MM
    others = [other for other in near.figures if through or unit.gap_mm(other) < 0]
    barriers = [piece.footprint for piece in near.barriers]
    leaned_on = [wall for wall in barriers if through or wall.distance(Point(unit.at)) < unit.radius_mm]
    taken = [no_room_at(other, unit.radius_mm) for other in others]
    taken += [wall.buffer(grow_mm, quad_segs=32) for wall in leaned_on]
    left = shapely.difference(region, shapely.union_all(taken)) if taken else region
    parts = [part for part in shapely.get_parts(left) if isinstance(part, Polygon) and part.area > SPECK_MM2]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts) if parts else Polygon()


def no_room_at(other: Unit, radius_mm: float) -> Polygon:
    """Where the centre of a base of that radius cannot be, because of the other's base; they may touch."""
    return disc(other.at, max(0.0, other.radius_mm + radius_mm - TOUCH_ROOM_MM), CORNER_SAGITTA_MM)


@lru_cache(maxsize=1024)
def _reach(unit: Unit, near: Near) -> Ruling:
    """Kept between scenes: what a move did not touch is not computed again."""
    refused = why_no_move(unit)
    if refused is not None:
        return _no_reach(unit)
    one, *more = (ap_region(unit, points, near) for points in range(1, rings(unit) + 1))
    extra: dict[str, Any] = {f"ap{place + 2}": _as_json(region) for place, region in enumerate(more)}
    rule, why = _why(unit, near.foes)
    shape = None if one.is_empty else one
    margin_mm, sigma_mm = _margin(unit, near.foes)
    return Ruling(
        "reach", unit.id, "no" if one.is_empty else "yes", rule, why, None, margin_mm, sigma_mm, shape,
        {**extra, **_card(unit)}, () if shape is None else (Mark("reach", shape),),
    )  # fmt: skip


def _margin(unit: Unit, foes: tuple[Unit, ...]) -> tuple[float, float]:
    """The length of a move and the unit's sigma; for the engaged how far the nearest foe is from being clear."""
    if not foes:
        return inch_mm(unit.spd_in), unit.piece.sigma_mm
    return min((foe.gap_mm(unit) - foe.touch_mm(unit), foe.sigma_to_mm(unit)) for foe in foes)


def _no_reach(unit: Unit) -> Ruling:
    """For a unit that something keeps from any move."""
    rule, why = why_no_move(unit) or ("OSMCG-2.1", f"{unit.name} does not move")
    extra = {"ap2": None, **_card(unit)}
    return Ruling("reach", unit.id, "no", rule, why, None, -1.0, unit.piece.sigma_mm, extra=extra)


def _card(unit: Unit) -> dict[str, Any]:
    return {"phase": "activation", "spd_in": unit.spd_in, "ap": unit.ap}


def _as_json(region: Ground) -> dict[str, Any] | None:
    """A region as a GeoJSON mapping, a tenth of the time of shapely's own; None for an empty one."""
    if region.is_empty:
        return None
    polygons = [_rings_of(part) for part in shapely.get_parts(region)]
    if len(polygons) == 1:
        return {"type": "Polygon", "coordinates": polygons[0]}
    return {"type": "MultiPolygon", "coordinates": polygons}


def _rings_of(polygon: Polygon) -> list[list[list[float]]]:
    return [shapely.get_coordinates(ring).tolist() for ring in shapely.get_rings(polygon)]


def _why(unit: Unit, foes: tuple[Unit, ...]) -> tuple[str, str]:
    if foes:
        names = ", ".join(foe.name for foe in foes)
        return "OSMCG-2.2", f"{unit.name} is engaged with {names}: leaving costs 1 AP more"
    return "OSMCG-2.1", f"{unit.name} moves up to {unit.spd_in:g} inches for 1 AP"


def blocks(field: Field) -> tuple[Ruling, ...]:
    """One `blocked` for each thing that stands in a unit's way within 1 AP."""
    movers = [unit for unit in field.subjects if why_no_move(unit) is None]
    return tuple(ruling for unit in movers for ruling in _blocks(field.near(unit, inch_mm(unit.spd_in) - 1)))


@lru_cache(maxsize=1024)
def _blocks(near: Near) -> tuple[Ruling, ...]:
    unit = near.unit
    walls = () if unit.has("flying") else near.barriers
    found = [_blocked(unit, wall, wall.footprint) for wall in walls]
    others = [other for other in near.figures if _stops(other, unit)]
    return (*found, *(_blocked(unit, other.piece, disc(other.at, other.radius_mm)) for other in others))


def _blocked(unit: Unit, other: Piece, shape: BaseGeometry) -> Ruling:
    nearest = Point(shapely.shortest_line(shape, Point(unit.at)).coords[0])
    room_mm = inch_mm(unit.spd_in) - (shape.distance(Point(unit.at)) - unit.radius_mm)
    sigma_mm = pair_sigma_mm(unit.piece.sigma_mm, other.sigma_mm)
    known = other.cls != UNKNOWN and (other.kind == "terrain" or other.owner != UNKNOWN)
    why = f"{other.cls} {other.id} stands in the way of {unit.name}"
    return Ruling(
        "blocked", unit.id, "yes", "OSMCG-2.1" if known else "C5.2", why, other.id, room_mm, sigma_mm, nearest,
        {"phase": "activation"}, (Mark("blocked", nearest),),
    )  # fmt: skip


def shortest_way(unit: Unit, goal: Point2, budget_mm: float, field: Field) -> LineString | None:
    """A shortest way of the unit to a place within the budget, or None.

    A place a measuring error inside what the base leans on counts as the nearest place beside it.
    """
    paths = walk(unit, budget_mm, field.near(unit, budget_mm))
    way = paths.way_to(goal)
    if way is not None or paths.region.is_empty:
        return way
    beside = shapely.shortest_line(paths.region, Point(goal))
    lean_mm = max(tables().distance.touch_mm, CLOSE_SIGMAS * unit.piece.sigma_mm)
    x, y = beside.coords[0][:2]
    return paths.way_to((x, y)) if beside.length <= lean_mm else None
