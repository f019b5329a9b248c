"""The playing card that everything is measured with (C1.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.footprint import sides_mm

if TYPE_CHECKING:
    from rules.scene import Scene
    from rules.setup import Setup

JOKER = "JOKER"


def card_mm(scene: Scene, setup: Setup) -> tuple[float, float]:
    """Length and breadth of the ruler: the set-up's, or with `card = "joker"` those of the joker on the table.

    While no joker lies there the set-up's size holds.
    """
    jokers = (card for card in scene.of_kind("card") if card.cls == JOKER)
    joker = next(jokers, None) if setup.card == "joker" else None
    if joker is None:
        return setup.card_mm
    length_mm, breadth_mm = sides_mm([joker.footprint])[0].tolist()
    return length_mm, breadth_mm
