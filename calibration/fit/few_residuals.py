"""Noise that is judged by few residuals may really be larger: the factor that keeps a 95 % interval one of 95 %."""

from __future__ import annotations

import numpy as np

# By how many numbers n are left over to judge by: c of exp(-3 c p / (p + n)) (1 + 6 c / (p + n))^(-n / 2) = 0.05, for
# p = 2 numbers that the stated error counts as. That is how often an error of two dimensions, normal with the stated
# sigma, passes 2.45 of the sigma judged by (p + chi-square of n) / (p + n); with c = 1 four clicked points, which leave
# two, would hold for 91 % of the time only.
_SPARE = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 26.0, 60.0, 1000.0])
_FACTOR = np.array([1.0, 1.060, 1.113, 1.193, 1.282, 1.314, 1.316, 1.289, 1.254, 1.196, 1.157, 1.103, 1.047, 1.0])


# The stated pixel errors count as this many observations when the residuals judge them: four points leave two.
PRIOR_OBSERVATIONS = 2.0
# What leaves more than so many times the stated variance is light and blur, not noise: it moves the corners of one
# thing together, so that up to four count as one.
_BEYOND_NOISE, _TOGETHER = 2.0, 4.0


def judged(misfit: float, spare: float, corners: float, crowd: float = 1.0) -> float:
    """By what to multiply the stated variances, judged by what the fit leaves of the residuals.

    misfit   sum of the squared residuals, in units of their sigmas
    spare    numbers measured beyond the unknowns of the fit, which are left over to judge by
    corners  how many corners one thing has (a marker 4, a clicked point 1): light and blur move these together
    crowd    so many of the numbers err together, as one
    """
    scale = allowance(spare / crowd) * (PRIOR_OBSERVATIONS + misfit) / (PRIOR_OBSERVATIONS + spare)
    return scale * float(np.clip(scale / _BEYOND_NOISE, 1.0, max(min(corners, _TOGETHER), 1.0)))


def allowance(spare: float) -> float:
    """By what to multiply a variance judged by `spare` numbers beyond the unknowns, since so few may flatter it."""
    return float(np.interp(spare, _SPARE, _FACTOR))
