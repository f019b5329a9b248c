"""How the state of an OMMS match takes an event: turn and siege clock (OMMS-2, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.games.omms.fight import ATTACK
from rules.games.omms.siege_clock import SIEGES, noted
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# Attack dice bought with diamonds hold for one turn (OMMS-6.2).
EXTRA_DICE = "extra_dice"


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event: as in most games, and the siege clock, the attack declared last, bought dice."""
    after = turn.advance(state, scene, setup, kind, fields)
    if kind == "siege":
        return turn.with_counters(after, {SIEGES: noted(after, str(fields["place"]), fields["change"] == "begin")})
    if kind == ATTACK:
        return turn.with_counters(after, {ATTACK: dict(fields)})
    if (after.turn, after.active) != (state.turn, state.active):
        return turn.with_counters(after, {EXTRA_DICE: None, ATTACK: None})
    return after
