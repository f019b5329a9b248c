"""Combat: tosses, who spends heads first, and who takes the damage (POCKET-3.1, 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rules.games.pocket.battlefield import Location
from rules.games.pocket.tables import Troop


@dataclass(frozen=True)
class Fighter:
    """A unit in a combat: what it tossed, what it was when the combat began, and the damage that it has taken."""

    id: str
    heads: bool
    steady: bool
    damage: int = 0

    @property
    def after(self) -> str:
        """What the damage makes of it, all at once at the end: steady, wavering or destroyed."""
        return ("destroyed", "wavering", "steady")[max(0, 1 + self.steady - self.damage)]


def may_cancel_in_melee(troop: Troop, location: Location) -> bool:
    """Whether the unit's own heads may cancel damage: heavy infantry and cavalry on open ground or hill."""
    return troop.steadfast and location.ground.good_going


def spending_order(heads: Mapping[str, int], players: Sequence[str]) -> list[str]:
    """Who spends a heads at each turn: the one with most heads first, then in turn while anybody has any left.

    players  in playing order, the first player first; that order decides between equals
    """
    left = {player: heads.get(player, 0) for player in players}
    if not any(left.values()):
        return []
    first = max(players, key=lambda player: (left[player], -players.index(player)))
    start = players.index(first)
    circle = [*players[start:], *players[:start]]
    order: list[str] = []
    while any(left.values()):
        for player in circle:
            if left[player]:
                left[player] -= 1
                order.append(player)
    return order


def next_damaged(fighters: Sequence[Fighter]) -> list[Fighter]:
    """The units that the next damage may go to: none a second time before all have one, then tails, then steady."""
    standing = [fighter for fighter in fighters if fighter.after != "destroyed"]
    if not standing:
        return []
    first = min(_precedence(fighter) for fighter in standing)
    return [fighter for fighter in standing if _precedence(fighter) == first]


def _precedence(fighter: Fighter) -> tuple[int, bool, bool]:
    return fighter.damage, fighter.heads, not fighter.steady


def heads_odds(units: int, opponents: int) -> dict[str, str]:
    """The chance that one side tosses more heads than the other (`win`), as many, or fewer; one coin a unit."""
    total = Fraction(1, 2 ** (units + opponents))
    chances = {"win": Fraction(0), "tie": Fraction(0), "lose": Fraction(0)}
    for mine in range(units + 1):
        for theirs in range(opponents + 1):
            outcome = "win" if mine > theirs else "tie" if mine == theirs else "lose"
            chances[outcome] += comb(units, mine) * comb(opponents, theirs) * total
    return {outcome: str(chance) for outcome, chance in chances.items()}
