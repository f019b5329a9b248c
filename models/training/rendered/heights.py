"""How high things on a table reach, place by place, so that a sheet can lie over another and under what stands on it,
and a hand can pass over all of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

Array = NDArray[np.float64]
Whole = NDArray[np.intp]

# A cell, and how far around a point the height is as that of the point; beyond, it goes down softly.
_CELL_MM, _AROUND_MM, _SOFT_MM = 2.0, 12.0, 3.0
# So far around what stands on a sheet the sheet is pressed down, softly to its edge.
_PRESSED_MM, _LIFTS_MM = 3.0, 5.0
# What passes over something does so by this.
_AIR_MM = 2.0
# How far beyond the table things may hang.
_BEYOND_MM = 400.0


@dataclass(eq=False)
class Heights:
    """Heights in mm over a table about the origin.

    low_mm  (2,) where the first cell lies
    high    (rows, columns), rows along y
    """

    low_mm: Array
    high: NDArray[np.float32]

    @classmethod
    def over(cls, size_mm: Array) -> Heights:
        """An empty table and what hangs over its edge."""
        low = -np.asarray(size_mm, float) / 2 - _BEYOND_MM
        columns, rows = np.ceil(-2 * low / _CELL_MM).astype(int) + 1
        return cls(low, np.zeros((rows, columns), np.float32))

    def at(self, points: Array) -> Array:
        """(n,) heights at places (n, 2 or 3), 0 outside."""
        columns, rows, inside = self._cells(points)
        found = np.zeros(len(inside))
        found[inside] = self.high[rows, columns]
        return found

    def add(self, points: Array) -> None:
        """Raise the heights under a thing whose surface lies within a finger's breadth of some points (n, 3)."""
        columns, rows, inside = self._cells(points)
        layer = np.zeros_like(self.high)
        np.maximum.at(layer, (rows, columns), points[inside, 2].astype(np.float32))
        self.high = np.maximum(self.high, _soft(_spread(layer, _AROUND_MM), _SOFT_MM))

    def clears(self, points: Array) -> float:
        """How far a thing with a surface through points (n, 3) must be lifted to pass over everything, mm."""
        below = self.at(points)
        over = below[below > 0] + _AIR_MM - points[below > 0, 2]
        return float(max(over.max(initial=0.0), 0.0))

    def press(self, outlines: Iterable[Polygon]) -> Heights:
        """How far things with these outlines press a sheet down: 1 below them, 0 far off."""
        mask = np.zeros(self.high.shape, np.float32)
        for outline in outlines:
            ring = np.rint((np.array(outline.buffer(_PRESSED_MM).exterior.coords) - self.low_mm) / _CELL_MM)
            cv2.fillPoly(mask, [ring.astype(np.int32)], 1.0)
        return Heights(self.low_mm, _soft(_spread(mask, 2 * _LIFTS_MM), _LIFTS_MM))

    def _cells(self, points: Array) -> tuple[Whole, Whole, NDArray[np.bool_]]:
        """Columns and rows of those places that lie inside, and which do."""
        cells = np.rint((np.asarray(points)[:, :2] - self.low_mm) / _CELL_MM).astype(int)
        inside = ((cells >= 0) & (cells < self.high.shape[::-1])).all(axis=1)
        return cells[inside, 0], cells[inside, 1], inside


def filled(corners: Array, step_mm: float = 8.0) -> Array:
    """(n, 3) points of a face (k, 3), no farther apart than a step."""
    middle = corners.mean(axis=0)
    count = int(np.ceil(np.linalg.norm(corners - middle, axis=1).max() / step_mm)) + 1
    along = np.linspace(0, 1, 2 * count)[:, None]
    rim = np.concatenate([a + (b - a) * along for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
    return np.concatenate([middle + (rim - middle) * share for share in np.linspace(0, 1, count + 1)])


def _spread(layer: NDArray[np.float32], around_mm: float) -> NDArray[np.float32]:
    size = 2 * round(around_mm / _CELL_MM) + 1
    return np.asarray(cv2.dilate(layer, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))), np.float32)


def _soft(layer: NDArray[np.float32], sigma_mm: float) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), sigma_mm / _CELL_MM), np.float32)
