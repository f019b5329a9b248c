"""The siege clock (OMMS-7.2): when a siege began, and when it kills.

The state's counter `sieges` is {settlement's id: {"turn": 4, "active": "Ann"}}, the turn and the player (or his colour)
in whose turn the last road was cut; a plain turn number will do. A turn counts whole rounds: every player has one turn
in it. A match adds "killed": the turn in which it was due when it killed last, for it kills one unit a round. Who is
out of the game has no turn (note 8): what is due in his is due in that of the next player who is in it.

The counter `relieved` says the same of sieges that ended in this turn: one that is there again before it passes on goes
on, for a besieger may be lifted and put back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rules.games.omms.told import player_name, whole
from rules.games.omms.told import table as told_table
from rules.games.omms.winning import is_out
from rules.setup import Setup
from rules.state import State
from rules.turn import keeps_turns

if TYPE_CHECKING:
    from rules.games.omms.table import Table

SIEGES, RELIEVED = "sieges", "relieved"


@dataclass(frozen=True)
class Begin:
    """When a siege began: in which turn, and in whose part of it (None if nobody told).

    killed  the turn in which it was due when it killed last, None if it has not killed
    """

    turn: int
    active: str | None = None
    killed: int | None = None


def begin(state: State, settlement: str) -> Begin | None:
    """When the siege of a settlement began, as far as the state knows."""
    what = f"the state's {SIEGES}"
    told = told_table(state.counters.get(SIEGES, {}), what).get(settlement)
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


def is_due(table: Table, settlement: str, units_inside: int) -> bool:
    """Whether the siege kills one unit in the turn that is being played: not the last one (OMMS-7.2)."""
    since = begin(table.state, settlement)
    if since is None or units_inside < 2:
        return False
    due_in = _due_turn(table.state, table.setup, since)
    return due_in > since.turn and due_in != since.killed and _is_its_time(table, since)


def _is_its_time(table: Table, since: Begin) -> bool:
    """Whether it is the turn of the player in whose turn the siege began; of the next one who plays, if he is out."""
    if since.active is None or table.state.active is None:
        return True
    began, now = (player_name(table.setup, one) for one in (since.active, table.state.active))
    return now == began or now == _next_in(table, began)


def _next_in(table: Table, name: str) -> str | None:
    """The next player who has turns in place of one who is out; None if that one is not, or nobody is left."""
    players = table.setup.players
    place = next((place for place, player in enumerate(players) if player.name == name), None)
    if place is None or not is_out(table, players[place].colour):
        return None
    following = (*players[place + 1 :], *players[:place])
    return next((player.name for player in following if not is_out(table, player.colour)), None)


def _due_turn(state: State, setup: Setup, since: Begin) -> int:
    """The turn in which the player in whose part a siege began was at it last: the one before, if he comes later."""
    order = [player.name for player in setup.players]
    began, now = (player_name(setup, one or "") for one in (since.active, state.active))
    is_still_to_come = began in order and now in order and order.index(now) < order.index(began)
    return state.turn - 1 if is_still_to_come else state.turn


def chooser(attacker_die: int, owner_die: int) -> Literal["attacker", "owner"]:
    """Who chooses the unit that a siege kills, from one die of each side."""
    return "attacker" if attacker_die > owner_die else "owner"


def has_killed(state: State, setup: Setup, settlement: str) -> bool:
    """Whether the siege of a settlement has killed its unit in this round."""
    since = begin(state, settlement)
    return since is not None and since.killed == _due_turn(state, setup, since)


def killing(state: State, setup: Setup, settlement: str) -> dict[str, Any]:
    """The counter `sieges` after a siege killed a unit; one that nobody noted has no clock."""
    known = told_table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}")
    since = begin(state, settlement)
    if since is None:
        return dict(known)
    killed = _due_turn(state, setup, since)
    return {**known, settlement: {"turn": since.turn, "active": since.active, "killed": killed}}


def sparing(state: State, setup: Setup, settlement: str) -> dict[str, Any]:
    """The counter `sieges` after the unit that a siege killed was put back: it has killed none in this round."""
    known = told_table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}")
    since = begin(state, settlement)
    if since is None or not has_killed(state, setup, settlement):
        return dict(known)
    return {**known, settlement: {"turn": since.turn, "active": since.active}}


def clock(state: State, settlement: str) -> Any:
    """What the state tells of when the siege of a settlement began; None for nothing."""
    return told_table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}").get(settlement)


def inherited(state: State, heir: str, settlement: str, told: Any) -> dict[str, Any]:
    """The counter `sieges` when a coin of the same owner lies in a settlement's place: the siege goes on as `told`."""
    known = told_table(state.counters.get(SIEGES, {}), f"the state's {SIEGES}")
    return {SIEGES: {**{key: value for key, value in known.items() if key != settlement}, heir: told}}


def noted(state: State, settlement: str, begins: bool) -> dict[str, Any]:
    """The counters after a siege began, or ended. One that the state tells of has begun before."""
    known, ended = (dict(told_table(state.counters.get(key, {}), f"the state's {key}")) for key in (SIEGES, RELIEVED))
    told, before = known.pop(settlement, None), ended.pop(settlement, None)
    if begins:
        known[settlement] = told or before or {"turn": state.turn, "active": state.active}
    elif told is not None and keeps_turns(state):
        ended[settlement] = told
    return {SIEGES: known, RELIEVED: ended or None}
