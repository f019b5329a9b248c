"""Bands of light and dark that wander through a picture. A lamp flickers with the mains, 100 or 120 times a second; a
rolling shutter catches each row, and each picture, at another moment of it.

Whatever else changes a picture, a hand, a shadow, a sunbeam, is no wave from one end of it to the other.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

Array = NDArray[np.float64]
Grey = NDArray[np.uint8]

# Every so many rows and columns of a shrunk picture tell, by the grey levels between which light is known.
_EVERY, _DARK, _BRIGHT = 3, 20, 235
# A row tells if so many of its pixels do, the picture if so many of its rows do.
_FEWEST_PX, _FEWEST_ROWS = 12, 0.6
# Waves from end to end: rows are read out within 10 to 33 ms, and light goes by twice the mains' 50 or 60 Hz.
_WAVES = np.arange(0.75, 4.6, 0.125)
# The wave is told again without the rows that lie so many times as far from it as the middle one.
_ROUNDS, _ASTRAY = 3, 4.0
# What keeps a wave that a few rows leave open from running away.
_RIDGE = 1e-6
# A wave is one if it is so high (logarithm of light, from crest to trough), and the middle row lies on it so closely:
# by a share of a low one's height; by so much, and a share of its height, on a higher one, which blows some of it out.
_LEAST, _CLOSE, _CLOSEST, _BLOWN_OUT = 0.03, 0.1, 0.01, 0.02


def band_gains(before: ImageBgr, after: ImageBgr) -> Array | None:
    """How many times as bright a flickering lamp made each row of a shrunk picture, (h, 1, 1), or each column, (1, w,
    1), of a camera that lies on its side; None where no lamp flickers."""
    rows = _row_gains(before[..., 1], after[..., 1])
    if rows is not None:
        return rows[:, None, None]
    columns = _row_gains(before[..., 1].T, after[..., 1].T)
    return columns[None, :, None] if columns is not None else None


def _row_gains(before: Grey, after: Grey) -> Array | None:
    rose, tells = _rises(before[::_EVERY, ::_EVERY], after[::_EVERY, ::_EVERY])
    if tells.mean() < _FEWEST_ROWS or np.ptp(np.quantile(rose[tells], (0.05, 0.95))) < _LEAST / 2:
        return None
    waves = _waves(len(before))
    fitted, astray = _fitted(waves[:, ::_EVERY], rose, tells)
    best = int(astray.argmin())
    wave = waves[best] @ fitted[best]
    height = float(np.ptp(wave))
    is_one = height > _LEAST and astray[best] < min(_CLOSE * height, _CLOSEST + _BLOWN_OUT * height)
    return np.exp(wave) if is_one else None


def _rises(before: Grey, after: Grey) -> tuple[Array, NDArray[np.bool_]]:
    """(rows,) logarithm of how much brighter the middle pixel of each row became, and whether enough of them tell."""
    old, new = before.astype(np.float32), after.astype(np.float32)
    known = (before > _DARK) & (before < _BRIGHT) & (after > 0)
    ratio = np.sort(np.divide(new, old, out=np.full_like(old, np.inf), where=known), axis=1)
    count = known.sum(axis=1)
    middle = ratio[np.arange(len(ratio)), count // 2 - (count > 0)]
    tells = count >= _FEWEST_PX
    return np.log(np.where(tells, middle, 1.0).astype(float)), tells


@cache
def _waves(rows: int) -> Array:
    """(waves, rows, 5) a level, a wave and one of half its length, of each of `_WAVES`."""
    turns = 2 * np.pi * _WAVES[:, None] * np.linspace(0, 1, rows)
    return np.stack([np.ones_like(turns), *(way(n * turns) for n in (1, 2) for way in (np.cos, np.sin))], axis=-1)


def _fitted(waves: Array, rose: Array, tells: NDArray[np.bool_]) -> tuple[Array, Array]:
    """(waves, 5) what fits best of each wave, and (waves,) how far the middle row lies from it."""
    counts = np.broadcast_to(tells, waves.shape[:2])
    for _ in range(_ROUNDS):
        weighted = (waves * counts[..., None]).transpose(0, 2, 1)
        fit = np.asarray(np.linalg.solve(weighted @ waves + _RIDGE * np.eye(5), weighted @ rose[:, None]), float)
        off = np.abs((waves @ fit)[..., 0] - rose)
        middle = np.asarray(np.median(off[:, tells], axis=1), float)
        counts = tells & (off < _ASTRAY * middle[:, None] + 1e-3)
    return fit[..., 0], middle
