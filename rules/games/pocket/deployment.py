"""Deployment: where units may stand when the match begins (POCKET-5.1)."""

from __future__ import annotations

from rules.games.pocket.battlefield import Battlefield, Location
from rules.games.pocket.tables import Troop
from rules.games.pocket.units import Unit, side_owner
from rules.setup import Setup


def unit_fault(field: Battlefield, unit: Unit, setup: Setup) -> str | None:
    """Why a unit may not be deployed where it stands; None if it may, or if a person must say first what it is."""
    if unit.troop is None or not unit.is_known:
        return None
    return deployment_fault(field, unit.troop, unit.owner, unit.location, setup)


def deployment_fault(field: Battlefield, troop: Troop, owner: str, location: Location, setup: Setup) -> str | None:
    """Why a unit may not be deployed there; None if it may.

    Units begin in their own edge row, light cavalry also one card further on open ground.
    """
    depth = _depth(field, owner, location, setup)
    if depth is None:
        return f"{owner} has no edge of the battlefield; give its player a side, near or far"
    if location.ground.closed:
        return f"{location.name} is never entered"
    if depth == 1:
        return None
    if depth == 2 and troop.light and troop.mounted:
        return None if location.ground.name == "open" else f"{location.name} is no open ground for light cavalry"
    return f"{location.name} is row {depth} from {owner}'s edge; units begin in their own edge row"


def _depth(field: Battlefield, owner: str, location: Location, setup: Setup) -> int | None:
    """The row as the owner counts it, 1 at his own edge."""
    row = location.cell[1]
    if owner == side_owner("near", setup):
        return row
    return field.rows + 1 - row if owner == side_owner("far", setup) else None
