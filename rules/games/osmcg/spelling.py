"""A state as players write it, made what the game counts with: phase and player by name, nothing that is null."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.games.osmcg.phases import phase_of
from rules.setup import Setup
from rules.state import State


def spelt(state: State, setup: Setup) -> State:
    """The same state; ValueError for a phase that is none."""
    counters = _told(state.counters)
    if counters == state.counters and (state.phase, state.active) == (phase_of(state), _active(state, setup)):
        return state
    return replace(state, phase=phase_of(state), active=_active(state, setup), counters=counters)


def _active(state: State, setup: Setup) -> str | None:
    """The name of the player whose turn it is, who may be called by his colour."""
    if state.active is None or setup.player_named(state.active) is not None:
        return state.active
    player = setup.player_of_colour(state.active)
    return state.active if player is None else player.name


def _told(value: Any) -> Any:
    """Without what is null: nobody told it."""
    if not isinstance(value, Mapping):
        return value
    return {key: _told(each) for key, each in value.items() if each is not None}
