"""A paper dot on a coin, and whose: an even disc that differs from the metal all round it, and its colour.

Relief, wear and mirrored lamps differ from the metal beside them on some sides only, and the middle of a coin of two
metals is wider. The classifier, which saw few dots, is unsure of dots that anybody sees; both are asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX, OWNERS, RIM_SHARE
from rules.scene import NONE
from vision.frame import ImageBgr
from vision.naming.colour import PAINT_BGR
from vision.rows import Rows

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# Half the resolution of the crops tells dots as well, at a quarter of the cost.
_SIDE_PX = CROP_PX // 2
# Dots looked for, in radii of the coin: 8 mm are 0.26 to 0.49; where their middles may lie, and how far out they may
# reach: the core of a coin of two metals begins at 0.6.
_RADII, _GRID, _OFF, _OUT = (0.26, 0.33, 0.40, 0.46), np.arange(-0.36, 0.37, 0.12), 0.40, 0.80
# The disc's own part, short of its edge, and the ring beyond it, both softened by a pixel.
_INNER, _OUTER, _RING, _BORDER = 0.8, 1.15, 0.16, 0.93
# The ring differs in all sectors but one, which a scratch, a letter or glare may fill.
_SECTORS = 8
# Discs that differ most from the whole ring, whose sectors are looked at.
_LOOKED_AT = 3
# Painted over are so many radii of the disc, whose edge is blurred, with the metal up to so many of the coin's beyond.
_COVERED, _METAL, _DRAWN_OUT_PX = 1.35, 0.3, 6.0
# CIELAB: lightness counts for less, and grain is so large.
_WEIGHTS, _GRAIN = np.array([0.6, 1.0, 1.0], np.float32), 2.5
# Logarithm of the odds of a dot: by how far the disc stands out, and by the net's odds, believed so far and no farther.
# Fitted by logistic regression to 2,109 coins: 28 rendered stills of seeds 77123 and 88001 and the photographs made for
# training.
_BY_DISC, _BY_NET, _EVEN, _MOST = 2.79, 0.90, 0.43, 5.0
# From so far on it counts for more: of 3,700 bare coins on stills, photographs made for training and drawn tables one
# in sixty stands out so far, and the net takes white dots on silver for relief (68 stills of `benchmarks.coin_odds`).
_CLEAR_DISC, _BY_CLEAR_DISC = 1.3, 4.0
# How far paints and lamps move a dot's colour from the paint's own (CIELAB, lightness for less): chosen on those
# stills.
_PAINT_SPREAD, _PAINT_WEIGHTS = 18.0, np.array([0.45, 1.0, 1.0])
# So often the net names any paint, and so much more often where it sees none: it had a red dot for a tan one of which
# it had said that it was not there (those, the drawn tables and the 68 stills named above).
_ANY_PAINT, _ANY_OF_NONE = 0.03, 0.3
# How likely a dot of a colour is that no player has, against one that a player has: people add a third colour.
_NOBODY_PLAYS = 0.25
_BARE = OWNERS.index(NONE)
_PAINTED = [index for index in range(len(OWNERS)) if index != _BARE]


class _Discs(NamedTuple):
    """m discs as weights of pixels: inside and ring (pixels, 2 m), sectors of the ring (m, 8, pixels)."""

    inside_and_ring: Floats
    sectors: Floats


@dataclass(frozen=True, eq=False)
class Dots(Rows):
    """The disc on each of n coins that is likest to a dot.

    stands_out  (n,) how far its colour is from that of the least differing sector but one of the ring about it, over
                the unevenness within
    lab         (n, 3) its colour, CIELAB
    disc        (n, 3) radius, and how far right and down of the coin's middle, in radii of the coin
    """

    stands_out: Array
    lab: Array
    disc: Array


def dots_of(crops: ImageBgr) -> Dots:
    """The likeliest dots on coins in crops (n, CROP_PX, CROP_PX, 3)."""
    if not len(crops):
        return Dots(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)))
    moments, discs = _moments(crops), _discs()
    means = moments.reshape(-1, _SIDE_PX**2) @ discs.inside_and_ring
    inside, ring = np.split(means.reshape(len(crops), 4, -1), 2, axis=2)
    uneven = np.sqrt(np.maximum(inside[:, 3] - np.square(inside[:, :3]).sum(axis=1), 0)) + _GRAIN
    differs = np.linalg.norm(ring[:, :3] - inside[:, :3], axis=1) / uneven
    looked_at = np.argpartition(-differs, _LOOKED_AT, axis=1)[:, :_LOOKED_AT]
    colours = np.take_along_axis(inside[:, :3], looked_at[:, None], axis=2).transpose(0, 2, 1)
    away = _away_all_round(colours, discs.sectors[looked_at], moments[:, :3])
    stands_out = away / np.take_along_axis(uneven, looked_at, axis=1)
    best = stands_out.argmax(axis=1)
    each = np.arange(len(crops))
    lab = (colours[each, best] / _WEIGHTS).astype(float)
    return Dots(stands_out[each, best].astype(float), lab, np.array(_places())[looked_at[each, best]])


def painted_over(crops: ImageBgr, dots: Dots) -> ImageBgr:
    """The crops (n, CROP_PX, CROP_PX, 3) with the metal round each dot drawn out over it."""
    return np.array([_painted_over(crop, disc) for crop, disc in zip(crops, dots.disc, strict=True)], np.uint8)


def _painted_over(crop: ImageBgr, disc: Array) -> ImageBgr:
    rows, columns = (np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2) / (RIM_SHARE * CROP_PX / 2)
    away = np.hypot(columns - disc[1], rows - disc[2])
    dot = away < disc[0] * _COVERED
    metal = (~dot & (away < disc[0] * _COVERED + _METAL)).astype(np.float32)
    seen, weight = (cv2.GaussianBlur(part, (0, 0), _DRAWN_OUT_PX) for part in (crop * metal[..., None], metal))
    return np.asarray(np.where(dot[..., None], np.rint(seen / (weight[..., None] + 1e-6)), crop), np.uint8)


def _away_all_round(colours: Floats, sectors: Floats, lab: Floats) -> Floats:
    """(n, k) how far the colours (n, k, 3) of discs are from the least differing of their sectors but one.

    sectors  (n, k, 8, pixels) weights; lab  (n, 3, pixels)
    """
    count, discs, around, pixels = sectors.shape
    seen = sectors.reshape(count, discs * around, pixels) @ lab.transpose(0, 2, 1)
    away = np.linalg.norm(seen.reshape(count, discs, around, 3) - colours[:, :, None], axis=3)
    return np.asarray(np.sort(away, axis=2)[:, :, 1], np.float32)


def owner_probs(by_net: Array, dots: Dots, colours: tuple[str, ...] = ()) -> Array:
    """(n, 11) probabilities of `OWNERS`: the classifier's logarithms `by_net` (n, 11), joined with what the dots show.

    colours  the players', which are likelier than those that nobody plays
    """
    played = np.log([1.0 if name == NONE or not colours or name in colours else _NOBODY_PLAYS for name in OWNERS])
    log_likely = by_net + played
    log_likely -= np.logaddexp.reduce(log_likely, axis=1, keepdims=True)
    dotted = _dotted(dots.stands_out, log_likely[:, _BARE])
    painted = _paints_by_net(by_net) + played[_PAINTED] - _far_off(dots.lab)
    probs = np.empty_like(by_net)
    probs[:, _PAINTED] = dotted[:, None] * np.exp(painted - np.logaddexp.reduce(painted, axis=1, keepdims=True))
    probs[:, _BARE] = 1 - dotted
    return probs


def _dotted(stands_out: Array, log_bare: Array) -> Array:
    """(n,) the chance of a dot."""
    log_other = np.log(-np.expm1(np.minimum(log_bare, -1e-9)))
    by_net = np.clip(log_other - log_bare, -_MOST, _MOST)
    odds = _BY_DISC * np.log(np.maximum(stands_out, 1e-3)) + _BY_NET * by_net + _EVEN
    odds += _BY_CLEAR_DISC * np.log(np.maximum(stands_out / _CLEAR_DISC, 1))
    return np.asarray(1 / (1 + np.exp(-odds)), float)


def _paints_by_net(by_net: Array) -> Array:
    """(n, 10) logarithms of how likely each paint is by what the classifier says, if there is a dot."""
    painted = by_net[:, _PAINTED] - np.logaddexp.reduce(by_net[:, _PAINTED], axis=1, keepdims=True)
    any_paint = _ANY_PAINT + _ANY_OF_NONE * np.exp(by_net[:, [_BARE]])
    return np.asarray(np.log((1 - any_paint) * np.exp(painted) + any_paint / len(_PAINTED)), float)


def _far_off(lab: Array) -> Array:
    """(n, 10) how much the colour of a disc says against each paint, as a logarithm of odds."""
    away = (lab[:, None] - _paints_lab()) * _PAINT_WEIGHTS
    return np.asarray(np.square(away).sum(axis=2) / (2 * _PAINT_SPREAD**2), float)


@cache
def _paints_lab() -> Array:
    paints = np.array([[PAINT_BGR[OWNERS[index]] for index in _PAINTED]], np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(paints, cv2.COLOR_BGR2LAB)[0], float)


def _moments(crops: ImageBgr) -> Floats:
    """(n, 4, pixels) weighted CIELAB of n crops, and its squared length."""
    size_px = (_SIDE_PX, _SIDE_PX * len(crops))
    small = cv2.resize(crops.reshape(-1, CROP_PX, 3), size_px, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB) * _WEIGHTS
    moments = np.empty((len(crops), 4, _SIDE_PX**2), np.float32)
    moments[:, :3] = lab.reshape(len(crops), -1, 3).transpose(0, 2, 1)
    moments[:, 3] = np.square(moments[:, :3]).sum(axis=1)
    return moments


@cache
def _discs() -> _Discs:
    rows, columns = (np.mgrid[:_SIDE_PX, :_SIDE_PX] - (_SIDE_PX - 1) / 2) / (RIM_SHARE * _SIDE_PX / 2)
    inside, rings, sectors = [], [], []
    for radius, x, y in _places():
        away = np.hypot(columns - x, rows - y)
        ring = _within(away, radius * _OUTER + _RING) * (1 - _within(away, radius * _OUTER))
        ring *= _within(np.hypot(columns, rows), _BORDER)
        sector = ((np.arctan2(rows - y, columns - x) / (2 * np.pi) + 0.5) * _SECTORS).astype(int) % _SECTORS
        inside.append(_mean(_within(away, radius * _INNER)))
        rings.append(_mean(ring))
        sectors.append([_mean(ring * (sector == each)) for each in range(_SECTORS)])
    return _Discs(np.ascontiguousarray(np.array(inside + rings, np.float32).T), np.array(sectors, np.float32))


def _places() -> list[tuple[float, float, float]]:
    """Radius and middle of all discs, in radii of the coin."""
    return [
        (radius, x, y) for radius in _RADII for x in _GRID for y in _GRID if np.hypot(x, y) <= min(_OFF, _OUT - radius)
    ]


def _within(away: Array, radius: float) -> Array:
    """Weights of pixels within `radius`, both in radii of the coin; the edge is a pixel wide."""
    return np.asarray(np.clip((radius - away) * RIM_SHARE * _SIDE_PX / 2 + 0.5, 0, 1), float)


def _mean(weights: Array) -> Array:
    return np.asarray(weights / max(weights.sum(), 1e-6), float).ravel()
