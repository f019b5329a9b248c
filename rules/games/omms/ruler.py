"""The playing card that everything is measured with (C1.4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely

if TYPE_CHECKING:
    from shapely import Polygon

    from rules.scene import Scene
    from rules.setup import Setup

JOKER = "JOKER"


def card_mm(scene: Scene, setup: Setup) -> tuple[float, float]:
    """Length and breadth of the ruler: the set-up's, or with `card = "joker"` those of the joker on the table.

    While no joker lies there the set-up's size holds.
    """
    jokers = (card for card in scene.of_kind("card") if card.cls == JOKER)
    joker = next(jokers, None) if setup.card == "joker" else None
    return setup.card_mm if joker is None else _sides_mm(joker.footprint)


def _sides_mm(footprint: Polygon) -> tuple[float, float]:
    """The longer and the shorter side of a card's footprint, however it is turned."""
    corners = shapely.get_coordinates(footprint.minimum_rotated_rectangle)
    one, other = math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2])
    return max(one, other), min(one, other)
