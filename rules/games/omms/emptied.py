"""Settlements whose last defender was destroyed this turn: they fall to the attacker, wherever he stands (OMMS-5.5).

The state's counter `emptied` is {settlement's id: [colours of those of whom one destroyed the last defender]}. A match
keeps it until the turn passes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.games.omms.losses import names
from rules.games.omms.told import table
from rules.state import State

EMPTIED = "emptied"


def emptied_by(state: State, settlement: str) -> list[str]:
    """Who may have destroyed its last defender, by colour; nobody if it was not emptied."""
    what = f"the state's {EMPTIED}"
    told = table(state.counters.get(EMPTIED, {}), what).get(settlement)
    return [] if told is None else names(told, f"{what} of {settlement}")


def emptied_events(state: State, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counter after a unit was destroyed that was the last defender of settlements."""
    known = table(state.counters.get(EMPTIED, {}), f"the state's {EMPTIED}")
    return {EMPTIED: {**known, **table(fields[EMPTIED], EMPTIED)}}
