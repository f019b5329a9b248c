"""Attack and defence dice (OMMS-5.1, 5.3)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from rules.games.omms.coins import FORTIFICATION, GUARD, INVADER, SCOUT, SETTLEMENT, SHIP, TANK, Coin
from rules.games.omms.harbour import in_harbour

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.games.omms.table import Table

# OMMS-5.1
ATTACK: Mapping[str, int] = MappingProxyType({SCOUT: 1, GUARD: 1, INVADER: 2, SHIP: 1, TANK: 3})
DEFENCE: Mapping[str, int] = MappingProxyType({SCOUT: 1, GUARD: 2, INVADER: 1, SHIP: 1, TANK: 2})
# OMMS-5.3
WALLS: Mapping[str, int] = MappingProxyType({SETTLEMENT: 1, FORTIFICATION: 2})
MOST_WALLS = 2
# OMMS-6.2: diamonds add attack dice up to this many.
MOST_ATTACK_DICE = 4


def attack_dice(table: Table, unit: Coin) -> int:
    """The dice of an attacking unit, those bought with diamonds this turn included (counter `extra_dice`)."""
    extra = int(table.counter("extra_dice", unit.owner) or 0)
    return min(ATTACK[unit.role] + extra, max(MOST_ATTACK_DICE, ATTACK[unit.role]))


def defence_dice(table: Table, unit: Coin) -> int:
    """The dice of a defending unit where it stands: walls add to it, and a harbour to a ship."""
    if unit.role == SHIP:
        return DEFENCE[SHIP] + int(in_harbour(table, unit))
    seat = table.coins.seat_of(unit)
    return DEFENCE[unit.role] + min(WALLS[seat.role] if seat else 0, MOST_WALLS)


def defenders(table: Table, unit: Coin) -> tuple[Coin, ...]:
    """Those of a unit's stack that may have to defend: the highest defence; the owner picks among equals."""
    stack = [coin for coin in table.coins.stack_of(unit) if coin.is_unit and table.coins.ship_of(coin) is None]
    most = max((DEFENCE[coin.role] for coin in stack), default=0)
    return tuple(coin for coin in stack if DEFENCE[coin.role] == most)
