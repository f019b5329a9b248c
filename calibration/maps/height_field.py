"""A smooth height over a rectangle from what is seen of it here and there, and how well it is told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import SuperLU, splu

from calibration.maps.folds import Folds

Array = NDArray[np.float64]

# About so many nodes, and none nearer together than this: a ridge of folded paper is some 30 mm wide on either side.
_NODES, _FINEST_MM = 1800, 12.5
# Paper that was folded small and laid out: how high it comes to lie (standard deviation), and how far apart two places
# are whose heights have hardly anything in common.
_HIGH_MM, _REACH_MM = 3.0, 120.0
# Where much is seen the sheet is so much smoother than that, that 95 % of the errors on 33 folded maps are a quarter of
# what it leaves open (docs/measured/table.md). Where nothing is seen nothing is known.
_LEFT_OPEN = 0.25
# How often paper bends more than that: the smaller, the oftener.
_FREEDOM = 2.0
# The softest crease, or nothing holds the sheet there.
_SOFTEST = 0.02
# How well heights are known is asked at every second node both ways.
_ASKED = 2


@dataclass(frozen=True, eq=False)
class HeightField:
    """Nodes over a rectangle, `step_mm` apart, rows from the near edge on."""

    corner_mm: tuple[float, float]
    step_mm: float
    rows: int
    columns: int

    @classmethod
    def over(cls, low_mm: Array, high_mm: Array) -> HeightField:
        """Over the rectangle between two corners (x, y); its rows and columns are odd in number."""
        width, depth = high_mm - low_mm
        step = max(_FINEST_MM, float(np.sqrt(width * depth / _NODES)))
        columns, rows = (_ASKED * int(np.ceil(side / step / _ASKED)) + 1 for side in (width, depth))
        return cls((float(low_mm[0]), float(low_mm[1])), step, rows, columns)

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return self.rows * self.columns

    @property
    def nodes_mm(self) -> Array:
        """(count, 2) where they are."""
        x, y = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        return np.asarray(np.column_stack([x.ravel(), y.ravel()]) * self.step_mm + self.corner_mm, float)

    def weights(self, mm: Array) -> sparse.csr_array:
        """(n, count) what each node counts at places (n, 2): an even slope from one to the next."""
        at = np.clip((mm - self.corner_mm) / self.step_mm, 0, [self.columns - 1, self.rows - 1])
        low = np.minimum(at.astype(int), [self.columns - 2, self.rows - 2])
        (x, y), first = (at - low).T, low[:, 1] * self.columns + low[:, 0]
        nodes = first[:, None] + np.array([0, 1, self.columns, self.columns + 1])
        shares = np.stack([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y], axis=1)
        starts = np.arange(0, 4 * len(mm) + 1, 4)
        return sparse.csr_array((shares.ravel(), nodes.ravel(), starts), shape=(len(mm), self.count))

    @cached_property
    def bends(self) -> sparse.csc_array:
        """(count, count) of heights: how much the field bends at each node, of variance one where it is as high and
        reaches as far as a Gaussian one of `_HIGH_MM` and `_REACH_MM`: Matern's, smoothness one (Lindgren, Rue and
        Lindstrom 2011)."""
        kappa2 = 8 / _REACH_MM**2
        bent = sparse.kron(sparse.eye_array(self.rows), _second(self.columns))
        bent = (bent + sparse.kron(_second(self.rows), sparse.eye_array(self.columns))) / self.step_mm**2
        scale = self.step_mm / np.sqrt(4 * np.pi * kappa2 * _HIGH_MM**2)
        return sparse.csc_array(scale * (kappa2 * sparse.eye_array(self.count) - bent))

    def creases(self, heights_mm: Array) -> Array:
        """(count,) how stiff the sheet is at each node, 1 as a rule: paper bends sharply where it was folded, and
        hardly elsewhere (Student's t)."""
        stiff = (_FREEDOM + 1) / (_FREEDOM + np.square(self.bends @ heights_mm))
        return np.asarray(np.maximum(stiff, _SOFTEST), float)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The field once something was seen of it.

    told     (count, count) precision of what was seen
    towards  (count,) that precision times what was seen
    stiff    (count,) how stiff the sheet is at each node
    """

    field: HeightField
    told: sparse.csc_array
    towards: Array
    stiff: Array

    @cached_property
    def _solver(self) -> SuperLU:
        bends = self.field.bends
        precision = sparse.csc_array(self.told + bends.T @ sparse.diags_array(self.stiff) @ bends)
        return splu(precision, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    @cached_property
    def heights_mm(self) -> Array:
        """(count,) the likeliest height of each node."""
        return np.asarray(self._solver.solve(self.towards), float)

    @property
    def folds(self) -> Folds:
        """The heights with how well they are known."""
        field = self.field
        asked = np.arange(field.count).reshape(field.rows, field.columns)[::_ASKED, ::_ASKED]
        each = np.zeros((field.count, asked.size))
        each[asked.ravel(), np.arange(asked.size)] = 1.0
        spread = self._solver.solve(each)[asked.ravel(), np.arange(asked.size)]
        share_of_prior = np.minimum(spread / _HIGH_MM**2, 1.0)
        sigmas_mm = np.sqrt(spread) * (_LEFT_OPEN + (1 - _LEFT_OPEN) * share_of_prior**2)
        between = np.asarray(sigmas_mm.reshape(asked.shape), float)
        coarse = Folds(field.corner_mm, _ASKED * field.step_mm, 0.0 * between, between)
        shape = (field.rows, field.columns)
        heights_mm, known_mm = self.heights_mm.reshape(shape), coarse.sigmas_at(field.nodes_mm).reshape(shape)
        return Folds(field.corner_mm, field.step_mm, heights_mm, known_mm)


def _second(count: int) -> sparse.dia_array:
    """(count, count) second differences, without a slope at either end."""
    middle = np.full(count, -2.0)
    middle[[0, -1]] = -1.0
    beside = np.ones(count - 1)
    return sparse.diags_array([beside, middle, beside], offsets=[-1, 0, 1])
