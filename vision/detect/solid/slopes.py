"""Slopes of a picture: at each pixel that of the channel of Lab that changes most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Slopes:
    """Slopes of a picture: by how many levels a px it gets brighter, (h, w), to the right and down."""

    along_u: Floats
    along_v: Floats


def slopes_of(picture: ImageBgr, sigma_px: float) -> Slopes:
    """The slopes of the picture softened by `sigma_px`."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), sigma_px), cv2.COLOR_BGR2LAB)
    along_u, along_v = (_derivatives(lab, way) for way in ((1, 0), (0, 1)))
    steep = [cv2.magnitude(u, v) for u, v in zip(along_u, along_v, strict=True)]
    for channel in (1, 2):
        more = steep[channel] > steep[0]
        for channels in (along_u, along_v, steep):
            np.copyto(channels[0], channels[channel], where=more)
    return Slopes(along_u[0], along_v[0])


def _derivatives(lab: NDArray[Any], way: tuple[int, int]) -> list[Floats]:
    """Of each channel; a Sobel kernel of three weighs eight differences of one pixel."""
    return [np.asarray(cv2.Sobel(c, cv2.CV_32F, *way, ksize=3, scale=1 / 8), np.float32) for c in cv2.split(lab)]
