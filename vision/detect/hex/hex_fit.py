"""A hex lattice fitted to what is drawn of it, to a fraction of a pixel, and how much of it is there.

Each side of each hex (or each dot) near the guess says how far off it lies; the four unknowns of a similarity follow by
weighted least squares. What pieces cover says nothing, and what contradicts the rest is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.hex.hex_fold import Motif
from vision.metric.sampling import values_at
from vision.rows import Rows

Array = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Cells = NDArray[np.int64]
Floats = NDArray[np.float32]

# A side is sampled over the middle of its length, away from where three of them meet.
_MIDDLE = 0.72
_ALONG, _ACROSS = 13, 17
# How far to either side of the guess to look, as a share of the pitch, from pass to pass; and once more on the hexes
# that are there. Never less than shows what lies beside a line or a dot, nor so far as to meet the next.
_WINDOWS, _AGAIN = (0.20, 0.14, 0.10, 0.07, 0.07, 0.07), (0.10, 0.07, 0.07)
_LEAST_WINDOW_MM = {"sides": 1.8, "corners": 4.5, "centres": 4.5}
_WIDEST = 0.33
# A side is there if it is stronger than this share of places at which none is drawn.
_CHANCE = 0.9
# Tukey's constant: beyond so many robust deviations an offset counts nothing.
_TUKEY = 4.7
_LEAST_PRESENT = 6
# Marks that are enough for all passes but the last, and to learn what chance shows.
_ENOUGH, _ENOUGH_CHANCE = 1500, 300


@dataclass(frozen=True, eq=False)
class Marks(Rows):
    """n sides, as seen along their normals; a dot is two such, across each other.

    at      (n,) middle, table mm (x + iy)
    normal  (n,) direction of the profile
    unit    (n,) the middle in the lattice of pitch 1, direction 0, origin 0
    cell    (n, 2) the hex that it is drawn for
    """

    at: Complexes
    normal: Complexes
    unit: Complexes
    cell: Cells

    def of(self, cells: Cells) -> Marks:
        """Those of the given hexes (n, 2)."""
        known = {(int(q), int(r)) for q, r in cells}
        return self.only(np.array([(int(q), int(r)) in known for q, r in self.cell], bool))

    def some(self, count: int) -> Marks:
        """About so many of them, evenly over the table."""
        step = max(1, round(len(self.at) / count))
        # Marks come by hex, two or three or four to each: a step prime to that takes of every kind.
        while math.gcd(step, 6) > 1:
            step += 1
        return self.only(slice(None, None, step))


@dataclass(frozen=True, eq=False)
class Fit:
    """The fitted lattice: a hex (q, r) lies at origin + factor * (q + r * e^(i 60 degrees)).

    present   (n,) whether each mark is there, beside `cells` (n, 2)
    sigma_mm  of a hex centre in the middle of what is there
    """

    factor: complex
    origin: complex
    cells: Cells
    present: NDArray[np.bool_]
    sigma_mm: float


@dataclass(frozen=True, eq=False)
class Ground:
    """Edge strength over the table: rows run towards the near edge, pixel (0, 0) at `corner` (table mm)."""

    strength: Floats
    px_per_mm: float
    corner: complex

    def at(self, points: Complexes) -> Floats:
        """The strength at points of the table, any shape."""
        off = (points - self.corner) * self.px_per_mm
        return values_at(self.strength, off.real, -off.imag)


def fitted(
    ground: Ground,
    factor: complex,
    origin: complex,
    motif: Motif,
    table_size_mm: tuple[float, float],
    only: Cells | None = None,
) -> Fit | None:
    """The lattice near the guess that agrees best with the marks; None if there are too few.

    only  (n, 2) the hexes whose marks count, where the guess is near already
    """
    fit: Fit | None = None
    windows = _WINDOWS if only is None else _AGAIN
    for turn, window in enumerate(windows, 1):
        every = _marks(factor, origin, motif, table_size_mm)
        marks = every.of(only) if only is not None else every if turn == len(windows) else every.some(_ENOUGH)
        if len(marks.at) < _LEAST_PRESENT:
            return None
        reach_mm = min(max(window * abs(factor), _LEAST_WINDOW_MM[motif]), _WIDEST * abs(factor))
        offset_mm, contrast = _profiles(ground, marks, _half_length_mm(factor, motif), reach_mm)
        present = contrast > _chance(ground, marks, _half_length_mm(factor, motif), reach_mm, abs(factor))
        if present.sum() < _LEAST_PRESENT:
            return None
        factor, origin, sigma_mm = _solved(marks, offset_mm, np.where(present, np.maximum(contrast, 0), 0.0))
        fit = Fit(factor, origin, marks.cell, present, sigma_mm)
    return fit


@dataclass(frozen=True, eq=False)
class Shown:
    """The marks near a guess as the ground shows them.

    offset_mm  (n,) how far along its normal each lies off the guess
    contrast   (n,) how much stronger it is than what is beside it
    present    (n,) whether it is there at all
    """

    marks: Marks
    offset_mm: Array
    contrast: Array
    present: NDArray[np.bool_]


def shown_near(
    ground: Ground, factor: complex, origin: complex, motif: Motif, table_size_mm: tuple[float, float]
) -> Shown | None:
    """All marks of the lattice, sought as near a guess as in the last step of a fit; None where there are too few."""
    marks = _marks(factor, origin, motif, table_size_mm)
    if len(marks.at) < _LEAST_PRESENT:
        return None
    half_mm = _half_length_mm(factor, motif)
    reach_mm = min(max(_AGAIN[-1] * abs(factor), _LEAST_WINDOW_MM[motif]), _WIDEST * abs(factor))
    offset_mm, contrast = _profiles(ground, marks, half_mm, reach_mm)
    return Shown(marks, offset_mm, contrast, contrast > _chance(ground, marks, half_mm, reach_mm, abs(factor)))


def share_there(ground: Ground, fit: Fit, motif: Motif, table_size_mm: tuple[float, float]) -> float:
    """The share of the lattice's marks of another motif that is drawn as well."""
    marks = _marks(fit.factor, fit.origin, motif, table_size_mm).of(fit.cells)
    if not len(marks.at):
        return 0.0
    half_mm, reach_mm = _half_length_mm(fit.factor, motif), min(_LEAST_WINDOW_MM[motif], _WIDEST * abs(fit.factor))
    _, contrast = _profiles(ground, marks, half_mm, reach_mm)
    return float((contrast > _chance(ground, marks, half_mm, reach_mm, abs(fit.factor))).mean())


def _half_length_mm(factor: complex, motif: Motif) -> float:
    """Half of what is averaged along a mark: most of a side, or about a dot's breadth."""
    return abs(factor) / (2 * np.sqrt(3)) * _MIDDLE if motif == "sides" else 0.5


def _marks(factor: complex, origin: complex, motif: Motif, table_size_mm: tuple[float, float]) -> Marks:
    """All marks of the lattice on the table."""
    cells = _cells_on(factor, origin, table_size_mm)
    centre = cells[:, 0] + cells[:, 1] * np.exp(1j * np.pi / 3)
    ways = np.exp(1j * np.pi / 3 * np.arange(3))
    if motif == "sides":
        unit, way = (centre[:, None] + ways / 2), np.broadcast_to(ways, (len(cells), 3))
    else:
        spots = np.array([0j]) if motif == "centres" else np.exp(1j * np.pi / 6 * np.array([1, 3])) / np.sqrt(3)
        unit = (centre[:, None] + np.repeat(spots, 2)[None]).reshape(len(cells), -1)
        way = np.broadcast_to(np.tile(np.array([1, 1j]), len(spots)), unit.shape)
    owner = np.repeat(cells, unit.shape[1], axis=0)
    flat, direction = unit.ravel(), factor / abs(factor)
    at = origin + factor * flat
    on_table = (at.real > 0) & (at.real < table_size_mm[0]) & (at.imag > 0) & (at.imag < table_size_mm[1])
    return Marks(at[on_table], (way.ravel() * direction)[on_table], flat[on_table], owner[on_table])


def _cells_on(factor: complex, origin: complex, table_size_mm: tuple[float, float]) -> Cells:
    """(n, 2) hexes whose centre is on the table or just beside it."""
    width, depth = table_size_mm
    corners = np.array([0, width, width + 1j * depth, 1j * depth])
    unit = (corners - origin) / factor
    r = unit.imag / np.sin(np.pi / 3)
    q = unit.real - r / 2
    ranges = [np.arange(int(np.floor(v.min())) - 1, int(np.ceil(v.max())) + 2) for v in (q, r)]
    cells = np.stack(np.meshgrid(*ranges), axis=-1).reshape(-1, 2)
    at = origin + factor * (cells[:, 0] + cells[:, 1] * np.exp(1j * np.pi / 3))
    slack = abs(factor)
    near = (at.real > -slack) & (at.real < width + slack) & (at.imag > -slack) & (at.imag < depth + slack)
    return np.asarray(cells[near], np.int64)


def _profiles(ground: Ground, marks: Marks, half_mm: float, reach_mm: float) -> tuple[Array, Array]:
    """(n,) how far off along the normal each mark shows, and how much stronger it is than what is beside it."""
    across = np.linspace(-1, 1, _ACROSS) * reach_mm
    along = np.linspace(-1, 1, _ALONG) * half_mm
    points = (
        marks.at[:, None, None]
        + across[None, :, None] * marks.normal[:, None, None]
        + along[None, None, :] * (1j * marks.normal)[:, None, None]
    )
    profile = ground.at(points).mean(axis=2).astype(float)
    # A broad dot fills more than half of a narrow window.
    beside = np.quantile(profile, 0.15, axis=1)
    above = np.maximum(profile - beside[:, None] - 0.35 * (profile.max(axis=1) - beside)[:, None], 0)
    weight = above.sum(axis=1)
    return above @ across / np.maximum(weight, 1e-9), profile.max(axis=1) - beside


def _chance(ground: Ground, marks: Marks, half_mm: float, reach_mm: float, pitch_mm: float) -> float:
    """How strong a mark seems where none is drawn: between the sides and the centres, turned a little."""
    marks = marks.some(_ENOUGH_CHANCE)
    shifts = pitch_mm * np.array([0.27, -0.27]) * np.exp(0.35j)
    turned = marks.normal * np.exp(0.26j)
    found = [
        _profiles(ground, Marks(marks.at + shift * marks.normal, turned, marks.unit, marks.cell), half_mm, reach_mm)[1]
        for shift in shifts
    ]
    return float(np.quantile(np.concatenate(found), _CHANCE))


def _solved(marks: Marks, offset_mm: Array, weight: Array) -> tuple[complex, complex, float]:
    """Factor and origin by weighted least squares along the normals, outliers left out by Tukey's weights."""
    seen = ((marks.at + offset_mm * marks.normal) * np.conj(marks.normal)).real
    turned = marks.unit * np.conj(marks.normal)
    design = np.column_stack([turned.real, -turned.imag, marks.normal.real, marks.normal.imag])
    robust: Array = np.ones(len(seen), float)
    solution: Array = np.zeros(4, float)
    for _ in range(6):
        root = np.sqrt(weight * robust)
        solution = np.asarray(np.linalg.lstsq(design * root[:, None], seen * root, rcond=None)[0], float)
        residual = seen - design @ solution
        scale = 1.4826 * float(np.median(np.abs(residual[weight > 0]))) + 1e-3
        robust = np.asarray(np.clip(1 - (residual / (_TUKEY * scale)) ** 2, 0, None) ** 2, float)
    count = float((robust * (weight > 0)).sum())
    return complex(solution[0], solution[1]), complex(solution[2], solution[3]), scale / float(np.sqrt(max(count, 1.0)))
