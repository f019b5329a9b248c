"""Pictures whose pixels are not as broad as high, as some cameras store them, drawn out as they are to be seen."""

from __future__ import annotations

from fractions import Fraction

import cv2
import numpy as np

from vision.frame import ImageBgr

# Nearer to 1 than this nobody sees it, and the table's plane takes it in; no camera goes further than the other.
_LEAST, _MOST = 1.01, 4.0


def squared(image: ImageBgr, ratio: Fraction | None) -> ImageBgr:
    """The picture (h, w, 3) with square pixels: broader or higher, never smaller.

    ratio  of a pixel's breadth to its height, as the film says it; None where it does not
    """
    told = float(ratio or 1)
    if not _LEAST <= max(told, 1 / told) <= _MOST:
        return image
    height, width = image.shape[:2]
    size_px = (round(width * told), height) if told > 1 else (width, round(height / told))
    return np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_CUBIC), np.uint8)
