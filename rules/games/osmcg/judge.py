"""What moved between two scenes, and whether it was legal (C4.8, C4.9)."""

from __future__ import annotations

from typing import Any

from shapely import LineString
from shapely.geometry.base import BaseGeometry

from rules.course.changes import Change, changes
from rules.game import Mark, Ruling, ruling_from
from rules.games.osmcg.arrival import placed
from rules.games.osmcg.field import FIGURES, Field
from rules.games.osmcg.landing import conflicts
from rules.games.osmcg.passage import passage, points_spent
from rules.games.osmcg.permission import DEPLOY_PHASES, MOVE_PHASE, out_of_turn
from rules.games.osmcg.reach import shortest_way
from rules.games.osmcg.reason import Reason, deciding, refused
from rules.games.osmcg.rim import in_doubt
from rules.games.osmcg.survival import is_free_for_all
from rules.games.osmcg.tables import inch_mm
from rules.games.osmcg.units import Unit
from rules.geometry.templates import covers
from rules.margin import Margin
from rules.scene import NONE, Piece, Scene
from rules.setup import Setup
from rules.state import State


def judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, was placed or removed."""
    then, now = Field(before, setup, state), Field(after, setup, state)
    happened = changes(before, after)

    def ruled(then: Field) -> tuple[Ruling, ...]:
        """One for each change, by the scene before."""
        return tuple(_ruled(change, then, now) for change in happened)

    return in_doubt(ruled(then), then, ruled)


def _ruled(change: Change, then: Field, now: Field) -> Ruling:
    reason = deciding(_reasons(change, then, now))
    shape = _drawn(change, then)
    return ruling_from(
        reason.margin, kind="judge", piece=change.piece.id, other=reason.other, rule=reason.rule, why=reason.why,
        geometry=shape, extra=_extra(change, then), marks=(Mark("judge", shape),),
    )  # fmt: skip


def _extra(change: Change, then: Field) -> dict[str, Any]:
    """What happened, in which phase it belongs, and the action points that a move takes."""
    phase = {"moved": MOVE_PHASE, "placed": DEPLOY_PHASES[0]}.get(change.kind, MOVE_PHASE)
    extra = {**change.extra, "event": change.kind, "phase": phase}
    unit = _walker(change, then)
    return extra if unit is None or change.after is None else {**extra, "ap": points_spent(unit, change.after, then)}


def _walker(change: Change, then: Field) -> Unit | None:
    """The unit that moved, if the piece is one that can."""
    unit = then.by_id.get(change.piece.id) if change.kind == "moved" else None
    return None if unit is None or unit.is_destroyed else unit


def _drawn(change: Change, then: Field) -> BaseGeometry:
    if change.before is None or change.after is None:
        return change.piece.point
    unit, way = _walker(change, then), None
    if unit is not None and not unit.mover.passes_bases:
        way = shortest_way(unit, change.after.position_mm, inch_mm(unit.spd_in) * max(1, unit.ap), then)
    return way or LineString((change.before.position_mm, change.after.position_mm))


def _reasons(change: Change, then: Field, now: Field) -> list[Reason]:
    field = then if change.before is not None else now
    unit = field.by_id.get(change.piece.id)
    if change.piece.kind == "terrain":
        return _terrain(change, now)
    if unit is None:
        return [_stranger(change.piece)]
    if change.after is None:
        return [_removed(unit, now)]
    wrong = out_of_turn(unit, change, then)
    if wrong is not None:
        return [wrong]
    if change.before is None:
        return placed(unit, now)
    return [*passage(unit, change.after, then), *conflicts(Unit(change.after, unit.known), now)]


def _terrain(change: Change, now: Field) -> list[Reason]:
    """Spells make terrain and damage destroys it; it does not move, and no two pieces overlap (OSMCG-1.3)."""
    piece = change.piece
    if change.kind == "moved":
        return [refused("OSMCG-1.3", f"{piece.cls} {piece.id} is terrain and stays as it was laid")]
    others = [other for other in now.scene.of_kind("terrain") if other.id != piece.id and change.after is not None]
    under = next((other for other in others if covers(piece.footprint, other.footprint)), None)
    if under is not None:
        return [refused("OSMCG-1.3", f"{piece.cls} {piece.id} lies on {under.cls} {under.id}", under.id)]
    return [Reason("OSMCG-1.3", Margin(0.0), f"{piece.cls} {piece.id} was {change.kind} as terrain")]


def _stranger(piece: Piece) -> Reason:
    if piece.owner == NONE:
        return Reason("C5.2", Margin(0.0), f"{piece.cls} {piece.id} belongs to nobody and is free to move")
    if piece.kind not in FIGURES:
        return Reason("C5.2", Margin(0.0), f"{piece.cls} {piece.id} is no figure and is free to move")
    return refused("C5.2", f"{piece.cls} {piece.id} is not known well enough: say what it is and whose")


def _is_out(unit: Unit, now: Field) -> bool:
    """Whether a creature's player is out of a free-for-all, as he is when his Hero falls (rulebook, FFA 4.3)."""
    heroes = (one for one in now.by_id.values() if one.is_hero and one.team == unit.team)
    return is_free_for_all(now) and not unit.is_hero and all(hero.is_destroyed for hero in heroes)


def _removed(unit: Unit, now: Field) -> Reason:
    """A miniature leaves when its wounds reach its HP, or with its player; without both in the state the players know
    best."""
    if _is_out(unit, now):
        return Reason("OSMCG-1.2", Margin(0.0), f"{unit.name} left the table with its player, who has no Hero any more")
    if unit.card.hp is None:
        return Reason("OSMCG-3.3", Margin(0.0), f"{unit.name} left the table")
    hp, wounds = unit.card.hp, unit.card.wounds
    why = f"{unit.name} left the table with {wounds:g} {'wound' if wounds == 1 else 'wounds'} of {hp:g} HP"
    return Reason("OSMCG-3.3", Margin(wounds - hp), why)
