"""The points calculator: what abilities make of a unit's price (OMNI-4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from rules.games.omniwar.roster import UnitType, abilities, ability_key

MOST_CHANGES = 2


def changed_points(kind: UnitType, changes: Sequence[str]) -> Fraction:
    """The price of the unit with these abilities added: percentages of its own points, summed.

    ValueError for more than two changes, for an ability that it has already, or for one that is not in the table.
    """
    if len(changes) > MOST_CHANGES:
        raise ValueError(f"{kind.name}: {len(changes)} changes; a unit takes at most {MOST_CHANGES}")
    percent = 0
    for change in changes:
        key = ability_key(change)
        if key not in abilities():
            raise ValueError(f"{kind.name}: there is no ability {change!r}")
        if kind.has(change):
            raise ValueError(f"{kind.name} has {change!r} already")
        percent += abilities()[key].percent
    return kind.points * (1 + Fraction(percent, 100))


def whole_points(points: Fraction) -> int:
    """The price in whole points, a half rounded down: so the sample units' 8.75 is 9 and 7.5 is 7."""
    return ceil(points - Fraction(1, 2))
