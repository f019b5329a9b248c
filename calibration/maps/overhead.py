"""A small square of the table as from above, by a camera that may be a guess."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import CameraGuess

Array = NDArray[np.float64]
Image = NDArray[np.uint8]


def overhead(image: Image, camera: CameraGuess, at_mm: Array, half_mm: float, px_per_mm: float) -> tuple[Image, Array]:
    """A square of the table as from above, y up, and (3, 3) from its px to the picture's; so small that any lens is
    straight there."""
    side = int(2 * half_mm * px_per_mm) | 1
    around = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * (side - 1) / 2 / px_per_mm
    seen_px, _ = camera.lens.project(np.c_[at_mm + around, np.zeros(4)], camera.pose.rvec, camera.pose.tvec)
    end = side - 1
    corners = np.array([(0, 0), (end, 0), (end, end), (0, end)], np.float32)
    to_px = np.asarray(cv2.getPerspectiveTransform(corners, seen_px.astype(np.float32)), float)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(image, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8), to_px
