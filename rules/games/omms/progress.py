"""How the state of an OMMS match takes an event: turn and siege clock (OMMS-2, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.games.omms.bases import base_events, succession_events
from rules.games.omms.fight import ATTACK
from rules.games.omms.lifted import LIFTED, lifted_events
from rules.games.omms.siege_clock import SIEGES, killing, noted
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# Attack dice bought with diamonds hold for one turn (OMMS-6.2).
EXTRA_DICE = "extra_dice"
# Those of a siege are thrown again in every further round (OMMS-7.2).
SIEGE_DICE = "siege_dice"
# What is forgotten when the turn passes on.
OF_A_TURN = (EXTRA_DICE, ATTACK, SIEGE_DICE, LIFTED)


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event: as in most games, and the counters of sieges, attacks, bases and lifted settlements."""
    after = turn.advance(state, scene, setup, kind, fields)
    if kind == "siege":
        return turn.with_counters(after, {SIEGES: noted(after, str(fields["place"]), fields["change"] == "begin")})
    if kind == "place" and fields.get("verdict") != "no":
        return turn.with_counters(after, {**base_events(after, setup, fields), **lifted_events(after, fields)})
    if kind == "remove":
        return turn.with_counters(after, _removal_events(after, scene, setup, fields))
    if kind == ATTACK:
        return turn.with_counters(after, {ATTACK: dict(fields)})
    if (after.turn, after.active) != (state.turn, state.active):
        return turn.with_counters(after, dict.fromkeys(OF_A_TURN))
    return after


def _removal_events(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counters that a removal changes: a settlement was lifted or has a successor, a siege has killed."""
    bases = succession_events(state, scene, setup, fields)
    starved = {SIEGES: killing(state, fields["besieged_in"])} if "besieged_in" in fields else {}
    return {**bases, **lifted_events(state, fields), **starved}
