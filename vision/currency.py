"""Which coins they are, all at once: looks and sizes of the whole table, one currency mostly, one scale for all.

Several coins of the three currencies share metal and size to a tenth of a millimetre. What tells them apart is that a
table mostly carries one currency, and that a calibration which is one per cent off is so for every coin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, CURRENCIES, DIAMETER_MM, NOT_A_COIN, SIDES

Array = NDArray[np.float64]

# How likely a table is to carry one currency only, and any mixture; a set-up may say otherwise.
SINGLE_CURRENCY = 0.92
# Calibrations by hand are a per cent or two off, and so is what is taken for the rim, as the light falls (median of the
# development photographs 0.98 to 1.02, of rendered maps 1.00).
SCALES = np.linspace(0.93, 1.06, 53)
_SCALE_MEAN, _SCALE_SIGMA = 1.0, 0.015
# Spread of a measured diameter about the scaled true one: a share of it (uneven planes, worn and lit rims) and a floor.
_SIZE_SHARE, _SIZE_FLOOR_MM = 0.010, 0.08
# One coin in so many was measured on a wrong edge; its size then says little.
_WRONG_EDGE, _WRONG_EDGE_MM = 0.005, 2.0
# The classifier sees metal and shape well; which of the coins of one metal it is, it guesses from relief, and is surer
# of that than its eyesight on coins that it never saw: that part of its log probabilities is taken this far.
_TRUST_IN_RELIEF = 0.5
# Its mistakes within a table are of one kind (the same light, the same wear), so its votes for a currency count less
# than if they were independent.
_VOTE = 0.5
_FLOOR = 1e-4
# The seven-fold swing of a rim over its radius: of coins with seven sides (truly 0.024, but smoothed), of round
# ones, and of those of either kind whose fit took shadows or neighbours for the rim (development photographs).
_SEVEN_SWING, _SEVEN_SWING_SIGMA, _ROUND_SWING = 0.0085, 0.003, 0.0014
_SWING_FAILS, _FAILED_SWING, _MOST_ODDS = 0.15, 0.0045, 20.0
# Swing that the spread of the edges makes by chance, as a share of the diameter's relative error.
_SWING_NOISE = 0.55
# How likely the light of a table is what the classifier takes it for, and so warm that silver passes for gold.
_LIGHTS = np.array([0.7, 0.3])
# Diameter in which a thing that is no coin may come: anything within so many mm.
_ANY_SIZE_MM = 30.0

_DIAMETERS = np.array([DIAMETER_MM[cls] for cls in CLASSES])
# Coins that look alike but for their relief, by metal and shape; 'no coin' for itself.
_METALS = (
    ("gbp-1p", "gbp-2p", "eur-1c", "eur-2c", "eur-5c", "usd-1c"),
    ("eur-10c", "eur-20c", "eur-50c", "usd-1"),
    ("gbp-5p", "gbp-10p", "usd-5c", "usd-10c", "usd-25c", "usd-50c", "usd-1-silver"),
    ("gbp-20p", "gbp-50p"),
    ("gbp-1", "gbp-2", "eur-1"),
    ("eur-2",),
    (NOT_A_COIN,),
)
_ALIKE = np.array([[cls in metal for metal in _METALS] for cls in (*CLASSES, NOT_A_COIN)], float)
_IS_GOLD, _IS_SILVER = _ALIKE[:, 1] > 0, _ALIKE[:, 2] > 0
_IS_SEVEN_SIDED = np.array([SIDES.get(cls) == 7 for cls in (*CLASSES, NOT_A_COIN)])
_CURRENCY = np.array([CURRENCIES.index(cls.split("-", maxsplit=1)[0]) for cls in CLASSES])


@dataclass(frozen=True, eq=False)
class Naming:
    """What n circles are, together.

    probs     (n, 24) in the order of `models.coins.CLASSES`, then 'not a coin'
    scale     measured over true size, as the whole table says
    currency  probability of each of `models.coins.CURRENCIES`, and of a mixture, in this order
    """

    probs: Array
    scale: float
    currency: Array

    def with_rarity(self, rarity: Mapping[str, float]) -> Naming:
        """The naming where some classes are so much rarer than the others of their table (1 for those not told)."""
        weight = np.array([rarity.get(cls, 1.0) for cls in (*CLASSES, NOT_A_COIN)])
        probs = self.probs * weight
        return replace(self, probs=probs / np.maximum(probs.sum(axis=1, keepdims=True), 1e-12))


def name_coins(
    looks: Array,
    diameter_mm: Array,
    sigma_mm: Array,
    expected: Mapping[str, float] | None = None,
    seven: Array | None = None,
) -> Naming:
    """The classes of n coins, from log probabilities (n, 24) of looks and measured diameters (n,) with sigmas (n,).

    expected  weight of each currency before looking, if the set-up tells; alike otherwise
    seven     (n,) how far each rim swings out and in seven times, over its radius, if it was measured
    """
    prior = _log_currency_prior(expected)
    if not len(looks):
        return Naming(np.zeros((0, len(CLASSES) + 1)), 1.0, np.exp(prior))
    size = _size_likelihood(diameter_mm, sigma_mm)
    if seven is not None:
        size[:, :, _IS_SEVEN_SIDED] *= _odds_of_seven_sides(seven, _SWING_NOISE * sigma_mm / diameter_mm)[:, None, None]
    look, shares = _look_likelihood(looks), _class_shares()
    by_coin = np.einsum("nsk,lnk,ck->nlcs", size, look, shares, optimize=True)
    scale_prior = -0.5 * np.square((SCALES - _SCALE_MEAN) / _SCALE_SIGMA)
    together = np.log(_LIGHTS)[:, None, None] + prior[:, None] + scale_prior + _VOTE * np.log(by_coin).sum(axis=0)
    weight = np.exp(together - together.max())
    weight /= weight.sum()
    probs = np.einsum("lcs,nlcs,nsk,lnk,ck->nk", weight, 1 / by_coin, size, look, shares, optimize=True)
    return Naming(probs, float((weight.sum(axis=(0, 1)) * SCALES).sum()), weight.sum(axis=(0, 2)))


def _log_currency_prior(expected: Mapping[str, float] | None) -> Array:
    weights = np.array([(expected or {}).get(name, 0.0 if expected else 1.0) for name in CURRENCIES])
    single = SINGLE_CURRENCY * (0.97 * weights / weights.sum() + 0.03 / len(CURRENCIES))
    return np.asarray(np.log(np.append(single, 1 - SINGLE_CURRENCY)), float)


def _size_likelihood(diameter_mm: Array, sigma_mm: Array) -> Array:
    """(n, scales, 24): how well the size of each coin fits each class at each scale."""
    expected = SCALES[:, None] * _DIAMETERS
    spread = np.sqrt(np.square(_SIZE_SHARE * _DIAMETERS) + _SIZE_FLOOR_MM**2 + np.square(sigma_mm)[:, None])[:, None]
    away = diameter_mm[:, None, None] - expected
    fits = (1 - _WRONG_EDGE) * _normal(away, spread) + _WRONG_EDGE * _normal(away, np.full(1, _WRONG_EDGE_MM))
    anything = np.full((*fits.shape[:2], 1), 1 / _ANY_SIZE_MM)
    return np.asarray(np.concatenate([fits, anything], axis=2), float)


def _look_likelihood(looks: Array) -> Array:
    """(lights, n, 24): how well the look of each coin fits each class, in the light that it seems to be and in a warm
    one, in which silver looks like gold."""
    as_seen = _softened(looks)
    warm = as_seen.copy()
    warm[:, _IS_SILVER] = as_seen[:, _IS_GOLD].sum(axis=1, keepdims=True) / np.count_nonzero(_IS_SILVER)
    return np.stack([as_seen, warm])


def _softened(looks: Array) -> Array:
    """(n, 24) probabilities: of metal and shape as the classifier says, within them flatter."""
    probs = np.exp(looks)
    by_metal = probs @ _ALIKE
    within = np.power(probs / np.maximum(by_metal @ _ALIKE.T, 1e-12), _TRUST_IN_RELIEF)
    softened = (by_metal @ _ALIKE.T) * within / np.maximum((within @ _ALIKE) @ _ALIKE.T, 1e-12)
    return np.asarray(softened + _FLOOR, float)


def _odds_of_seven_sides(seven: Array, noise: Array) -> Array:
    """(n,) how much likelier such a swing is for a coin with seven sides than for a round one."""
    failed = _SWING_FAILS * _rayleigh(seven, np.maximum(_FAILED_SWING, 2 * noise))
    sided = (1 - _SWING_FAILS) * _normal(seven - _SEVEN_SWING, np.hypot(_SEVEN_SWING_SIGMA, noise)) + failed
    round_ = (1 - _SWING_FAILS) * _rayleigh(seven, np.maximum(_ROUND_SWING, noise)) + failed
    return np.asarray(np.clip(sided / (round_ + 1e-9), 1 / _MOST_ODDS, _MOST_ODDS), float)


def _rayleigh(value: Array, scale: Array) -> Array:
    return np.asarray(value / scale**2 * np.exp(-np.square(value / scale) / 2) + 1e-6, float)


def _normal(away: Array, sigma: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.square(away / sigma)) / (sigma * np.sqrt(2 * np.pi)), float)


def _class_shares() -> Array:
    """(4, 24): how often each class lies on a table of each currency, and of a mixture; 'no coin' everywhere alike."""
    shares = np.zeros((len(CURRENCIES) + 1, len(CLASSES) + 1))
    for index in range(len(CURRENCIES)):
        of_it = np.equal(_CURRENCY, index)
        shares[index, :-1] = of_it / np.count_nonzero(of_it)
    shares[-1, :-1] = 1 / len(CLASSES)
    shares[:, -1] = 1 / 8
    return shares
