"""What four clicked points leave open where nothing tells how the lens bends, and it may be a wide webcam's.

A wide webcam's barrel (k1 of -0.24 to -0.33) moves places between four clicked corners by 10 to 25 mm, far more than
the first order of a bend from none says. So the same points are met once more through such a lens, and by how much the
table then lies elsewhere goes into the error of every place.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.bundle import CameraFit, fit_bundle
from calibration.lens import Lens
from calibration.pose import CameraGuess, table_jacobian
from calibration.seen import Seen

Array = NDArray[np.float64]

# The middle of six published wide webcams (tests/calibration/simulation.py), whose own spread is a sixth.
_WIDE = np.array([-0.28, 0.062, 0.0, 0.0, 0.0])
# As a straight lens, thirty of them came out at 0.47 to 0.72 of the width; a quarter of mild webcams do too.
_WIDEST_OF_WIDTH, _CERTAINLY_NOT = 0.72, 0.78
# The wide lens explains the points so much worse that it is none; a short focal length alone costs 9.
_CLEAR_COST = 25.0
_GRID = (8, 6)


def wide_covariance(seen: Seen, lens: Lens, fit: CameraFit) -> Array:
    """What is to be added to the covariance of a camera that was fitted with an unknown `lens` taken for straight."""
    # The whole move is one standard deviation: so the interval holds for webcams, further lenses and wide webcams
    # together (`benchmarks.bare_board --plain`, seed 190005); with three quarters of it, for 64 % of the last.
    share = looks_wide(fit.lens)
    if not lens.may_be_wide or share == 0:
        return np.zeros_like(fit.covariance)
    start = CameraGuess(replace(fit.lens, distortion=_WIDE), fit.pose)
    wide = fit_bundle(seen, replace(lens.straight(), distortion=_WIDE), [start])
    if wide.cost > fit.cost + _CLEAR_COST:
        return np.zeros_like(fit.covariance)
    moved = share * _moved(fit, wide, seen.points.table_mm)
    return np.outer(moved, moved)


def looks_wide(lens: Lens) -> float:
    """1 for a focal length that wide webcams come out at, 0 for one that none does."""
    of_width = float(lens.matrix[0, 0]) / max(lens.size_px)
    return float(np.clip((_CERTAINLY_NOT - of_width) / (_CERTAINLY_NOT - _WIDEST_OF_WIDTH), 0.0, 1.0))


def _moved(fit: CameraFit, other: CameraFit, places_mm: Array) -> Array:
    """(m + 6,) the change of (lens parameters, rvec, tvec) that moves the table, within the extent of the places
    (n, 2), as the other camera has it elsewhere."""
    axes = (np.linspace(low, high, count) for low, high, count in zip(*_extent(places_mm), _GRID, strict=True))
    grid_mm = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    px = fit.lens.project(np.c_[grid_mm, np.zeros(len(grid_mm))], fit.pose.rvec, fit.pose.tvec)[0]
    off_mm = other.pose.to_table(other.lens, px) - grid_mm
    told = np.isfinite(off_mm).all(axis=1)
    by_camera = table_jacobian(fit.lens, fit.pose, grid_mm[told], 0.0)[0]
    change = np.linalg.lstsq(by_camera.reshape(-1, by_camera.shape[2]), off_mm[told].ravel(), rcond=1e-9)[0]
    return np.asarray(change, float)


def _extent(places_mm: Array) -> tuple[list[float], list[float]]:
    return places_mm.min(axis=0).tolist(), places_mm.max(axis=0).tolist()
