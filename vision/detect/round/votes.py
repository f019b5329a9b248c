"""Circles that edges vote for: each edge for the middles that lie along its slope (Duda and Hart 1972)."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.solid.slopes import slopes_of
from vision.frame import ImageBgr

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# A view is made coarser until the least radius looked for in it is so many px; the next octave is looked for in one of
# half the scale.
_LEAST_PX = 11.0
# Radii are tried in steps of this ratio; a circle's edges lie within so large a share of its radius, as a sigma, around
# the one that is tried: half a step, and what a camera's tilt is off.
_STEP, _SOFT = 1.09, 0.07
# Edges of fewer levels a px (in Lab) do not vote, those of so many wholly.
_FAINT_LEVELS, _ENOUGH_LEVELS = 2.0, 6.0
_SIGMA_PX = 1.2
# From this share of a whole circle's votes on; and the most that are looked at in one octave.
_VOTES, _MOST = 0.18, 40
# Middles may lie so far outside of the view, in the octave's largest radii.
_OUTSIDE = 0.5
# No two middles of one radius lie nearer to one another, in radii.
_APART = 0.15


def voted(top: ImageBgr, where: Mask, least_px: float, most_px: float) -> Array:
    """(n, 3) centre u, v and radius in px of `top`, by octaves of the radius, those with most votes first in each.

    where             (h, w) bool at any scale: which edges may vote
    least_px, most_px the radii looked for
    """
    found, least, level = [], least_px, _coarser(top, _LEAST_PX / least_px)
    while least < most_px:
        most = min(2 * least, most_px)
        found.append(_in_octave(level, level.shape[1] / top.shape[1], where, least, most))
        least, level = most, _coarser(level, 0.5)
    return np.concatenate(found)


def _coarser(picture: ImageBgr, times: float) -> ImageBgr:
    size = tuple(max(1, round(side * times)) for side in picture.shape[1::-1])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _in_octave(coarse: ImageBgr, times: float, where: Mask, least_px: float, most_px: float) -> Array:
    """Circles of such radii; `times` is the scale of `coarse`."""
    steps = np.arange(np.ceil(np.log(most_px / least_px) / np.log(_STEP)))
    radii = np.asarray(least_px * times * _STEP**steps, float)
    pad = int(_OUTSIDE * radii[-1])
    voters = _voters(coarse, where)
    maps = np.array([_votes(voters, radius, coarse.shape[:2], pad) for radius in radii])
    step, row, column = _peaks(maps, radii)
    middles = (np.stack([column, row], axis=1) - pad + 0.5) / times - 0.5
    return np.asarray(np.c_[middles, radii[step] / times], float)


@dataclass(frozen=True, eq=False)
class _Voters:
    """Edge pixels: where (n, 2), the direction of the slope (n, 2), and what each counts (n,)."""

    at_px: Array
    ahead: Array
    weight: Array


def _voters(coarse: ImageBgr, where: Mask) -> _Voters:
    """The crests of slopes."""
    slopes = slopes_of(coarse, _SIGMA_PX)
    steep = np.hypot(slopes.along_u, slopes.along_v)
    size = (coarse.shape[1], coarse.shape[0])
    asked = cv2.resize(where.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    rows, columns = np.nonzero((steep > _FAINT_LEVELS) & asked)
    at = np.stack([columns, rows], axis=1).astype(float)
    here = steep[rows, columns]
    ahead = np.stack([slopes.along_u[rows, columns], slopes.along_v[rows, columns]], axis=1) / here[:, None]
    crest = np.ones(len(at), bool)
    for sign in (-1, 1):
        beside = np.clip(np.rint(at + sign * ahead).astype(int), 0, np.array(size) - 1)
        crest &= here >= steep[beside[:, 1], beside[:, 0]]
    return _Voters(at[crest], ahead[crest], np.minimum(here[crest] / _ENOUGH_LEVELS, 1.0))


def _votes(voters: _Voters, radius_px: float, shape: tuple[int, int], pad: int) -> NDArray[np.float32]:
    """(h + 2 pad, w + 2 pad) votes for one radius, 1 where all of a circle's edges agree."""
    high, wide = (side + 2 * pad for side in shape)
    votes = np.zeros(high * wide)
    for sign in (-1, 1):
        column, row = np.rint(voters.at_px + sign * radius_px * voters.ahead).astype(int).T + pad
        inside = (column >= 0) & (row >= 0) & (column < wide) & (row < high)
        votes += np.bincount(row[inside] * wide + column[inside], voters.weight[inside], high * wide)
    sigma = _SOFT * radius_px
    soft = cv2.GaussianBlur(votes.reshape(high, wide).astype(np.float32), (0, 0), sigma)
    return np.asarray(soft * np.float32(sigma**2 / radius_px), np.float32)


def _peaks(maps: NDArray[np.float32], radii: Array) -> tuple[NDArray[np.intp], ...]:
    """(step, row, column) of the strongest votes that have none stronger beside them."""
    around = np.array(
        [cv2.dilate(votes, np.ones((2 * int(_APART * r) + 1,) * 2)) for votes, r in zip(maps, radii, strict=True)]
    )
    step, row, column = np.nonzero(maps > _VOTES)
    votes = maps[step, row, column]
    first, last = np.maximum(step - 1, 0), np.minimum(step + 1, len(maps) - 1)
    highest = np.max([around[other, row, column] for other in (first, step, last)], axis=0)
    best = np.flatnonzero(votes >= highest)
    best = best[np.argsort(-votes[best])][:_MOST]
    return step[best], row[best], column[best]
