"""Smooth random fields: hills, woods, wood grain, paper, cloth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def fractal(
    shape: tuple[int, int], cell_px: float | tuple[float, float], octaves: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """A sum of ever finer smooth fields, scaled to zero mean and unit spread.

    shape    (rows, columns)
    cell_px  size of the coarsest lump, one number or (along x, along y)
    """
    cell_x, cell_y = cell_px if isinstance(cell_px, tuple) else (cell_px, cell_px)
    rows, columns = shape
    field = np.zeros(shape, np.float32)
    for octave in range(octaves):
        scale = 2.0**octave
        small = (max(2, round(rows * scale / cell_y) + 2), max(2, round(columns * scale / cell_x) + 2))
        lattice = rng.standard_normal(small).astype(np.float32)
        field += np.asarray(cv2.resize(lattice, (columns, rows), interpolation=cv2.INTER_CUBIC), np.float32) / scale
    return np.asarray((field - field.mean()) / (field.std() + 1e-9), np.float32)


def wander(
    start: tuple[float, float], end: tuple[float, float], sway: float, step: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """A winding way, (n, 2) points about `step` apart that leave the straight line by some `sway` times its length."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = float(np.hypot(*(b - a)))
    count = max(2, round(length / step) + 1)
    t = np.linspace(0.0, 1.0, count)
    across = np.array([-(b - a)[1], (b - a)[0]])
    waves = rng.normal(0.0, 1.0, 4) / np.arange(1, 5)
    offset = sum(wave * np.sin(np.pi * (k + 1) * t) for k, wave in enumerate(waves))
    return np.asarray(a + np.outer(t, b - a) + sway * np.outer(offset, across))
