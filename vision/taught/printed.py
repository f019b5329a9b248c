"""What is printed on a round piece, a letter or a sign: what is alike but for that is told by laying one on the other.

Print looks the same in any light. The relief of a coin does not (docs/measured/enrol.md), and is not asked.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX, RIM_SHARE
from vision.classify import classify
from vision.frame import ImageBgr

Floats = NDArray[np.float32]

# What bears print differs so far in itself (Lab), and may be no coin to the eyes by this chance. Of 94 counters with
# letters all do both; of 1,059 coins on photographs 250 the one and 6 both.
_CONTRAST, _NO_COIN = 6.0, 0.02
# Print is the same where no place of it differs by so much, in units of the print's own contrast: 0.16 to 0.7 of 126
# in 134 counters seen again, in another light and from elsewhere; 0.75 and more of 3,060 with another letter.
_SAME = 0.7
# A place is as large as a stroke of a letter, in px of the crop.
_STROKE_PX = 1.5
# Of a piece's radius what is compared: a border farther out is there on others too.
_INNER = 0.78
# How far one is shifted, in px of the crop; the turns that are tried at first, and about the best of them.
_SHIFT_PX, _TURNS, _BEST, _FINE_DEG = 2, 72, 3, (-2.5, 0.0, 2.5)
_MIDDLE, _REACH_PX = (CROP_PX - 1) / 2, CROP_PX / 2 * RIM_SHARE * _INNER
_PART = slice(round(_MIDDLE - _REACH_PX) - 1, round(_MIDDLE + _REACH_PX) + 2)


def is_printed(crop: ImageBgr) -> bool:
    """Whether a round piece's crop (CROP_PX, CROP_PX, 3) shows print, and is not a coin past doubt."""
    contrast = _contrast(_inner_of(_colours(crop)))
    return contrast >= _CONTRAST and float(np.exp(classify(crop[None]).classes[0, -1])) >= _NO_COIN


def shows_same(crop: ImageBgr, other: ImageBgr) -> bool:
    """Whether two crops (CROP_PX, CROP_PX, 3) of round pieces show the same print, whatever their turn."""
    return difference(crop, other) <= _SAME


def difference(crop: ImageBgr, other: ImageBgr) -> float:
    """By how much the print of two crops differs in any one place, at the turn and the shift that fit best, in units of
    its own contrast."""
    shown, laid = _colours(crop)[_PART, _PART], _laid_on(_colours(crop), _colours(other))
    off = np.zeros_like(shown)
    off[_inner()] = _scaled(_inner_of(shown)) - _scaled(_inner_of(laid))
    return float(np.linalg.norm(cv2.GaussianBlur(off, (0, 0), _STROKE_PX), axis=2).max())


def _laid_on(shown: Floats, other: Floats) -> Floats:
    """The part of the other that is compared, turned and shifted to fit best."""
    mask = np.repeat(_inner()[..., None], 3, axis=2).astype(np.float32)
    around = slice(_PART.start - _SHIFT_PX, _PART.stop + _SHIFT_PX)
    side = _PART.stop - _PART.start
    best, laid = -np.inf, shown
    for degrees in _likely_turns(shown, other):
        turned = _turned(other, degrees)[around, around]
        fits = cv2.matchTemplate(turned, shown[_PART, _PART], cv2.TM_CCOEFF_NORMED, mask=mask)
        _, fit, _, (x, y) = cv2.minMaxLoc(fits)
        if fit > best:
            best, laid = fit, turned[y : y + side, x : x + side]
    return laid


def _likely_turns(shown: Floats, other: Floats) -> list[float]:
    """By how many degrees the second may be turned to look as the first."""
    one, two = (np.fft.rfft(_unrolled(each), axis=0) for each in (shown, other))
    by_turn = np.fft.irfft((one * two.conj()).sum(axis=(1, 2)), _TURNS)
    best = np.argsort(by_turn)[-_BEST:] * (-360.0 / _TURNS)
    return sorted({float(turn + fine) for turn in best for fine in _FINE_DEG})


def _unrolled(shown: Floats) -> Floats:
    """(turns, radii, 3), what lies farther out counting for as much more as there is of it."""
    size = (round(_REACH_PX), _TURNS)
    polar = cv2.warpPolar(shown, size, (_MIDDLE, _MIDDLE), _REACH_PX, cv2.WARP_POLAR_LINEAR)
    return np.asarray(polar * np.sqrt(np.arange(size[0], dtype=np.float32))[:, None], np.float32)


def _turned(shown: Floats, degrees: float) -> Floats:
    turn = cv2.getRotationMatrix2D((_MIDDLE, _MIDDLE), degrees, 1.0)
    return np.asarray(cv2.warpAffine(shown, turn, (CROP_PX, CROP_PX)), np.float32)


def _colours(crop: ImageBgr) -> Floats:
    """(h, w, 3) its Lab colours less their mean within what is compared."""
    lab = np.asarray(cv2.cvtColor((crop / 255).astype(np.float32), cv2.COLOR_BGR2LAB), np.float32)
    return np.asarray(lab - _inner_of(lab).mean(axis=0), np.float32)


def _scaled(colours: Floats) -> Floats:
    """(n, 3) about their mean, their contrast 1."""
    about = colours - colours.mean(axis=0)
    return np.asarray(about / max(_contrast(about), 1e-6), np.float32)


def _contrast(colours: Floats) -> float:
    """How far (n, 3) colours about their mean are spread."""
    return float(np.sqrt((colours**2).sum(axis=1).mean()))


def _inner_of(shown: Floats) -> Floats:
    """(n, 3) what of a crop is compared, or of a `_PART` of one."""
    part = shown if len(shown) < CROP_PX else shown[_PART, _PART]
    return np.asarray(part[_inner()], np.float32)


@lru_cache(maxsize=1)
def _inner() -> NDArray[np.bool_]:
    """(side, side) what of a `_PART` is compared: a disc."""
    rows, columns = (np.mgrid[:CROP_PX, :CROP_PX] - _MIDDLE)[:, _PART, _PART]
    return np.asarray(np.hypot(rows, columns) < _REACH_PX, bool)
