"""How the lens bends, from lines that are straight on the table: plumb lines (Brown 1971, "Close-range camera
calibration", Photogrammetric Engineering 37). No board, no click: the sides of a sheet, a table or a card tell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.long_edge import LongEdge

Array = NDArray[np.float64]

_KNOTS = 9
# A print's edge is straight to about this, and cut paper and planks to this share of their length besides.
_STRAIGHT_PX, _STRAIGHT_OF_LENGTH = 0.16, 2e-4
_ROUGHEST_PX = 0.5
# Lines that are bent by themselves (roads, grain, curled paper) count less and less beyond so many sigmas.
_CURVED_SIGMAS = 3.0
# Bends to begin with, as shares of half the diagonal at the picture's corners: webcams' and wide lenses'.
_STARTS = np.linspace(-0.3, 0.2, 26)
_ROUNDS = 12
_FEWEST_AGREEING = 3
# Of the length of all smooth edges, what the agreeing ones must have: one bend, and not any, explains the picture.
_AGREEING_LENGTH = 0.5
# Holds what short lines leave open, far beyond any lens.
_WIDEST = np.array([0.5, 0.5])


@dataclass(frozen=True, eq=False)
class Bend:
    """By how much the lens draws points outward: share s = values[0] q^2 + values[1] q^4 of their distance from the
    middle, where that distance is q times `reach_px`.

    information  (2, 2) inverse covariance of `values`
    lines        how many straight lines agree on it
    """

    values: Array
    information: Array
    reach_px: float
    lines: int

    def misfit(self, focal_px: float, k1: float, k2: float) -> tuple[Array, Array]:
        """(2,) whitened residuals of a lens, and their Jacobian (2, 3) by (log focal length, k1, k2)."""
        scale = np.array([(self.reach_px / focal_px) ** 2, (self.reach_px / focal_px) ** 4])
        told = scale * (k1, k2)
        values, vectors = np.linalg.eigh(self.information)
        white = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
        by = np.array([[-2 * told[0], scale[0], 0.0], [-4 * told[1], 0.0, scale[1]]])
        return white @ (told - self.values), white @ by

    def straightened(self, px: Array, size_px: tuple[int, int]) -> Array:
        """(n, 2) where a lens without distortion would show pixels of a picture of that size."""
        middle = (np.array(size_px) - 1) / 2
        return np.asarray(_straightened((px - middle) / self.reach_px, self.values) * self.reach_px + middle, float)

    def bent(self, px: Array, size_px: tuple[int, int]) -> Array:
        """The way back from `straightened`."""
        middle = (np.array(size_px) - 1) / 2
        square = np.square((px - middle) / self.reach_px).sum(axis=1)
        share = 1 + self.values[0] * square + self.values[1] * square**2
        return np.asarray((px - middle) * share[:, None] + middle, float)


def bend_of(edges: Sequence[LongEdge], size_px: tuple[int, int]) -> Bend | None:
    """The bend on which most of the straight edges agree; None where they tell none.

    size_px  (width, height) of the picture, whose middle the lens is taken to be centred on
    """
    reach_px = float(np.hypot(*size_px)) / 2
    middle = (np.array(size_px) - 1) / 2
    lines = [_Line.of(edge, middle, reach_px) for edge in edges if edge.roughness_px < _ROUGHEST_PX]
    if len(lines) < _FEWEST_AGREEING:
        return None
    started = min(_STARTS, key=lambda start: sum(line.cost(np.array([start, 0.0])) for line in lines))
    values = np.array([started, 0.0])
    information = np.zeros((2, 2))
    for _ in range(_ROUNDS):
        information, pull = _normal(lines, values)
        held = np.diag(_WIDEST**-2)
        values = values + np.linalg.solve(information + held, pull - held @ values)
    return _agreed(lines, values, information, reach_px)


@dataclass(frozen=True, eq=False)
class _Line:
    """Knots (k, 2) of an edge from the picture's middle, in units of half the diagonal; sigma of each in them."""

    knots: Array
    sigma: float
    length: float

    @classmethod
    def of(cls, edge: LongEdge, middle: Array, reach_px: float) -> _Line:
        """An edge brought down to a few knots, in shares of `reach_px` from the middle."""
        parts = np.array_split(edge.points_px, _KNOTS)
        knots = np.array([part.mean(axis=0) for part in parts])
        # A line tells three numbers of its bend at most, however many points stand for it.
        sigma_px = np.hypot(_STRAIGHT_PX, _STRAIGHT_OF_LENGTH * edge.length_px) * np.sqrt(_KNOTS / 3)
        return cls((knots - middle) / reach_px, float(sigma_px) / reach_px, edge.length_px)

    def off(self, values: Array) -> Array:
        """(k,) distances of the straightened knots from their own line, in sigmas."""
        straight = _straightened(self.knots, values)
        local = straight - straight.mean(axis=0)
        across = np.linalg.svd(local, full_matrices=False)[2][1]
        across = across * (1.0 if across[np.argmax(np.abs(across))] > 0 else -1.0)
        return np.asarray(local @ across / self.sigma, float)

    def cost(self, values: Array) -> float:
        """Of the line, bounded; longer lines speak louder."""
        square = float(np.square(self.off(values)).sum()) / _CURVED_SIGMAS**2
        return self.length * square / (1 + square)

    def weight(self, values: Array) -> float:
        """Between 1 for a straight line and 0 for one that is curved by itself (Geman and McClure 1987)."""
        square = float(np.square(self.off(values)).sum()) / _CURVED_SIGMAS**2
        return 1 / (1 + square) ** 2


def _straightened(knots: Array, values: Array) -> Array:
    """Where a lens without distortion would show the knots: share s of q^2 drawn back, by fixed point."""
    straight = knots
    for _ in range(8):
        square = np.square(straight).sum(axis=1)
        straight = knots / (1 + values[0] * square + values[1] * square**2)[:, None]
    return straight


def _normal(lines: Sequence[_Line], values: Array) -> tuple[Array, Array]:
    """(2, 2) information and (2,) pull of all lines at these values."""
    information, pull, step = np.zeros((2, 2)), np.zeros(2), 1e-5
    for line in lines:
        here, weight = line.off(values), line.weight(values)
        jacobian = np.stack([(line.off(values + step * unit) - here) / step for unit in np.eye(2)], axis=1)
        information += weight * jacobian.T @ jacobian
        pull -= weight * jacobian.T @ here
    return information, pull


def _agreed(lines: Sequence[_Line], values: Array, information: Array, reach_px: float) -> Bend | None:
    agreeing = [line for line in lines if np.square(line.off(values)).sum() < _CURVED_SIGMAS**2]
    share = sum(line.length for line in agreeing) / sum(line.length for line in lines)
    if len(agreeing) < _FEWEST_AGREEING or share < _AGREEING_LENGTH:
        return None
    scatter = sum(float(np.square(line.off(values)).sum()) for line in agreeing) / max(3 * len(agreeing) - 2, 1)
    return Bend(values, information / max(scatter, 1.0), reach_px, len(agreeing))
