"""How much the places that a camera was fitted to err, judged by what the fit leaves of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Correspondences
from calibration.fit.few_residuals import judged

Array = NDArray[np.float64]

# So many places of one thing tell each by itself how far it errs: where those on which the plane hangs most err more
# than the others, one noise for all says too little. What a place draws the fit after it is given back to its residual
# (HC3 of MacKinnon and White 1985, which Long and Ervin 2000 recommend below 250 residuals).
_MANY = 40
# A place that alone holds a number of the fit leaves nothing to tell by.
_LEAST_LEFT = 0.1


def judged_noise(points: Correspondences, residuals: Array, jacobian: Array, covariance: Array) -> tuple[float, Array]:
    """How many numbers are left over to judge by, and (2 n,) factors for the variances of the n points.

    Clicks are judged by what clicks leave, points that a computer found by what these leave, and each point of a source
    of many by its own. Points that err together count as few, and as the fit follows them, what they leave tells less.

    residuals   (2 n,) of the n points, in their sigmas
    jacobian    (2 n, p) of them by the p unknowns
    covariance  (p, p) of the unknowns, errors as stated
    """
    counts = np.array([points.sources.count(name) for name in points.sources], int)
    numbers, noise, left = np.where(points.across.any(axis=1), 1, 2), np.ones(len(residuals)), 0.0
    for kind in (each for each in (counts == 1, counts > 1) if each.any()):
        rows = np.repeat(kind, 2)
        used = float(np.trace(covariance @ jacobian[rows].T @ jacobian[rows]))
        spare = max(float(numbers[kind].sum()) - points.crowd * used, 0.0)
        things = len({name for name, mine in zip(points.sources, kind, strict=True) if mine})
        misfit = float(residuals[rows] @ residuals[rows])
        noise[rows] = judged(misfit, spare, float(kind.sum()) / things, points.crowd) * points.crowd
        left += spare
    if points.crowd == 1.0:
        many = np.repeat(counts >= _MANY, 2)
        noise[many] = _own(residuals[many], jacobian[many], covariance)
    return left, noise


def _own(residuals: Array, jacobian: Array, covariance: Array) -> Array:
    """(n,) of each number by itself."""
    drawn = ((jacobian @ covariance) * jacobian).sum(axis=1)
    return np.asarray(np.square(residuals / np.maximum(1 - drawn, _LEAST_LEFT)), float)
