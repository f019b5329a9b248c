"""What JPEG loses of a picture: cameras, messengers and files send nearly everything through it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

# Sides of its blocks, and the qualities at which their borders show.
_BLOCK_PX, _BLOCKY = 8, (12, 50)


def compressed(picture_bgr: Picture, qualities: tuple[int, int], rng: np.random.Generator) -> Picture:
    """(h, w, 3) the picture after it was compressed, at a quality from the first up to the second."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*qualities))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture_bgr, quality)[1], cv2.IMREAD_COLOR), np.uint8)


def blocky(crop_bgr: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """(h, w, 3) 0 to 255: a crop as a strongly compressed picture shows it, its blocks anywhere."""
    top, left = (int(value) for value in rng.integers(0, _BLOCK_PX, 2))
    wide = cv2.copyMakeBorder(crop_bgr, top, 0, left, 0, cv2.BORDER_REPLICATE).astype(np.uint8)
    return compressed(wide, _BLOCKY, rng)[top:, left:].astype(np.float32)
