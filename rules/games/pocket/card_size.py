"""How large the cards of the battlefield are: as the set-up tells, or else as most of them measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rules.footprint import sides_mm
from rules.scene import Piece
from rules.setup import CARD_SIZE_MM, SHORTEST_CARD_MM, Setup

# Cards that differ by less are of one format: cut to 0.3 mm, and measured to as much.
_SAME_MM = 3.0
# So many cards tell a size, as in `vision.detect.card.card_format`.
_FEWEST = 3


def card_size_mm(cards: Sequence[Piece], setup: Setup) -> tuple[float, float]:
    """Length and breadth of a card.

    A set-up that names no size, or the usual one, does not stand against most of the cards, three at least: of smaller
    ones a coin beside them would lie on them, and one that was taken away would have been nudged.
    """
    if setup.card_mm != CARD_SIZE_MM["poker"]:
        return setup.card_mm
    sides = sides_mm([card.footprint for card in cards])
    outlines = sides[sides[:, 1] >= SHORTEST_CARD_MM]
    if len(outlines) < _FEWEST:
        return setup.card_mm
    size_mm = np.median(outlines, axis=0)
    agree = int((np.abs(outlines - size_mm).max(axis=1) < _SAME_MM).sum())
    is_other = 2 * agree > len(cards) and np.abs(size_mm - setup.card_mm).max() >= _SAME_MM
    length_mm, breadth_mm = size_mm.tolist() if is_other else setup.card_mm
    return length_mm, breadth_mm
