"""Attack and defence dice (OMMS-5.1, 5.3)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from rules.games.omms.coins import FORTIFICATION, GUARD, INVADER, SCOUT, SETTLEMENT, SHIP, TANK, Coin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# OMMS-5.1
ATTACK: Mapping[str, int] = MappingProxyType({SCOUT: 1, GUARD: 1, INVADER: 2, SHIP: 1, TANK: 3})
DEFENCE: Mapping[str, int] = MappingProxyType({SCOUT: 1, GUARD: 2, INVADER: 1, SHIP: 1, TANK: 2})
# OMMS-5.3
WALLS: Mapping[str, int] = MappingProxyType({SETTLEMENT: 1, FORTIFICATION: 2})
MOST_WALLS = 2
# OMMS-6.2: diamonds add attack dice up to this many.
MOST_ATTACK_DICE = 4


def attack_dice(unit: Coin, bought: int) -> int:
    """The dice of an attacking unit, with those bought with diamonds this turn."""
    return max(ATTACK[unit.role], min(ATTACK[unit.role] + bought, MOST_ATTACK_DICE))


def defence_dice(unit: Coin, walls: Sequence[Coin], in_harbour: bool) -> int:
    """The dice of a defending unit: the best walls that it stands in add to them, and a harbour to a ship's."""
    if unit.role == SHIP:
        return DEFENCE[SHIP] + int(in_harbour)
    return DEFENCE[unit.role] + min(max((WALLS[base.role] for base in walls), default=0), MOST_WALLS)


def defenders(units: Sequence[Coin]) -> tuple[Coin, ...]:
    """Those of a stack's units that may have to defend: the highest defence; the owner picks among equals."""
    most = max((DEFENCE[unit.role] for unit in units), default=0)
    return tuple(unit for unit in units if DEFENCE[unit.role] == most)
