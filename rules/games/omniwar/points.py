"""The points calculator: what abilities make of a unit's price (OMNI-4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from rules.games.omniwar.roster import UnitType, abilities, ability_key

MOST_CHANGES = 2


def whole_points(points: Fraction) -> int:
    """The price in whole points, a half rounded down: so the sample units' 8.75 is 9 and 7.5 is 7."""
    return ceil(points - Fraction(1, 2))


@dataclass(frozen=True)
class Price:
    """What a unit costs with the changes that the match gave it.

    fault  why the rules do not allow them, if they do not; all of them are paid for all the same
    """

    exact: Fraction
    fault: str | None = None

    @property
    def points(self) -> int:
        """In whole points."""
        return whole_points(self.exact)


def price_of(kind: UnitType, keywords: Sequence[str]) -> Price:
    """The price of a line of the roster with keywords of the state: percentages of its own points, summed.

    Keywords that it has already, and those that are in no table, cost nothing.
    """
    changes = [word for word in keywords if ability_key(word) in abilities() and not kind.has(word)]
    fault = None if len(changes) <= MOST_CHANGES else f"has {len(changes)} changes; a unit takes at most {MOST_CHANGES}"
    percent = sum(abilities()[ability_key(change)].percent for change in changes)
    return Price(kind.points * (1 + Fraction(percent, 100)), fault)
