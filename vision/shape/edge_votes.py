"""Where the edges of many rays lie near a circle: the inner loop of all fits of rims."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled

Array = NDArray[np.float64]

# Beyond so many reaches an edge counts for less than a hundred thousandth.
_FARTHEST = 5.0
# An edge at the coin's foot is taken for its rim if it is so much clearer than the one at the rim.
_FOOT_CLEARER = 1.5


@compiled
def votes_near(
    strength: NDArray[np.float32],
    steps_mm: Array,
    rim_mm: Array,
    foot_mm: Array,
    reach_mm: Array,
) -> tuple[Array, Array]:
    """(n, rays) how far outside the expected rim the edge of each ray lies, mm, and how much edge there is: of the edge
    at the rim, or of that at the coin's foot where this is clearer.

    strength   (n, rays, steps) of the edge along the rays
    steps_mm   (n, 2) how far the first step lies from the middle, and each from the one before
    rim_mm     (n, rays) expected from the middle
    foot_mm    (n, rays) how far outside the rim the foot shows
    reach_mm   (n,) scale of the distance over which an edge counts
    """
    count, rays = rim_mm.shape
    residual, total = np.zeros((count, rays)), np.zeros((count, rays))
    for n in range(count):
        for ray in range(rays):
            at_rim = _edge_near(strength[n, ray], steps_mm[n], rim_mm[n, ray], reach_mm[n])
            residual[n, ray], total[n, ray] = at_rim
            if foot_mm[n, ray] > 2 * reach_mm[n]:
                at_foot = _edge_near(strength[n, ray], steps_mm[n], rim_mm[n, ray] + foot_mm[n, ray], reach_mm[n])
                if at_foot[1] > _FOOT_CLEARER * at_rim[1]:
                    residual[n, ray], total[n, ray] = at_foot
    return residual, total


@compiled
def _edge_near(
    strength: NDArray[np.float32], steps_mm: Array, expected_mm: float, reach_mm: float
) -> tuple[float, float]:
    """How far from the expected radius the edge of a ray (steps,) lies, and how much edge there is within reach.

    From step to step a bell changes by a ratio that changes by a constant one: no exponentials on the way.
    """
    apart = steps_mm[1] / reach_mm
    middle = (expected_mm - steps_mm[0]) / steps_mm[1]
    first = max(0, int(np.ceil(middle - _FARTHEST / apart)))
    last = min(len(strength), int(np.floor(middle + _FARTHEST / apart)) + 1)
    away = (first - middle) * apart
    bell = np.exp(-0.5 * away * away)
    ratio, its_ratio = np.exp(-apart * (away + 0.5 * apart)), np.exp(-apart * apart)
    moment, total = 0.0, 0.0
    for step in range(first, last):
        near = bell * strength[step]
        total += near
        moment += near * away
        away += apart
        bell *= ratio
        ratio *= its_ratio
    return moment * reach_mm / max(total, 1e-6), total
