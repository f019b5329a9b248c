"""Pieces that a user taught from one or two pictures: learning them, and knowing them again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, CURRENCIES
from rules.scene import UNKNOWN, Kind
from vision.classify import classify
from vision.detection import FIGURES
from vision.frame import ImageBgr
from vision.naming.currency import MIXED, alike, name_coins
from vision.naming.metal import tints_of
from vision.taught.appearance import features, features_in_light_of, variants
from vision.taught.printed import is_printed, shows_same
from vision.taught.sample import Sample

Array = NDArray[np.float64]

# A piece is known again where the next class is at least so many times as far.
CLEARER = 1.2
# Pieces in one photo are of one kind if they are within so many spreads of one another.
NEAR = 1.6
# Two taught pieces are one to the eyes where a picture of one is as near to the other as that one's own are to it, at
# other turns and in other lights: 0.25 to 0.8 of a piece taught twice, and of a pound and a euro alike, 1.4 and more of
# coins that are told apart.
_AS_ITSELF = 1.0
# Two pictures that are farther from one another than this show two pieces, or faces that have nothing in common: both
# ways 1.43 at most for two pictures of a rendered coin, its faces too, 2.9 for brass and silver of one width.
_UNLIKE = 2.0
# The eyes see a coin so much wider or narrower than a ruler does, at most.
_BY_RULER = 0.1
# A coin that the eyes name is only called otherwise if the taught one may, by this chance, bear that name too.
_LEAST_CHANCE = 0.01
# How well the size of a coin is known, to ask which it may be.
_SIZE_SIGMA = 0.02
# What is farther than this bears no taught name, whatever is printed on it.
_FAR = 2.4
# No number is known better than this, in units of its usual difference.
_LEAST_SPREAD = 0.35


@dataclass(frozen=True)
class _Tolerance:
    """How much two pictures of one piece may differ.

    size      share by which the sizes may differ (0.05: 5 %)
    photos    the same between the photos that it is taught from, which light and ground show larger or smaller
    spreads   how far it may be from the taught one (`Enrolled.away`)
    named     the same of what the eyes call a known coin
    in_doubt  the same where the table's coins are not of one currency, of a piece that a known coin is like
    """

    size: float
    photos: float
    spreads: float
    named: float
    in_doubt: float


# Coins: chosen on coins of the photographs made for training, those of one currency laid among those of the other, and
# on three rendered tables of three currencies full of coins like the taught ones (docs/measured/enrol.md).
_COIN = _Tolerance(0.05, 0.10, 1.6, 1.1, 0.9)
# What a coin's size is off counts as much as its look where it is this share: the rim net is 1.2 to 2.5 % off from one
# picture to another.
_SIZE_SPREAD = 0.03
# Known coins as wide, to this share, and of a tint within so many spreads, are its twins. Four in five taught pieces
# have one; the others take 1.6 spreads in place of 0.9 at hardly a cost: one to four in a hundred more are named, and
# of what is not taught one in 4,000 more (docs/measured/enrol.md).
_TWIN_SHARE, _TWIN_SPREADS = 0.04, 2.0
# Of men each taught from one picture, in five lights, 156 of 245 would be known within 1.25 spreads, and 23 of 1,225 of
# other paint with them; 139 and 4 are within 1 (docs/measured/enrol.md). Their bases are seen badly.
_SOLDIER = _Tolerance(0.25, 0.25, 1.0, 1.0, 1.0)
_BASE = _Tolerance(0.25, 0.25, 1.25, 1.25, 1.25)
_OTHER = _Tolerance(0.10, 0.10, NEAR, NEAR, NEAR)


def _spreads(seen: Array, pictures: Sequence[tuple[Array, Array]]) -> Array:
    """(pictures, n) root mean square distance of numbers (n, f) from each mean, in units of its spread."""
    return np.array([np.sqrt((((seen - mean) / spread) ** 2).mean(axis=1)) for mean, spread in pictures])


def are_alike(kind: Kind, other: Kind) -> bool:
    """Whether what is of one kind may be a piece taught as of the other: a figure on a disc is a figure."""
    return kind == other or {kind, other} <= set(FIGURES)


def _tolerance(kind: Kind) -> _Tolerance:
    return {"coin": _COIN, "soldier": _SOLDIER, "base": _BASE}.get(kind, _OTHER)


@dataclass(frozen=True, eq=False)
class Enrolled:
    """A class that a user taught: the crops are kept, their numbers are worked out anew with the nets of the day.

    said      what the eyes, untaught, read a card or a figure as in the pictures; None where that was not kept
    by_ruler  whether somebody measured the size, and not the eyes, which see a coin wider or narrower than it is
    """

    name: str
    kind: Kind
    size_mm: float
    crops: tuple[ImageBgr, ...]
    said: tuple[str, ...] | None = None
    by_ruler: bool = False

    @cached_property
    def _pictures(self) -> tuple[tuple[Array, Array], ...]:
        """Mean and spread of the numbers of each crop over other turns and lights."""
        learned = [features(self.kind, variants(self.kind, crop)) for crop in self.crops]
        return tuple((seen.mean(axis=0), np.maximum(seen.std(axis=0), _LEAST_SPREAD)) for seen in learned)

    def away(self, sample: Sample) -> float:
        """How many spreads a piece is from this one: by its look and, of a coin, by its size."""
        if self.kind != "coin":
            return float(self.distances(sample.crop[None])[0])
        by_look = self._by_print(sample.crop)
        return float(np.hypot(by_look, np.log(sample.size_mm / self.size_mm) / _SIZE_SPREAD))

    def _by_print(self, crop: ImageBgr) -> float:
        """How many spreads a round piece is from the nearest of the pictures whose print, if any, it bears too; where
        there is none infinite."""
        away = self._from_each(crop[None])[:, 0]
        for picture in np.argsort(away):
            if away[picture] > _FAR or not self._are_printed[picture] or shows_same(self.crops[picture], crop):
                return float(away[picture])
        return float("inf")

    @cached_property
    def _are_printed(self) -> tuple[bool, ...]:
        """Whether each picture shows print, a letter or a sign, that others of the kind need not bear."""
        return tuple(is_printed(crop) for crop in self.crops)

    def distances(self, crops: ImageBgr) -> Array:
        """(n,) how many spreads crops (n, h, w, 3) are from the nearest of the pictures: root mean square, over the
        numbers compared, of the distance in units of each number's spread."""
        return np.asarray(self._from_each(crops).min(axis=0), float)

    def _from_each(self, crops: ImageBgr) -> Array:
        """(pictures, n) the same from each of the pictures."""
        away = _spreads(features(self.kind, crops), self._pictures)
        if self.kind != "soldier":
            return away
        relit = [
            _spreads(features_in_light_of(shown, crops), [picture])[0]
            for shown, picture in zip(self.crops, self._pictures, strict=True)
        ]
        return np.minimum(away, relit)

    @cached_property
    def doubles(self) -> frozenset[str]:
        """The known coins that this piece may be taken for, by colour, relief and size, on a table of whichever
        currency: where the currency is told, a coin of none is taken for one of that."""
        if self.kind != "coin":
            return frozenset()
        crops, size_mm = np.stack(self.crops), np.full(len(self.crops), self.size_mm)
        looks, tints = classify(crops).classes, tints_of(crops)
        named = [
            name_coins(looks, size_mm, _SIZE_SIGMA * size_mm, told, tints=tints).probs.max(axis=0)
            for told in (None, *({currency: 1.0, MIXED: 0.0} for currency in CURRENCIES))
        ]
        chances = zip(CLASSES, np.max(named, axis=0), strict=False)
        return frozenset(cls for cls, chance in chances if chance >= _LEAST_CHANCE)

    @cached_property
    def has_twins(self) -> bool:
        """Whether a known coin, whatever its currency, is as wide and may be of this one's metal."""
        if self.kind != "coin":
            return False
        tint = tints_of(np.stack(self.crops))[:, :2].mean(axis=0)
        return bool(alike(self.size_mm, tint, _TWIN_SHARE, _TWIN_SPREADS))

    def is_like(self, other: Enrolled) -> bool:
        """Whether pieces of the two cannot be told apart, so that none would be sure of either name."""
        return self._takes_for_its_own(other) or other._takes_for_its_own(self)

    def _takes_for_its_own(self, other: Enrolled) -> bool:
        if not self.is_as_read(other.said):
            return False
        is_otherwise_measured = self.by_ruler != other.by_ruler and (
            abs(other.size_mm - self.size_mm) <= _BY_RULER * self.size_mm
        )
        size_mm = self.size_mm if is_otherwise_measured else other.size_mm
        shown = [Sample(other.kind, crop, size_mm, (0.0, 0.0)) for crop in other.crops]
        return any(self.may_be(sample) and self.away(sample) <= _AS_ITSELF for sample in shown)

    def is_as_read(self, said: Collection[str] | None) -> bool:
        """Whether a piece may be this one by what the untaught eyes read on it. It may not if both are cards that they
        read as different ones.

        said  all that they read it as, nothing or `unknown` where they cannot; None where that was not kept
        """
        if self.kind != "card" or self.said is None or not said or UNKNOWN in said:
            return True
        return not set(said).isdisjoint(self.said)

    @cached_property
    def shows_two(self) -> bool:
        """Whether two of its pictures have nothing in common: two pieces by all appearance, or two faces."""
        one = [Enrolled(self.name, self.kind, self.size_mm, (crop,)) for crop in self.crops]
        return any(
            min(first.distances(second.crops[0][None])[0], second.distances(first.crops[0][None])[0]) > _UNLIKE
            for first, second in combinations(one, 2)
        )

    def may_be(self, sample: Sample) -> bool:
        """Whether a piece may be this one, by its kind and size."""
        return are_alike(sample.kind, self.kind) and self._is_as_large(sample, _tolerance(self.kind).size)

    def is_near(self, away: float, *, named: bool = False, in_doubt: bool = False) -> bool:
        """Whether a piece whose look is so many spreads `away` from this one is taken for it.

        named     the eyes know another name for it
        in_doubt  coins of several currencies lie about, many of which look alike
        """
        may_be = _tolerance(self.kind)
        most = may_be.named if named else may_be.spreads
        return away <= (min(most, may_be.in_doubt) if in_doubt and self.has_twins else most)

    def is_one_of(self, sample: Sample) -> bool:
        """Whether the piece in another photo may be this one, by its size."""
        return self._is_as_large(sample, _tolerance(self.kind).photos)

    def _is_as_large(self, sample: Sample, share: float) -> bool:
        return abs(sample.size_mm - self.size_mm) <= share * self.size_mm


def learned(
    name: str,
    pictures: Sequence[Sequence[Sample]],
    kind: Kind = "coin",
    *,
    by_ruler: bool = False,
    called: Sequence[str] = (),
) -> Enrolled:
    """The class that the pieces in some pictures show; pieces that are alike in one picture count as one.

    kind      that was looked for
    by_ruler  whether their sizes are somebody's own measure
    called    what each picture is called where it is at fault; photo 1, 2, ... if nothing else
    ValueError for a picture with no piece or with different ones, and for pictures of pieces of different sizes.
    """
    photos = called or [f"photo {number}" for number in range(1, len(pictures) + 1)]
    samples = [_only_piece(photo, found, kind) for photo, found in zip(photos, pictures, strict=True)]
    first = samples[0]
    for photo, sample in zip(photos[1:], samples[1:], strict=True):
        if not _learned_of(name, first).is_one_of(sample):
            raise ValueError(
                f"{photo}: two different pieces: {sample.size_mm:.1f} mm across here, {first.size_mm:.1f} mm in"
                f" {photos[0]}; give photos of the same piece"
            )
    size_mm = float(np.mean([sample.size_mm for sample in samples]))
    said = tuple(sorted({sample.said for sample in samples} - {"", UNKNOWN}))
    return Enrolled(name, first.kind, size_mm, tuple(sample.crop for sample in samples), said, by_ruler)


def _learned_of(name: str, sample: Sample) -> Enrolled:
    return Enrolled(name, sample.kind, sample.size_mm, (sample.crop,))


def _only_piece(photo: str, found: Sequence[Sample], kind: Kind) -> Sample:
    if not found:
        raise ValueError(
            f"{photo}: no {kind} found; lay it alone on the table, in good light, wholly in view"
            f" (--kind says what it is: {kind} now)"
        )
    first = _learned_of("", found[0])
    for other in found[1:]:
        if not first.is_one_of(other) or first.distances(other.crop[None])[0] > NEAR:
            places = " and ".join(f"({s.position_mm[0]:.0f}, {s.position_mm[1]:.0f})" for s in (found[0], other))
            raise ValueError(
                f"{photo}: two different pieces found, at {places} mm; leave only the one to learn on the table"
            )
    return found[0]
