"""The attacks that this turn's losses have used: each unit attacks once a turn, declared or not (OMMS-2).

The state's counter `losses` is {lost unit's id: [ids of the enemies of whom one destroyed it]}. A match keeps it for
those whose attack nobody declared, until the turn passes on. Which enemy it was nobody told, so that an attack is used
only if no other way to share out the losses spares it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rules.course.matching import most_paid
from rules.games.omms.told import table
from rules.state import State
from rules.turn import RETURNS

LOSSES = "losses"


def used_attacks(state: State) -> frozenset[str]:
    """The units without whose attack fewer of the losses could be explained."""
    losses = known_losses(state)
    units = frozenset(unit for attackers in losses.values() for unit in attackers)
    most = _explained(losses, units)
    return frozenset(unit for unit in units if _explained(losses, units - {unit}) < most)


def known_losses(state: State) -> dict[str, list[str]]:
    """Who may have destroyed each unit that was lost."""
    what = f"the state's {LOSSES}"
    told = table(state.counters.get(LOSSES, {}), what)
    return {lost: names(attackers, f"{what} of {lost}") for lost, attackers in told.items() if attackers is not None}


def names(value: object, what: str) -> list[str]:
    """A list of ids; ValueError names what was told wrong."""
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{what}: a list of ids of pieces is wanted, not {value!r}")
    return list(value)


def loss_events(state: State, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counter after a unit was lost in a fight that nobody declared."""
    return {LOSSES: {**known_losses(state), fields["piece"]: names(fields["attackers"], "attackers")}}


def return_events(state: State, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counter after a unit was put down: one that is back was not lost."""
    back = (fields["piece"], fields.get(RETURNS))
    kept = {lost: attackers for lost, attackers in known_losses(state).items() if lost not in back}
    return {LOSSES: kept or None}


def _explained(losses: Mapping[str, Collection[str]], units: frozenset[str]) -> int:
    """How many losses these units can have done, each unit one."""
    return most_paid([units.intersection(attackers) for attackers in losses.values()])
