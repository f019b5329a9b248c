"""Coins on cards. A card is thin, but at a slant its 0.3 mm show as much aside; and below a coin's rim its print looks
like the side of a stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy

from vision.detection import ON_ANOTHER_MM, Detection
from vision.frame import ImageBgr
from vision.shape.rim import Circles
from vision.shape.surround import small_in_middle

# Playing cards are about this thick (0.28 to 0.32 mm).
CARD_MM = 0.3
# On cards a coin lies on another past doubt from these log odds on: of 2,230 coins on composed cards 23 had 3.5 and
# more though they lay on the card, 7 of them 5, one 6; of 180 on others 98 had 3.5, 69 had 5, 53 had 6.
_SURE_ON_PRINT = 5.5
# How often one lies on another there that was not told to, for each that lies on the card.
_RARER_ON_PRINT = float(np.exp(-_SURE_ON_PRINT))
# Print on cards the rim net doubts more than this (8,684 of 8,685 circles on composed cards). What it doubts no more
# has a coin's rim, though its heat and its border tell little on print: it may be a coin down to these odds.
_DOUBT_ON_PRINT, _ODDS_ON_PRINT = -4.25, -1.0
# So may what shows so much of its rim on edges, so many levels apart from its ground, and is hardly "no coin" to the
# classifier, down to lower odds (60 drawn pictures of cards: of 29 circles of print none of such odds shows more than
# 0.85 of its rim; 8 of 28 coins that were overlooked are so plain).
_PLAIN_RIM, _PLAIN_LEVELS, _PLAIN_LOOK, _ODDS_OF_PLAIN = 0.9, 45.0, 0.2, -2.0
# Two heights are the same to so many millimetres: the one was reckoned from the other.
_SAME_MM = 0.01


def on_cards(coins: Sequence[Detection], flat: Sequence[Detection]) -> list[Detection]:
    """The coins, those whose middle lies on a card raised to its upper face. What shows below their rim is taken for
    the card's print, unless it surely is the side of a stack."""
    cards = np.array([piece.footprint for piece in flat if piece.kind == "card"], object)

    def on_one(coin: Detection) -> Detection:
        """The same, as high as it lies if there is a card below it."""
        down = _put_down(coin) if _may_be_print(coin, coins) else coin
        if down.elevation_mm < ON_ANOTHER_MM and bool(contains_xy(cards, *down.position_mm).any()):
            return replace(down.higher_by(CARD_MM), faint=coin.faint and not _lies_alone(coin, coins))
        return coin

    return [coin for coin in map(on_one, coins) if not coin.faint]


def may_lie_on_card(
    crops: ImageBgr,
    circles: Circles,
    odds: NDArray[np.float64],
    hollow: NDArray[np.bool_],
    plain: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """(n,) which circles are coins if they lie on a card, and nothing otherwise: those with a small hole, which on a
    card is rather a dot of its colour than the hole of a washer, those that have a coin's rim, and those that show
    plainly.

    crops   (n, CROP_PX, CROP_PX, 3)
    odds    (n,) logarithms of the odds of a coin
    hollow  (n,) whether the ground shows in their middle
    plain   (n,) whether they `show_plainly`
    """
    with_dot = hollow & (odds > 0)
    with_dot[with_dot] = small_in_middle(crops[with_dot])
    has_rim = np.log(circles.radius_sigma_mm / circles.radius_mm) < _DOUBT_ON_PRINT
    has_odds = ((odds > _ODDS_ON_PRINT) & has_rim) | ((odds > _ODDS_OF_PLAIN) & plain)
    return np.asarray(with_dot | (~hollow & (odds <= 0) & has_odds))


def show_plainly(
    support: NDArray[np.float64], apart: NDArray[np.float64], no_coin: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """(n,) which circles are as plain as no print is: by the share of their rim that lies on edges, by the levels that
    part them from their ground, and by the chance, 0 to 1, that the classifier gives to their being no coin."""
    return np.asarray((support >= _PLAIN_RIM) & (apart >= _PLAIN_LEVELS) & (no_coin < _PLAIN_LOOK))


def _lies_alone(coin: Detection, coins: Sequence[Detection]) -> bool:
    """Whether its middle lies in no other that is not faint, nor one of these in it."""
    return not any(
        np.hypot(*np.subtract(coin.position_mm, each.position_mm)) < max(coin.radius_mm, each.radius_mm)
        for each in coins
        if not each.faint
    )


def _may_be_print(coin: Detection, coins: Sequence[Detection]) -> bool:
    """Whether it lies higher by what shows below its rim alone, and not past doubt."""
    if coin.elevation_mm < ON_ANOTHER_MM or coin.risen_log_odds > _SURE_ON_PRINT:
        return False
    tops_mm = (each.elevation_mm + (each.height_mm or 0.0) for each in coins if each is not coin)
    return not any(abs(top_mm - coin.elevation_mm) < _SAME_MM for top_mm in tops_mm)


def _put_down(coin: Detection) -> Detection:
    """The coin on the table, its sigmas saying that it may lie as high as it seemed."""
    odds = float(np.exp(coin.risen_log_odds)) * _RARER_ON_PRINT
    doubt_mm = coin.elevation_mm * float(np.sqrt(odds / (1 + odds)))
    return coin.raised_to(0.0, doubt_mm)
