"""What a coin is made of, by the colour of its border, in the light that the coins of the table show together.

Lamps and cameras move all colours of a table alike, by more than one metal differs from another; beside one another the
metals keep their places. So the light is looked for in which the coins are coins.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX, RIM_SHARE
from vision.frame import ImageBgr
from vision.light import srgb
from vision.naming.tints import LEAST_DENSITY, SPREADS, TINTS, densities, pulls

Array = NDArray[np.float64]

# A coin's border, in radii: outside a paper dot, inside the rim's shadow.
_BORDER = (0.62, 0.88)
# From this level on a pixel is blown out and its colour is the camera's.
_WHITE = 250
# Least light of a pixel, as a share of white: below, colour is noise.
_LEAST_LIGHT = 1e-3
# Light as silver shows it: along the colours of daylight and lamps, and off them; one table in five is lit oddly.
_LIGHT, _LIGHT_SPREAD, _ALONG = np.array([0.12, -0.22]), np.array([0.17, 0.26]), -0.6
_ODD, _ODDLY = 0.2, 2.5
# Lights to begin with, steps towards what the coins say, lights kept, and how near two are the same, in spreads.
_STARTS = _LIGHT + np.array([-2.0, -1.0, 0.0, 1.0, 2.0, 4.0])[:, None] * _LIGHT_SPREAD * (1, -1)
_STEPS, _KEPT, _SAME = 4, 5, 0.4
# What the coins say of the light counts for so much beside what light is usual.
_USUAL = 0.25
# Metals of which alone a table's coins may be.
_ALONE = np.s_[:3]


def tints_of(crops: ImageBgr, hidden: NDArray[np.bool_] | None = None) -> Array:
    """(n, 4) for the coins in crops (n, CROP_PX, CROP_PX, 3): logarithms of their borders' red and blue over green,
    without what is blown out; the share that is not blown out; and 0, since nothing tells the light yet.

    hidden  (n, CROP_PX, CROP_PX) what is not the coin's own but lies on it
    """
    border = crops.reshape(len(crops), CROP_PX**2, 3)[:, _border_px()]
    seen = (border.max(axis=2) < _WHITE).astype(np.float32) + np.float32(1e-3)
    if hidden is not None:
        seen[hidden.reshape(len(crops), CROP_PX**2)[:, _border_px()]] = 0
    total = np.matmul(seen[:, None], _LINEAR[border])[:, 0].astype(float)
    light = np.maximum(total / np.maximum(seen.sum(axis=1, dtype=float), 1e-9)[:, None], _LEAST_LIGHT)
    ratios = np.log(light[:, [2, 0]] / light[:, [1]])
    return np.asarray(np.c_[ratios, seen.mean(axis=1, dtype=float), np.zeros(len(ratios))], float)


def lights_of(tints: Array, metals: Array) -> tuple[Array, Array]:
    """Lights (k, 2) in which n coins with `tints` (n, 4) may lie, and the logarithms of how likely such light is (k,).

    metals  (n, 7) how likely each coin is of each metal, by its looks; 'no coin' last
    Source  means of a mixture by expectation and maximisation (Dempster, Laird and Rubin 1977), from several starts;
            and the lights in which all coins would be of one metal, for their looks may be deceived by such light.
    """
    lights = _STARTS
    for _ in range(_STEPS):
        lights = _nearer(lights, tints, metals)
    likely = np.log((densities(tints, lights) * metals).sum(axis=2)).sum(axis=1) + _log_likely(lights)
    in_order = np.concatenate([np.median(tints[:, :2], axis=0) - TINTS[_ALONE], lights[np.argsort(-likely)]])
    chosen = in_order[:1]
    for light in in_order[1:]:
        if len(chosen) < _KEPT and (np.abs((chosen - light) / _LIGHT_SPREAD).max(axis=1) > _SAME).all():
            chosen = np.concatenate([chosen, light[None]])
    return chosen, _log_likely(chosen)


def _nearer(lights: Array, tints: Array, metals: Array) -> Array:
    """Lights (k, 2) moved to where the coins, each of the metals that it seems to be in that light, would have them."""
    weight, pull = pulls(tints, lights, metals)
    usual = _USUAL / np.square(_LIGHT_SPREAD)
    return np.asarray((pull + usual * _LIGHT) / (weight + usual), float)


def off_metals(tints: Array) -> Array:
    """(n, 6) how many spreads each tint (n, 2) is from that of each metal, in light that nobody knows but is usual."""
    along = np.array([(1, _ALONG), (_ALONG, 1)]) * np.outer(_LIGHT_SPREAD, _LIGHT_SPREAD)
    inverse = np.linalg.inv(along + np.square(SPREADS)[:, :, None] * np.eye(2))
    away = tints[:, None] - TINTS - _LIGHT
    return np.asarray(np.sqrt(np.einsum("nmi,mij,nmj->nm", away, inverse, away)), float)


def _log_likely(lights: Array) -> Array:
    red, blue = ((lights - _LIGHT) / _LIGHT_SPREAD).T
    away = (np.square(red) - 2 * _ALONG * red * blue + np.square(blue)) / (1 - _ALONG**2)
    usual, odd = np.exp(-away / 2), np.exp(-away / 2 / _ODDLY**2)
    return np.asarray(np.log((1 - _ODD) * usual + _ODD / _ODDLY**2 * odd + LEAST_DENSITY), float)


@cache
def _border_px() -> NDArray[np.intp]:
    """Places in a flat crop of the border's pixels, every third."""
    rows, columns = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    radius = np.hypot(rows, columns) / (CROP_PX / 2 * RIM_SHARE)
    return np.flatnonzero((radius >= _BORDER[0]) & (radius < _BORDER[1]))[::3]


_LINEAR = srgb.light(np.arange(256.0)).astype(np.float32)
