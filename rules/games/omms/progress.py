"""How the state of an OMMS match takes an event: turn and siege clock (OMMS-2, 7.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules import turn
from rules.games.omms.bases import base_events, first_bases, succession_events
from rules.games.omms.emptied import EMPTIED, emptied_events
from rules.games.omms.fight import EARLIER, earlier
from rules.games.omms.lifted import (
    BESIEGED_IN,
    LIFTED,
    PUT_BACK,
    UNLAWFUL,
    heir_events,
    lifted_events,
    settled_events,
    spared_events,
    unlawful_events,
)
from rules.games.omms.loads import LOADS, load_events
from rules.games.omms.losses import LOSSES, loss_events, return_events
from rules.games.omms.siege_clock import RELIEVED, SIEGES, clock, inherited, killing, noted
from rules.games.omms.supplanted import SUPPLANTED, reinstating_events, supplanted, supplanted_by, supplanting_events
from rules.games.omms.table import Table
from rules.games.omms.whose_turn import ATTACK, in_turn
from rules.games.omms.winning import won_events
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# Attack dice bought with diamonds hold for one turn (OMMS-6.2).
EXTRA_DICE = "extra_dice"
# Those of a siege are thrown again in every further round (OMMS-7.2).
SIEGE_DICE = "siege_dice"
# What is forgotten when the turn passes on.
OF_A_TURN = (EXTRA_DICE, ATTACK, EARLIER, SIEGE_DICE, RELIEVED, LIFTED, UNLAWFUL, SUPPLANTED, LOSSES, EMPTIED, LOADS)


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event: as in most games, and the counters of sieges, attacks, bases and lifted settlements."""
    after = turn.advance(state, scene, setup, kind, fields)
    if kind in _COUNTERS:
        return turn.with_counters(after, _COUNTERS[kind](after, scene, setup, fields))
    if (after.turn, after.active) != (state.turn, state.active):
        won = won_events(Table(scene, setup, state))
        rested = after if fields.get(turn.AGAIN) else _rested(after, scene, setup)
        return turn.with_counters(rested, {**dict.fromkeys(OF_A_TURN), **won})
    return after


def _rested(state: State, scene: Scene, setup: Setup) -> State:
    """The state when a turn begins: `attacked` says the same as `fired`, and is forgotten with it."""
    for name in turn.owned_by(state.active, scene, setup, state.pieces):
        state = turn.with_piece(state, name, {"attacked": None})
    return state


def _begun(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The first scene of a match alone tells a state."""
    return first_bases(state, scene, setup) if "state" in fields else {}


def _besieged(state: State, _: Scene, _setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    return noted(state, str(fields["place"]), fields["change"] == "begin")


def _attacked(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counters after an attack was declared; one out of turn changes none."""
    table = Table(scene, setup, state)
    attacker = table.coins[fields["piece"]] if fields.get("piece") in table.coins else None
    if attacker is not None and not in_turn(table, attacker).holds:
        return {}
    attack = {key: value for key, value in fields.items() if key != "time_s"}
    stay = settled_events(state, fields.get("piece"), fields.get("other"))
    return {ATTACK: attack, EARLIER: earlier(table, fields.get("piece")) or None, **stay}


def _placed(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What was put down against the rules changes no settlement."""
    back = {**return_events(state, fields), **spared_events(state, setup, fields), **unlawful_events(state, fields)}
    if fields.get("verdict") == "no":
        return back
    back |= lifted_events(state, fields)
    is_back = fields.get("rule") == PUT_BACK and fields.get("verdict") == "yes"
    if is_back and fields.get(turn.RETURNS, fields["piece"]) in supplanted(state):
        return {**back, **reinstating_events(state, setup, fields)}
    supplanting = _supplanted(state, fields, fields.get("replaces"), fields["piece"], str(fields.get("owner")))
    return {**back, **base_events(state, setup, fields), **heir_events(state, scene, fields), **supplanting}


def _supplanted(state: State, fields: Mapping[str, Any], old: str | None, new: str, owner: str) -> dict[str, Any]:
    """Without turns a settlement that a coin took the place of could be put back at any time."""
    may_be_back = old is not None and turn.keeps_turns(state)
    return supplanting_events(state, fields, str(old), new, owner) if may_be_back else {}


def _moved(state: State, _: Scene, _setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    return load_events(state, fields) if turn.keeps_turns(state) else {}


def _removed(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A settlement was lifted or has a successor, or a siege has killed, or a unit was lost in a fight."""
    bases, new = succession_events(state, scene, setup, fields), fields.get("replaced_by")
    old = supplanted_by(state, fields["piece"]) if fields.get("rule") == PUT_BACK and new in scene else None
    if old is not None:  # it lies there already
        back = reinstating_events(state, setup, {"piece": new, turn.RETURNS: old})
        return {**back, **_besieged_on(state, scene, fields), **settled_events(state, new)}
    if isinstance(new, str) and new in scene and fields.get("verdict") != "no":
        bases |= _supplanted(state, fields, fields["piece"], new, scene[new].owner)
        bases |= settled_events(state, new) if fields.get("verdict") == "yes" else {}
    besieged = _besieged_on(state, scene, fields)
    starved = {SIEGES: killing(state, setup, fields[BESIEGED_IN])} if BESIEGED_IN in fields else {}
    fought = loss_events(state, fields) if "attackers" in fields and turn.keeps_turns(state) else {}
    emptied = emptied_events(state, fields) if EMPTIED in fields and turn.keeps_turns(state) else {}
    sunk = load_events(state, fields) if turn.keeps_turns(state) else {}
    return {**bases, **besieged, **lifted_events(state, fields), **starved, **fought, **emptied, **sunk}


def _besieged_on(state: State, scene: Scene, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The siege of a settlement goes on in what its owner has put on it before."""
    new, siege = fields.get("replaced_by"), clock(state, fields["piece"])
    is_heir = siege is not None and new in scene and scene[str(new)].owner == fields.get("owner")
    return inherited(state, str(new), fields["piece"], siege) if is_heir else {}


# The counters that an event of each kind changes.
_COUNTERS: Mapping[str, Callable[[State, Scene, Setup, Mapping[str, Any]], dict[str, Any]]] = {
    "scene": _begun, "siege": _besieged, ATTACK: _attacked, "move": _moved, "place": _placed,
    "remove": _removed,
}  # fmt: skip
