"""Pitch and direction of a hex lattice from the spectrum of a picture's edges.

Whatever the mat draws (sides, corners, centres), it repeats with the lattice, so that its power stands at the points
of the reciprocal lattice: six at 2 / (sqrt(3) * pitch) from zero, more on the shells beyond.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.metric.sampling import values_at

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# Shells of the reciprocal lattice: squared length in units of the first, turn against it in degrees, weight. Thin
# lines reach far out; the nearest shells tell the lattice from the finer ones that it is part of.
_SHELLS = ((1, 0.0, 1.0), (3, 30.0, 0.7), (4, 0.0, 0.7), (7, 19.107, 0.35), (7, -19.107, 0.35))
# A peak counts up to e to this power over its surroundings, lest one bright border be worth a whole lattice.
_PEAK_CAP = 5.0
# Candidates are kept apart by this share of the pitch and this many degrees.
_APART, _APART_DEG = 0.03, 2.0
# At least so many periods of the lattice across the picture's longer side.
_LEAST_PERIODS = 4.0
_TAPER = 0.15


@dataclass(frozen=True)
class Lattice:
    """A hex lattice without a place: neighbours lie at `direction_deg` + 60 k (table frame), `pitch_mm` away."""

    pitch_mm: float
    direction_deg: float


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Whitened log power about zero frequency at `middle` (column, row), `bins_per_mm_inverse` bins to 1 / mm."""

    log_power: Floats
    middle: tuple[float, float]
    bins: tuple[float, float]

    @classmethod
    def of(cls, strength: Floats, px_per_mm: float) -> Spectrum:
        """The spectrum of a picture of edge strengths, windowed to keep the borders' cross out."""
        rows, columns = (cv2.getOptimalDFTSize(side) for side in strength.shape)
        window = np.outer(*(_taper(side) for side in strength.shape)).astype(np.float32)
        flat = (strength - float(strength.mean())) * window
        power = np.abs(np.fft.fftshift(np.fft.fft2(flat, (rows, columns)))) ** 2
        middle = (columns // 2, rows // 2)
        bins = (columns / px_per_mm, rows / px_per_mm)
        return cls(_whitened(power, middle, bins), middle, bins)

    def at(self, frequency_per_mm: NDArray[np.complex128]) -> Floats:
        """Log power over its surroundings at frequencies of the table frame (x + iy; rows run down)."""
        u = frequency_per_mm.real * self.bins[0] + self.middle[0]
        v = -frequency_per_mm.imag * self.bins[1] + self.middle[1]
        return values_at(self.log_power, u, v)


def candidates(strength: Floats, px_per_mm: float, pitch_mm: tuple[float, float], count: int) -> list[Lattice]:
    """The likeliest lattices with a pitch in that range, best first, each polished to a fraction of a bin."""
    spectrum = Spectrum.of(strength, px_per_mm)
    longest_mm = max(strength.shape) / px_per_mm
    shortest = max(2 / (np.sqrt(3) * pitch_mm[1]), _LEAST_PERIODS / longest_mm)
    # Half a bin at the second shell, so that no peak is stepped over.
    lengths = np.arange(shortest, 2 / (np.sqrt(3) * pitch_mm[0]), 0.5 / longest_mm / 2)
    turns = np.radians(np.arange(0, 60, min(1.0, np.degrees(0.5 / (2 * lengths[-1] * longest_mm)))))
    score = sum(weight * _shell(spectrum, lengths, turns, *shell) for *shell, weight in _SHELLS)
    found = _apart(np.asarray(score), lengths, np.degrees(turns), count)
    return [_polished(spectrum, Lattice(2 / (np.sqrt(3) * length), turn - 30)) for length, turn in found]


def _shell(spectrum: Spectrum, lengths: Array, turns: Array, squared: float, extra_deg: float) -> Array:
    """(lengths, turns) how much power stands in all three directions of a shell."""
    around = np.exp(1j * (turns[None, :, None] + np.radians(extra_deg + np.array([0, 60, 120]))))
    power = np.minimum(spectrum.at(np.sqrt(squared) * lengths[:, None, None] * around), _PEAK_CAP)
    return np.asarray(0.5 * power.mean(axis=2) + 0.5 * power.min(axis=2), float)


def _apart(score: Array, lengths: Array, turns_deg: Array, count: int) -> list[tuple[float, float]]:
    """The best places of the score that differ from one another."""
    found: list[tuple[float, float]] = []
    left = score.copy()
    while len(found) < count:
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        if not np.isfinite(left[row, column]):
            break
        found.append((float(lengths[row]), float(turns_deg[column])))
        near = np.abs(lengths / lengths[row] - 1) < _APART
        off_deg = np.abs((turns_deg - turns_deg[column] + 30) % 60 - 30)
        left[np.ix_(near, off_deg < _APART_DEG)] = -np.inf
    return found


def _polished(spectrum: Spectrum, lattice: Lattice) -> Lattice:
    """The lattice that best agrees with the peaks themselves, by two rounds on a finer and finer grid."""
    step = 0.25 / max(spectrum.bins) * lattice.pitch_mm * np.sqrt(3) / 2
    for _ in range(3):
        shares, extra_deg = step * np.linspace(-2, 2, 9), np.degrees(step) * np.linspace(-2, 2, 9)
        lengths = 2 / (np.sqrt(3) * lattice.pitch_mm) * (1 + shares)
        turns = np.radians(lattice.direction_deg + 30 + extra_deg)
        score = sum(weight * _shell(spectrum, lengths, turns, *shell) for *shell, weight in _SHELLS)
        row, column = np.unravel_index(int(np.asarray(score).argmax()), np.shape(score))
        lattice = Lattice(2 / (np.sqrt(3) * lengths[row]), float(np.degrees(turns[column]) - 30))
        step /= 3
    return lattice


def _whitened(power: Array, middle: tuple[float, float], bins: tuple[float, float]) -> Floats:
    """Log power over the median of its ring: pictures have most of their power at low frequencies."""
    rows, columns = power.shape
    u, v = np.arange(columns) - middle[0], np.arange(rows) - middle[1]
    ring = np.hypot(u[None, :] / bins[0], v[:, None] / bins[1]) * max(bins)
    number = np.minimum((np.log1p(ring) * 12).astype(int), 200)
    log_power = np.log(power + 1e-12)
    level = np.zeros(int(number.max()) + 1)
    order = np.argsort(number, axis=None, kind="stable")
    ends = np.searchsorted(number.ravel()[order], np.arange(len(level) + 1))
    for index, (start, end) in enumerate(itertools.pairwise(ends)):
        if end > start:
            level[index] = np.median(log_power.ravel()[order[start:end]])
    return np.asarray(log_power - level[number], np.float32)


def _taper(side: int) -> Array:
    """One in the middle, falling to zero over the last `_TAPER` of each end."""
    from_end = np.minimum(np.arange(side) + 0.5, side - np.arange(side) - 0.5) / (_TAPER * side)
    return np.asarray(0.5 - 0.5 * np.cos(np.pi * np.clip(from_end, 0, 1)), float)
