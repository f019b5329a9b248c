"""How red or green, and how yellow or blue, each place of a picture is: a green mat is as light as the grey table round
it, and its sides show in tints alone."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bending.plumb_line import ROUGHEST_PX, Bend, bend_of
from calibration.edges.long_edge import long_edges

Image = NDArray[np.uint8]

# Videos and JPEG have tints at half of the picture's scale.
ROUGHEST_TINT_PX = 2 * ROUGHEST_PX
# Tints differ by less than lights do, by about so many times.
_FAINTER = 3.0


def tints(image: Image) -> Iterator[Image]:
    """(h, w) both tints of a picture (h, w, 3), grey in their middle; none of one (h, w) without colours."""
    if image.ndim == 3:
        for tint in cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2LAB))[1:]:
            yield np.asarray(cv2.addWeighted(tint, _FAINTER, tint, 0.0, (1 - _FAINTER) * 128), np.uint8)


def bend_shown(image: Image) -> Bend | None:
    """The bend of the lens that a picture's straight edges tell in grey, or else in a tint."""
    size_px = (image.shape[1], image.shape[0])
    by_tints = (bend_of(long_edges(tint), size_px, ROUGHEST_TINT_PX) for tint in tints(image))
    return bend_of(long_edges(image), size_px) or next(filter(None, by_tints), None)
