"""What moved between two scenes, and whether it was legal (C4.8, C4.9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from rules.changes import Change, changes
from rules.game import Mark, Ruling, ruling_from
from rules.games.osmcg.able import why_no_move
from rules.games.osmcg.deploy import is_source, lies_in, strip, summon_mm
from rules.games.osmcg.field import Field
from rules.games.osmcg.reach import ap_region, ignores_bases, shortest_way
from rules.games.osmcg.tables import inch_mm, on_paper, tables
from rules.games.osmcg.units import Unit
from rules.margin import Margin, all_of, any_of, at_least, at_most, pair_sigma_mm
from rules.scene import NONE, Piece, Scene
from rules.setup import Setup
from rules.state import State

DEPLOY_PHASES = ("main-1", "main-2")


@dataclass(frozen=True)
class Reason:
    """One condition of a change on the table: its rule, how well it holds, and the sentence for it."""

    rule: str
    margin: Margin
    why: str
    other: str | None = None


def judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, was placed or removed."""
    then, now = Field(before, setup, state), Field(after, setup, state)
    return tuple(_ruled(change, then, now) for change in changes(before, after))


def _ruled(change: Change, then: Field, now: Field) -> Ruling:
    reasons = _reasons(change, then, now)
    deciding = all_of(reason.margin for reason in reasons)
    reason = next(one for one in reasons if one.margin is deciding)
    phase = "activation" if change.kind == "moved" else "main-1" if change.kind == "placed" else None
    shape = _drawn(change, then)
    return ruling_from(
        reason.margin, kind="judge", piece=change.piece.id, other=reason.other, rule=reason.rule, why=reason.why,
        geometry=shape, extra={**change.extra, "event": change.kind, "phase": phase}, marks=(Mark("judge", shape),),
    )  # fmt: skip


def _drawn(change: Change, then: Field) -> BaseGeometry:
    if change.before is None or change.after is None:
        return change.piece.point
    unit = then.by_id.get(change.piece.id)
    way = None
    if unit is not None and not ignores_bases(unit):
        way = shortest_way(unit, change.after.position_mm, inch_mm(unit.spd_in) * max(1, unit.ap), then)
    return way or LineString((change.before.position_mm, change.after.position_mm))


def _reasons(change: Change, then: Field, now: Field) -> list[Reason]:
    piece = change.piece
    field = then if change.before is not None else now
    unit = field.by_id.get(piece.id)
    if piece.kind == "terrain":
        return [Reason("OSMCG-1.3", Margin(-1.0), f"{piece.cls} {piece.id} is terrain and stays as it was laid")]
    if unit is None:
        return [_stranger(piece)]
    if change.after is None:
        return [_removed(unit)]
    wrong = _out_of_turn(unit, change, then)
    if wrong is not None:
        return [wrong]
    return _moved(unit, change.after, then, now) if change.before is not None else _placed(unit, now)


def _stranger(piece: Piece) -> Reason:
    if piece.kind not in ("base", "soldier") or piece.owner == NONE:
        return Reason("C5.2", Margin(0.0), f"{piece.cls} {piece.id} belongs to nobody and is free to move")
    return Reason("C5.2", Margin(-1.0), f"{piece.cls} {piece.id} is not known well enough: say what it is and whose")


def _out_of_turn(unit: Unit, change: Change, field: Field) -> Reason | None:
    state, no = field.state, Margin(-1.0)
    player = field.setup.player_named(state.active) if state.active else None
    mine = (
        state.active is None or unit.team == state.active or (player is not None and player.colour == unit.piece.owner)
    )
    if not mine:
        return Reason("C4.9", no, f"{unit.name} is not {state.active}'s, whose turn it is")
    if change.kind == "moved":
        if state.phase not in (None, "activation"):
            return Reason(
                "OSMCG-5", no, f"{unit.name} moved in the {state.phase} phase: units move in the activation phase"
            )
        refused = why_no_move(unit)
        return Reason(refused[0], no, refused[1]) if refused else None
    if state.phase is not None and state.phase not in DEPLOY_PHASES and not unit.has("quick summon"):
        return Reason(
            "OSMCG-5", no, f"{unit.name} was deployed in the {state.phase} phase: creatures come in the main phases"
        )
    return None


def _removed(unit: Unit) -> Reason:
    """A miniature leaves when its wounds reach its HP; without both in the state the players know best."""
    if unit.card.hp is None:
        return Reason("OSMCG-3.3", Margin(0.0), f"{unit.name} left the table")
    hp, wounds = unit.card.hp, unit.card.wounds
    why = f"{unit.name} left the table with {wounds:g} wounds of {hp:g} HP"
    return Reason("OSMCG-3.3", Margin(wounds - hp), why)


def _moved(unit: Unit, at: Piece, then: Field, now: Field) -> list[Reason]:
    return [_length(unit, at, then), *_overlaps(Unit(at, unit.known), now), *_off_table(at, now)]


def _length(unit: Unit, at: Piece, field: Field) -> Reason:
    """The way against what the unit's action points allow; leaving base contact costs one (OSMCG-2.1, 2.2)."""
    left = bool(field.engaged_with(unit))
    moves = unit.ap - (tables().cost.disengage if left else 0)
    budget_mm, sigma_mm = moves * inch_mm(unit.spd_in), pair_sigma_mm(unit.piece.sigma_mm, at.sigma_mm)
    if moves <= 0:
        return Reason(
            "OSMCG-2.2",
            Margin(-math.dist(unit.at, at.position_mm), 0.0),
            f"{unit.name} is engaged and has no AP to leave",
        )
    rule = "OSMCG-2.2" if left else "OSMCG-2.1"
    length_mm = _way_mm(unit, at, budget_mm, moves, field)
    allowed = f"{moves} x {unit.spd_in:g} inches"
    if math.isinf(length_mm):
        off_mm = max(
            ap_region(unit, unit.ap, field.near(unit, budget_mm)).distance(at.point), tables().distance.paper_mm
        )
        why = f"no way of {unit.name} to that place is within {allowed}: {_hindered_by(unit, at, field)}"
        return Reason(rule, Margin(-off_mm, sigma_mm), why)
    why = f"{unit.name} moved {length_mm / inch_mm(1):.2f} inches, {allowed} are allowed"
    return Reason(rule, at_most(on_paper(length_mm, budget_mm), budget_mm, sigma_mm), why)


def _way_mm(unit: Unit, at: Piece, budget_mm: float, moves: int, field: Field) -> float:
    """The length of the shortest way; infinite if there is none that is not much too long."""
    if unit.has("flying"):
        return math.dist(unit.at, at.position_mm)
    way = shortest_way(unit, at.position_mm, 2 * budget_mm + 100, field)
    return math.inf if way is None else way.length


def _hindered_by(unit: Unit, at: Piece, field: Field) -> str:
    line = LineString((unit.at, at.position_mm))
    near = [
        other.id
        for other in field.figures
        if other.id != unit.id and line.distance(Point(other.at)) < unit.radius_mm + other.radius_mm
    ]
    near += [wall.id for wall in field.barriers if line.distance(wall.footprint) < unit.radius_mm]
    return ", ".join(near) or "the ground between is closed"


def _overlaps(unit: Unit, field: Field) -> list[Reason]:
    """Nobody ends on a base or on blocking terrain; bases may touch."""
    found = []
    for other in field.figures:
        if other.id != unit.id:
            gap_mm = on_paper(unit.gap_mm(other), 0.0)
            why = f"{unit.name} lies on {other.name}" if gap_mm < 0 else f"{unit.name} keeps clear of {other.name}"
            found.append(_room("OSMCG-2.1", gap_mm, unit.sigma_to_mm(other), why, other.id))
    for wall in field.barriers:
        gap_mm = on_paper(_signed_mm(wall, unit) - unit.radius_mm, 0.0)
        sigma_mm = pair_sigma_mm(unit.piece.sigma_mm, wall.sigma_mm)
        found.append(_room("OSMCG-2.1", gap_mm, sigma_mm, f"{unit.name} and {wall.cls} {wall.id}", wall.id))
    return [reason for reason in found if reason.margin.verdict != "yes"]


def _room(rule: str, gap_mm: float, sigma_mm: float, why: str, other: str) -> Reason:
    """Bases in contact are a gap of nothing with an error: contact is no doubt about overlap (OSMCG-2.2)."""
    tolerance_mm = max(tables().distance.touch_mm, 3 * sigma_mm) if sigma_mm else 0.0
    margin = Margin(0.0, 0.0) if -tolerance_mm <= gap_mm <= tolerance_mm else at_least(gap_mm, 0.0, sigma_mm)
    return Reason(rule, margin, why, other)


def _signed_mm(wall: Piece, unit: Unit) -> float:
    inside = wall.footprint.contains(Point(unit.at))
    return -wall.footprint.exterior.distance(Point(unit.at)) if inside else wall.footprint.distance(Point(unit.at))


def _off_table(at: Piece, field: Field) -> list[Reason]:
    """Centres stay on the table (C4.7)."""
    width, depth = field.scene.table_size_mm
    x, y = at.position_mm
    margin = Margin(min(x, width - x, y, depth - y), at.sigma_mm)
    return [] if margin.verdict == "yes" else [Reason("C4.7", margin, f"{at.id} is over the table's edge")]


def _placed(unit: Unit, now: Field) -> list[Reason]:
    """A Hero comes in its player's strip, a creature within 2 inches of the Hero or a Summoner, touching no enemy."""
    return [_entry(unit, now), *_untouched(unit, now), *_overlaps(unit, now)]


def _entry(unit: Unit, now: Field) -> Reason:
    player = now.setup.player_of_colour(unit.piece.owner)
    if unit.is_hero and player is not None:
        inside_mm = on_paper(lies_in(strip(player, now), unit.at, unit.radius_mm), 0.0)
        why = f"the Hero {unit.name} comes into the strip of {player.name}"
        return Reason("OSMCG-1.1", Margin(inside_mm, unit.piece.sigma_mm), why)
    sources = [other for other in now.units if other.id != unit.id and other.team == unit.team and is_source(other)]
    if not sources:
        return Reason(
            "OSMCG-2.3", Margin(-1.0), f"{unit.team} has no Hero and no Summoner on the table to deploy {unit.name} at"
        )
    margins = [
        at_most(
            on_paper(math.dist(unit.at, one.at), summon_mm(one, unit.radius_mm)), summon_mm(one, unit.radius_mm),
            unit.sigma_to_mm(one),
        )
        for one in sources
    ]  # fmt: skip
    best = any_of(margins)
    source = sources[next(k for k, margin in enumerate(margins) if margin is best)]
    why = f"{unit.name} was deployed {unit.gap_mm(source) / inch_mm(1):.2f} inches from {source.name}, 2 are allowed"
    return Reason("OSMCG-2.3", best, why, source.id)


def _untouched(unit: Unit, now: Field) -> list[Reason]:
    foes = now.engaged_with(unit)
    return [Reason("OSMCG-2.3", Margin(-1.0), f"{unit.name} was deployed touching {foe.name}", foe.id) for foe in foes]
