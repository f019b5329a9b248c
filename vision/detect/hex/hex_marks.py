"""What a hex grid may draw, from any point of the table: the next side, corner and centre, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.hex.hexgrid import HexGrid

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
class InHexes:
    """The hexes (n, 2) that n points are in, and where in them (n,), in pitches, the direction of q being 0 degrees."""

    pitch_mm: float
    cell: Whole
    off: Complexes

    @classmethod
    def of(cls, grid: HexGrid, points_mm: Array) -> InHexes:
        """Those of points (n, 2) of the table."""
        unit = grid.lattice(points_mm)
        r = unit.imag / np.sin(np.pi / 3)
        q = unit.real - r / 2
        whole_q, whole_r, whole_s = np.rint(q), np.rint(r), np.rint(-q - r)
        # The three sum to zero; what was rounded most is told by the others.
        off_q, off_r, off_s = np.abs(whole_q - q), np.abs(whole_r - r), np.abs(whole_s + q + r)
        is_q = (off_q > off_r) & (off_q > off_s)
        is_r = ~is_q & (off_r > off_s)
        whole_q, whole_r = np.where(is_q, -whole_r - whole_s, whole_q), np.where(is_r, -whole_q - whole_s, whole_r)
        cell = np.stack([whole_q, whole_r], axis=1).astype(np.int64)
        return cls(grid.pitch_mm, cell, unit - (whole_q + whole_r * np.exp(1j * np.pi / 3)))

    def of_those(self, which: NDArray[np.bool_]) -> InHexes:
        """Some of the points."""
        return InHexes(self.pitch_mm, self.cell[which], self.off[which])


@dataclass(frozen=True, eq=False)
class Near:
    """The next mark of n points: how far it is (n,), its name (n,), and which marks of a grid are drawn alike (n,)."""

    away_mm: Array
    name: Whole
    sort: Whole


def near_sides(points: InHexes, stretch_mm: float) -> Near:
    """The side next to each point. Sides are cut into stretches of about `stretch_mm`, each a mark; some mats draw only
    the ends of sides, so stretches are of a sort that have one direction and are as far from an end."""
    towards = [(points.off * np.conj(np.exp(1j * np.pi / 3 * way))).real for way in range(_WAYS)]
    way = np.abs(towards).argmax(axis=0)
    nearest = np.choose(way, towards)
    side = way + _WAYS * (nearest < 0)
    along = (points.off * np.conj(np.exp(1j * np.pi / 3 * way))).imag * np.sqrt(3) + 0.5
    parts = max(1, round(points.pitch_mm / np.sqrt(3) / stretch_mm))
    part = np.clip((along * parts).astype(int), 0, parts - 1)
    name = _named(2 * points.cell + _STEPS[side]) * parts + part
    from_end = np.minimum(part, parts - 1 - part)
    return Near(points.pitch_mm * (0.5 - np.abs(nearest)), name, from_end * _WAYS + way)


def near_corners(points: InHexes) -> Near:
    """The next corner of points, where three hexes meet."""
    corner = np.floor(np.angle(points.off) / (np.pi / 3)).astype(int) % 6
    away = np.abs(points.off - np.exp(1j * np.pi / 3 * (corner + 0.5)) / np.sqrt(3))
    # Three times the axial place of a corner is whole.
    thirds = 3 * points.cell + _STEPS[corner] + _STEPS[(corner + 1) % 6]
    return Near(points.pitch_mm * away, _named(thirds), np.zeros(len(away), np.int64))


def near_centres(points: InHexes) -> Near:
    """The next centre of points."""
    return Near(points.pitch_mm * np.abs(points.off), _named(points.cell), np.zeros(len(points.off), np.int64))


def _named(axial: Whole) -> Whole:
    """(n,) one number for each pair (n, 2)."""
    return np.asarray(axial[:, 0] * _MANY + axial[:, 1], np.int64)
