"""What is read as a one and is round: a bead about its hole, a washer, the head of a tack. A die is none of these."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.shape.circle import fit_rims

Array = NDArray[np.float64]

# Circles that are tried about the dot: as large as beads are, and no larger than dice, which may lie on a round thing;
# and how high their rim lies, mm.
_RADII_MM, _HEIGHTS_MM = np.arange(5.0, 8.0, 0.5), (2.0, 6.0)
# So much of a circle is edge where the thing is round.
_ALL_ROUND = 0.99


def are_round(image_bgr: ImageBgr, plane: TablePlane, top_px: Array) -> NDArray[np.bool_]:
    """(n,) whether a whole circle is edge about each dot that shows at `top_px` (n, 2)."""
    support = [_support(image_bgr, plane, top_px, height_mm) for height_mm in _HEIGHTS_MM]
    return np.asarray(np.max(support, axis=0) >= _ALL_ROUND, bool)


def _support(image_bgr: ImageBgr, plane: TablePlane, top_px: Array, height_mm: float) -> Array:
    """(n,) how much of the best circle that high is edge."""
    count = len(_RADII_MM)
    centre_mm = np.repeat(plane.to_table(top_px, height_mm), count, axis=0)
    radius_mm = np.tile(_RADII_MM, len(top_px))
    rims = fit_rims(image_bgr, plane, centre_mm, radius_mm, np.full(len(radius_mm), height_mm), close=True)
    return np.asarray(rims.support.reshape(-1, count).max(axis=1, initial=0.0), float)
