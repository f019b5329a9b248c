"""Coins of other nations, and what passes for them: any width, the metals of the coins that are known.

Which known coin a thing is likest says nothing of whether it is like any: a franc passed for the quarter that it is
nearest to, a poker chip for a silver dollar, since no other coin is as wide. So each is also held against a coin that
may have any width. A table has none of these, or it has several.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# How often foreign coins are of copper, gold, silver, silver with sides, two metals (two kinds of them).
_METALS = np.array([0.15, 0.3, 0.4, 0.0, 0.1, 0.05])
# The width in which one may come: anything within so many mm.
_ANY_WIDTH_MM = 30.0
# Before looking it is as if so much of a foreign coin had been seen, and one known coin. Others count by this power of
# their chance, so that coins in doubt do not talk one another into being foreign. (Of 983 coins named on photographs
# and stills, untold, none loses its name, told one of 831; with 0.1 four.)
_SEEN_BEFORE, _BY_SURE = 0.03, 2.0
_STEPS = 8


def likely_foreign(metals: Array, kinds: Array, tints: Array | None = None) -> Array:
    """(k, n) how likely each coin looks so if it is foreign, in each of k lights, as `vision.naming.currency` reckons
    with known ones.

    metals  (n, 6) how likely each coin is of each metal, by its look
    kinds   (6,) how many known coins there are of each, which share what is said of their metal
    tints   (k, n, 6) density of each tint, were it a coin's of that metal; None where no tint was measured
    """
    by_metal = metals * _METALS / kinds
    return np.asarray((by_metal if tints is None else by_metal * tints).sum(axis=-1), float)


def foreign_chances(weight: Array, known: Array, foreign: Array) -> Array:
    """(n,) the chance that each coin is none of the known ones.

    weight   (kinds of table, scales) how likely each is
    known    (n, kinds, scales) how well known coins fit the look and size of each
    foreign  (n, kinds) how likely each looks so if it is foreign
    """
    odds = foreign[:, :, None] / _ANY_WIDTH_MM / known
    count = len(odds)
    share = np.full(count, _SEEN_BEFORE / (_SEEN_BEFORE + count))
    for _ in range(_STEPS):
        by_share = (share / (1 - share))[:, None, None] * odds
        chance = (weight * (by_share / (1 + by_share))).sum(axis=(1, 2))
        sure = np.power(chance, _BY_SURE)
        share = (_SEEN_BEFORE + sure.sum() - sure) / (_SEEN_BEFORE + count)
    return np.asarray(chance, float)
