"""Which coins a table is likely to bear, before anybody looks: what the set-up and the game tell of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Purse:
    """What to expect of the coins on a table.

    expected  weight of each currency (gbp, eur, usd) before looking; None where the set-up does not tell
    colours   the players' colours, which stickers are likely to have
    rarity    how much rarer than others some classes are in this game; None where all are alike
    sure      the least probability with which a coin is named
    """

    expected: Mapping[str, float] | None
    colours: tuple[str, ...]
    rarity: Mapping[str, float] | None
    sure: float
