"""Films of a high dynamic range, as telephones record them, in the levels of an ordinary picture (ITU-R BT.2100).

Shown as they are stored they are pale: their levels stand for other light, their colours for more vivid ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from rules.compiled import compiled
from vision.frame import ImageBgr
from vision.light.srgb import level

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# How a film says what light its levels stand for (ITU-T H.273, transfer characteristics).
_PQ, _HLG = 16, 18
# White paper, where nothing but it is lit: 203 cd/m2, of HLG three quarters of the signal (ITU-R BT.2408).
_WHITE_CD_M2, _WHITE_SIGNAL = 203.0, 0.75
# Light up to here stays as it is; brighter light, glare up to so many times white, is pressed into the rest.
_KNEE, _BRIGHTEST = 0.8, np.float32(5)
# Of BT.2020's primaries those of sRGB, both in light, blue first (ITU-R BT.2407).
_TO_SRGB_BGR = np.array(
    [[1.1187, -0.1006, -0.0182], [-0.0083, 1.1329, -0.1246], [-0.0728, -0.5876, 1.6605]], np.float32
)
# Signals come in 16 bits, of which the upper 12, as many as any film has, are looked up; levels of light as finely.
_SPARE_BITS = 4
_STEPS = 2 ** (16 - _SPARE_BITS)


def image_bgr(picture: VideoFrame) -> ImageBgr:
    """A decoded picture (h, w, 3) as an ordinary one, whatever range its film has."""
    light_of = _LIGHT_OF.get(picture.color_trc)
    if light_of is None:
        return picture.to_ndarray(format="bgr24").astype(np.uint8, copy=False)
    signals = picture.to_ndarray(format="bgr48le").astype(np.uint16, copy=False)
    return _ordinary(signals, _light(light_of), _TO_SRGB_BGR, _levels())


def _pq(signal: Array) -> Array:
    """Light, white 1, of signals 0 to 1 (SMPTE ST 2084)."""
    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
    root = signal ** (1 / m2)
    return np.asarray((np.maximum(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1) * 10_000 / _WHITE_CD_M2)


def _hlg(signal: Array) -> Array:
    """Light, white 1, of signals 0 to 1 (ARIB STD-B67)."""
    return _hlg_scene(signal) / _hlg_scene(np.array(_WHITE_SIGNAL))


def _hlg_scene(signal: Array) -> Array:
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    return np.where(signal <= 0.5, signal**2 / 3, (np.exp((signal - c) / a) + b) / 12)


_LIGHT_OF: dict[int, Callable[[Array], Array]] = {_PQ: _pq, _HLG: _hlg}


@cache
def _light(light_of: Callable[[Array], Array]) -> Floats:
    """(_STEPS,) light of every signal."""
    return light_of(np.linspace(0, 1, _STEPS)).astype(np.float32)


@cache
def _levels() -> NDArray[np.uint8]:
    """(_STEPS,) levels of light from none to the brightest, spaced by its square root."""
    light = np.linspace(0, 1, _STEPS) ** 2 * _BRIGHTEST
    return np.rint(level(_under_white(light))).astype(np.uint8)


def _under_white(light: Array) -> Array:
    """Light as 0 to 1: unchanged up to the knee, then slower and slower, without a corner."""
    room = 1 - _KNEE
    return np.where(light <= _KNEE, light, _KNEE + room * (1 - np.exp((_KNEE - light) / room)))


@compiled
def _ordinary(signals: NDArray[np.uint16], light_of: Floats, to_srgb: Floats, level_of: NDArray[np.uint8]) -> ImageBgr:
    """(h, w, 3) levels of 16-bit signals (h, w, 3), blue first."""
    height, width, _ = signals.shape
    levels = np.empty((height, width, 3), np.uint8)
    most = np.float32(len(level_of) - 1)
    for v in range(height):
        for u in range(width):
            blue = light_of[signals[v, u, 0] >> _SPARE_BITS]
            green = light_of[signals[v, u, 1] >> _SPARE_BITS]
            red = light_of[signals[v, u, 2] >> _SPARE_BITS]
            for channel in range(3):
                light = to_srgb[channel, 0] * blue + to_srgb[channel, 1] * green + to_srgb[channel, 2] * red
                at = most * np.sqrt(min(max(light / _BRIGHTEST, np.float32(0)), np.float32(1)))
                levels[v, u, channel] = level_of[int(at + np.float32(0.5))]
    return levels
