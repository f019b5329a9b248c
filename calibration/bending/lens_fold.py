"""Where a lens folds: its distortion turns back within the picture, and no ray shows there as the model says."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import Lens

# A place of the picture comes back as it was from the ray that shows there, unless the lens folds.
_BACK_PX = 0.5
# So many places across and down the picture, its border and corners among them.
_PLACES = 9


def folds(lens: Lens) -> bool:
    """Whether the lens shows two directions in one place of the picture, its border and corners among them."""
    across, down = (np.linspace(0, side - 1, _PLACES) for side in lens.size_px)
    return bool(folded_at(lens, np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)).any())


def folded_at(lens: Lens, px: ArrayLike) -> NDArray[np.bool_]:
    """(n,) whether places (n, 2) px of the picture lie beyond the fold of the lens: no ray shows there."""
    places_px = np.asarray(px, float).reshape(-1, 2)
    with np.errstate(over="ignore", invalid="ignore"):
        ahead = np.c_[lens.rays(places_px), np.ones(len(places_px))]
        back_px, _ = lens.project(ahead, np.zeros(3), np.zeros(3))
        return np.asarray(~(np.hypot(*(back_px - places_px).T) < _BACK_PX))
