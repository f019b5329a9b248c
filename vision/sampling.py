"""Values of a single-channel picture at many places at once."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# OpenCV's remap takes no more than 32767 rows or columns.
_ROW = 4096


def values_at(image: Floats, u: NDArray[np.floating], v: NDArray[np.floating]) -> Floats:
    """Bilinear values at columns `u` and rows `v` (any one shape), in that shape; 0 outside the picture."""
    count = u.size
    rows = -(-count // _ROW)
    flat = np.full((2, rows * _ROW), -10.0, np.float32)
    flat[0, :count], flat[1, :count] = u.ravel(), v.ravel()
    across, down = flat.reshape(2, rows, _ROW)
    found = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(found.ravel()[:count].reshape(u.shape), np.float32)
