"""Pictures as the large nets take them: planes of floats about the middle of a byte."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.loading import CENTRE
from vision.frame import ImageBgr


def centred_planes(bgr: ImageBgr) -> NDArray[np.float32]:
    """(1, 3, h, w) each px of (h, w, 3) less CENTRE."""
    planes = np.empty((1, 3, *bgr.shape[:2]), np.float32)
    for plane, channel in zip(planes[0], cv2.split(bgr), strict=True):
        np.subtract(channel, np.float32(CENTRE), out=plane)
    return planes
