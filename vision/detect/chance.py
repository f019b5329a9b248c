"""How likely a figure stands where the net of figures points, by that net and by the one of terrain, which is asked for
figures too, at half the scale, and learned on its own."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models import solids
from vision.detect.glance import Glance
from vision.detect.peaks import logistic
from vision.upright import UprightView

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# Weights of what speaks for a figure (Platt 1999): 22,419 places where the nets see anything, 1,918 of them figures, on
# 308 tiles and 29 stills that no net was trained on (models/figures.md).
_HEAT, _SIZE, _COARSE, _BIAS = 1.77, 1.09, 1.05, 0.49
# The coarse net's chances are summed over so many cells each way: it points less well.
_SIDE = 3
_NEVER = -20.0


def chances(says: Floats, at_mm: Array, coarse: Glance[UprightView]) -> Array:
    """(n,) from what the net of figures says (CHANNELS, n) of places (n, 2) mm, and what the net of terrain says of the
    same piece of the table."""
    heat, size = np.logaddexp.reduce(says[solids.HEAT], axis=0), np.clip(says[solids.RADIUS], -1.5, 1)
    return logistic(_HEAT * heat + _SIZE * size + _COARSE * _seen_by(coarse, at_mm) + _BIAS)


def _seen_by(coarse: Glance[UprightView], at_mm: Array) -> Floats:
    """(n,) logarithm of the chances around each place, summed."""
    chance = logistic(np.logaddexp.reduce(coarse.maps[solids.HEAT], axis=0)).astype(np.float32)
    summed = cv2.boxFilter(chance, -1, (_SIDE, _SIDE), normalize=False, borderType=cv2.BORDER_CONSTANT)
    logs = np.log(np.maximum(summed, np.float32(np.exp(_NEVER))))
    cells = ((coarse.view.to_px(at_mm) - (solids.CELL_PX - 1) / 2) / solids.CELL_PX).astype(np.float32)
    if not len(cells):
        return np.zeros(0, np.float32)
    found = cv2.remap(
        logs, cells[None, :, 0], cells[None, :, 1], cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, (_NEVER,) * 4
    )
    return np.asarray(found[0], np.float32)
