"""Grey levels and light (IEC 61966-2-1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def light(level: Array) -> Array:
    """Light, 0 to 1, of grey levels 0 to 255."""
    share = level / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def level(light: Array) -> Array:
    """Grey levels, not rounded, of light; what is darker than black is black."""
    return 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
