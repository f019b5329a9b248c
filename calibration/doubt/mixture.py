"""By how much what may be mistaken, or not, widens an interval that is to hold 95 % of all errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.doubt.mistakes import Mistaken, Weighed
from calibration.plane import SIGMAS_95, TablePlane, sigma_of
from calibration.pose import table_jacobian

Array = NDArray[np.float64]

# Columns and rows of places of the table at which the interval is asked.
_COLUMNS, _ROWS = 4, 3
# So many standard deviations along the shorter axis of an error; more hold nothing.
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
# Shares of the mistakes' covariance that are tried, from none to more than all of it.
_SHARES = np.r_[0.0, np.geomspace(1e-3, 3.0, 40)]
_BEYOND = 0.05


def share_of_mistakes(plane: TablePlane, mistaken: Mistaken, corners_mm: Array) -> float:
    """The least share of the mistakes' covariance that added to the plane's own holds 95 % of the errors all over the
    table: of those that are made if nothing is mistaken, and if any of the mistakes is, each as likely as it is.

    corners_mm  (4, 2) of the table
    """
    x, y = np.meshgrid(
        np.linspace(corners_mm[0, 0], corners_mm[2, 0], _COLUMNS),
        np.linspace(corners_mm[0, 1], corners_mm[2, 1], _ROWS),
    )
    by_camera = table_jacobian(plane.lens, plane.pose, np.c_[x.ravel(), y.ravel()], 0.0)[0]
    own = by_camera @ plane.covariance @ by_camera.mT
    added = by_camera @ mistaken.covariance @ by_camera.mT
    radii = np.array([SIGMAS_95 * sigma_of(own + share * added) for share in _SHARES])
    chance = 1 - mistaken.likely
    beyond = chance * _beyond(radii, np.zeros(own.shape[:2]), own)
    for each, odds in zip(mistaken.weighed, mistaken.chances, strict=True):
        beyond = beyond + odds * _by_mistake(radii, each, by_camera, own)
    return float(np.interp(-_BEYOND, -beyond, _SHARES))


def _by_mistake(radii: Array, mistake: Weighed, by_camera: Array, own: Array) -> Array:
    return _beyond(radii, by_camera @ mistake.at, own + by_camera @ mistake.spread @ by_camera.mT)


def _beyond(radii: Array, middle: Array, covariance: Array) -> Array:
    """(m,) mean share of normal errors about middles (n, 2) that lie farther off than radii (m, n)."""
    variances, axes = np.linalg.eigh(covariance)
    short, long = np.sqrt(np.maximum(variances, np.finfo(float).tiny)).T
    at = (axes.mT @ middle[..., None])[..., 0]
    across = at[:, 0, None] + short[:, None] * _NODES
    reach = np.sqrt(np.maximum(np.square(radii)[..., None] - np.square(across), 0.0))
    within = ndtr((reach - at[:, 1, None]) / long[:, None]) - ndtr((-reach - at[:, 1, None]) / long[:, None])
    within = np.where(np.abs(across) < radii[..., None], within, 0.0)
    return np.asarray(1 - (within @ (_WEIGHTS / _WEIGHTS.sum())).mean(axis=1), float)
