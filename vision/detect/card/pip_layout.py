"""The rank of a card by what its face shows: pips where a number has them, bare paper where it should have some, or the
picture of a court card. What is hidden tells nothing: coins lie on cards."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import RANKS
from vision.detect.card.pip_blots import Face, Pips, told_at
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# The ranks that a face can tell, as the reader orders them: numbers from the ace, then court cards.
FACES = RANKS[: RANKS.index("JOKER")]
# How many pips must show at least to tell a suit: half of a number's; of an ace the one in the middle, of a court card
# both in its corners and no more, for what it wears is not told from pips.
FEWEST = {"A": 1, "J": 2, "Q": 2, "K": 2, **{str(number): max(number // 2, 2) for number in range(2, 11)}}
_NUMBERS = FACES.index("J")
_MIDDLE = ((0.0, 0.0),)


def _pairs(*rows: float) -> tuple[tuple[float, float], ...]:
    """Two pips in each row, one in either column."""
    return tuple((aside, row) for row in rows for aside in (-1.0, 1.0))


def _column(*rows: float) -> tuple[tuple[float, float], ...]:
    """A pip in each row, between the columns."""
    return tuple((0.0, row) for row in rows)


# Where the pips of French cards are printed, so many times as far aside as the columns and along as the last row; a
# seven lies either way round.
_LAYOUTS = (
    ("A", _MIDDLE),
    ("2", _column(-1, 1)),
    ("3", _column(-1, 0, 1)),
    ("4", _pairs(-1, 1)),
    ("5", _pairs(-1, 1) + _MIDDLE),
    ("6", _pairs(-1, 0, 1)),
    ("7", _pairs(-1, 0, 1) + _column(-0.5)),
    ("7", _pairs(-1, 0, 1) + _column(0.5)),
    ("8", _pairs(-1, 0, 1) + _column(-0.5, 0.5)),
    ("9", _pairs(-1, -1 / 3, 1 / 3, 1) + _MIDDLE),
    ("10", _pairs(-1, -1 / 3, 1 / 3, 1) + _column(-2 / 3, 2 / 3)),
)
# On a poker card columns lie so far from the middle and last rows, mm (four published decks 12.7 to 13.8 and 28.7 to
# 30.7, photographed ones 10.5 to 15.6 and 20.5 to 28.8); a pip is there if it is so near.
_CARD_MM = np.array([63.5, 88.9])
_GRIDS_MM = np.array([(aside, along) for aside in (10, 12, 14, 16) for along in (20, 23, 26, 29, 32)], float)
_NEAR_MM = 3.5
# All such places, and in which layouts each is; in the deck in the middle of those, mm.
_IN_ALL = sorted({place for _, layout in _LAYOUTS for place in layout})
_ARE_IN = np.array([[place in layout for _, layout in _LAYOUTS] for place in _IN_ALL])
_PLACES = np.array(_IN_ALL)
_PLACES_MM = _PLACES * (13.5, 28.5)
# Paper is bare over so much where it is hardly inked.
_BARE_MM, _BARE = 6.0, 0.12
# How likely a face shows bare paper where one or more pips of its rank should be (33 of 731 numbers: photographed, of
# another tester's renderer, with large print or other cards on some of them, and of four published decks), and how
# likely each more; pips, one and each more, where it has none (19). What is hidden counts for nothing.
_BARE_AT, _MORE_BARE, _STRAY, _MORE_STRAY = 0.05, 0.5, 0.02, 0.3
# A picture leaves so few of all places bare and looks the same turned by half. So do that many court cards (169 of 230;
# those of plain decks do not), and numbers whose pips blur or glare hides (3 of 731, but of 251 that are not published
# decks'; 0.02 since so few are photographed). That a face is no picture says nothing: things lie on it.
_LEFT_BARE, _TURNED = 0.3, 0.6
_OF_COURT, _OF_NUMBER = 0.7, 0.02
# A court card has pips in two corners and no others: so far from the middle along the card at least.
_CORNER_MM = 18.0
# One pip that is so large in a face is an ace's, or that of any number of a deck with large print.
_LARGE_MM = 18.0
# The share of faces that are printed in no such way (sevens of one of four decks), of which no more is known than that
# a number has no more pips than it says.
_OTHERWISE = 0.02
_MOST_PIPS = np.array([*range(1, _NUMBERS + 1), *[np.inf] * (len(FACES) - _NUMBERS)])
# What is inside of the indices, as shares of the breadth and of the length.
_INSIDE = (0.2, 0.16)


def layout_odds(face: Face, pips: Pips, px_per_mm: float) -> Array:
    """(13,) how likely a face is what it shows, by each rank of `FACES`, in logs, 0 of the likeliest.

    pips  those on it, where numbers have them
    """
    if (pips.high_mm > _LARGE_MM).any():
        return np.zeros(len(FACES))
    bare = cv2.blur(face.ink, (round(_BARE_MM * px_per_mm),) * 2) < _BARE
    bare &= ~face.is_hidden
    odds = np.full(len(FACES), -np.inf)
    for (rank, _), as_laid_out in zip(_LAYOUTS, _as_laid_out(pips.off_mm, bare, px_per_mm), strict=True):
        index = FACES.index(rank)
        odds[index] = max(odds[index], as_laid_out)
    strays = _court_strays(pips.off_mm)
    odds[_NUMBERS:] = _less(strays, _STRAY, _MORE_STRAY)
    if not strays and _is_picture(face.bgr, bare | face.is_hidden, px_per_mm):
        odds[:_NUMBERS] += np.log(_OF_NUMBER)
        odds[_NUMBERS:] += np.log(_OF_COURT)
    otherwise = _OTHERWISE * (len(pips.off_mm) <= _MOST_PIPS)
    told = np.log((1 - _OTHERWISE) * np.exp(odds) + otherwise)
    return np.asarray(told - told.max(), float)


def _as_laid_out(at_mm: Array, bare: NDArray[np.bool_], px_per_mm: float) -> Array:
    """(n,) how likely pips lie so by each of `_LAYOUTS`, in logs, in the rows and columns that fit them best."""
    scale = np.array(bare.shape[::-1]) / px_per_mm / _CARD_MM
    places_mm = _PLACES * _GRIDS_MM[:, None] * scale
    near = np.linalg.norm(places_mm[:, :, None] - at_mm, axis=-1) < _NEAR_MM
    lacks = ~near.any(axis=2) & told_at(bare, places_mm, px_per_mm)
    missing = lacks.astype(int) @ _ARE_IN
    strays = (~np.einsum("gpk,pn->gnk", near, _ARE_IN)).sum(axis=2)
    return np.asarray((_less(missing, _BARE_AT, _MORE_BARE) + _less(strays, _STRAY, _MORE_STRAY)).max(axis=0), float)


def _less(count: NDArray[np.intp] | int, one: float, each_more: float) -> Array:
    """How likely so many of a thing are, in logs."""
    return np.where(np.greater(count, 0), np.log(one) + (count - 1) * np.log(each_more), 0.0)


def _court_strays(at_mm: Array) -> int:
    """How many pips there are more than a court card has."""
    in_corner = np.abs(at_mm[:, 1]) >= _CORNER_MM
    return int((~in_corner).sum() + max(in_corner.sum() - 2, 0))


def _is_picture(face_bgr: ImageBgr, empty: NDArray[np.bool_], px_per_mm: float) -> bool:
    """Whether a face is filled as a court card's is, and looks the same turned by half."""
    scale = np.array(empty.shape[::-1]) / px_per_mm / _CARD_MM
    if told_at(empty, _PLACES_MM * scale, px_per_mm).mean() >= _LEFT_BARE:
        return False
    length, breadth = empty.shape
    aside, along = round(_INSIDE[0] * breadth), round(_INSIDE[1] * length)
    inside = cv2.GaussianBlur(face_bgr[along : length - along, aside : breadth - aside], (0, 0), px_per_mm)
    both = np.corrcoef(inside.ravel(), inside[::-1, ::-1].ravel())
    return bool(both[0, 1] > _TURNED)
