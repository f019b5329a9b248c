"""Units whose ship sailed or sank before them: a hand moves, or takes away, one coin after the other (note 9).

The state's counter `loads` is {unit's id: its ship's}. A match keeps it until the unit moves, or the turn passes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rules.course.changes import has_moved
from rules.games.omms.coins import Coin
from rules.games.omms.told import table
from rules.state import State

if TYPE_CHECKING:
    from rules.games.omms.table import Table

LOADS = "loads"


def ship_without(state: State, unit: str) -> str | None:
    """The ship that a unit was aboard of when it sailed or sank this turn, without the unit."""
    return table(state.counters.get(LOADS, {}), f"the state's {LOADS}").get(unit)


def left_behind(was: Table, now: Table, ship: Coin) -> list[str]:
    """Ids of the units that were aboard a ship and lie where they lay, though the ship is elsewhere now, or gone."""
    aboard = (unit for unit in was.coins.units if was.coins.ship_of(unit) == ship and unit.id in now.coins)
    return [unit.id for unit in aboard if not has_moved(was.scene[unit.id], now.scene[unit.id])]


def load_events(state: State, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counter after a coin moved or went."""
    known = table(state.counters.get(LOADS, {}), f"the state's {LOADS}")
    kept = {unit: ship for unit, ship in known.items() if unit != fields["piece"]}
    return {LOADS: {**kept, **dict.fromkeys(fields.get(LOADS, ()), fields["piece"])} or None}
