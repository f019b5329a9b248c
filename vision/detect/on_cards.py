"""Coins on cards: these are thin, but at a slant a third of a millimetre shows as much aside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from shapely import contains_xy

from vision.detection import ON_ANOTHER_MM, Detection

# Playing cards are about this thick (0.28 to 0.32 mm).
CARD_MM = 0.3


def on_cards(coins: Sequence[Detection], flat: Sequence[Detection]) -> list[Detection]:
    """The coins, those whose middle lies on a card among `flat` as high as its upper face."""
    cards = np.array([piece.footprint for piece in flat if piece.kind == "card"], object)

    def is_on_one(coin: Detection) -> bool:
        """Whether it lies on a card and on no coin there."""
        return coin.elevation_mm < ON_ANOTHER_MM and bool(contains_xy(cards, *coin.position_mm).any())

    return [coin.higher_by(CARD_MM) if is_on_one(coin) else coin for coin in coins]
