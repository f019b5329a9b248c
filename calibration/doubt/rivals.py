"""What contradicting references leave open: how far apart the planes lie that they tell without one of them, or two,
without a side of the table that may be told wrong, or by markers that were left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from calibration.doubt.rival_cameras import (
    is_contested,
    leaves_much,
    rivals,
    rivals_left_out,
    rivals_of_side,
    rivals_of_two,
)
from calibration.fit.bundle import CameraFit
from calibration.fit.seen import Seen
from calibration.lens import Lens

if TYPE_CHECKING:
    from calibration.plane import TablePlane

Array = NDArray[np.float64]

# The middles of so many columns and rows of the table are asked.
_COLUMNS, _ROWS = 8, 6
# What two of four markers say without the others is as wide as they are near each other; so many times as far off is no
# chance: on drawn tables 1.9 at most where all lay right, 3.7 and more where two had been pushed alike.
_NO_CHANCE = 2.5


def doubt(fit: CameraFit, seen: Seen, told: Lens, plane: TablePlane, corners_mm: Array, sigmas: float) -> float:
    """By what to multiply a plane's error so that its rivals lie within it; 1 where none contradict it.

    What a fit leaves of contradictions says little of how far they bent it: four markers through a lens file without
    its distortion left 0.6 mm and were 3.5 mm off.

    told        the lens as it was before the fit
    corners_mm  (4, 2) of the table
    sigmas      within how many of the plane's
    """
    doubts_one = _is_contradicted(fit, told) or is_contested(fit, seen)
    doubts_two = leaves_much(fit, seen)
    others = [*rivals_of_side(fit, seen, told), *rivals_left_out(fit, seen, told)]
    if not (doubts_one or doubts_two or others) or set(fit.groups) <= seen.points.loose:
        return 1.0
    places_mm = _grid(corners_mm)
    px = plane.to_image(places_mm)
    shown = ((px >= 0) & (px <= np.array(plane.lens.size_px) - 1)).all(axis=1)
    if not shown.any():
        return 1.0
    ones = (*(rivals(fit, seen, told) if doubts_one else ()), *others)
    apart_mm = [float(_apart_mm(rival, px[shown], places_mm[shown]).max()) for rival in ones]
    for rival in rivals_of_two(fit, seen, told) if doubts_two else ():
        off_mm = _apart_mm(rival, px[shown], places_mm[shown])
        own = replace(plane, lens=rival.lens, rvec=rival.pose.rvec, tvec=rival.pose.tvec, covariance=rival.covariance)
        sure = off_mm > _NO_CHANCE * sigmas * own.sigma_mm(px[shown])
        apart_mm.append(float(off_mm[sure].max(initial=0.0)))
    stated_mm = sigmas * float(plane.sigma_mm(px[shown]).max())
    return max(1.0, *(far / stated_mm for far in (0.0, *apart_mm) if np.isfinite(far)))


def _apart_mm(rival: CameraFit, px: Array, places_mm: Array) -> Array:
    """(n,) how far from places (n, 2) a rival sees what is shown at px (n, 2)."""
    return np.asarray(np.hypot(*(rival.pose.to_table(rival.lens, px) - places_mm).T), float)


def _is_contradicted(fit: CameraFit, told: Lens) -> bool:
    """Whether references contradict one another, or agree on a lens as no camera has it, the whole picture shown."""
    is_cut_out = fit.lens.covariance[2, 2] > told.covariance[2, 2]
    return fit.ambiguous or fit.strained or (not told.known and not is_cut_out and fit.lens.is_off_centre)


def _grid(corners_mm: Array) -> Array:
    """(n, 2) places all over the table."""
    (left, near), (right, far) = corners_mm.min(axis=0), corners_mm.max(axis=0)
    columns, rows = (np.arange(_COLUMNS) + 0.5) / _COLUMNS, (np.arange(_ROWS) + 0.5) / _ROWS
    x, y = np.meshgrid(left + columns * (right - left), near + rows * (far - near))
    return np.stack([x.ravel(), y.ravel()], axis=1)
