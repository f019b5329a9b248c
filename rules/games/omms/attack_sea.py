"""Whether water leads from an attacking ship to another (OMMS-5.2, note 9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.games.omms.attack_way import Way
from rules.games.omms.ground_reach import Rover, rover, sea_way
from rules.games.omms.shore import shore_doubts
from rules.games.omms.way_doubt import doubts
from rules.margin import ROUNDING_MM, Margin, turned

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table


def way_at_sea(table: Table, ship: Coin, target: Coin) -> Way:
    """The way over water within L to a ship, past all but those of its own stack."""
    whole, own = rover(table, ship), table.coins.stack_of(target)
    asked = replace(whole, blockers=tuple(coin for coin in whole.blockers if coin not in own))
    nominal = _meets(table, asked, target)

    def comes(moved: Rover) -> bool:
        return _meets(table, moved, target).margin_mm >= -ROUNDING_MM

    margin = turned(nominal, [*doubts(asked, ship.sigma_mm, comes), *shore_doubts(table, asked, comes)])
    is_open = nominal.margin_mm >= -ROUNDING_MM
    return Way(is_open, margin if margin.verdict == "close" else None, short=None if is_open else margin)


def _meets(table: Table, asked: Rover, target: Coin) -> Margin:
    """By how much the target's disc meets the water that the ship's shot can pass along."""
    found = [water.distance(target.point) for water in sea_way(table, asked, 0.0) if not water.is_empty]
    return Margin(target.radius_mm - min(found, default=target.radius_mm + asked.radius_mm), target.sigma_mm)
