"""The size of a table's cards, of any format, as the two indices of each tell it and edges bear it out."""

from __future__ import annotations

from itertools import combinations, compress

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.pieces import INDEX_FROM_CORNER_MM
from rules.scene import UNKNOWN
from vision.detect.card.card_hints import NAMED, Hint, middles_of
from vision.detect.card.strays import CLEARLY
from vision.frame import ImageBgr
from vision.shape.rectangle import edges_beside, fit_rectangles

Array = NDArray[np.float64]
Size = tuple[float, float]

# Cards are made so long and so broad, mm; two indices farther apart are of two cards.
_LEAST_MM, _MOST_MM = (50.0, 32.0), (150.0, 95.0)
# Two indices of a card look back at one another but for so much: their directions are 8 degrees off.
_FACING = -0.94
# So many cards tell a size, most of those that tell any, and each within so much of their median (68 cards of 67 x 44
# and 120 x 70 mm, drawn: all but one).
_FEWEST, _AGREEING_MM = 3, 7.0
# So many cards are measured, which costs 15 to 20 ms.
_MOST = 12
# What differs by so little from a size that is tried anyway is that one, and by so much may be it as indices tell it:
# small cards' lie nearer to their corners, by which a size is told 3 to 7 mm too large.
_SAME_MM, _OTHER_MM = 2.5, 9.0
# Makes of one format differ by so much, most of Europe's are 88 x 63 mm for 88.9 x 63.5, and sides tell it to so much.
_MEASURED_MM, _CUT_MM = 0.6, 1.25
# Sides are sought again where they were found, until they stay or so often.
_ROUNDS = 2
# Each side is sought so far out and in, in such steps; a card's middle lies within so many of the one that its indices
# tell.
_REACH_MM, _STEP_MM, _ASIDE = 6.0, 0.2, 5
# Places at which so much of the most edges lie are as likely.
_AS_GOOD = 0.95


def in_their_format(
    image_bgr: ImageBgr, plane: TablePlane, hints: list[Hint], sizes_mm: tuple[Size, ...]
) -> tuple[list[Hint], tuple[Size, ...]]:
    """The indices' hints and the sizes to try, that of most cards first, whether it is one of these or none."""
    size_mm = _own_size(image_bgr, plane, hints, sizes_mm)
    if size_mm is None or size_mm == sizes_mm[0]:
        return hints, sizes_mm
    return middles_of(hints, size_mm), (size_mm, *(size for size in sizes_mm if not _is_cut_as(size, size_mm)))


def _own_size(image_bgr: ImageBgr, plane: TablePlane, hints: list[Hint], sizes_mm: tuple[Size, ...]) -> Size | None:
    pairs = _pairs(hints)
    told_mm = np.array([_size_by(*pair) for pair in pairs]).reshape(-1, 2)
    rough_mm = np.median(told_mm, axis=0) if len(pairs) else np.zeros(2)
    agree = np.abs(told_mm - rough_mm).max(axis=1, initial=0.0) < _AGREEING_MM
    if agree.sum() < max(_FEWEST, len(pairs) / 2):
        return None
    centre_mm, angle_rad = _lie(list(compress(pairs, agree))[:_MOST], rough_mm)
    size_mm = _by_sides(image_bgr, plane, centre_mm, angle_rad, rough_mm)
    usual = next((usual for usual in sizes_mm if np.abs(np.subtract(size_mm, usual)).max() < _SAME_MM), None)
    if usual is None and any(np.abs(rough_mm - size).max() < _OTHER_MM for size in sizes_mm):
        return None
    for _ in range(_ROUNDS):
        fits = fit_rectangles(image_bgr, plane, centre_mm, angle_rad, size_mm, near=True)
        placed_mm, turned_rad = np.array([fit.centre_mm for fit in fits]), np.array([fit.angle_rad for fit in fits])
        was_mm, size_mm = size_mm, _by_sides(image_bgr, plane, placed_mm, turned_rad, np.array(size_mm))
        if size_mm == was_mm:
            break
    if usual is not None:
        off_mm = np.abs(np.subtract(size_mm, usual)).max()
        return size_mm if _MEASURED_MM < off_mm < _CUT_MM else usual
    of_own, *of_others = (_support(image_bgr, plane, centre_mm, angle_rad, size) for size in (size_mm, *sizes_mm))
    return size_mm if of_own > max(of_others) + CLEARLY else None


def _is_cut_as(size_mm: Size, other_mm: Size) -> bool:
    return bool(np.abs(np.subtract(size_mm, other_mm)).max() < _CUT_MM)


def _lie(pairs: list[tuple[Hint, Hint]], size_mm: Array) -> tuple[Array, Array]:
    """Middles (n, 2) and directions (n,) of cards of about that size, from the one index of each to the other."""
    one_mm, other_mm = np.array([[hint.at_mm for hint in pair] for pair in pairs]).swapaxes(0, 1)
    along_mm, across_mm = size_mm - 2 * np.array(INDEX_FROM_CORNER_MM[::-1])
    x, y = (other_mm - one_mm).T
    return (one_mm + other_mm) / 2, np.arctan2(y, x) - np.arctan2(across_mm, along_mm)


def _support(image_bgr: ImageBgr, plane: TablePlane, centre_mm: Array, angle_rad: Array, size_mm: Size) -> float:
    """How much of the cards' sides is edge in a size, in the median."""
    return float(np.median([fit.support for fit in fit_rectangles(image_bgr, plane, centre_mm, angle_rad, size_mm)]))


def _pairs(hints: list[Hint]) -> list[tuple[Hint, Hint]]:
    """Indices that say the same and look at one another, as far apart as those of a card."""
    named = [hint for hint in hints if hint.log_prob >= NAMED and hint.cls not in (UNKNOWN, "JOKER")]
    facing = [
        (one, other)
        for one, other in combinations(named, 2)
        if one.cls == other.cls and np.cos(one.angle_rad - other.angle_rad) < _FACING
    ]
    sizes_mm = np.array([_size_by(*pair) for pair in facing]).reshape(-1, 2)
    may_be = ((sizes_mm > _LEAST_MM) & (sizes_mm < _MOST_MM)).all(axis=1) & (sizes_mm[:, 0] > sizes_mm[:, 1])
    return [pair for pair, is_one in zip(facing, may_be, strict=True) if is_one]


def _size_by(one: Hint, other: Hint) -> Size:
    """Length and breadth of the card of two indices, were they as far from its corners as usual."""
    along = np.exp(1j * one.angle_rad) - np.exp(1j * other.angle_rad)
    apart_mm = complex(*np.subtract(other.at_mm, one.at_mm)) * np.conj(along) / abs(along)
    across_mm, along_mm = INDEX_FROM_CORNER_MM
    return float(apart_mm.real) + 2 * along_mm, float(apart_mm.imag) + 2 * across_mm


def _by_sides(image_bgr: ImageBgr, plane: TablePlane, centre_mm: Array, angle_rad: Array, rough_mm: Array) -> Size:
    """The length and breadth near rough ones in which most of the cards' sides are edge."""
    rough: Size = (float(rough_mm[0]), float(rough_mm[1]))
    shares = edges_beside(image_bgr, plane, centre_mm, angle_rad, rough, (_REACH_MM, _STEP_MM))
    length_mm, breadth_mm = (
        rough[way] + 2 * _likeliest_mm(*shares[:, 2 * way :][:, :2].swapaxes(0, 1)) for way in (0, 1)
    )
    return length_mm, breadth_mm


def _likeliest_mm(one: Array, other: Array) -> float:
    """How much farther out two opposite sides of n cards lie than said, from how much of either is edge where (n, m).

    The middle of a card may lie aside by as much as its indices are printed askew. In a grid the sides of the cards
    beside it are as likely as its own: the inmost are.
    """
    steps = one.shape[1]
    both = np.zeros((len(one), steps))
    for aside in range(-_ASIDE, _ASIDE + 1):
        at = np.arange(max(0, aside, -aside), steps - abs(aside))
        both[:, at] = np.fmax(both[:, at], np.fmin(one[:, at + aside], other[:, at - aside]))
    borne = both.sum(axis=0)
    likely = np.flatnonzero(borne >= _AS_GOOD * borne.max())
    inmost = likely[likely - likely[0] == np.arange(len(likely))]
    return float(_STEP_MM * (inmost.mean() - (steps - 1) / 2))
