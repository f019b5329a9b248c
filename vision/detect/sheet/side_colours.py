"""The colours that show on the table beside the sides of an outline."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.solid.glance import Sight
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# A side is looked at between its corners, at so many places.
_BETWEEN, _POINTS = (0.06, 0.94), 40


def colours_beside(
    corners_mm: Array, sides: NDArray[np.bool_], out_mm: tuple[float, ...], close: Sight[TopView]
) -> Array:
    """(m, 3) the median colour so far outside of each of some sides of an outline, Lab of 8 bits.

    corners_mm  (n, 2) of the outline, counter-clockwise, as it shows on the table; side k goes on from corner k
    sides       (n,) which sides are meant, m of them
    out_mm      how far outside it is looked, less than 0 for inside
    """
    along = np.roll(corners_mm, -1, axis=0) - corners_mm
    outward = outward_of(corners_mm)
    on_side = corners_mm[:, None] + along[:, None] * np.linspace(*_BETWEEN, _POINTS)[None, :, None]
    places_mm = on_side[:, None] + outward[:, None, None] * np.array(out_mm)[None, :, None, None]
    px = close.view.to_px(places_mm[sides].reshape(-1, 2)).astype(np.float32)
    if len(px) == 0:
        return np.zeros((0, 3))
    bgr = cv2.remap(close.seen, px[None, :, 0], px[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lab = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB), float)
    return np.asarray(np.median(lab.reshape(int(sides.sum()), -1, 3), axis=1), float)


def outward_of(corners_mm: Array) -> Array:
    """(n, 2) of each side of an outline, as above: the unit vector away from it."""
    along = np.roll(corners_mm, -1, axis=0) - corners_mm
    aside = np.stack([along[:, 1], -along[:, 0]], axis=1)
    return np.asarray(aside / np.linalg.norm(along, axis=1, keepdims=True), float)
