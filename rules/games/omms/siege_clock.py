"""The siege clock (OMMS-7.2): when a siege began, and when it kills.

The state's counter `sieges` is {settlement's id: {"turn": 4, "active": "Ann"}}, the turn and the player (or his colour)
in whose turn the last road was cut; a plain turn number will do. A turn counts whole rounds: every player has one turn
in it. A match adds "killed": the turn in which it killed last, for it kills one unit a round.

The counter `relieved` says the same of sieges that ended in this turn: one that is there again before it passes on goes
on, for a besieger may be lifted and put back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rules.games.omms.told import player_name, table, whole
from rules.setup import Setup
from rules.state import State
from rules.turn import keeps_turns

SIEGES, RELIEVED = "sieges", "relieved"


@dataclass(frozen=True)
class Begin:
    """When a siege began: in which turn, and in whose part of it (None if nobody told).

    killed  the turn in which it killed last, None if it has not
    """

    turn: int
    active: str | None = None
    killed: int | None = None


def begin(state: State, settlement: str) -> Begin | None:
    """When the siege of a settlement began, as far as the state knows."""
    what = f"the state's {SIEGES}"
    told = table(state.counters.get(SIEGES, {}), what).get(settlement)
    if told is None:
        return None
    if isinstance(told, Mapping):
        killed = told.get("killed")
        last = None if killed is None else whole(killed, f"{what}, killed of {settlement}")
        return Begin(whole(told.get("turn"), f"{what}, turn of {settlement}"), told.get("active"), last)
    return Begin(whole(told, f"{what}, {settlement}"))


def since_turn(state: State, settlement: str, besieged: bool) -> int | None:
    """The turn in which a siege began: the one that the state tells, else the present one; None without a siege."""
    if not besieged:
        return None
    known = begin(state, settlement)
    return known.turn if known else state.turn


def whole_rounds(state: State, since: Begin) -> int:
    """How many whole rounds a siege has lasted: it is one when the player in whose turn it began is at it again."""
    return max(state.turn - since.turn, 0)


def is_due(state: State, setup: Setup, settlement: str, units_inside: int) -> bool:
    """Whether the siege kills one unit in the turn that is being played: not the last one (OMMS-7.2)."""
    since = begin(state, settlement)
    if since is None or units_inside < 2 or whole_rounds(state, since) < 1 or since.killed == state.turn:
        return False
    whose = (since.active, state.active)
    return None in whose or len({player_name(setup, one) for one in whose if one is not None}) == 1


def chooser(attacker_die: int, owner_die: int) -> Literal["attacker", "owner"]:
    """Who chooses the unit that a siege kills, from one die of each side."""
    return "attacker" if attacker_die > owner_die else "owner"


def has_killed(state: State, settlement: str) -> bool:
    """Whether the siege of a settlement has killed its unit in this round."""
    since = begin(state, settlement)
    return since is not None and since.killed == state.turn


def killing(state: State, settlement: str) -> dict[str, Any]:
    """The counter `sieges` after a siege killed a unit; one that nobody noted has no clock."""
    known = table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}")
    since = begin(state, settlement)
    if since is None:
        return dict(known)
    return {**known, settlement: {"turn": since.turn, "active": since.active, "killed": state.turn}}


def sparing(state: State, settlement: str) -> dict[str, Any]:
    """The counter `sieges` after the unit that a siege killed was put back: it has killed none in this round."""
    known = table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}")
    since = begin(state, settlement)
    if since is None or since.killed != state.turn:
        return dict(known)
    return {**known, settlement: {"turn": since.turn, "active": since.active}}


def clock(state: State, settlement: str) -> Any:
    """What the state tells of when the siege of a settlement began; None for nothing."""
    return table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}").get(settlement)


def inherited(state: State, heir: str, settlement: str, told: Any) -> dict[str, Any]:
    """The counter `sieges` when a coin of the same owner lies in a settlement's place: the siege goes on as `told`."""
    known = table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}")
    return {SIEGES: {**{key: value for key, value in known.items() if key != settlement}, heir: told}}


def noted(state: State, settlement: str, begins: bool) -> dict[str, Any]:
    """The counters after a siege began, or ended. One that the state tells of has begun before."""
    known, ended = (dict(table(state.counters.get(key, {}), f"the state's {key}")) for key in (SIEGES, RELIEVED))
    told, before = known.pop(settlement, None), ended.pop(settlement, None)
    if begins:
        known[settlement] = told or before or {"turn": state.turn, "active": state.active}
    elif told is not None and keeps_turns(state):
        ended[settlement] = told
    return {SIEGES: known, RELIEVED: ended or None}
