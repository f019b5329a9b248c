"""Where a hex lattice lies and what is drawn of it: the picture of edges folded into one cell of the lattice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.detect.hex.hex_spectrum import Lattice

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Complexes = NDArray[np.complex128]

# What a mat may draw: the hexes' sides, a mark on each corner, or a mark on each centre.
Motif = Literal["sides", "corners", "centres"]
MOTIFS: tuple[Motif, ...] = ("sides", "corners", "centres")
# The cell is sampled on so many steps along each axis: 0.8 mm at a pitch of 38 mm.
_STEPS = 48
# Half the breadth that a line or a dot has among the edges, as a share of the pitch, at most and at least.
_BREADTH_MM, _BREADTH_SHARE = 0.9, (0.03, 0.09)


@dataclass(frozen=True)
class Fold:
    """How a folded picture agrees with a motif.

    origin      a hex centre, table mm (x + iy)
    likeness    correlation of the folded picture with the motif, -1 to 1
    """

    motif: Motif
    origin: complex
    likeness: float


def axes_mm(pitch_mm: float, direction_deg: float) -> tuple[complex, complex]:
    """The steps along q and r as complex numbers, table mm."""
    first, second = (pitch_mm * np.exp(1j * np.radians(direction_deg + extra)) for extra in (0, 60))
    return complex(first), complex(second)


def folds(points: Complexes, strength: Array, lattice: Lattice) -> list[Fold]:
    """The best place of each motif, for points (n,) of the table with their edge strength (n,)."""
    cell = np.fft.fft2(_folded(points, strength, lattice))
    first, second = axes_mm(lattice.pitch_mm, lattice.direction_deg)
    breadth = float(np.clip(_BREADTH_MM / lattice.pitch_mm, *_BREADTH_SHARE))
    found = []
    for motif in MOTIFS:
        likeness = np.fft.ifft2(cell * _template(motif, round(breadth, 3))).real
        row, column = np.unravel_index(int(likeness.argmax()), likeness.shape)
        origin = complex((column * first + row * second) / _STEPS)
        found.append(Fold(motif, origin, float(likeness[row, column])))
    return found


def _folded(points: Complexes, strength: Array, lattice: Lattice) -> Array:
    """(_STEPS, _STEPS) mean strength by r and q within the cell, made zero mean and unit length."""
    first, second = axes_mm(lattice.pitch_mm, lattice.direction_deg)
    # What of x and y makes q and r; whole steps alone are asked for, which single precision tells.
    to_axial = np.linalg.inv([[first.real, second.real], [first.imag, second.imag]]) * _STEPS
    x, y = points.real.astype(np.float32), points.imag.astype(np.float32)
    column, row = (_in_cell(x * np.float32(by_x) + y * np.float32(by_y)) for by_x, by_y in to_axial)
    index = (row * np.float32(_STEPS) + column).astype(np.intp)
    count = np.bincount(index, minlength=_STEPS**2)
    total = np.bincount(index, strength, minlength=_STEPS**2)
    mean = np.where(count > 0, total / np.maximum(count, 1), strength.mean())
    return _normal(mean.reshape(_STEPS, _STEPS))


def _in_cell(steps: Floats) -> Floats:
    """The whole steps from the cell's corner; thrice as fast in single precision, which holds them, as in integers."""
    whole = np.rint(steps)
    whole -= np.float32(_STEPS) * np.floor((whole + np.float32(0.5)) / np.float32(_STEPS))
    return whole


@lru_cache(maxsize=32)
def _template(motif: Motif, breadth: float) -> Complexes:
    """The spectrum, conjugate, of the motif in the cell with a hex centre at (0, 0), lines and dots as wide as
    `breadth` of the pitch."""
    r, q = np.mgrid[0:_STEPS, 0:_STEPS] / _STEPS
    to_side, to_corner, to_centre = _distances(q, r)
    away = {"sides": to_side, "corners": to_corner, "centres": to_centre}[motif]
    return np.asarray(np.conj(np.fft.fft2(_normal(np.exp(-0.5 * (away / breadth) ** 2)))))


def _distances(q: Array, r: Array) -> tuple[Array, Array, Array]:
    """How far points of the cell are from the next side, corner and centre, in pitches."""
    steps = [(i, j) for i in (0, 1) for j in (0, 1)]
    off = np.stack([(q - i) + (r - j) * np.exp(1j * np.pi / 3) for i, j in steps])
    nearest = np.take_along_axis(off, np.abs(off).argmin(axis=0)[None], axis=0)[0]
    along = np.stack([(nearest * np.exp(-1j * np.pi / 3 * k)).real for k in range(6)])
    corners = np.exp(1j * (np.pi / 6 + np.pi / 3 * np.arange(6))) / np.sqrt(3)
    to_corner = np.abs(nearest[None] - corners[:, None, None]).min(axis=0)
    return 0.5 - along.max(axis=0), to_corner, np.abs(nearest)


def _normal(values: Array) -> Array:
    centred = values - values.mean()
    return np.asarray(centred / max(float(np.linalg.norm(centred)), 1e-12), float)
