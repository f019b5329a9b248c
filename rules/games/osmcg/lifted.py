"""Miniatures that are lifted off the table and put back: to look at one, or to make room, is no rule's business."""

from __future__ import annotations

from typing import Any

from rules.course.laid import is_back_at
from rules.games.osmcg.card import Card
from rules.scene import Piece
from rules.state import State


def mark_of(piece: Piece, state: State) -> dict[str, Any]:
    """What the state keeps of a miniature that was lifted: `lifted`."""
    where = {"from_mm": list(piece.position_mm), "turn": state.turn, "active": state.active}
    return {"lifted": {**where, "owner": piece.owner}}


def is_put_back(piece: Piece, card: Card) -> bool:
    """Whether a miniature that came to the table was lifted from it, and stands where it stood."""
    return card.lifted is not None and is_back_at(piece, card.lifted.from_mm)


def is_in_that_turn(card: Card, state: State) -> bool:
    """Whether it is still the turn in which it was lifted."""
    return card.lifted is not None and (card.lifted.turn, card.lifted.active) == (state.turn, state.active)
