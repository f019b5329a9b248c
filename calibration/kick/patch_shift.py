"""Patches that flow has found to a tenth of a pixel, found to a hundredth, whatever their light and contrast."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges.edge import sample

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# How far a patch reaches to all sides of its place, and the steps in which its shift is found.
_REACH_PX, _STEPS = 14, 4
# Fourth-order central difference: a plain one makes fine lines too flat, and steps too long.
_SLOPE = np.array([[1.0, -8.0, 0.0, 8.0, -1.0]]) / 12
# A patch found with less than this share of its contrast, or farther from where flow had it, px, is another one.
_FAINTEST, _FARTHEST_PX = 0.2, 1.0


def refined(drawn: Image, image: Image, places: Array, found: Array) -> Array:
    """(n, 2) px where each place of the drawn picture is in the other one; NaN where it is not found.

    drawn, image  (h, w) uint8
    places        (n, 2) in whole px
    found         (n, 2) px where flow has them, to half a pixel

    Least squares over contrast, light and shift (Lucas and Kanade 1981, the first picture's slopes throughout). Between
    pixels `image` is taken to run straight, which makes shifts a sixth too large: draw it anew there, and ask again.
    """
    slopes = [np.asarray(cv2.filter2D(drawn, cv2.CV_64F, each), float) for each in (_SLOPE, _SLOPE.T)]
    reach = np.arange(-_REACH_PX, _REACH_PX + 1.0)
    about = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    across, down, level = (sample(each, places[:, None] + about) for each in (*slopes, drawn))
    level -= level.mean(axis=1, keepdims=True)
    by = np.stack([across, down, level, np.ones_like(level)], axis=2)
    by_pixels = np.linalg.pinv(by)
    there, is_seen = found, np.ones(len(found), bool)
    for _ in range(_STEPS):
        told = np.einsum("nij,nj->ni", by_pixels, sample(image, there[:, None] + about))
        there = there - told[:, :2] / np.maximum(told[:, 2:3], _FAINTEST)
        is_seen &= (told[:, 2] > _FAINTEST) & (np.abs(there - found).max(axis=1) < _FARTHEST_PX)
        there = np.where(is_seen[:, None], there, found)
    return np.where(is_seen[:, None], there, np.nan)
