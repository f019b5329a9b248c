"""Where a miniature may end its move, for one action point, for two and for more (OSMCG-2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import shapely
from shapely import LineString, Polygon

from rules.game import Mark, Ruling
from rules.games.osmcg.able import why_no_move
from rules.games.osmcg.field import Field
from rules.games.osmcg.ground import Near
from rules.games.osmcg.later import Later
from rules.games.osmcg.tables import inch_mm, tables
from rules.games.osmcg.units import Unit
from rules.games.osmcg.ways import moved, way_to
from rules.geometry.reach import Ground
from rules.margin import CLOSE_SIGMAS, REFUSED
from rules.scene import Point2
from rules.sentences import listed


def reaches(field: Field) -> tuple[Ruling, ...]:
    """One `reach` for each unit: the geometry is for 1 AP, `ap2` the region for 2 AP, and so on for who has more."""
    return (*(_reach(unit, field) for unit in field.subjects), *(_no_reach(unit) for unit in field.fallen))


def ap_region(unit: Unit, points: int, field: Field) -> Ground:
    """Where the unit may end after so many action points of moving; leaving contact costs one (OSMCG-2.2)."""
    going = _going(unit, points, field)
    return Polygon() if going is None else moved(*going)


def _going(unit: Unit, points: int, field: Field) -> tuple[int, Near] | None:
    """How many moves those points are, and what they may meet; None if the unit has not so many or may not move."""
    moves = points - (tables().cost.disengage if field.engaged_with(unit) else 0)
    if moves <= 0 or points > unit.ap_left or why_no_move(unit) is not None:
        return None
    return moves, field.near(unit, moves * inch_mm(unit.spd_in))


def shortest_way(unit: Unit, goal: Point2, budget_mm: float, field: Field) -> LineString | None:
    """A shortest way of the unit to a place within the budget, or None."""
    lean_mm = max(tables().distance.touch_mm, CLOSE_SIGMAS * unit.piece.sigma_mm)
    return way_to(goal, budget_mm, field.near(unit, budget_mm), lean_mm)


def _reach(unit: Unit, field: Field) -> Ruling:
    if why_no_move(unit) is not None:
        return _no_reach(unit)
    foes, region = field.engaged_with(unit), ap_region(unit, 1, field)
    if region.is_empty and not foes:
        return _no_reach(unit, _rings(unit, field))
    rule, why = _why(unit, foes)
    margin_mm, sigma_mm = _margin(unit, foes)
    return Ruling(
        kind="reach",
        piece=unit.id,
        verdict="no" if region.is_empty else "yes",
        rule=rule,
        why=why,
        margin_mm=margin_mm,
        sigma_mm=sigma_mm,
        geometry=None if region.is_empty else region,
        extra=Later(_card(unit), _rings(unit, field)),
        marks=() if region.is_empty else (Mark("reach", region),),
    )


def _rings(unit: Unit, field: Field) -> dict[str, Callable[[], Any]]:
    """The regions for two action points and, for who has them, for more."""
    most = max(2, unit.ap_left)
    return {f"ap{points}": partial(_ring, unit, points, field) for points in range(2, most + 1)}


def _ring(unit: Unit, points: int, field: Field) -> dict[str, Any] | None:
    going = _going(unit, points, field)
    return None if going is None else _kept_ring(*going)


@lru_cache(maxsize=1024)
def _kept_ring(moves: int, near: Near) -> dict[str, Any] | None:
    """Kept as it is written: to make lists of a region costs as much as to look it up sixty times."""
    return _as_json(moved(moves, near))


def _margin(unit: Unit, foes: tuple[Unit, ...]) -> tuple[float, float]:
    """The length of a move and the unit's sigma; for the engaged how far the nearest foe is from being clear.

    Whose bases are exactly as far apart as contact goes is held by a hair: a no has no margin of 0 (C3.2).
    """
    if not foes:
        return inch_mm(unit.spd_in), unit.piece.sigma_mm
    hair_mm = tables().distance.paper_mm
    return min((-foe.contact_mm(unit) or -hair_mm, foe.sigma_to_mm(unit)) for foe in foes)


def _why(unit: Unit, foes: tuple[Unit, ...]) -> tuple[str, str]:
    if foes:
        return "OSMCG-2.2", f"{unit.name} is engaged with {listed(foe.name for foe in foes)}: leaving costs 1 AP more"
    return "OSMCG-2.1", f"{unit.name} moves up to {unit.spd_in:g} inches for 1 AP"


def _no_reach(unit: Unit, rings: Mapping[str, Callable[[], Any]] | None = None) -> Ruling:
    """For a unit that something keeps from any move, or that has no place to end one in: no distance decides that.

    rings  where it may be after more moves
    """
    lacks = "does not move" if rings is None else f"has no place to end a move of {unit.spd_in:g} inches in"
    rule, why = why_no_move(unit) or ("OSMCG-2.1", f"{unit.name} {lacks}")
    extra = {"ap2": None, **_card(unit)} if rings is None else Later(_card(unit), rings)
    return Ruling("reach", unit.id, "no", rule, why, None, REFUSED.margin_mm, REFUSED.sigma_mm, extra=extra)


def _card(unit: Unit) -> dict[str, Any]:
    return {"phase": "activation", "spd_in": unit.spd_in, "ap": unit.ap}


def _as_json(region: Ground) -> dict[str, Any] | None:
    """A region as a GeoJSON mapping, in a tenth of the time of shapely's own; None for an empty one."""
    if region.is_empty:
        return None
    polygons = [_rings_of(part) for part in shapely.get_parts(region)]
    if len(polygons) == 1:
        return {"type": "Polygon", "coordinates": polygons[0]}
    return {"type": "MultiPolygon", "coordinates": polygons}


def _rings_of(polygon: Polygon) -> list[list[list[float]]]:
    return [shapely.get_coordinates(ring).tolist() for ring in shapely.get_rings(polygon)]
