"""Settlement points, Creation Total and food (OMMS-6.1, 6.3, 6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.games.omms.coins import POINTS
from rules.games.omms.sides import things_of

if TYPE_CHECKING:
    from rules.games.omms.table import Table

# OMMS-6.1
TOTAL_LESS_POINTS, MOST_TOTAL, LEAST_TOTAL = 20, 15, 6
# OMMS-6.3: what a player starts with.
START_FOOD = 3
# The counter of the state, by player.
FOOD = "food"


def creation_total(settlement_points: int) -> int:
    """What a player's cards of one suit must be worth together to buy something."""
    return max(LEAST_TOTAL, min(MOST_TOTAL, TOTAL_LESS_POINTS - settlement_points))


@dataclass(frozen=True)
class Economy:
    """What one player has and needs.

    food  tokens that he has in all; those beyond `food_needed` are free
    """

    owner: str
    settlement_points: int
    creation_total: int
    food_needed: int
    food: int

    @property
    def free_food(self) -> int:
        """Tokens that sustain nothing yet; negative if settlements go hungry."""
        return self.food - self.food_needed


def economy(table: Table, owner: str) -> Economy:
    """The economy of the player with that colour."""
    points = settlement_points(table, owner)
    return Economy(owner, points, creation_total(points), points, food(table, owner))


def settlement_points(table: Table, owner: str) -> int:
    """A penny counts 1, a two-pence 2."""
    return sum(POINTS[base.role] for base in table.coins.bases if base.is_friend(owner))


def food(table: Table, owner: str) -> int:
    """A player's food tokens: as the state says, else the matchsticks on his side, else what he started with."""
    told = table.number(FOOD, owner)
    if told is not None:
        return told
    return len(things_of(table, owner, "match")) if table.scene.of_kind("match") else START_FOOD
