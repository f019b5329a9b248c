"""Shots: who is in range, and what a toss can do (POCKET-2.2, 3.1)."""

from __future__ import annotations

from fractions import Fraction

from rules.games.pocket.battlefield import Location, steps_between
from rules.games.pocket.tables import Troop
from rules.games.pocket.units import Unit


def range_steps(troop: Troop, start: Location, target: Location) -> int:
    """The range of a missile unit against that location: one more from higher ground; 0 for any other unit."""
    return troop.range + (start.ground.elevation > target.ground.elevation) if troop.range else 0


def can_shoot(troop: Troop, start: Location, target: Location) -> bool:
    """Whether the location is in range; opposed units in one location are in melee and do not shoot."""
    return 0 < steps_between(start.cell, target.cell) <= range_steps(troop, start, target)


def may_cancel_shot(troop: Troop, location: Location) -> bool:
    """Whether the target's own heads cancel the damage: light units anywhere, any unit in cover."""
    return troop.light or location.ground.cover


def shot_odds(troop: Troop, location: Location) -> dict[str, str]:
    """The chance that one shooter's toss damages the target (`win`) or not (`tie`); the shooter is never hurt."""
    return dict(_ODDS[may_cancel_shot(troop, location)])


def _odds(may_cancel: bool) -> dict[str, str]:
    heads = Fraction(1, 2)
    win = heads * (1 - heads) if may_cancel else heads
    return {"win": str(win), "tie": str(1 - win), "lose": "0"}


_ODDS = {may_cancel: _odds(may_cancel) for may_cancel in (False, True)}


def damage_effect(unit: Unit) -> str:
    """What one damage makes of the unit."""
    return "wavering" if unit.is_steady else "destroyed"
