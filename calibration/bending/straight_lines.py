"""Edges of a picture as lines that may be straight on the table: how far each is from it, if the lens bends so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.bending.radial import straightened
from calibration.edges.long_edge import LongEdge
from calibration.fit.planar import cross

Array = NDArray[np.float64]

# A line is told by the means of so many parts of its points.
KNOTS = 9
# A print's edge is straight to about this, and cut paper and planks to this share of their length besides.
_STRAIGHT_PX, _STRAIGHT_OF_LENGTH = 0.16, 2e-4
# Lines that are bent by themselves (roads, grain, curled paper) count less and less beyond so many sigmas.
CURVED_SIGMAS = 3.0
# What short lines leave open is held by this, far beyond any lens but for the axis and the slant of the glass, of which
# all but the most bent lines tell little: as `calibration.lens` has them, in shares of half the diagonal.
WIDEST = np.array([0.5, 0.5, 0.035, 0.035, 0.0015, 0.0015])
# What lies within this share of a longer line's length of it, turned from it by so many radians at most, is the other
# edge of the same crease, stroke or rim, or a part of the same side.
_ALONGSIDE, _ASKEW = 0.02, 0.1


@dataclass(frozen=True, eq=False)
class Lines:
    """Knots (n, k, 2) of edges from the picture's middle, in units of half the diagonal; sigma (n,) of each in them,
    and length (n,) in px. `values` are those of `calibration.bending.radial`."""

    knots: Array
    sigma: Array
    length: Array

    @classmethod
    def of(cls, edges: Sequence[LongEdge], size_px: tuple[int, int]) -> Lines:
        """Each edge as a few knots, the means of its points in a row."""
        reach_px, middle = float(np.hypot(*size_px)) / 2, (np.array(size_px) - 1) / 2
        parts = [np.array_split(edge.points_px, KNOTS) for edge in edges]
        means = np.array([[part.mean(axis=0) for part in each] for each in parts])
        length = np.array([edge.length_px for edge in edges])
        # A line tells three numbers of its bend at most, however many points stand for it.
        sigma_px = np.hypot(_STRAIGHT_PX, _STRAIGHT_OF_LENGTH * length) * np.sqrt(KNOTS / 3)
        return cls((_on_curve(means) - middle) / reach_px, sigma_px / reach_px, length)

    def only(self, which: NDArray[np.bool_]) -> Lines:
        """Some of the lines, (n,) which."""
        return Lines(self.knots[which], self.sigma[which], self.length[which])

    def once(self) -> Lines:
        """The longest line of each thing: both edges of a crease or of a table's rim bow alike through any lens, by
        themselves too, and so do the parts of one side. Whatever they agree on, they say it once."""
        ways = self.knots[:, -1] - self.knots[:, 0]
        chord, places = np.hypot(*ways.T), _all_along(self.knots)
        kept: list[int] = []
        for line in np.argsort(-chord, kind="stable").tolist():
            off = np.linalg.norm(places[kept] - self.knots[line, KNOTS // 2], axis=2).min(axis=1, initial=np.inf)
            askew = np.abs(cross(ways[kept], ways[line])) / (chord[kept] * chord[line])
            if not ((off < _ALONGSIDE * chord[kept]) & (askew < _ASKEW)).any():
                kept.append(line)
        return self.only(np.isin(np.arange(len(chord)), kept))

    def off(self, values: Array) -> Array:
        """(n, k) distances of the straightened knots from their own line, in sigmas."""
        straight = straightened(self.knots, values)
        local = straight - straight.mean(axis=1, keepdims=True)
        across = np.linalg.svd(local, full_matrices=False)[2][:, 1]
        largest = np.take_along_axis(across, np.argmax(np.abs(across), axis=1)[:, None], axis=1)
        across = across * np.where(largest > 0, 1.0, -1.0)
        return np.asarray((local @ across[:, :, None])[:, :, 0] / self.sigma[:, None], float)

    def square(self, values: Array, sigmas: float = CURVED_SIGMAS) -> Array:
        """(n,) of all knots' distances together, in so many sigmas: those beyond which a line is curved by itself."""
        return np.asarray(np.square(self.off(values)).sum(axis=1) / sigmas**2, float)

    def cost(self, values: Array, sigmas: float = CURVED_SIGMAS) -> float:
        """Of all lines, each bounded; longer lines speak louder."""
        square = self.square(values, sigmas)
        return float((self.length * square / (1 + square)).sum())

    def normal(self, values: Array, sigmas: float = CURVED_SIGMAS) -> tuple[Array, Array]:
        """(6, 6) information and (6,) pull of all lines at these values, each with a weight between 1, if it is
        straight, and 0, if it is curved by itself (Geman and McClure 1987)."""
        here, step = self.off(values), 1e-5
        jacobian = np.stack([(self.off(values + step * unit) - here) / step for unit in np.eye(6)], axis=2)
        weighted = jacobian / np.square(1 + self.square(values, sigmas))[:, None, None]
        return np.einsum("nki,nkj->ij", weighted, jacobian), -np.einsum("nki,nk->i", weighted, here)

    def fitted(self, values: Array, schedule: Sequence[float]) -> Array:
        """(6,) where steps from these values lead, one for each of the sigmas that are borne with."""
        held = np.diag(WIDEST**-2)
        for sigmas in schedule:
            information, pull = self.normal(values, sigmas)
            values = values + np.linalg.solve(information + held, pull - held @ values)
        return values


def _on_curve(means: Array) -> Array:
    """The middles of parts (n, k, 2) whose means are given: a bowed part's mean lies off it, on the mean by a
    twenty-fourth of the second difference."""
    second = np.diff(means, 2, axis=1)
    return np.asarray(means - np.concatenate([second[:, :1], second, second[:, -1:]], axis=1) / 24, float)


def _all_along(knots: Array) -> Array:
    """(n, m, 2) places along each line of knots (n, k, 2), no farther apart than `_ALONGSIDE` of its length."""
    at = np.linspace(0, knots.shape[1] - 1, round(1 / _ALONGSIDE) + 1)
    low = np.minimum(at.astype(int), knots.shape[1] - 2)
    share = (at - low)[:, None]
    return np.asarray((1 - share) * knots[:, low] + share * knots[:, low + 1], float)
