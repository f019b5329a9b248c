"""How the lens bends, from lines that are straight on the table: plumb lines (Brown 1971, "Close-range camera
calibration", Photogrammetric Engineering 37). No board, no click: the sides of a sheet, a table or a card tell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
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
# What short lines leave open is held by this, far beyond any lens but for the axis and the slant of the glass, of which
# all but the most bent lines tell little: as `calibration.lens` has them, in shares of half the diagonal.
_WIDEST = np.array([0.5, 0.5, 0.035, 0.035, 0.0015, 0.0015])
_WEAKEST = 1e-9
# No lens folds its picture: what a step of the fit may try is kept from it.
_LEAST_SHARE = 0.3
# How straight lines are taken to be counts as so many numbers when what they leave judges it.
_PRIOR_NUMBERS = 2.0


@dataclass(frozen=True, eq=False)
class Bend:
    """By how much the lens draws points outward: share s = values[0] q^2 + values[1] q^4 of their distance from where
    its axis is, that distance being q times `reach_px`.

    values       (6,) the two shares, by how many `reach_px` the axis lies right of and below the picture's middle, and
                 the shares p1, p2 of a lens that sits askew (tangential distortion); lines tell them all in common, and
                 where they tell nothing, values are small
    told         (6,) what the lines alone would have; means nothing without `information`
    information  (6, 6) inverse covariance of `told`
    lines        how many straight lines agree on it
    """

    values: Array
    told: Array
    information: Array
    reach_px: float
    lines: int

    def misfit(self, lens: Lens) -> tuple[Array, Array]:
        """(6,) whitened residuals of a lens, and their Jacobian (6, 9) by its parameters."""
        focal_px, middle = float(np.exp(lens.parameters[:2].mean())), (np.array(lens.size_px) - 1) / 2
        q = self.reach_px / focal_px
        scale = np.array([q**2, q**4, q, q])
        shares = scale * lens.distortion[:4]
        has = np.r_[shares[:2], (lens.matrix[:2, 2] - middle) / self.reach_px, shares[2:]]
        by = np.zeros((6, len(lens.parameters)))
        by[[0, 1, 4, 5], [4, 5, 6, 7]] = scale
        by[[2, 3], [2, 3]] = 1 / self.reach_px
        by[[0, 1, 4, 5], :2] = (np.array([-1.0, -2.0, -0.5, -0.5]) * shares)[:, None]
        return self._white @ (has - self.told), self._white @ by

    @cached_property
    def _white(self) -> Array:
        """(6, 6) whose square is the information."""
        values, vectors = np.linalg.eigh(self.information)
        return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T, float)

    def bending(self, lens: Lens) -> Lens:
        """The lens as these lines would have it, of the same focal length."""
        q, parameters = self.reach_px / float(np.exp(lens.parameters[:2].mean())), lens.parameters
        parameters[2:4] = (np.array(lens.size_px) - 1) / 2 + self.values[2:4] * self.reach_px
        parameters[4:8] = self.values[[0, 1, 4, 5]] / [q**2, q**4, q, q]
        return lens.with_parameters(parameters)

    def straightened(self, px: Array, size_px: tuple[int, int]) -> Array:
        """(n, 2) where a lens without distortion would show pixels of a picture of that size."""
        middle = (np.array(size_px) - 1) / 2
        return np.asarray(_straightened((px - middle) / self.reach_px, self.values) * self.reach_px + middle, float)

    def bent(self, px: Array, size_px: tuple[int, int]) -> Array:
        """The way back from `straightened`."""
        middle = (np.array(size_px) - 1) / 2
        return np.asarray(_bent((px - middle) / self.reach_px, self.values) * self.reach_px + middle, float)


def bend_of(edges: Sequence[LongEdge], size_px: tuple[int, int]) -> Bend | None:
    """The bend on which most of the straight edges agree; None where they tell none.

    size_px  (width, height) of the picture, whose middle the lens is taken to be centred on
    """
    reach_px = float(np.hypot(*size_px)) / 2
    middle = (np.array(size_px) - 1) / 2
    smooth = [edge for edge in edges if edge.roughness_px < _ROUGHEST_PX and len(edge.points_px) >= _KNOTS]
    if len(smooth) < _FEWEST_AGREEING:
        return None
    lines = _Lines.of(smooth, middle, reach_px)
    started = min(_STARTS, key=lambda start: float(lines.cost(_radial(start)).sum()))
    values, held = _radial(started), np.diag(_WIDEST**-2)
    for _ in range(_ROUNDS):
        information, pull = lines.normal(values)
        values = values + np.linalg.solve(information + held, pull - held @ values)
    return lines.agreed(values, reach_px)


def _radial(share: float) -> Array:
    return np.array([share, 0.0, 0.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class _Lines:
    """Knots (n, k, 2) of edges from the picture's middle, in units of half the diagonal; sigma (n,) of each in them."""

    knots: Array
    sigma: Array
    length: Array

    @classmethod
    def of(cls, edges: Sequence[LongEdge], middle: Array, reach_px: float) -> _Lines:
        """Edges brought down to a few knots, in shares of `reach_px` from the middle."""
        parts = [np.array_split(edge.points_px, _KNOTS) for edge in edges]
        knots = np.array([[part.mean(axis=0) for part in each] for each in parts])
        length = np.array([edge.length_px for edge in edges])
        # A line tells three numbers of its bend at most, however many points stand for it.
        sigma_px = np.hypot(_STRAIGHT_PX, _STRAIGHT_OF_LENGTH * length) * np.sqrt(_KNOTS / 3)
        return cls((knots - middle) / reach_px, sigma_px / reach_px, length)

    def off(self, values: Array) -> Array:
        """(n, k) distances of the straightened knots from their own line, in sigmas."""
        straight = _straightened(self.knots, values)
        local = straight - straight.mean(axis=1, keepdims=True)
        across = np.linalg.svd(local, full_matrices=False)[2][:, 1]
        largest = np.take_along_axis(across, np.argmax(np.abs(across), axis=1)[:, None], axis=1)
        across = across * np.where(largest > 0, 1.0, -1.0)
        return np.asarray((local @ across[:, :, None])[:, :, 0] / self.sigma[:, None], float)

    def square(self, values: Array) -> Array:
        """(n,) of all knots' distances together, in the sigmas beyond which a line is curved by itself."""
        return np.asarray(np.square(self.off(values)).sum(axis=1) / _CURVED_SIGMAS**2, float)

    def cost(self, values: Array) -> Array:
        """(n,) of each line, bounded; longer lines speak louder."""
        square = self.square(values)
        return np.asarray(self.length * square / (1 + square), float)

    def normal(self, values: Array) -> tuple[Array, Array]:
        """(6, 6) information and (6,) pull of all lines at these values, each with a weight between 1, if it is
        straight, and 0, if it is curved by itself (Geman and McClure 1987)."""
        here, step = self.off(values), 1e-5
        jacobian = np.stack([(self.off(values + step * unit) - here) / step for unit in np.eye(6)], axis=2)
        weighted = jacobian / np.square(1 + self.square(values))[:, None, None]
        return np.einsum("nki,nkj->ij", weighted, jacobian), -np.einsum("nki,nk->i", weighted, here)

    def agreed(self, values: Array, reach_px: float) -> Bend | None:
        """The bend at these values, if most lines agree on it."""
        agree = self.square(values) < 1
        share = self.length[agree].sum() / self.length.sum()
        if agree.sum() < _FEWEST_AGREEING or share < _AGREEING_LENGTH:
            return None
        spare = max(3 * agree.sum() - len(values), 0)
        scatter = (_PRIOR_NUMBERS + np.square(self.off(values)[agree]).sum()) / (_PRIOR_NUMBERS + spare)
        information, pull = self.normal(values)
        told = values + np.linalg.pinv(information, rcond=_WEAKEST, hermitian=True) @ pull
        return Bend(values, told, information / scatter, reach_px, int(agree.sum()))


def _bent(straight: Array, values: Array) -> Array:
    """Where the lens shows places (..., 2), both from the picture's middle."""
    from_axis = straight - values[2:4]
    share, askew = _drawn(from_axis, values)
    return np.asarray(from_axis * share + askew + values[2:4], float)


def _straightened(knots: Array, values: Array) -> Array:
    """Where a lens without distortion would show the knots (..., 2), by fixed point."""
    shown = knots - values[2:4]
    straight = shown
    for _ in range(8):
        share, askew = _drawn(straight, values)
        straight = (shown - askew) / np.maximum(share, _LEAST_SHARE)
    return np.asarray(straight + values[2:4], float)


def _drawn(from_axis: Array, values: Array) -> tuple[Array, Array]:
    """By what share (..., 1) places (..., 2) are drawn out, and by what (..., 2) a lens that sits askew moves them."""
    square = np.square(from_axis).sum(axis=-1, keepdims=True)
    share = 1 + values[0] * square + values[1] * square**2
    p1, p2 = values[4:]
    cross = 2 * from_axis.prod(axis=-1, keepdims=True) * [p1, p2]
    return share, cross + (square + 2 * from_axis**2) * [p2, p1]
