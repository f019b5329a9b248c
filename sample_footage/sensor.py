"""From light to the file: lens blur, vignetting, exposure, white balance, noise, eight bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


Window = tuple[slice, slice]
WHOLE: Window = (slice(None), slice(None))


@dataclass(frozen=True)
class Sensor:
    """exposure multiplies the light; blur_px: standard deviation of the lens; vignetting: share lost in the corners.

    noise_fixed   spread in grey levels of the pattern that stays
    noise_moving  that of what changes from frame to frame; a film adds it, `develop` does not
    """

    exposure: float = 0.86
    blur_px: float = 0.55
    vignetting: float = 0.22
    balance_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise_fixed: float = 1.2
    noise_moving: float = 0.6
    seed: int = 0

    def develop(self, light: Floats, size: tuple[int, int], window: Window = WHOLE) -> NDArray[np.uint8]:
        """Linear light to an 8-bit picture.

        size    rows and columns of the whole picture; `window` says which part of it `light` is
        """
        soft = cv2.GaussianBlur(light, (0, 0), self.blur_px) if self.blur_px > 0 else light
        gain = (
            vignette(size, self.vignetting)[window]
            * np.asarray(self.balance_bgr, np.float32)
            * np.float32(self.exposure)
        )
        grey = to_srgb(soft * gain) + self.noise_fixed * _pattern(size, self.seed)[window]
        return np.asarray(np.clip(np.rint(grey), 0, 255), np.uint8)


@lru_cache(maxsize=4)
def vignette(size: tuple[int, int], loss: float) -> Floats:
    """Share of the light left at each pixel, (rows, columns, 1)."""
    v, u = np.mgrid[0 : size[0], 0 : size[1]]
    off = np.hypot(u - size[1] / 2, v - size[0] / 2) / np.hypot(size[0] / 2, size[1] / 2)
    return np.asarray(1 - loss * off**2, np.float32)[..., None]


@lru_cache(maxsize=4)
def _pattern(size: tuple[int, int], seed: int) -> Floats:
    """The sensor's own fixed unevenness, mostly in brightness."""
    rng = np.random.default_rng([77, seed])
    luma = rng.standard_normal((*size, 1)).astype(np.float32)
    return np.asarray(0.9 * luma + 0.45 * rng.standard_normal((*size, 3)).astype(np.float32), np.float32)


_CURVE_STEPS = 65535
_LIGHT = np.arange(_CURVE_STEPS + 1) / _CURVE_STEPS * 4.0
_LEVEL = np.where(_LIGHT > 0.8, 0.8 + 0.2 * (1 - np.exp(-(_LIGHT - 0.8) / 0.2 * 0.75)), _LIGHT)
_CURVE = (
    255 * np.where(_LEVEL <= 0.0031308, _LEVEL * 12.92, 1.055 * np.maximum(_LEVEL, 1e-6) ** (1 / 2.4) - 0.055)
).astype(np.float32)


def to_srgb(light: Floats) -> Floats:
    """Light to grey levels 0 to 255 (IEC 61966-2-1), with a shoulder above 0.8 as webcams have."""
    return np.asarray(
        _CURVE[np.clip(light * (_CURVE_STEPS / 4.0) + 0.5, 0, _CURVE_STEPS).astype(np.uint16)], np.float32
    )
