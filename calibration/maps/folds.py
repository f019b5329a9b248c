"""How a sheet lies that is not flat: its folds, bulges and curled edges, as heights above the table's plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# So well is known how high a sheet lies where its print is seen.
_WELL_MM = 0.3


@dataclass(frozen=True, eq=False)
class Folds:
    """Heights on a grid; between its nodes evenly sloped, beyond them as at the nearest.

    corner_mm   (x, y) of the first node, table frame
    step_mm     from a node to the next, both ways
    heights_mm  (rows, columns), the near row first
    sigmas_mm   (rows, columns) how well each height is known
    """

    corner_mm: tuple[float, float]
    step_mm: float
    heights_mm: Array
    sigmas_mm: Array

    def heights_at(self, mm: ArrayLike) -> Array:
        """(n,) how high the sheet lies at places (n, 2); at the first node's height where a place is no number."""
        return self._between(self.heights_mm, mm)

    def sigmas_at(self, mm: ArrayLike) -> Array:
        """(n,) how well that is known."""
        return self._between(self.sigmas_mm, mm)

    @property
    def told_mm(self) -> Array:
        """(n,) the heights that are known well."""
        return np.asarray(self.heights_mm[self.sigmas_mm < _WELL_MM], float)

    @property
    def highest_mm(self) -> tuple[float, float, float]:
        """(x, y, height) of the node that lies farthest off the plane, of those."""
        far = np.where(self.sigmas_mm < _WELL_MM, np.abs(self.heights_mm), -1.0)
        row, column = np.unravel_index(np.argmax(far), far.shape)
        x, y = np.array(self.corner_mm) + self.step_mm * np.array([column, row])
        return float(x), float(y), float(self.heights_mm[row, column])

    def _between(self, nodes: Array, mm: ArrayLike) -> Array:
        rows, columns = nodes.shape
        at = (np.nan_to_num(np.asarray(mm, float).reshape(-1, 2)) - self.corner_mm) / self.step_mm
        at = np.clip(at, 0, [columns - 1, rows - 1])
        left, below = np.minimum(at.astype(int), [columns - 2, rows - 2]).T
        (x, y) = at.T - (left, below)
        near = nodes[below, left] * (1 - x) + nodes[below, left + 1] * x
        far = nodes[below + 1, left] * (1 - x) + nodes[below + 1, left + 1] * x
        return np.asarray(near * (1 - y) + far * y, float)
