"""How the state of an OMMS match takes an event: turn and siege clock (OMMS-2, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.games.omms.bases import base_events
from rules.games.omms.fight import ATTACK
from rules.games.omms.siege_clock import SIEGES, noted
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# Attack dice bought with diamonds hold for one turn (OMMS-6.2).
EXTRA_DICE = "extra_dice"
# Those of a siege are thrown again in every further round (OMMS-7.2).
SIEGE_DICE = "siege_dice"


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event: as in most games, and the siege clock, attack, bought dice, siege dice, bases."""
    after = turn.advance(state, scene, setup, kind, fields)
    if kind == "siege":
        return turn.with_counters(after, {SIEGES: noted(after, str(fields["place"]), fields["change"] == "begin")})
    if kind == "place" and fields.get("verdict") != "no":
        return turn.with_counters(after, base_events(after, setup, fields))
    if kind == ATTACK:
        return turn.with_counters(after, {ATTACK: dict(fields)})
    if (after.turn, after.active) != (state.turn, state.active):
        return turn.with_counters(after, {EXTRA_DICE: None, ATTACK: None, SIEGE_DICE: None})
    return after
