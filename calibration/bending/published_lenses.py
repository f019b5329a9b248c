"""What four clicked points leave open where nothing tells how the lens bends, nor the few cards and coins beside them:
it may be any that people have.

A barrel moves places between four clicked corners by 5 to 30 mm, far more than the first order of a bend from none
says. So the same points are met once more through each of two dozen published lenses, and through barrels that bend by
half as much again. By how far the table then lies elsewhere goes into the error of every place, each lens as likely as
its focal length and its barrel are, and as it explains the points.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.fit.bundle import CameraFit, fit_bundle
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.pose import CameraGuess, refocused, table_jacobian

Array = NDArray[np.float64]

# Focal length of the width, k1, k2: 24 cameras as people calibrated them for robots (camera_info files of as many
# public repositories, taken as they came but for fisheyes, telephotos and boards held badly). None of those that the
# interval is judged by (tests/calibration/simulation.py).
_MILD = (
    (1.283, -0.026, -0.005),
    (1.103, 0.075, -0.527),
    (0.999, -0.144, -0.146),
    (0.460, -0.062, -0.011),
    (0.949, 0.129, -0.370),
    (0.850, 0.016, -0.010),
    (0.827, -0.130, 0.069),
    (1.003, 0.033, -0.086),
    (0.704, 0.125, -0.188),
    (0.627, 0.097, -0.152),
    (0.844, -0.036, -0.050),
    (0.681, 0.080, -0.120),
    (0.905, -0.019, 0.014),
    (0.496, -0.034, -0.027),
    (1.105, 0.178, -0.968),
    (0.787, 0.020, -0.105),
    (0.755, 0.102, -0.168),
    (0.992, -0.004, -0.014),
)
_BARRELS = (
    (0.715, -0.321, 0.079),
    (0.455, -0.251, 0.067),
    (0.712, -0.246, 0.078),
    (0.774, -0.369, 0.141),
    (0.502, -0.265, 0.052),
    (0.689, -0.358, 0.112),
)
# The next barrel may bend by half as much again as these do.
_BENT_MORE = 1.5
_ALL = np.array([*_MILD, *_BARRELS, *(np.array(_BARRELS) * [1.0, _BENT_MORE, _BENT_MORE**2])])
# Barrels are one in four of those that are published. Counted as one in two: four clicks through one are 10 mm off, so
# that to state too little there costs more than to state too much through others, and one lens file mends both.
_BARREL_SHARE = 0.5
_PRIOR = np.repeat(
    [(1 - _BARREL_SHARE) / len(_MILD), _BARREL_SHARE / len(_BARRELS) / 2], [len(_MILD), 2 * len(_BARRELS)]
)
# Of the logarithm of a focal length, about that of the lens of which the bend is: longer ones are built, and cut out.
_LOG_FOCAL_SIGMA = 0.6
_GRID = (8, 6)


def published() -> tuple[tuple[float, float, float], ...]:
    """Focal length of the width, k1 and k2 of each, the mild ones first."""
    return (*_MILD, *_BARRELS)


def published_covariance(seen: Seen, lens: Lens, fit: CameraFit) -> Array:
    """What is to be added to the covariance of a camera that was fitted with an unknown `lens` taken for straight."""
    bent = [_through(seen, lens, fit, *each) for each in _ALL]
    cost = np.array([each.cost for each in bent])
    weight = _PRIOR * np.exp((cost.min() - cost) / 2)
    fixed_mm = seen.points.table_mm[~seen.points.is_loose]
    moved = np.array([_moved(fit, each, fixed_mm) for each in bent])
    return np.asarray((moved * (weight / weight.sum())[:, None]).T @ moved, float)


def _through(seen: Seen, lens: Lens, fit: CameraFit, of_width: float, k1: float, k2: float) -> CameraFit:
    """The camera of such a lens."""
    covariance = lens.straight().covariance
    covariance[:2, :2] += _LOG_FOCAL_SIGMA**2 - covariance[0, 1]
    like = replace(lens, covariance=covariance, distortion=np.array([k1, k2, 0.0, 0.0, 0.0]))
    start = replace(fit.lens, distortion=like.distortion)
    return fit_bundle(seen, refocused(like, of_width * max(lens.size_px)), [CameraGuess(start, fit.pose)])


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
