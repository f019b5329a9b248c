"""What moved between two scenes, and whether it was legal (C4.8, C4.9)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from shapely import LineString

from rules.course.changes import Change, changes
from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import Battlefield, plain
from rules.games.omog.charge import charge_limit_in, charge_margin
from rules.games.omog.clock import MOVE_PHASES, move_phase, started_s, time_left_s
from rules.games.omog.fights import is_engaged, touch_margin
from rules.games.omog.limit import SAME_MM, inches
from rules.games.omog.mounting import mount_margin, no_place_to_mount
from rules.games.omog.move_end import Reason, comes_to, room_at
from rules.games.omog.reach import doubt_of, why_no_move_surely
from rules.games.omog.soldier import FIGURES, Soldier
from rules.games.omog.standing import nearest_of_other_team, perhaps_nearest, team_mates
from rules.games.omog.taken_off import is_put_back, mark_of
from rules.margin import REFUSED, Margin, all_of, decider, pair_sigma_mm, turned
from rules.scene import NONE, Piece, Point2, Scene
from rules.setup import Setup
from rules.state import State

# A man and his horse stand where the other stood, to within a base.
_SAME_PLACE_MM = 30.0


def judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, came or went."""
    then, now = Battlefield(before, setup, state), Battlefield(after, setup, state)
    return tuple(_judged(change, then, now) for change in changes(before, after))


def _judged(change: Change, then: Battlefield, now: Battlefield) -> Ruling:
    extra = {**change.extra, "event": change.kind, "phase": _phase(change, then)}
    if change.before is None:
        return _placed(change.piece, then, now, extra)
    if change.after is None:
        return _removed(change.piece, then, now, extra)
    return _move(change.before, change.after, then, now, extra)


def _phase(change: Change, then: Battlefield) -> str:
    """The phase that a change belongs to (C4.9): casualties leave after the fire, or in the fight."""
    if change.kind == "removed" and then.state.phase not in MOVE_PHASES:
        return then.state.phase or "fire"
    return move_phase(change.piece.owner, then)


def _move(piece: Piece, at: Piece, then: Battlefield, now: Battlefield, extra: Mapping[str, Any]) -> Ruling:
    line = LineString((piece.position_mm, at.position_mm))
    reason = _verdict(piece, at, pair_sigma_mm(piece.sigma_mm, at.sigma_mm), then, now)
    return ruling_from(
        reason.margin, kind="judge", piece=piece.id, other=reason.other, rule=reason.rule, why=reason.why,
        geometry=line, extra=extra, marks=(Mark("judge", line),),
    )  # fmt: skip


def _verdict(piece: Piece, at: Piece, sigma_mm: float, then: Battlefield, now: Battlefield) -> Reason:
    soldier = then.by_id.get(piece.id)
    if piece.kind == "terrain":
        return Reason("OMOG-1.2", f"{piece.cls} {piece.id} is ground and stays where it is", REFUSED)
    if soldier is None:
        return _stranger(piece)
    refused = _why_not(soldier, then, now)
    if refused is not None:
        return Reason(*refused, REFUSED)
    reasons = [
        *comes_to(soldier, at, then, now),
        *_doubtful(soldier, then),
        *_strays(soldier, at.position_mm, sigma_mm, then),
        *_charge(soldier, at, then, now),
    ]
    return _deciding(reasons)


def _stranger(piece: Piece) -> Reason:
    if piece.owner == NONE:
        return Reason("C5.2", f"{piece.cls} {piece.id} belongs to nobody and is free to move", Margin(0.0))
    if piece.kind not in FIGURES:
        return Reason("C5.2", f"{piece.cls} {piece.id} is no figure and is free to move", Margin(0.0))
    return Reason("C5.2", f"{piece.cls} {piece.id} is not known well enough to move: say what it is and whose", REFUSED)


def _why_not(soldier: Soldier, then: Battlefield, now: Battlefield) -> tuple[str, str] | None:
    """The rule and the sentence that forbid any move of his, if any."""
    state = then.state
    player = then.setup.player_named(state.active) if state.active else None
    # Without players in the set-up, a side is named by its colour.
    if state.active is not None and (player.colour if player else state.active) != soldier.owner:
        return "C4.9", f"{soldier.name} moved, and it is {state.active}'s turn"
    if state.phase == "melee" and is_engaged(soldier, then):
        return "OMOG-5.1", f"{soldier.name} is engaged and stays in the melee phase"
    if state.phase is not None and state.phase not in MOVE_PHASES:
        return "OMOG-6", f"{soldier.name} moved in the {state.phase} phase"
    begun_s = started_s(state)
    if begun_s is not None and time_left_s(begun_s, now.scene.time_s) <= 0:
        return "OMOG-6", f"{soldier.name} moved when the two minutes were over"
    # What is too close to call is weighed with the rest.
    return why_no_move_surely(soldier, then)


def _doubtful(soldier: Soldier, then: Battlefield) -> list[Reason]:
    """A gun's crew, or the ground on which he gets on or off a horse, that is too close to call (OMOG-2.4, 4.4)."""
    doubt = doubt_of(soldier, then)
    return [] if doubt is None else [Reason(doubt.rule, f"{soldier.name}: {doubt.why}", doubt.margin)]


def _strays(soldier: Soldier, to_mm: Point2, sigma_mm: float, field: Battlefield) -> list[Reason]:
    """A man alone holds or moves toward the nearest team (OMOG-2.6)."""
    if soldier.arm == "gun" or "officer" in soldier.words or team_mates(soldier, field):
        return []
    nearest = nearest_of_other_team(soldier, field)
    if nearest is None:
        return []
    nearer_mm = _nearer_mm(soldier, to_mm, nearest)
    verb = "moved" if nearer_mm > 0 else "did not move"
    why = f"{soldier.name} is alone and {verb} toward {nearest.id}, the nearest team's man"
    margin = Margin(nearer_mm if nearer_mm > 0 else min(nearer_mm, -SAME_MM), sigma_mm)
    rivals = perhaps_nearest(soldier, nearest, field)
    turning = [(one, far) for one, far in rivals if (_nearer_mm(soldier, to_mm, one) > 0) != (nearer_mm > 0)]
    if turning and margin.verdict != "close":
        rival, farther = min(turning, key=lambda one: one[1].margin_mm)
        margin, why = turned(margin, [farther]), f"{why}; whether {rival.id} is nearer is too close to call"
    return [Reason("OMOG-2.6", why, margin)]


def _nearer_mm(soldier: Soldier, to_mm: Point2, other: Soldier) -> float:
    """How much nearer to another man he ends than he began."""
    return soldier.distance_mm(other) - math.dist(to_mm, other.position_mm)


def _charge(soldier: Soldier, at: Piece, then: Battlefield, now: Battlefield) -> list[Reason]:
    """A declared charge: once a game, and from far enough away (OMOG-5.2)."""
    moved = now.by_id.get(at.id)
    if not soldier.charging or moved is None:
        return []
    if soldier.known.get("charged"):
        return [Reason("OMOG-5.2", f"{soldier.name} has charged before and may not again", REFUSED)]
    met = [foe for foe in now.enemies_of(moved) if touch_margin(moved, foe).margin_mm >= 0 and foe.id in then.by_id]
    reasons = []
    for foe in met:
        margin = charge_margin(soldier, then.by_id[foe.id])
        if margin is not None:
            distance = inches(soldier.distance_mm(then.by_id[foe.id]), charge_limit_in(soldier))
            why = f"{soldier.name} charges {foe.name} from {distance} away"
            reasons.append(Reason("OMOG-5.2", why, margin, foe.id))
    return reasons


def _removed(piece: Piece, then: Battlefield, now: Battlefield, extra: Mapping[str, Any]) -> Ruling:
    """A casualty leaves after the fire or in the fight, or a man changes from horse to foot."""
    if piece.kind not in FIGURES:
        return plain("judge", piece.id, "OMOG-1.2", f"{piece.cls} {piece.id} was taken away", yes=True, extra=extra)
    moving = then.state.phase in MOVE_PHASES
    other = _remounted(piece, now, before=then) if moving or then.state.phase is None else None
    if other is not None:
        return _mounting(piece, other, then, now, extra)
    instead = "; put it back, or his other figure in its place" if piece.cls in ("foot", "mounted") else ""
    how = f"while a side moves{instead}" if moving else "as a casualty"
    why = f"{piece.owner} {piece.cls} {piece.id} was removed {how}"
    is_man = piece.id in then.by_id and then.by_id[piece.id].arm != "gun"
    told = {**extra, "casualty": True} if is_man and not moving else extra
    return plain("judge", piece.id, "OMOG-3.5", why, yes=not moving, extra=told)


def _placed(piece: Piece, then: Battlefield, now: Battlefield, extra: Mapping[str, Any]) -> Ruling:
    """Nobody comes to the table in the game, but for a man who gets on or off his horse."""
    if piece.kind not in FIGURES:
        return plain("judge", piece.id, "OMOG-1.2", f"{piece.cls} {piece.id} was put down", yes=True, extra=extra)
    if is_put_back(piece, then.state):
        why = f"{piece.owner} {piece.cls} {piece.id} was put back to where it stood"
        return plain("judge", piece.id, "C4.8", why, yes=True, extra=extra)
    other = _remounted(piece, then, before=now)
    if other is not None:
        return _mounting(other, piece, then, now, extra)
    why = f"{piece.owner} {piece.cls} {piece.id} is new on the table; no rule brings soldiers in"
    return plain("judge", piece.id, "OMOG-6", why, yes=False, extra=extra)


def _remounted(piece: Piece, field: Battlefield, before: Battlefield) -> Piece | None:
    """The man of `piece` with or without his horse, whom `field` shows and `before` does not; None for none."""
    figures = (figure.piece for figure in field.figures if figure.piece.id not in before.scene)
    return next((other for other in figures if _is_other_figure(piece, other)), None)


def _is_other_figure(piece: Piece, other: Piece) -> bool:
    """Whether the two may be one man on foot and on his horse, by arm, army and place."""
    arms = {piece.cls, other.cls} == {"foot", "mounted"} and piece.owner == other.owner
    return arms and math.dist(other.position_mm, piece.position_mm) <= _SAME_PLACE_MM


def swaps(gone: Piece, come: Piece, state: State) -> bool:
    """Whether a figure that was taken off while a side moved, and is no casualty, comes back as the man's other one
    (OMOG-2.4); without phases every figure that is gone counts as lost, until then."""
    mark = mark_of(state, gone.id)
    return mark is not None and (mark.lost is None or state.phase is None) and _is_other_figure(gone, come)


def _mounting(gone: Piece, come: Piece, then: Battlefield, now: Battlefield, extra: Mapping[str, Any]) -> Ruling:
    """Getting on or off a horse: a move like any other, and not in swamp, ford or on a climb (OMOG-2.4)."""
    is_gone = extra["event"] == "removed"
    piece, other = (gone, come) if is_gone else (come, gone)
    held = no_place_to_mount(gone.position_mm, then.land)
    deed = "dismounts" if gone.cls == "mounted" else "mounts"
    where, margin = f" in {held.name}, where nobody may" if held else "", mount_margin(gone, then.land)
    where = ", perhaps in a swamp or a ford or on a climb: too close to call" if margin.verdict == "close" else where
    why = f"{piece.owner} {piece.id} {deed}{where}; it costs half a move"
    refused = _why_not(then.by_id[gone.id], then, now) if gone.id in then.by_id else None
    reasons = [Reason("OMOG-2.4", why, margin), *room_at(come, now)]
    reasons += [Reason(*refused, REFUSED)] if refused is not None else []
    rule, why, margin, _ = _deciding(reasons)
    return ruling_from(
        margin, kind="judge", piece=piece.id, other=other.id, rule=rule, why=why, geometry=piece.point,
        extra={**extra, "replaced_by" if is_gone else "replaces": other.id}, marks=(Mark("judge", piece.point),),
    )  # fmt: skip


def _deciding(reasons: Sequence[Reason]) -> Reason:
    """The reason that all together hang on, with the margin of them all."""
    margins = [reason.margin for reason in reasons]
    return reasons[decider(margins)]._replace(margin=all_of(margins))
