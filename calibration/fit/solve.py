"""Least squares with a prior: the camera that explains what was seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Residuals = Callable[[Array], tuple[Array, Array]]
Move = Callable[["Solution", Array], Array]

# Where focal length, axis and bend are open too, the valley is long and curved: 30 to 60 steps lead through it.
MOST_STEPS = 60
_SMALLEST_GAIN = 1e-7


@dataclass(frozen=True, eq=False)
class Solution:
    """Where the cost is least: parameters, the residuals there, and their Jacobian."""

    parameters: Array
    residuals: Array
    jacobian: Array

    @cached_property
    def cost(self) -> float:
        """Sum of the squares of the residuals; infinite where a step led far astray."""
        with np.errstate(over="ignore"):
            return float(self.residuals @ self.residuals)

    @cached_property
    def normal(self) -> Array:
        """(p, p), of the normal equations."""
        return np.asarray(self.jacobian.T @ self.jacobian, float)

    @cached_property
    def downhill(self) -> Array:
        """(p,) against the cost's slope, half of it."""
        return np.asarray(-self.jacobian.T @ self.residuals, float)

    @cached_property
    def scale(self) -> Array:
        """(p,) of the parameters; the floor keeps one that nothing depends on where it is."""
        squares = self.normal.diagonal()
        return np.asarray(squares + (1e-12 * squares.sum() + 1e-300), float)

    def step(self, damping: float) -> Array:
        """(p,) where the damped normal equations lead to."""
        damped = self.normal.copy()
        damped.flat[:: len(damped) + 1] += damping * self.scale
        return np.asarray(np.linalg.solve(damped, self.downhill), float)


def levenberg_marquardt(
    residuals: Residuals, start: Array, move: Move | None = None, most_steps: int = MOST_STEPS
) -> Solution:
    """The least squares nearest to `start`, damped by how far each step comes of what it should (Nielsen 1999).

    residuals  gives (n,) and the Jacobian (n, p)
    move       where a step (p,) leads to, if not straight on
    """
    best = Solution(start, *residuals(start))
    damping, growth = 1e-3, 2.0
    for _ in range(most_steps):
        step = best.step(damping)
        there = best.parameters + step if move is None else move(best, step)
        trial = Solution(there, *residuals(there))
        if isfinite(trial.cost) and trial.cost <= best.cost:
            gain = best.cost - trial.cost
            share = gain / max(float(step @ (damping * best.scale * step + best.downhill)), 1e-300)
            settled = gain <= _SMALLEST_GAIN * best.cost + 1e-15
            best, damping, growth = trial, damping * max(1 / 3, 1 - (2 * share - 1) ** 3), 2.0
            if settled:
                break
        else:
            damping, growth = damping * growth, growth * 2
            if damping > 1e12:
                break
    return best


def square_root(covariance: Array) -> Array:
    """(n, m) whose product with its transpose is `covariance`; m counts what is uncertain at all."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-14 * max(values.max(initial=0.0), 1e-300)
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]), float)


def inverse(information: Array) -> Array:
    """The inverse of a normal matrix, or its pseudo-inverse where the data leave something quite open."""
    scale = 1 / np.sqrt(np.maximum(np.diag(information), 1e-300))
    correlation = information * np.outer(scale, scale)
    return np.asarray(np.linalg.pinv(correlation, rcond=1e-13, hermitian=True) * np.outer(scale, scale), float)
