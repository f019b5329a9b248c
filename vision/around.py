"""Where circles on the table show in the picture, at a few projected points and the waves through them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane

Array = NDArray[np.float64]

# So many points of a circle are projected; waves of up to three periods go through them. Of a coin nearer than any
# camera stands, 150 mm, the fourth wave is below a thousandth of a pixel.
_PROJECTED, _PERIODS = 8, 3


def circles_px(plane: TablePlane, centre_mm: Array, radius_mm: Array, height_mm: Array, rays: int) -> Array:
    """(n, rays, 2) picture px of points around n circles, counter-clockwise from +x, each in its plane at `height_mm`.

    rays  a multiple of 8
    """
    angles = _angles(_PROJECTED)
    spokes = radius_mm[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    corners = (centre_mm[:, None] + spokes).reshape(-1, 2)
    seen = plane.to_image(corners, np.repeat(height_mm, _PROJECTED)).reshape(-1, _PROJECTED, 2)
    return np.asarray(np.einsum("pr,npx->nrx", _between(rays), seen), float)


@cache
def _between(rays: int) -> Array:
    """(_PROJECTED, rays) what each projected point counts for each ray."""
    return np.asarray(np.linalg.pinv(_waves(_angles(_PROJECTED))) @ _waves(_angles(rays)), float)


def _waves(angles: Array) -> Array:
    return np.asarray([wave(times * angles) for times in range(_PERIODS + 1) for wave in (np.cos, np.sin)], float)


def _angles(count: int) -> Array:
    return np.asarray(np.arange(count) * (2 * np.pi / count), float)
