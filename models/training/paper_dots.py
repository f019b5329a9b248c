"""Owners' paper dots laid on coins in photographs, which bear none."""

from __future__ import annotations

import cv2
import numpy as np

from models.coins import CROP_PX, RIM_SHARE
from models.training.looks import STICKER_BGR
from models.training.shot import Array, Image

# A dot's radius and how far its middle lies from the coin's, in radii of the coin.
_SHARES, _ASKEW = (0.24, 0.7), 0.1
# How bright white paper is, of 255, beside what the picture shows as its brightest.
_PAPER = (0.7, 1.15)


def with_dot(crop: Image, rng: np.random.Generator, blur_px: float) -> tuple[Image, str]:
    """A classifier's crop (CROP_PX, CROP_PX, 3) of a coin with a dot on it, as soft as the crop; and whose dot it is."""
    colour = str(rng.choice(list(STICKER_BGR)))
    radius_px = RIM_SHARE * CROP_PX / 2
    middle = (CROP_PX - 1) / 2 + rng.normal(0, _ASKEW, 2) * radius_px
    covered = _disc(middle, rng.uniform(*_SHARES) * radius_px, blur_px)
    white = np.quantile(crop, 0.95, axis=(0, 1)) * rng.uniform(*_PAPER)
    paper = np.array(STICKER_BGR[colour], float) / 242 * white * rng.normal(1, 0.08, 3)
    return np.asarray(crop * (1 - covered) + paper * covered, np.float32), colour


def _disc(middle_px: Array, radius_px: float, blur_px: float) -> Array:
    """How much of each pixel a disc covers (CROP_PX, CROP_PX, 1)."""
    rows, columns = np.mgrid[0:CROP_PX, 0:CROP_PX]
    reach = np.hypot(columns - middle_px[0], rows - middle_px[1]) - radius_px
    return cv2.GaussianBlur(np.clip(0.5 - reach, 0, 1), (0, 0), max(0.3, blur_px))[..., None]
