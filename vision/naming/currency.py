"""Which coins they are, all at once: looks and sizes of the whole table, one currency mostly, one scale for all.

Several coins of the three currencies share metal and size to a tenth of a millimetre. What tells them apart is that a
table mostly carries one currency, and that a calibration which is one per cent off is so for every coin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import i0e

from models.coins import CLASSES, CURRENCIES, DIAMETER_MM, NOT_A_COIN, SIDES
from vision.naming.foreign import foreign_chances, likely_foreign
from vision.naming.metal import lights_of, off_metals
from vision.naming.tints import densities

Array = NDArray[np.float64]

# How likely a table is to carry one currency only, and any mixture; a set-up may say otherwise (`MIXED`).
SINGLE_CURRENCY = 0.92
MIXED = "mixed"
_LEAST_PRIOR = 1e-6
# Calibrations by hand are a per cent or two off, and so is what is taken for the rim, as the light falls (median of the
# development photographs 0.98 to 1.02, of rendered maps 1.00; one made for training 0.92).
SCALES = np.linspace(0.90, 1.09, 39)
_SCALE_MEAN, _SCALE_SIGMA = 1.0, 0.015
# Spread of a measured diameter about the scaled true one: a share of it (uneven planes, worn and lit rims) and a floor.
_SIZE_SHARE, _SIZE_FLOOR_MM = 0.010, 0.08
# The plane of a table is off by such a share of a length here and there, and alike over such a distance.
_LOCAL_SHARE, _LOCAL_MM = 0.016, 70.0
# What is this share larger or smaller than its class was measured wrong and says nothing of the plane.
_ASTRAY = 0.08
# One coin in so many was measured on a wrong edge; its size then says little.
_WRONG_EDGE, _WRONG_EDGE_MM = 0.005, 2.0
# The classifier sees metal and shape well; which of the coins of one metal it is, it guesses from relief, and is surer
# of that than its eyesight on coins that it never saw: that part of its log probabilities is taken this far.
_TRUST_IN_RELIEF = 0.5
# The same of metals that differ by colour (on tables of one metal in odd light it took silver for gold), and of what it
# sees by shape, that there are two metals (chosen on stills of seed 5 and on every second picture of photographs).
_TRUST_IN_METAL, _TRUST_IN_SHAPE = 0.35, 0.6
# Its mistakes within a table are of one kind (the same light, the same wear), and those on coins of one design are the
# same mistake: so many look-alikes count as this power of their number of independent votes for a currency.
_VOTE, _ALIKE_POWER = 1.25, 0.6
# Coins keep company: a class of which a table surely shows some is likelier there than one that it lacks. Shares of
# classes are as open as can be before looking (Dirichlet's prior; Laplace's rule of succession), but in a heap of
# several currencies, which shows a few of many. A coin counts for its company by this power of its probability, so that
# coins in doubt do not talk one another into a class.
_BY_SURE = 2.0
# Kinds of table, and scales, less likely than this are left out once all coins were asked.
_HARDLY = 1e-6
# One circle in so many is something else than a coin of the table, whatever it looks like, and says nothing about it.
_STRANGER = 0.01
# Coins are look-alikes if their diameters differ by no more than about this share.
_SAME_SIZE = 0.02
_FLOOR = 1e-4
# The swings of a rim over its radius: of coins with sides (seven, truly 0.024, but smoothed; twelve), of round
# ones, and of those of either kind whose fit took shadows or neighbours for the rim; chance adds to all what it adds to
# other swings (seven fitted to 1,919 round and 60 sided coins on photographs made for training and on stills of seed 5;
# twelve to the photographs of the development sets' first half, where few pounds lie).
_SIDES = (7, 12)
_SWING, _SWING_SIGMA = np.array([0.0075, 0.0022]), np.array([0.002, 0.0009])
_ROUND_SWING, _BY_CHANCE = np.array([0.0008, 0.0004]), np.array([0.85, 1.0])
_SWING_FAILS, _FAILED_SWING, _MOST_ODDS = 0.1, np.array([0.0045, 0.003]), 20.0
# Diameter in which a thing that is no coin may come: anything within so many mm.
_ANY_SIZE_MM = 30.0

# The round pound of before 2017 is a pound too, on old photographs the only one (Royal Mint: 22.5 mm, nickel brass);
# beside coins of other currencies it is met less.
_OLD_POUND, _OLD_POUND_MM, _OLD_POUND_SHARE, _OLD_POUND_ABROAD = "gbp-1, round", 22.5, 0.5, 0.25
_NAMES = (*CLASSES, _OLD_POUND, NOT_A_COIN)
_OLD_POUND_AT = len(CLASSES)
_DIAMETERS = np.array([*(DIAMETER_MM[cls] for cls in CLASSES), _OLD_POUND_MM])
# Coins that look alike but for their relief, by metal and shape; 'no coin' for itself.
_METALS = (
    ("gbp-1p", "gbp-2p", "eur-1c", "eur-2c", "eur-5c", "usd-1c"),
    ("eur-10c", "eur-20c", "eur-50c", "usd-1", _OLD_POUND),
    ("gbp-5p", "gbp-10p", "usd-5c", "usd-10c", "usd-25c", "usd-50c", "usd-1-silver"),
    ("gbp-20p", "gbp-50p"),
    ("gbp-1", "gbp-2", "eur-1"),
    ("eur-2",),
    (NOT_A_COIN,),
)
_METAL_OF = {cls: index for index, classes in enumerate(_METALS) for cls in classes}
_OF_ONE_METAL, _ROUND, _SIDED = np.s_[:4], np.s_[:3], 3
_ALIKE = np.array([[cls in metal for metal in _METALS] for cls in _NAMES], float)
_OF_EACH = _ALIKE[:, :-1].sum(axis=0)
_IS_SIDED = np.array([[SIDES.get(cls) == sides for cls in _NAMES] for sides in _SIDES])
_IS_OLD_POUND = np.array([cls == _OLD_POUND for cls in _NAMES])
# The same by the colour of their borders: the old pound is of the nickel brass that the new one's ring is of.
_TINTED = np.where(_IS_OLD_POUND[:, None], _ALIKE[_NAMES.index("gbp-1")], _ALIKE)
_CURRENCY = np.array([CURRENCIES.index(cls.split("-", maxsplit=1)[0]) for cls in _NAMES[:-1]])
# Relief tells apart what the classifier saw photographed, or what it did not; between the two it says nothing: of coins
# that it knows from drawings only it says what is drawn alike (US cents passed for euro cents, dimes for five pence).
_PHOTOGRAPHED = np.array([cls.startswith(("gbp", "eur")) and cls != _OLD_POUND for cls in _NAMES])
_KIN = np.concatenate([_ALIKE * _PHOTOGRAPHED[:, None], _ALIKE * ~_PHOTOGRAPHED[:, None]], axis=1)
_SHARE_OF_KIN = (_KIN @ _KIN.sum(axis=0)) / (_ALIKE @ _ALIKE.sum(axis=0))


def _class_shares() -> Array:
    """(4, 24): how often each class lies on a table of each currency, and of a mixture; 'no coin' everywhere alike."""
    often = np.where(_IS_OLD_POUND[:-1], _OLD_POUND_SHARE, 1.0)
    shares = np.zeros((len(CURRENCIES) + 1, len(_NAMES)))
    for index in range(len(CURRENCIES)):
        shares[index, :-1] = often * np.equal(_CURRENCY, index)
    shares[-1, :-1] = np.where(_IS_OLD_POUND[:-1], _OLD_POUND_ABROAD, 1.0)
    shares /= shares.sum(axis=1, keepdims=True)
    shares[:, -1] = 1 / 8
    return shares


_CLASS_SHARES = _class_shares()
# (3, 24) coins of each class as if seen before looking, on a table of each currency: one of any usual class.
_SEEN_BEFORE = _CLASS_SHARES[:-1, :-1] / _CLASS_SHARES[:-1, :-1].max(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class Naming:
    """What n circles are, together.

    probs     (n, 24) in the order of `models.coins.CLASSES`, then 'not a coin'
    scale     measured over true size, as the whole table says
    currency  probability of each of `models.coins.CURRENCIES`, and of a mixture, in this order
    foreign   (n,) the chance that one is none of `models.coins.CLASSES`, though it looks like a coin
    """

    probs: Array
    scale: float
    currency: Array
    foreign: Array

    @property
    def is_mixed(self) -> bool:
        """Whether the coins are rather of several currencies than of one."""
        return bool(self.currency[-1] > 0.5)

    def with_rarity(self, rarity: Mapping[str, float]) -> Naming:
        """The naming where some classes are less frequent than others by these factors (1 for classes not named)."""
        weight = np.array([rarity.get(cls, 1.0) for cls in (*CLASSES, NOT_A_COIN)])
        probs = self.probs * weight
        return replace(self, probs=probs / np.maximum(probs.sum(axis=1, keepdims=True), 1e-12))

    def only(self, keep: NDArray[np.bool_]) -> Naming:
        """Some of them, by a mask (n,), with the names that all of them together were given."""
        return replace(self, probs=self.probs[keep], foreign=self.foreign[keep])


def name_coins(
    looks: Array,
    diameter_mm: Array,
    sigma_mm: Array,
    expected: Mapping[str, float] | None = None,
    sides: tuple[Array, Array] | None = None,
    centre_mm: Array | None = None,
    tints: Array | None = None,
    reliefs: Array | None = None,
) -> Naming:
    """The classes of n coins, from log probabilities (n, 24) of looks and measured diameters (n,) with sigmas (n,).

    expected   weight of each currency before looking, and of a mixture (`MIXED`), if the set-up tells
    sides      how far each rim swings out and in seven and twelve times, over its radius, and how far by chance (n, 2),
               if measured
    centre_mm  (n, 2) where they lie, if neighbours may tell how far off the table's plane is there
    tints      (n, 4) colours of their borders (`vision.naming.metal.tints_of`), if measured
    reliefs    (n, 23) what each relief says for each class (`vision.naming.relief.reliefs_of`), if it was asked
    """
    prior = _log_currency_prior(expected)
    if not len(looks):
        return Naming(np.zeros((0, len(CLASSES) + 1)), 1.0, np.exp(prior), np.zeros(0))
    seen, foreign, log_lights = _seen_likelihood(looks, sides, tints, reliefs)
    size = _size_likelihood(diameter_mm, sigma_mm, SCALES)
    by_coin = _by_coin(size, seen)
    weight = _tables((log_lights[:, None] + prior).reshape(-1, 1), by_coin, _votes(looks, diameter_mm))
    scale, currency = float(weight.sum(axis=0) @ SCALES), weight.sum(axis=1).reshape(len(log_lights), -1).sum(axis=0)
    # What the table hardly is, is not asked again.
    kinds, scales = weight.sum(axis=1) > _HARDLY, weight.sum(axis=0) > _HARDLY
    weight, seen, size = weight[kinds][:, scales], seen[:, kinds], size[:, scales]
    company = _company(_class_probs(weight, size, seen))
    seen = seen * np.tile(company, (1, len(log_lights), 1))[:, kinds]
    probs = _class_probs(weight, size, seen)
    if centre_mm is not None:
        local = _local_scale(
            np.log(diameter_mm / scale), sigma_mm / diameter_mm, probs[:, : len(_DIAMETERS)], centre_mm
        )
        size = _size_likelihood(diameter_mm / local, sigma_mm, SCALES[scales])
        probs = _class_probs(weight, size, seen)
    known = _by_coin(size[..., :-1], seen[..., :-1])
    probs[:, CLASSES.index("gbp-1")] += probs[:, _IS_OLD_POUND][:, 0]
    return Naming(probs[:, ~_IS_OLD_POUND], scale, currency, foreign_chances(weight, known, foreign[:, kinds]))


def _seen_likelihood(
    looks: Array, sides: tuple[Array, Array] | None, tints: Array | None, reliefs: Array | None
) -> tuple[Array, Array, Array]:
    """(n, lights * currencies, 25) how likely it is to see each coin so, by its class and the kind of table, a light
    and a currency; (n, lights * currencies) if it is foreign; and how likely each light is, as a logarithm."""
    look, foreign, log_lights = _look_likelihood(looks, tints)
    if reliefs is not None:
        look[..., :-1] *= np.exp(np.insert(reliefs, _OLD_POUND_AT, reliefs[:, CLASSES.index("gbp-1")], axis=1))
    if sides is not None:
        look *= np.prod(np.where(_IS_SIDED, _odds_of_sides(*sides)[..., None], 1.0), axis=1)
    by_kind = (look.transpose(1, 0, 2)[:, :, None] * _CLASS_SHARES).reshape(len(looks), -1, len(_NAMES))
    return by_kind, np.repeat(foreign, len(_CLASS_SHARES), axis=0).T, log_lights


def alike(diameter_mm: float, tint: Array, share: float, spreads: float) -> tuple[str, ...]:
    """The known coins of that width, to such a `share`, whose metal shows that tint (2,) within so many `spreads` in
    some usual light."""
    off = off_metals(tint[None])[0]
    return tuple(
        cls for cls in CLASSES if abs(np.log(diameter_mm / DIAMETER_MM[cls])) < share and off[_METAL_OF[cls]] < spreads
    )


def _tables(prior: Array, by_coin: Array, votes: Array) -> Array:
    """(lights * currencies, scales) how likely each kind of table is, all coins seen."""
    likely = by_coin + _STRANGER * by_coin.max(axis=(1, 2), keepdims=True)
    scale_prior = -0.5 * np.square((SCALES - _SCALE_MEAN) / _SCALE_SIGMA)
    together = prior + scale_prior + np.tensordot(votes, np.log(likely), axes=1)
    weight = np.exp(together - together.max())
    return np.asarray(weight / weight.sum(), float)


def _by_coin(size: Array, seen: Array) -> Array:
    """(n, lights * currencies, scales): how well each coin fits a table; `seen` is how it looks there, by class."""
    return np.asarray(seen @ size.transpose(0, 2, 1), float)


def _class_probs(weight: Array, size: Array, seen: Array) -> Array:
    """(n, 25) each coin's classes, given the weight (lights * currencies, scales) of each kind of table."""
    return np.asarray((weight / _by_coin(size, seen) @ size * seen).sum(axis=1), float)


def _company(probs: Array) -> Array:
    """(n, 4, 25) how many times as likely each class is for each coin as by itself, for what the others of its table
    are; among several currencies no more than by itself.

    probs  (n, 25) of each coin by itself
    """
    sure = np.power(probs / np.maximum(probs.sum(axis=1, keepdims=True), 1e-12), _BY_SURE)[:, :-1]
    others = (sure.sum(axis=0) - sure)[:, None] * (_SEEN_BEFORE > 0)
    before = _SEEN_BEFORE.sum(axis=1)
    likelier = np.ones((len(probs), *_CLASS_SHARES.shape))
    likelier[:, :-1, :-1] = 1 + others / np.maximum(_SEEN_BEFORE, 1e-9)
    likelier[:, :-1, :-1] *= (before / (before + others.sum(axis=2)))[..., None]
    return likelier


def _local_scale(log_mm: Array, sigma: Array, probs: Array, centre_mm: Array) -> Array:
    """(n,) by how much the table's scale differs at each coin, as its neighbours tell, itself left out.

    A smooth field through what each coin is too large for its class (a Gaussian process; leaving one out by the
    inverse, Rasmussen and Williams 2006, eq. 5.12); a coin whose class is open says little.
    """
    log_diameters = np.log(_DIAMETERS)
    probs = probs / np.maximum(probs.sum(axis=1, keepdims=True), 1e-12)
    expected = probs @ log_diameters
    too_large = log_mm - expected
    open_ = probs @ np.square(log_diameters) - np.square(expected)
    noise = np.square(sigma) + _SIZE_SHARE**2 + open_ + (np.abs(too_large) > _ASTRAY)
    apart = np.square(centre_mm[:, None] - centre_mm).sum(axis=-1)
    field = _LOCAL_SHARE**2 * np.exp(-0.5 * apart / _LOCAL_MM**2)
    inverse = np.linalg.inv(field + np.diag(noise))
    return np.asarray(np.exp(too_large - inverse @ too_large / np.diag(inverse)), float)


def _log_currency_prior(expected: Mapping[str, float] | None) -> Array:
    """(4,) of each currency alone, and of any mixture."""
    weights = np.array([(expected or {}).get(name, 0.0 if expected else 1.0) for name in CURRENCIES])
    mixed = (expected or {}).get(MIXED, 1 - SINGLE_CURRENCY)
    prior = np.append((1 - mixed) * weights / weights.sum(), mixed)
    return np.asarray(np.log(np.maximum(prior, _LEAST_PRIOR)), float)


def _size_likelihood(diameter_mm: Array, sigma_mm: Array, scales: Array) -> Array:
    """(n, scales, 24): how well the size of each coin fits each class at each scale."""
    expected = scales[:, None] * _DIAMETERS
    spread = np.sqrt(np.square(_SIZE_SHARE * _DIAMETERS) + _SIZE_FLOOR_MM**2 + np.square(sigma_mm)[:, None])[:, None]
    away = diameter_mm[:, None, None] - expected
    fits = (1 - _WRONG_EDGE) * _normal(away, spread) + _WRONG_EDGE * _normal(away, np.full(1, _WRONG_EDGE_MM))
    anything = np.full((*fits.shape[:2], 1), 1 / _ANY_SIZE_MM)
    return np.asarray(np.concatenate([fits, anything], axis=2), float)


def _look_likelihood(looks: Array, tints: Array | None) -> tuple[Array, Array, Array]:
    """(lights, n, 25): how well the look of each coin fits each class, in each light that the table may lie in;
    (lights, n) a foreign one; and the logarithm of how likely each light is (lights,)."""
    metals = _metals(looks)
    if tints is None:
        return _softened(looks, metals)[None], likely_foreign(metals[:, :-1], _OF_EACH)[None], np.zeros(1)
    believed = _tempered(metals)
    lights, log_likely = lights_of(tints, believed)
    density = densities(tints, lights)
    foreign = likely_foreign(believed[:, :-1], _OF_EACH, density[..., :-1])
    return _softened(looks, believed) * (density @ _TINTED.T), foreign, log_likely


def _tempered(metals: Array) -> Array:
    """(n, 7) what the classifier says of metals, as far as it is believed beside colours; of no coin all of it.

    That a coin has sides is shape: what takes silver for gold tells a round coin from one with sides all the same.
    """
    seen = np.maximum(metals, 1e-9)
    believed = np.power(seen, _TRUST_IN_SHAPE)
    one = seen[:, _OF_ONE_METAL].sum(axis=1, keepdims=True)
    forms = np.power(_shares(np.c_[seen[:, _ROUND].sum(axis=1), seen[:, _SIDED]]), _TRUST_IN_SHAPE)
    forms = _shares(forms) * np.power(one, _TRUST_IN_SHAPE)
    believed[:, _ROUND] = _shares(np.power(seen[:, _ROUND], _TRUST_IN_METAL)) * forms[:, :1]
    believed[:, _SIDED] = forms[:, 1]
    coins = believed[:, :-1] * ((1 - metals[:, -1]) / believed[:, :-1].sum(axis=1))[:, None]
    return np.concatenate([coins, metals[:, -1:]], axis=1)


def _shares(parts: Array) -> Array:
    """(n, k) each row's share of its sum."""
    return np.asarray(parts / parts.sum(axis=1, keepdims=True), float)


def _softened(looks: Array, metals: Array) -> Array:
    """(n, 25) probabilities: of metal and shape (n, 7) as they are, within them as the classifier says, but flatter."""
    # Nobody taught what the old pound's relief looks like: as little as that of the other gold coin never photographed.
    relief = np.insert(looks, _NAMES.index(_OLD_POUND), looks[:, CLASSES.index("usd-1")], axis=1)
    within = np.exp(_TRUST_IN_RELIEF * relief)
    of_kin = metals @ _ALIKE.T * _SHARE_OF_KIN
    return np.asarray(of_kin * within / np.maximum(within @ _KIN @ _KIN.T, 1e-12) + _FLOOR, float)


def _metals(looks: Array) -> Array:
    """(n, 7) probabilities of each metal and shape."""
    return np.asarray(np.exp(looks) @ _ALIKE[~_IS_OLD_POUND], float)


def _votes(looks: Array, diameter_mm: Array) -> Array:
    """(n,) what each coin counts for the table's currency and scale: look-alikes less."""
    metal = _metals(looks)
    metal /= np.linalg.norm(metal, axis=1, keepdims=True)
    apart = np.log(diameter_mm[:, None] / diameter_mm) / _SAME_SIZE
    alike = (np.exp(-0.5 * np.square(apart)) * (metal @ metal.T)).sum(axis=1)
    return np.asarray(_VOTE * alike**-_ALIKE_POWER, float)


def _odds_of_sides(swing: Array, uneven: Array) -> Array:
    """(n, 2) how much likelier such swings are for a coin with seven, or twelve, sides than for a round one."""
    chance = np.hypot(_ROUND_SWING, _BY_CHANCE * uneven)
    failed = _SWING_FAILS * _rayleigh(swing, np.maximum(_FAILED_SWING, 2 * chance))
    sided = (1 - _SWING_FAILS) * _rice(swing, np.hypot(_SWING_SIGMA, chance)) + failed
    round_ = (1 - _SWING_FAILS) * _rayleigh(swing, chance) + failed
    return np.asarray(np.clip(sided / round_, 1 / _MOST_ODDS, _MOST_ODDS), float)


def _rayleigh(value: Array, scale: Array) -> Array:
    return np.asarray(value / scale**2 * np.exp(-np.square(value / scale) / 2) + 1e-6, float)


def _rice(value: Array, scale: Array) -> Array:
    """Density of the amplitude of a swing of `_SWING` with noise of so much in both phases (Rice 1944)."""
    along = value * _SWING / scale**2
    bell = np.exp(-np.square((value - _SWING) / scale) / 2)
    return np.asarray(value / scale**2 * bell * i0e(along), float)


def _normal(away: Array, sigma: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.square(away / sigma)) / (sigma * np.sqrt(2 * np.pi)), float)
