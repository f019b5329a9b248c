"""Figures that were taken off the table and come back: a man who was only lifted is neither new nor lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.course.laid import is_back_at
from rules.games.omog.tally import losses
from rules.games.omog.told import Taken, check_figure
from rules.scene import Piece, Scene
from rules.state import State
from rules.turn import with_counters, with_piece


def mark_of(state: State, piece_id: str) -> Taken | None:
    """What the state keeps of a figure that was taken off the table; None for any other figure."""
    return check_figure(piece_id, state.of(piece_id)).taken_off


def is_put_back(piece: Piece, state: State) -> bool:
    """Whether a figure that came to the table was taken off it, and stands where it stood."""
    mark = mark_of(state, piece.id)
    if mark is None:
        return False
    return is_back_at(piece, mark.from_mm)


def gone(state: State, former: Scene, fields: Mapping[str, Any]) -> State:
    """The state after a figure was taken off the table: a casualty is counted."""
    piece_id, army = fields["piece"], fields["owner"] if fields.get("casualty") else None
    if piece_id in former and former[piece_id].kind in ("soldier", "base"):
        mark = {"from_mm": list(former[piece_id].position_mm), "lost": army}
        state = with_piece(state, piece_id, {"taken_off": mark})
    return state if army is None else _counted(state, army, 1)


def back(state: State, piece_id: str) -> State:
    """The state after a figure came to the table: whoever is there is not lost."""
    mark = mark_of(state, piece_id)
    if mark is None:
        return state
    there = with_piece(state, piece_id, {"taken_off": None})
    return there if mark.lost is None else _counted(there, mark.lost, -1)


def _counted(state: State, army: str, men: int) -> State:
    lost = losses(state)
    counts = {**lost, army: lost.get(army, 0) + men}
    return with_counters(state, {"lost": {colour: count for colour, count in counts.items() if count > 0} or None})
