"""Values of a picture at many places at once, more than OpenCV takes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

Floats = NDArray[np.float32]

# OpenCV's remap takes no more than 32767 rows or columns.
_ROW, _MOST_ROWS = 4096, 32000


def values_at(image: Floats, u: NDArray[np.floating], v: NDArray[np.floating]) -> Floats:
    """Bilinear values at columns `u` and rows `v` (any one shape), in that shape; 0 outside the picture."""
    count = u.size
    rows = -(-count // _ROW)
    flat = np.full((2, rows * _ROW), -10.0, np.float32)
    flat[0, :count], flat[1, :count] = u.ravel(), v.ravel()
    across, down = flat.reshape(2, rows, _ROW)
    found = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(found.ravel()[:count].reshape(u.shape), np.float32)


def colours_at(image_bgr: ImageBgr, u: Floats, v: Floats, interpolation: int = cv2.INTER_LINEAR) -> ImageBgr:
    """Colours (rows, columns, 3) at picture columns `u` and rows `v` (rows, columns); outside, those of the border."""
    parts = [
        cv2.remap(
            image_bgr, u[at : at + _MOST_ROWS], v[at : at + _MOST_ROWS], interpolation, None, cv2.BORDER_REPLICATE
        )
        for at in range(0, max(len(u), 1), _MOST_ROWS)
    ]
    return np.asarray(parts[0] if len(parts) == 1 else np.concatenate(parts), np.uint8)
