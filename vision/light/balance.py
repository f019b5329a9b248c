"""The light's colour taken off a picture, as a camera's white balance does it, where the camera did not.

For the nets of figures and terrain, which learned in light that is near enough to white. Coins are told by their
colours beside one another, in any light.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.light import srgb

Array = NDArray[np.float64]

# The light's colour is the mean of this power of all that it falls on (shades of grey: Finlayson and Trezzi 2004, whose
# best is 6): bright things tell more than large ones.
_POWER = 6
# The tint is told by a picture of so many px across, up to twice as many, from pixels between these levels, if there
# are so many of them.
_ACROSS_PX, _BLACK, _WHITE, _FEWEST_PX = 240, 12, 250, 100
# Red against blue (logarithm of light) from which on that is the light and not what it falls on: of 275 stills and
# photographs as taken, bare wood among them, 97 % lie between -0.62 and this.
_ORDINARY = 0.65
# A light that changes by less is the same one: what was seen in it need not be looked at again.
_STEADY = 0.1
# How bright blue, green and red are (Rec. 709).
_LUMA = np.array([0.0722, 0.7152, 0.2126])


@dataclass(eq=False)
class WhiteBalance:
    """Balances one picture of a camera after the other, all alike as long as the light stays."""

    _tint: Array | None = None

    def of(self, image_bgr: ImageBgr) -> ImageBgr:
        """The picture as white light of the same brightness would show it; unchanged if its light is white enough."""
        tint = _tint_of(image_bgr)
        if self._tint is None or np.abs(tint - self._tint).max() > _STEADY:
            self._tint = tint
        return image_bgr if abs(self._tint[2] - self._tint[0]) < _ORDINARY else _without(self._tint, image_bgr)


def _tint_of(image_bgr: ImageBgr) -> Array:
    """(3,) logarithm of the light's blue, green and red against its green; zeros where it cannot be told."""
    small = image_bgr
    while max(small.shape[:2]) >= 2 * _ACROSS_PX:  # halves are quick
        half = small.shape[1] // 2, small.shape[0] // 2
        small = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA), np.uint8)
    brightest = np.asarray(cv2.max(cv2.max(small[..., 0], small[..., 1]), small[..., 2]))
    known = srgb.light_in(small)[(brightest > _BLACK) & (brightest < _WHITE)].astype(float)
    if len(known) < _FEWEST_PX:
        return np.zeros(3)
    seen = np.maximum((known**_POWER).mean(axis=0) ** (1 / _POWER), 1e-4)
    return np.asarray(np.log(seen / seen[1]), float)


def _without(tint: Array, image_bgr: ImageBgr) -> ImageBgr:
    gains = np.exp(-tint)
    levels = srgb.level(srgb.light(np.arange(256.0))[:, None] * gains / (gains @ _LUMA))
    return np.asarray(cv2.LUT(image_bgr, np.clip(np.rint(levels), 0, 255).astype(np.uint8)[None]), np.uint8)
