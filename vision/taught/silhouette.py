"""Which pixels of an upright crop are the figure's own, whatever it stands on and before."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

# A figure stands in the middle of its crop (`vision.taught.enrol`), its foot at the lower edge: of 48 x 72 px the
# outermost at the sides and above are ground, the inner columns may be figure, and the innermost are it between hip and
# chest.
_GROUND_PX, _LIKELY_HALF_PX, _LIKELY_TOP_PX = 3, 9, 10
_SURE_HALF_PX, _SURE_ABOVE_PX, _SURE_FOOT_PX = 2, 10, 6
# Rounds of GrabCut: more move nothing.
_ROUNDS = 3


def silhouette(crop: ImageBgr) -> NDArray[np.bool_]:
    """(h, w) the pixels of the figure, told from the ground by their colours (GrabCut, Rother 2004)."""
    return _told_apart(crop.tobytes(), *crop.shape[:2])


@lru_cache(maxsize=256)
def _told_apart(pixels: bytes, height: int, width: int) -> NDArray[np.bool_]:
    """The same, not to be written to; kept, since one figure is compared with many."""
    crop, marks = np.frombuffer(pixels, np.uint8).reshape(height, width, 3), _marks(height, width)
    cv2.setRNGSeed(0)
    figure, ground = np.zeros((2, 1, 65))
    cv2.grabCut(crop, marks, (0, 0, 0, 0), ground, figure, _ROUNDS, cv2.GC_INIT_WITH_MASK)
    own = np.asarray((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD), bool)
    own.flags.writeable = False
    return own


def _marks(height: int, width: int) -> NDArray[np.uint8]:
    """What is known beforehand of each pixel, as GrabCut takes it."""
    middle = width // 2
    marks = np.full((height, width), cv2.GC_PR_BGD, np.uint8)
    marks[:, :_GROUND_PX] = marks[:, -_GROUND_PX:] = marks[:_GROUND_PX] = cv2.GC_BGD
    marks[_LIKELY_TOP_PX:, middle - _LIKELY_HALF_PX : middle + _LIKELY_HALF_PX] = cv2.GC_PR_FGD
    sure = slice(height // 2 - _SURE_ABOVE_PX, height - _SURE_FOOT_PX)
    marks[sure, middle - _SURE_HALF_PX : middle + _SURE_HALF_PX] = cv2.GC_FGD
    return marks
