"""Things that do not lie where they are said to: what their residuals betray of it goes into the stated error.

A marker that somebody pushed draws the plane after it, and most of the push disappears in the pose: of four markers it
leaves a quarter. The plane stays as it was fitted; its covariance grows by what slips of that size do to it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Residuals that chance alone makes once in twenty times (one-sided normal quantile). Once in a hundred let more slips
# of half a millimetre through unsaid; without a gate, soft pictures of what lies right state twice their error.
_CHANCE_Z = 1.645
# Two numbers are left to tell four markers' slips by: the size so told is rough, and one marker pushed alone lies
# farther off than four pushed equally (benchmarks.calibration, pushes of 1 to 4 mm).
_ROUGHLY_TOLD = 1.4
# A marker pushed by 6 mm and more is noticed and left out (calibration.consensus): 2 mm in each of four markers' eight
# numbers. What looks like more is blur.
_LARGEST_MM = 2.0
_WEAKEST = 1e-6
# As in `calibration.problem`: what leaves more than so many times the stated variance is light and blur, which moves a
# marker's four corners together.
_BEYOND_NOISE, _TOGETHER = 2.0, 4.0
# The stated pixel errors count as so many observations, as in `calibration.problem`.
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
    found = float(betrayed @ betrayed)
    if found < _by_chance(by_noise):
        return np.zeros_like(covariance)
    variance_mm2 = (found - float(by_noise.sum())) / float(strengths @ strengths)
    return np.asarray(_ROUGHLY_TOLD**2 * min(variance_mm2, _LARGEST_MM**2) * gain @ gain.T, float)


def _by_chance(strengths: Array) -> float:
    """What sums of normal squares, each so strong, exceed by chance so often (Satterthwaite; Wilson, Hilferty)."""
    freedom = float(strengths.sum() ** 2 / (strengths @ strengths))
    cube_root = 1 - 2 / (9 * freedom) + _CHANCE_Z * np.sqrt(2 / (9 * freedom))
    return float(strengths.sum() * cube_root**3)
