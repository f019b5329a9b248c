"""Pieces that were put down against the rules and are taken off again: then nothing has happened (C4.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rules.events import Event
    from rules.match import Match
    from rules.scene import Piece
    from rules.state import State

# The field of a `remove` that says so.
TAKEN_BACK = "taken_back"


class Misplaced(NamedTuple):
    """A piece that was put down against the rules, when that was, and the state before it and with it."""

    piece: Piece
    step: tuple[int, str | None, str | None]
    before: State
    after: State


def misplaced_after(before: Match, after: Match, event: Event) -> Mapping[str, Misplaced]:
    """The pieces on the table that were put down against the rules, after an event. Of whom a person put something
    right nobody knows whether he was."""
    piece_id, known = event.fields.get("piece"), before.misplaced
    if event.kind == "place" and event.fields.get("verdict") == "no":
        step = before.state.turn, before.state.phase, before.state.active
        return {**known, str(piece_id): Misplaced(after.scene[str(piece_id)], step, before.state, after.state)}
    if event.kind not in ("place", "remove", "correction") or piece_id not in known:
        return known
    return {id_: one for id_, one in known.items() if id_ != piece_id}


def state_without(state: State, one: Misplaced) -> State:
    """The state as if that piece had never been put down: what came of that, and nothing else has changed since."""
    pieces = {id_: told for id_, told in state.pieces.items() if id_ != one.piece.id}
    if one.piece.id in one.before.pieces:
        pieces[one.piece.id] = one.before.of(one.piece.id)
    was, then, now = one.before.counters, one.after.counters, state.counters
    back = {key for key in {*was, *then} if was.get(key) != then.get(key) and now.get(key) == then.get(key)}
    counters = {key: told for key, told in {**now, **{key: was.get(key) for key in back}}.items() if told is not None}
    return replace(state, pieces=pieces, counters=counters)
