"""Things that do not lie where they are said to: what their residuals betray of it goes into the stated error.

A marker that somebody pushed draws the plane after it, and most of the push disappears in the pose: of four markers it
leaves a quarter. The plane stays as it was fitted; its covariance grows by what slips of that size do to it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Hands lay a sheet or read a ruler to about half a millimetre: so much is a slip, not a contradiction.
SLIP_MM = 0.5
# Residuals that chance alone makes once in twenty times (one-sided normal quantile). Once in a hundred let more slips
# of half a millimetre through unsaid; without a gate, soft pictures of what lies right state twice their error.
_CHANCE_Z = 1.645
# How large slips may be (standard deviation), each as likely as twice it. A marker pushed by 6 mm and more is noticed
# and left out (calibration.doubt.consensus): 2 mm in each of four markers' eight numbers. What looks like more is blur.
_SIZES_MM = np.geomspace(0.05, 2.0, 24)
# In one case of twenty a place is beyond the stated 95 % interval, a circle of so many sigmas.
_ONE_OF_TWENTY = 0.05
_SIGMAS_95 = np.sqrt(-2 * np.log(_ONE_OF_TWENTY))
_WEAKEST = 1e-6
# As in `calibration.fit.problem`: what leaves more than so many times the stated variance is light and blur, which
# moves a marker's four corners together.
_BEYOND_NOISE, _TOGETHER = 2.0, 4.0
# The stated pixel errors count as so many observations, as in `calibration.fit.problem`.
_PRIOR_OBSERVATIONS = 2.0


def slip_covariance(
    residuals: Array,
    jacobian: Array,
    covariance: Array,
    slips: Array,
    spare: float,
    clicked: NDArray[np.bool_],
) -> Array:
    """(p, p) to be added to the covariance of the p unknowns of the fit; zeros where noise explains the residuals.

    residuals   (n,) in units of their sigmas, with those of what was known beforehand
    jacobian    (n, p) derivatives of the residuals by the unknowns
    covariance  (p, p) of the unknowns as noise leaves it
    slips       (n, m) what a slip of 1 mm of each thing, in each direction, does to the residuals
    spare       how many numbers were measured beyond the unknowns
    clicked     (n,) which residuals are of single points: these err as they are said to, however little the others do
    """
    gain = covariance @ jacobian.T @ slips
    left = slips - jacobian @ gain
    strengths, ways = np.linalg.eigh(left.T @ left)
    told = strengths > _WEAKEST * float(np.square(slips).sum())
    if not told.any():
        return np.zeros_like(covariance)
    strengths, told_by = strengths[told], left @ ways[:, told]
    betrayed = told_by.T @ residuals
    within = float(residuals @ residuals - np.square(betrayed) @ (1 / strengths))
    noise = (_PRIOR_OBSERVATIONS + within) / (_PRIOR_OBSERVATIONS + max(spare - len(strengths), 0.0))
    noise *= float(np.clip(noise / _BEYOND_NOISE, 1.0, _TOGETHER))
    by_noise = np.where(clicked, max(noise, 1.0), noise) @ np.square(told_by)
    # What tells slips of half a millimetre well counts alike, however well: of four markers' numbers two tell them 20
    # times as well as three more.
    weights = 1 / (1 + by_noise / np.square(SLIP_MM * strengths))
    if float(weights @ (np.square(betrayed) / by_noise)) < _by_chance(weights):
        return np.zeros_like(covariance)
    return np.asarray(_size_mm(betrayed, by_noise, strengths) ** 2 * gain @ gain.T, float)


def _size_mm(betrayed: Array, by_noise: Array, strengths: Array) -> float:
    """How large slips are to be taken to be (standard deviation), so that the stated error holds 95 % of what any size
    that explains the residuals may have done, each as likely as it explains them.

    betrayed   (k,) sums of residuals
    by_noise   (k,) their variances if nothing slipped
    strengths  (k,) by how much 1 mm moves each
    """
    variances = by_noise + np.square(np.outer(_SIZES_MM, strengths))
    odds = -(np.log(variances) + np.square(betrayed) / variances).sum(axis=1) / 2
    chances = np.exp(odds - odds.max())
    beyond = np.exp(-np.square(_SIGMAS_95 * np.divide.outer(_SIZES_MM, _SIZES_MM)) / 2) @ chances / chances.sum()
    return float(np.interp(-_ONE_OF_TWENTY, -beyond, _SIZES_MM))


def _by_chance(strengths: Array) -> float:
    """What sums of normal squares, each so strong, exceed by chance so often (Satterthwaite; Wilson, Hilferty)."""
    freedom = float(strengths.sum() ** 2 / (strengths @ strengths))
    cube_root = 1 - 2 / (9 * freedom) + _CHANCE_Z * np.sqrt(2 / (9 * freedom))
    return float(strengths.sum() * cube_root**3)
