"""How the state of a Pocket match takes events: every phase begins afresh (POCKET-4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event; in a new phase all may move or shoot again, and the tosses of the last one are over."""
    after = turn.advance(state, scene, setup, kind, fields)
    if kind != "phase" or after.phase == state.phase:
        return after
    for piece_id in after.pieces:
        after = turn.with_piece(after, piece_id, {"moved": None, "fired": None, "toss": None})
    return after
