"""Pieces that were put down against the rules, or too close to call, and are taken off again: then nothing has happened
(C4.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rules.turn import RETURNS

if TYPE_CHECKING:
    from rules.course.events import Event
    from rules.match import Match
    from rules.scene import Piece
    from rules.state import State

# The field of a `remove` that says so.
TAKEN_BACK = "taken_back"


class Misplaced(NamedTuple):
    """A piece that was put down against the rules, when that was, and the state before it and with it.

    in_doubt  whether it was too close to call
    """

    piece: Piece
    step: tuple[int, str | None, str | None]
    before: State
    after: State
    in_doubt: bool


def misplaced_after(before: Match, after: Match, event: Event) -> Mapping[str, Misplaced]:
    """The pieces on the table that were put down against the rules or in doubt, after an event. Of whom a person put
    something right nobody knows whether he was, and who attacks or is attacked was let stay."""
    piece_id, known, verdict = event.fields.get("piece"), before.misplaced, event.fields.get("verdict")
    if event.kind == "attack" and verdict != "no":
        fought = (piece_id, event.fields.get("other"))
        return {id_: one for id_, one in known.items() if id_ not in fought}
    if event.kind == "place" and verdict in ("no", "close"):
        step = before.state.turn, before.state.phase, before.state.active
        piece = after.scene[str(piece_id)]
        return {**known, piece.id: Misplaced(piece, step, before.state, after.state, verdict == "close")}
    is_back = event.kind == "move" and RETURNS in event.fields
    if piece_id not in known or not (is_back or event.kind in ("place", "remove", "correction")):
        return known
    return {id_: one for id_, one in known.items() if id_ != piece_id}


def is_taken_back(match: Match, piece_id: str, verdict: str | None) -> bool:
    """Whether a piece that is gone was put down wrongly. One put down in doubt may have been lost since: so only where
    the game refuses that, and the turn is the same."""
    one = match.misplaced.get(piece_id)
    if one is None or not one.in_doubt:
        return one is not None
    return verdict == "no" and is_in_doubt(match, piece_id)


def is_in_doubt(match: Match, piece_id: str) -> bool:
    """Whether a piece was put down too close to call in this turn: put there again, it is so again."""
    one = match.misplaced.get(piece_id)
    if one is None or not one.in_doubt:
        return False
    turn, _, active = one.step
    return (turn, active) == (match.state.turn, match.state.active)


def state_without(state: State, one: Misplaced) -> State:
    """The state as if that piece had never been put down: what came of that, and nothing else has changed since."""
    pieces = {id_: told for id_, told in state.pieces.items() if id_ != one.piece.id}
    if one.piece.id in one.before.pieces:
        pieces[one.piece.id] = one.before.of(one.piece.id)
    was, then, now = one.before.counters, one.after.counters, state.counters
    back = {key for key in {*was, *then} if was.get(key) != then.get(key) and now.get(key) == then.get(key)}
    counters = {key: told for key, told in {**now, **{key: was.get(key) for key in back}}.items() if told is not None}
    return replace(state, pieces=pieces, counters=counters)
