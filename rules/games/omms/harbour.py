"""Ships in harbour (note 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table


def is_port(table: Table, base: Coin) -> bool:
    """Whether a settlement coin lies on a place of the map that is a port."""
    return any(place.port and table.is_on(place, base) for place in table.country.places)


def in_harbour(table: Table, ship: Coin) -> bool:
    """Whether a friendly port's coin is within one diameter of the ship, centre to centre."""
    reach_mm = 2 * ship.radius_mm
    bases = (base for base in table.coins.bases if base.is_friend(ship.owner) and base.distance_mm(ship) <= reach_mm)
    return any(is_port(table, base) for base in bases)
