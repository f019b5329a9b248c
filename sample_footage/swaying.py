"""Soft shadows that sway over a table: of leaves before the window, of a player's head before the lamp."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.light import srgb

Grey = NDArray[np.float32]

# Shadows so soft are drawn on a grid of so many places across, and enlarged.
_ACROSS = 240
# So many leaves, so large and swaying so far and slowly: radius and way in widths of the picture, period in s. A tree
# some 4 m before the window blurs its leaves over 40 mm (the sun is half a degree across).
_LEAVES, _LEAF_RADII, _SWAY, _PERIODS_S = 40, (0.03, 0.09), 0.02, (1.5, 3.5)
# A head: where it is and how large, in widths of the picture, how far and slowly it sways, and how soft its edge is.
_HEAD_AT, _HEAD, _NOD, _NODS_S, _HEAD_EDGE = (0.35, 0.25), (0.16, 0.2), (0.04, 0.015), (3.1, 2.3), 0.12
# It comes for so long of every so many seconds, and takes so long to come and to go.
_STAYS_S, _EVERY_S, _COMES_S = 6.5, 10.0, 0.8


def among_leaves(image_bgr: ImageBgr, t_s: float, depth: float) -> ImageBgr:
    """The picture taken at `t_s`, leaves taking up to `depth` of its light."""
    return _under(image_bgr, 1 - depth * _shade(image_bgr.shape, t_s))


# Of one film, which is drawn again over another table.
@lru_cache(maxsize=128)
def _shade(shape: tuple[int, ...], t_s: float) -> Grey:
    """(h, w) of the coarse grid: the share of the light that the leaves take at `t_s`, of what they take at most."""
    x, y = _places(shape)
    shade = np.zeros_like(x)
    for at_x, at_y, radius, phase, period_s in _leaves():
        turn = 2 * np.pi * t_s / period_s
        right = (x[:1] - at_x - _SWAY * np.sin(turn + phase)) / radius
        up = (y[:, :1] - at_y - _SWAY / 2 * np.sin(turn / 1.3 + phase)) / radius
        shade += np.exp(-np.square(np.square(right) + np.square(up)))
    return cast(Grey, np.minimum(shade, 1))


def under_a_head(image_bgr: ImageBgr, t_s: float, depth: float) -> ImageBgr:
    """The picture taken at `t_s`, a head that comes, nods and goes taking `depth` of the light in its shadow."""
    x, y = _places(image_bgr.shape)
    now_s = t_s % _EVERY_S
    here = float(np.clip(min(now_s, _STAYS_S - now_s) / _COMES_S, 0, 1))
    nod = [far * np.sin(2 * np.pi * t_s / each_s) for far, each_s in zip(_NOD, _NODS_S, strict=True)]
    at_x, at_y = _HEAD_AT[0] + nod[0], _HEAD_AT[1] + nod[1] - 2 * _HEAD[1] * (1 - here)
    away = np.hypot((x - at_x) / _HEAD[0], (y - at_y) / _HEAD[1])
    shade = 1 / (1 + np.exp((away - 1) / _HEAD_EDGE))
    return _under(image_bgr, 1 - depth * shade * (here > 0))


@cache
def _leaves() -> NDArray[np.float64]:
    """(n, 5) of each leaf where it hangs, its radius, its phase and its period."""
    low, high = np.array([(0, 1), (0, 0.56), _LEAF_RADII, (0, 2 * np.pi), _PERIODS_S]).T
    return np.random.default_rng(37).uniform(low, high, (_LEAVES, 5))


@cache
def _places(shape: tuple[int, ...]) -> tuple[Grey, Grey]:
    """(h, w) x and y of a coarse grid over a picture, in its widths."""
    down = max(1, round(_ACROSS * shape[0] / shape[1]))
    y, x = np.mgrid[:down, :_ACROSS].astype(np.float32) / _ACROSS
    return x, y


def _under(image_bgr: ImageBgr, light: NDArray[np.floating]) -> ImageBgr:
    height, width = image_bgr.shape[:2]
    whole = cast(Grey, cv2.resize(light.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR))
    return srgb.rounded(srgb.light_in(image_bgr) * whole[..., None])
