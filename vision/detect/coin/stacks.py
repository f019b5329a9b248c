"""Which coin lies on which: of two circles that overlap, the upper one shows its whole rim.

Where a coin hides what it lies on, the side that shows below its rim tells how high it lies
(`vision.detect.coin.lift`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.coin.lift import Lifts
from vision.shape.circle import RAYS

Array = NDArray[np.float64]

# Circles of coins side by side may seem to overlap by so many mm: errors of both rims, and parallax.
_TOUCHING_MM = 1.6
_ANGLES = np.arange(RAYS) * (2 * np.pi / RAYS)
_DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


@dataclass(frozen=True, eq=False)
class Stacks:
    """For n coins: the height of the surface under each in mm, its standard deviation where that is in doubt, and the
    index of the coin in sight right below it or -1."""

    elevation_mm: Array
    sigma_mm: Array
    below: NDArray[np.int_]


def find_stacks(
    centre_mm: Array, radius_mm: Array, thickness_mm: Array, on_rim: NDArray[np.bool_], lifts: Lifts, placed_mm: Array
) -> Stacks:
    """How high each of n coins lies, and on which.

    centre_mm, radius_mm  (n, 2) and (n,) circles, measured in the plane of the top of a coin that lies on the table
    thickness_mm          (n,) of each coin's class
    on_rim                (n, rays) whether an edge shows at that ray's end on the circle
    lifts                 how high the sides below the rims say that the coins lie
    placed_mm             (n, 2) where they lie if that is so
    """
    count = len(centre_mm)
    overlap = _overlap(centre_mm, radius_mm) & _overlap(placed_mm, radius_mm)
    shown = np.array(
        [
            [_rim_shown(i, j, centre_mm, radius_mm, on_rim) if overlap[i, j] else 0.0 for j in range(count)]
            for i in range(count)
        ]
    )
    shown = shown.reshape(count, count)
    above = overlap & ((shown > shown.T) | ((shown == shown.T) & (radius_mm[:, None] < radius_mm[None])))
    elevation, sigma, below = lifts.lift_mm.copy(), lifts.sigma_mm.copy(), np.full(count, -1)
    for index in _from_below(above):
        under = np.nonzero(above[index])[0]
        if len(under):
            tops = elevation[under] + thickness_mm[under]
            below[index] = under[tops.argmax()]
            elevation[index], sigma[index] = tops.max(), sigma[below[index]]
    return Stacks(elevation, sigma, below)


def _overlap(centre_mm: Array, radius_mm: Array) -> NDArray[np.bool_]:
    """(n, n) which discs lie over one another by more than coins side by side may seem to."""
    apart = np.linalg.norm(centre_mm[:, None] - centre_mm[None], axis=-1)
    over = apart < radius_mm[:, None] + radius_mm[None] - _TOUCHING_MM
    return np.asarray(over & ~np.eye(len(centre_mm), dtype=bool))


def _rim_shown(index: int, other: int, centre_mm: Array, radius_mm: Array, on_rim: NDArray[np.bool_]) -> float:
    """Share of the rays of one circle that end inside another and have their edge there."""
    ends = centre_mm[index] + radius_mm[index] * _DIRECTIONS
    inside = np.linalg.norm(ends - centre_mm[other], axis=1) < radius_mm[other] - 0.4
    return float(on_rim[index][inside].mean()) if inside.any() else 0.0


def _from_below(above: NDArray[np.bool_]) -> list[int]:
    """An order in which each coin comes after those that it lies on; coins in a ring keep the order they came in."""
    left, order = list(range(len(above))), []
    while left:
        free = [index for index in left if not above[index, left].any()] or left[:1]
        order += free
        left = [index for index in left if index not in free]
    return order
