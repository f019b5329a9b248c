"""The way of a move against what the unit's action points allow (OSMCG-2.1, 2.2)."""

from __future__ import annotations

import math
from dataclasses import replace

from shapely import LineString

from rules.decimals import set_apart
from rules.games.osmcg.field import Field
from rules.games.osmcg.reach import ap_region, shortest_way
from rules.games.osmcg.reason import Reason, refused
from rules.games.osmcg.tables import inch_mm, on_paper, tables
from rules.games.osmcg.units import Unit
from rules.games.osmcg.way_doubts import way_doubts
from rules.games.osmcg.ways import past_landings_mm
from rules.margin import CLOSE_SIGMAS, Margin, at_most, pair_sigma_mm, turned
from rules.scene import Piece
from rules.sentences import listed

# How much longer than allowed a way is looked for, to say by how much it is too long.
_BEYOND_MM = 100.0
# A border so near to that of the whole allowance is the same border, drawn with chords.
_SAME_MM = 0.1


def passage(unit: Unit, at: Piece, field: Field) -> list[Reason]:
    """What decides whether the unit may come from where it is to a place; leaving base contact costs a point."""
    leaves = bool(field.engaged_with(unit))
    moves = unit.ap_left - (tables().cost.disengage if leaves else 0)
    if moves <= 0:
        return [refused("OSMCG-2.2", f"{unit.name} is engaged and has no action point left for a move")]
    rule = "OSMCG-2.2" if leaves else "OSMCG-2.1"
    budget_mm = moves * inch_mm(unit.spd_in)
    length_mm = _way_mm(unit, at, budget_mm, field)
    way = _along(rule, unit, at, moves, length_mm, field)
    doubts = way_doubts(unit, at.position_mm, budget_mm, way.margin.margin_mm >= 0, field)
    hangs = f"; it hangs on the place of {listed(doubts)}" if doubts else ""
    way = replace(way, margin=turned(way.margin, doubts.values()), why=way.why + hangs)
    return [way, *_stops(unit, at, moves, budget_mm - length_mm, field)]


def _along(rule: str, unit: Unit, at: Piece, moves: int, length_mm: float, field: Field) -> Reason:
    """The length of the way against its allowance."""
    budget_mm, sigma_mm = moves * inch_mm(unit.spd_in), pair_sigma_mm(unit.piece.sigma_mm, at.sigma_mm)
    if math.isinf(length_mm):
        return _no_way(rule, unit, at, sigma_mm, moves, field)
    far = set_apart(length_mm / inch_mm(1), budget_mm / inch_mm(1), 2)
    why = f"{unit.name} moved {far} inches, {_allowed(unit, moves)} are allowed"
    return Reason(rule, at_most(on_paper(length_mm, budget_mm), budget_mm, sigma_mm), why)


def points_spent(unit: Unit, at: Piece, field: Field) -> int:
    """The action points of such a move: one for each SPD of way, one for leaving contact."""
    leaves = tables().cost.disengage if field.engaged_with(unit) else 0
    step_mm = inch_mm(unit.spd_in)
    length_mm = _way_mm(unit, at, unit.ap * step_mm, field)
    if math.isinf(length_mm) or step_mm == 0:
        return unit.ap_left
    slack_mm = CLOSE_SIGMAS * pair_sigma_mm(unit.piece.sigma_mm, at.sigma_mm) + tables().distance.paper_mm
    return min(unit.ap_left, leaves + max(1, math.ceil((length_mm - slack_mm) / step_mm)))


def _way_mm(unit: Unit, at: Piece, budget_mm: float, field: Field) -> float:
    """The length of the shortest way; infinite if there is none that is not much too long."""
    if unit.has("flying"):
        return math.dist(unit.at, at.position_mm)
    way = shortest_way(unit, at.position_mm, 2 * budget_mm + _BEYOND_MM, field)
    return math.inf if way is None else way.length


def _allowed(unit: Unit, moves: int) -> str:
    return f"{moves} x {unit.spd_in:g} inches"


def _no_way(rule: str, unit: Unit, at: Piece, sigma_mm: float, moves: int, field: Field) -> Reason:
    """By how far the place lies outside all that the unit can reach."""
    off_mm = max(_off_mm(unit, at, field), tables().distance.paper_mm)
    margin, budget_mm, far_mm = (
        Margin(-off_mm, sigma_mm),
        moves * inch_mm(unit.spd_in),
        math.dist(unit.at, at.position_mm),
    )
    if far_mm > budget_mm:
        far = set_apart(far_mm / inch_mm(1), budget_mm / inch_mm(1), 2)
        return Reason(rule, margin, f"{unit.name} ended {far} inches away, {_allowed(unit, moves)} are allowed")
    there = _standing_there(unit, at, field)
    hindered = f"{there.name} stood there before" if there is not None else _hindered_by(unit, at, field)
    why = f"no way of {unit.name} to that place is within {_allowed(unit, moves)}: {hindered}"
    return Reason(rule, margin, why, None if there is None else there.id)


def _standing_there(unit: Unit, at: Piece, field: Field) -> Unit | None:
    """Whose base the unit would have come to stand on, in the scene before (C4.8)."""
    here = Unit(at, unit.known)
    others = [other for other in field.figures if other.id != unit.id and unit.is_stopped_by(other)]
    gaps_mm = {other.id: here.gap_mm(other) for other in others}
    nearest = min(others, key=lambda other: gaps_mm[other.id], default=None)
    return nearest if nearest is not None and gaps_mm[nearest.id] < -tables().distance.paper_mm else None


def _off_mm(unit: Unit, at: Piece, field: Field) -> float:
    """How far the place lies outside the unit's reach, mm; the reach is at least the unit's own place."""
    region = ap_region(unit, unit.ap_left, field)
    return math.dist(unit.at, at.position_mm) if region.is_empty else region.distance(at.point)


def _hindered_by(unit: Unit, at: Piece, field: Field) -> str:
    line = LineString((unit.at, at.position_mm))
    others = (other for other in field.figures if other.id != unit.id)
    near = [one.id for one in others if line.distance(one.shape) < unit.radius_mm]
    near += [wall.id for wall in field.barriers if line.distance(wall.footprint) < unit.radius_mm]
    return f"{', '.join(near)} {'stand' if near[1:] else 'stands'} between" if near else "the ground between is closed"


def _stops(unit: Unit, at: Piece, moves: int, left_mm: float, field: Field) -> list[Reason]:
    """Who passes over bases or walls in several moves needs free ground at the end of each."""
    if moves == 1 or not unit.mover.passes_bases:
        return []
    near = field.near(unit, moves * inch_mm(unit.spd_in))
    spare_mm = past_landings_mm(at.position_mm, moves, near)
    if spare_mm >= left_mm - _SAME_MM:
        return []
    spare_mm = max(spare_mm, -math.dist(unit.at, at.position_mm))
    verb = "has a place" if spare_mm >= 0 else "has nowhere"
    why = f"{unit.name} {verb} to end a move on the way to that place"
    return [Reason("OSMCG-2.1", Margin(spare_mm, pair_sigma_mm(unit.piece.sigma_mm, at.sigma_mm)), why)]
