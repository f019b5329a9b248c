"""A base that may be an oval: its outline, its turn and how sure that is; over looks a base keeps its form."""

from __future__ import annotations

from dataclasses import dataclass

from shapely import Polygon

# No look and no row of looks is surer than this: a base that was misread must be able to become what it is.
_MOST_ODDS = 0.3


@dataclass(frozen=True)
class Oval:
    """The best oval for a base, told or not.

    outline   on the table, mm
    turn_deg  of its length, counter-clockwise from +x
    odds      how much better its rim lies on edges than a circle's, beyond what tells an oval
    """

    outline: Polygon
    turn_deg: float
    odds: float

    @property
    def is_told(self) -> bool:
        """Whether it is told rather than a circle."""
        return self.odds > 0


def both_odds(was: Oval, seen: Oval) -> float:
    """Of two looks at one base together."""
    return min(max(was.odds + seen.odds, -_MOST_ODDS), _MOST_ODDS)
