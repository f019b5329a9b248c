"""Grey levels and light (IEC 61966-2-1)."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Grey = NDArray[np.float32]
Levels = NDArray[np.uint8]


def light(level: Array) -> Array:
    """Light, 0 to 1, of grey levels 0 to 255."""
    share = level / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def level(light: Array) -> Array:
    """Grey levels, not rounded, of light; what is darker than black is black."""
    return 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def light_in(levels: Levels) -> Grey:
    """Light, 0 to 1, of every pixel of a picture."""
    return np.asarray(cv2.LUT(levels, _light_of_levels()), np.float32)


def rounded(light: Grey) -> Levels:
    """Whole grey levels of light, as a picture has them; what is brighter than white is white."""
    return _levels_of_light()[np.clip(light * 65535, 0, 65535).astype(np.uint16)]


@cache
def _light_of_levels() -> Grey:
    return light(np.arange(256.0)).astype(np.float32)


@cache
def _levels_of_light() -> Levels:
    return np.rint(level(np.arange(65536) / 65535)).astype(np.uint8)
