"""The siege clock (OMMS-7.2): when a siege began, and when it kills.

The state keeps `sieges`: {settlement's id: turn in which its last road was cut}. A turn is one player's; a whole round
is one turn of every player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from rules.state import State

SIEGES = "sieges"


def begun(state: State) -> Mapping[str, int]:
    """The turn in which each siege that the state knows of began."""
    known = state.counters.get(SIEGES, {})
    return known if isinstance(known, Mapping) else {}


def since_turn(state: State, settlement: str, besieged: bool) -> int | None:
    """The turn in which a siege began: the one that the state tells, else the present one; None without a siege."""
    return int(begun(state).get(settlement, state.turn)) if besieged else None


def carried_on(known: Mapping[str, int], besieged: Iterable[str], turn: int) -> dict[str, int]:
    """The clock after looking again: sieges that go on keep their turn, new ones begin, lifted ones are forgotten."""
    return {settlement: known.get(settlement, turn) for settlement in besieged}


def rounds(since: int, turn: int, players: int) -> int:
    """How many whole rounds a siege has lasted at the start of a turn."""
    return max(turn - since, 0) // max(players, 1)


def is_due(since: int, turn: int, players: int, units_inside: int) -> bool:
    """Whether the siege kills one unit now: a further round is just complete, and more than one unit is left."""
    lasted = turn - since
    return units_inside > 1 and lasted > 0 and lasted % max(players, 1) == 0


class Chooser(Enum):
    """Who chooses the unit that a siege kills."""

    ATTACKER = "attacker"
    OWNER = "owner"


@dataclass(frozen=True)
class Toll:
    """One throw of a siege: each side one die."""

    attacker: int
    owner: int

    @property
    def chooser(self) -> Chooser:
        """The attacker if his die is the higher one, otherwise the owner."""
        return Chooser.ATTACKER if self.attacker > self.owner else Chooser.OWNER
