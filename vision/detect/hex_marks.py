"""What a hex grid may draw, from any point of the table: the next side, corner and centre, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.hexgrid import HexGrid

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Complexes = NDArray[np.complex128]

# From a centre to the next, and so through the sides between, in the lattice of pitch 1: q and r.
_STEPS = np.array([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)])
# Sides have three directions.
_WAYS = 3
# Names are made of whole numbers smaller than this.
_MANY = 1 << 16


@dataclass(frozen=True, eq=False)
class Near:
    """The next mark of n points: how far it is (n,), its name (n,), and which marks of a grid are drawn alike (n,)."""

    away_mm: Array
    name: Whole
    sort: Whole


def near_sides(grid: HexGrid, points_mm: Array, stretch_mm: float) -> Near:
    """The next side of points (n, 2), cut into stretches of about that length, each a mark by itself; of a sort are
    those as far from the nearer end of sides of one direction, for some mats draw but the ends."""
    cell, off = _in_cell(grid, points_mm)
    towards = [(off * np.conj(np.exp(1j * np.pi / 3 * way))).real for way in range(_WAYS)]
    way = np.abs(towards).argmax(axis=0)
    nearest = np.choose(way, towards)
    side = way + _WAYS * (nearest < 0)
    along = (off * np.conj(np.exp(1j * np.pi / 3 * way))).imag * np.sqrt(3) + 0.5
    parts = max(1, round(grid.pitch_mm / np.sqrt(3) / stretch_mm))
    part = np.clip((along * parts).astype(int), 0, parts - 1)
    name = _named(2 * cell + _STEPS[side]) * parts + part
    from_end = np.minimum(part, parts - 1 - part)
    return Near(grid.pitch_mm * (0.5 - np.abs(nearest)), name, from_end * _WAYS + way)


def near_corners(grid: HexGrid, points_mm: Array) -> Near:
    """The next corner of points (n, 2), where three hexes meet."""
    cell, off = _in_cell(grid, points_mm)
    corner = np.floor(np.angle(off) / (np.pi / 3)).astype(int) % 6
    away = np.abs(off - np.exp(1j * np.pi / 3 * (corner + 0.5)) / np.sqrt(3))
    # Three times the axial place of a corner is whole.
    thirds = 3 * cell + _STEPS[corner] + _STEPS[(corner + 1) % 6]
    return Near(grid.pitch_mm * away, _named(thirds), np.zeros(len(away), np.int64))


def near_centres(grid: HexGrid, points_mm: Array) -> Near:
    """The next centre of points (n, 2)."""
    cell, off = _in_cell(grid, points_mm)
    return Near(grid.pitch_mm * np.abs(off), _named(cell), np.zeros(len(off), np.int64))


def _in_cell(grid: HexGrid, points_mm: Array) -> tuple[Whole, Complexes]:
    """The hex (n, 2) that each point is in, and where in it, in pitches, the direction of q being 0 degrees."""
    unit = grid.lattice(points_mm)
    r = unit.imag / np.sin(np.pi / 3)
    axial = np.stack([unit.real - r / 2, r, -unit.real - r / 2], axis=1)
    whole = np.rint(axial)
    worst = np.abs(whole - axial).argmax(axis=1)
    each = np.arange(len(worst))
    whole[each, worst] -= whole.sum(axis=1)
    cell = whole[:, :2].astype(np.int64)
    return cell, unit - (cell[:, 0] + cell[:, 1] * np.exp(1j * np.pi / 3))


def _named(axial: Whole) -> Whole:
    """(n,) one number for each pair (n, 2)."""
    return np.asarray(axial[:, 0] * _MANY + axial[:, 1], np.int64)
