"""How the state of a Pocket match takes events: every phase begins afresh (POCKET-4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.games.pocket.fallen import MEMORY, forgetting, remembered
from rules.scene import Scene
from rules.setup import Player, Setup
from rules.state import State

# What units have done in a phase; what a person types in a `state` event along with another phase is of that one.
_DONE = ("moved", "fired", "toss")


def first_player(setup: Setup, state: State) -> Player | None:
    """Who plays first: whom the counter `first` names, by name or colour, else the set-up's first; None for none."""
    told = str(state.counters.get("first"))
    return setup.player_named(told) or setup.player_of_colour(told) or next(iter(setup.players), None)


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event; in a new phase all may move or shoot again, and the tosses of the last one are over."""
    after = remembered(turn.advance(state, scene, setup, kind, fields), scene, kind, fields)
    if (after.turn, after.phase) == (state.turn, state.phase):
        return after
    return forgetting(after, *MEMORY, *(_DONE if kind == "phase" else ()))
