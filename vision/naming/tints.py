"""How likely the tint of a border is a metal's, light by light: the inner loops of `vision.naming.metal`.

Compiled, since a table's dozens of coins are asked in six lights and in five steps: small arrays, of which numpy spends
most of the time on calls.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled

Array = NDArray[np.float64]

# Logarithms of red over green and of blue over green of borders of copper, gold, silver, silver with sides, coins of
# two metals (pounds and one euro; two euros), beside silver's, and how they spread: medians of 2,032 coins on the
# photographs made for training and on rendered tables of seed 5; the spread is that of photographs.
TINTS = np.array([(0.60, -0.37), (0.24, -0.69), (0.0, 0.0), (0.0, 0.0), (0.14, -0.36), (0.07, -0.13)])
SPREADS = np.array([(0.15, 0.15), (0.10, 0.15), (0.11, 0.17), (0.11, 0.17), (0.10, 0.15), (0.10, 0.13)])
# How they spread where the ground tells the light on each (`vision.light.ground_light`): two thirds of 1,090 coins
# on photographs of plain tables, half of them made for training, lie so near.
_SPREADS_LIT = np.array([(0.14, 0.11), (0.075, 0.125), (0.07, 0.10), (0.07, 0.11), (0.055, 0.085), (0.06, 0.08)])
# One border in so many shows something else: a wide dot, a blown-out rim, a neighbour's reflection. So do things that
# are no coins.
_ASTRAY, _ASTRAY_SPREAD, LEAST_DENSITY = 0.1, np.array([0.45, 0.55]), 1e-6
_ASTRAY_TINT = TINTS.mean(axis=0)
# A border of which no more than the first share is not blown out shows a lamp rather than its metal, from the second on
# its metal: of coins on the photographs made for training 51 show half or less, and are 0.6 less red than the others.
_BLOWN_OUT, _SHOWN = 0.3, 0.8


def densities(tints: Array, lights: Array) -> Array:
    """(k, n, 7) density of each tint (n, 4), were it a coin's of each metal or no coin's, in each light (k, 2)."""
    return _densities(*map(np.ascontiguousarray, (tints, lights)))


@compiled
def _densities(tints: Array, lights: Array) -> Array:
    """As `densities`, compiled for rows one after the other: numpy's own columns would compile it once more."""
    found = np.zeros((len(lights), len(tints), len(TINTS) + 1))
    for k in range(len(lights)):
        for n in range(len(tints)):
            _density(tints[n], lights[k], found[k, n])
            odd = _oddness(tints[n, 2])
            for metal in range(len(TINTS)):
                found[k, n, metal] = (1 - odd) * found[k, n, metal] + odd * found[k, n, -1]
    return found


def pulls(tints: Array, lights: Array, metals: Array) -> tuple[Array, Array]:
    """For each of k lights, (k, 2) the weight with which n coins tell it and (k, 2) the weighted sum of their tints
    less those of all metals that they may be of in that light. A metal whose tint varies little weighs more.

    metals  (n, 7) how likely each coin is of each metal, by its looks; 'no coin' last
    """
    return _pulls(*map(np.ascontiguousarray, (tints, lights, metals)))


@compiled
def _pulls(tints: Array, lights: Array, metals: Array) -> tuple[Array, Array]:
    """As `pulls`."""
    weights, sums, density = np.zeros(lights.shape), np.zeros(lights.shape), np.zeros(len(TINTS) + 1)
    for k in range(len(lights)):
        for n in range(len(tints)):
            _density(tints[n], lights[k], density)
            odd = _oddness(tints[n, 2])
            density[:-1] *= (1 - odd) * metals[n, :-1]
            among = max(density[:-1].sum() + odd * density[-1], 1e-12)
            for metal in range(len(TINTS)):
                for axis in range(2):
                    weight = density[metal] / among / _spread(tints[n], metal, axis) ** 2
                    weights[k, axis] += weight
                    sums[k, axis] += weight * (tints[n, axis] - TINTS[metal, axis])
    return weights, sums


@compiled
def _density(tint: Array, light: Array, into: Array) -> None:
    """Density of a tint (4,) in a light (2,): of each metal's, and last (7,) of anything's."""
    red, blue = tint[0] - light[0], tint[1] - light[1]
    for metal in range(len(TINTS)):
        by_red, by_blue = _spread(tint, metal, 0), _spread(tint, metal, 1)
        away = ((red - TINTS[metal, 0]) / by_red) ** 2 + ((blue - TINTS[metal, 1]) / by_blue) ** 2
        into[metal] = np.exp(-0.5 * away) / (2 * np.pi * by_red * by_blue)
    by_red, by_blue = _ASTRAY_SPREAD[0], _ASTRAY_SPREAD[1]
    away = ((red - _ASTRAY_TINT[0]) / by_red) ** 2 + ((blue - _ASTRAY_TINT[1]) / by_blue) ** 2
    into[-1] = np.exp(-0.5 * away) / (2 * np.pi * by_red * by_blue) + LEAST_DENSITY


@compiled
def _spread(tint: Array, metal: int, axis: int) -> float:
    """How far a tint of that metal may lie from it, by what is known of the light on the coin."""
    return float(_SPREADS_LIT[metal, axis] if tint[3] > 0 else SPREADS[metal, axis])


@compiled
def _oddness(shown: float) -> float:
    """The chance that a border shows something else than its metal: one that is mostly blown out surely does."""
    return float(1 - (1 - _ASTRAY) * min(max((shown - _BLOWN_OUT) / (_SHOWN - _BLOWN_OUT), 0.0), 1.0))
