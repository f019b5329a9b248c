"""How the lens bends, from lines that are straight on the table: plumb lines (Brown 1971, "Close-range camera
calibration", Photogrammetric Engineering 37). No board, no click: the sides of a sheet, a table or a card tell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.bending.barrel import barrel_of
from calibration.bending.radial import bent, straightened
from calibration.bending.straight_lines import CURVED_SIGMAS, KNOTS, Lines
from calibration.edges.long_edge import LongEdge
from calibration.lens import Lens

Array = NDArray[np.float64]

# An edge that is rougher than this is no straight thing's.
ROUGHEST_PX = 0.5
# Bends to begin with, as shares of half the diagonal at the picture's corners: webcams' and wide lenses'.
_STARTS = np.linspace(-0.3, 0.2, 26)
_ROUNDS = 12
# Webcams' and mild lenses' barrels are weaker than this.
_STRONG = -0.16
_FEWEST_AGREEING = 3
# Of the length of all smooth edges, what the agreeing ones must have: one bend, and not any, explains the picture.
_AGREEING_LENGTH = 0.5
_WEAKEST = 1e-9
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
    lines        how many straight lines agree on it, both edges of a thing as one
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
        return np.asarray(straightened((px - middle) / self.reach_px, self.values) * self.reach_px + middle, float)

    def bent(self, px: Array, size_px: tuple[int, int]) -> Array:
        """(n, 2) where this lens shows what a lens without distortion shows at `px`: the inverse of `straightened`."""
        middle = (np.array(size_px) - 1) / 2
        return np.asarray(bent((px - middle) / self.reach_px, self.values) * self.reach_px + middle, float)


def bend_of(edges: Sequence[LongEdge], size_px: tuple[int, int], roughest_px: float = ROUGHEST_PX) -> Bend | None:
    """The bend on which most of the straight edges agree, or else a strong barrel that some tell past doubt; None
    where they tell none.

    size_px      (width, height) of the picture, whose middle the lens is taken to be centred on
    roughest_px  of edges of straight things
    """
    told: Bend | None = None
    smooth = [edge for edge in edges if edge.roughness_px < roughest_px and len(edge.points_px) >= KNOTS]
    if len(smooth) >= _FEWEST_AGREEING:
        lines = Lines.of(smooth, size_px)
        started = min((_radial(share) for share in _STARTS), key=lines.cost)
        values = lines.fitted(started, [CURVED_SIGMAS] * _ROUNDS)
        told = _told(lines, values, size_px) if _agrees(lines, values) else None
        if told is not None and values[0] > _STRONG:
            return told
    # The longest sides are bowed too much to be among those that were asked.
    barrel = barrel_of(edges, size_px)
    return _told(*barrel, size_px) if barrel is not None else told


def _radial(share: float) -> Array:
    return np.array([share, 0.0, 0.0, 0.0, 0.0, 0.0])


def _agrees(lines: Lines, values: Array) -> bool:
    """Whether most lines, and several things, agree on the bend."""
    agree = lines.square(values) < 1
    several = len(lines.only(agree).once().length) >= _FEWEST_AGREEING
    return bool(several and lines.length[agree].sum() >= _AGREEING_LENGTH * lines.length.sum())


def _told(lines: Lines, values: Array, size_px: tuple[int, int]) -> Bend:
    """The bend, and how well the things that agree tell it."""
    agreeing = lines.only(lines.square(values) < 1).once()
    count = len(agreeing.length)
    spare = max(3 * count - len(values), 0)
    scatter = (_PRIOR_NUMBERS + np.square(agreeing.off(values)).sum()) / (_PRIOR_NUMBERS + spare)
    information, pull = agreeing.normal(values)
    told = values + np.linalg.pinv(information, rcond=_WEAKEST, hermitian=True) @ pull
    return Bend(values, told, information / scatter, float(np.hypot(*size_px)) / 2, count)
