"""Whether views were taken at two zooms: one group of them tells a longer focal length than the other, and within each
they agree. Or each at its own, as a camera takes them that focuses by itself.

So many strange ones take the lens with them, so that none stands out: of half the views at 1.05 times the zoom 2.6 %
off, and 0.2 to 0.5 stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.boards.turned_view import ViewTold, apart_px2

Array = NDArray[np.float64]

# A longer focal length of some views explains this share of all that they tell apart: two zooms (1.02 to 1.25 times as
# long, of 8 to 16 views) 0.86 to 1.00, the best way to part sheets that bend in the hands 0.34 at most, others 0.17.
_EXPLAINED = 0.8
# A focal length of each view's own explains this share: of sheets that bend, photographs and right views 0.37 at most,
# of a camera that focuses by itself (1 %) 0.77 to 0.99 by 12 views. By five views, or of 0.5 %, 0.17 to 0.99: half are
# missed.
_SCATTERED = 0.6
# In variances of a corner, the best way to part right views gained 14 at most, two zooms 236 and more. Photographs of a
# board that bends gained 154, drawn sheets that bend 390: these explain little of what they tell apart.
_CLEAR = 40.0
# A lens that breathes as it looks for its focus: 0.5 to 1 %, of which the best groups lie 1.6 times apart.
_BREATHES = 0.015
# Other groups must gain so many times as much.
_MORE = 1.0001
_TINY = float(np.finfo(float).tiny)


@dataclass(frozen=True)
class TwoLenses:
    """The smaller group of views, by their numbers, how many times as long as the others' its focal length is, and by
    how much less all views leave were it as long."""

    fewer: frozenset[int]
    times: float
    gain_px2: float


def two_lenses(told: Sequence[ViewTold], variance_px2: float) -> TwoLenses | None:
    """The two groups that views are of; None where one lens, or no two, explain them, or where their focus may.

    told          of each view, at the lens that was fitted to all of them
    variance_px2  of each coordinate of a corner
    """
    parting = _Parting.of(told)
    longer = max((parting.improved(start) for start in parting.starts()), key=parting.gain_px2)
    gained_px2 = parting.gain_px2(longer)
    fewer = longer if 2 * longer.sum() <= len(told) else ~longer
    times = float(np.exp(parting.step(fewer)[-1]))
    if gained_px2 < max(_EXPLAINED * apart_px2(told), _CLEAR * variance_px2) or abs(times - 1) < _BREATHES:
        return None
    return TwoLenses(frozenset(np.flatnonzero(fewer).tolist()), times, gained_px2)


def focal_scatter(told: Sequence[ViewTold], variance_px2: float) -> float:
    """By what share the focal length differs from view to view (standard deviation); 0 where that is not why views
    contradict one another.

    told, variance_px2  as for `two_lenses`
    """
    parting = _Parting.of(told)
    matrix = np.block(
        [[parting.information.sum(axis=0), parting.by_focal.T], [parting.by_focal, np.diag(parting.strength)]]
    )
    pull = np.r_[parting.pull.sum(axis=0), parting.asked]
    step = np.asarray(np.linalg.lstsq(matrix, pull)[0], float)
    if float(pull @ step) < max(_SCATTERED * apart_px2(told), _CLEAR * variance_px2):
        return 0.0
    focal, weights = step[-len(told) :], parting.strength
    mean = np.average(focal, weights=weights)
    return float(np.sqrt(np.average(np.square(focal - mean), weights=weights) * len(told) / (len(told) - 1)))


@dataclass(frozen=True, eq=False)
class _Parting:
    """What views tell of one lens and of a focal length that some of them do not share.

    information, pull  (n, p, p) and (n, p) of each view
    by_focal           (n, p), asked (n,) and strength (n,): what it tells of the focal length
    """

    information: Array
    pull: Array
    by_focal: Array
    asked: Array
    strength: Array

    @classmethod
    def of(cls, told: Sequence[ViewTold]) -> _Parting:
        """What each view tells of the lens, and of a focal length of its own: that changes fx and fy alike."""
        information, pull = np.array([each.information for each in told]), np.array([each.pull for each in told])
        by_focal = information[:, :2].sum(axis=1)
        return cls(information, pull, by_focal, pull[:, :2].sum(axis=1), by_focal[:, :2].sum(axis=1))

    def starts(self) -> list[NDArray[np.bool_]]:
        """Those that ask most for a longer focal length, one, two and so on of them."""
        rank = np.argsort(np.argsort(self.asked / np.maximum(self.strength, _TINY)))
        return [rank < count for count in range(1, len(rank))]

    def step(self, apart: NDArray[np.bool_]) -> Array:
        """(p + 1,) by how much the lens is another, and the logarithm of the focal length of some (n,) yet another."""
        matrix, pull = self._equations(apart)
        return -np.asarray(np.linalg.lstsq(matrix, pull)[0], float)

    def gain_px2(self, apart: NDArray[np.bool_]) -> float:
        """By how much less is left."""
        return float(-self._equations(apart)[1] @ self.step(apart))

    def _equations(self, apart: NDArray[np.bool_]) -> tuple[Array, Array]:
        crossed = self.by_focal[apart].sum(axis=0)
        matrix = np.block([[self.information.sum(axis=0), crossed[:, None]], [crossed, self.strength[apart].sum()]])
        return matrix, np.r_[self.pull.sum(axis=0), self.asked[apart].sum()]

    def improved(self, apart: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The groups after each single change of a view from one to the other that explains more."""
        best, gained_px2 = apart, self.gain_px2(apart)
        while True:
            others = [best ^ one for one in np.eye(len(best), dtype=bool)]
            others = [each for each in others if 0 < each.sum() < len(each)]
            better = max(others, key=self.gain_px2)
            if (gain_px2 := self.gain_px2(better)) <= _MORE * gained_px2:
                return best
            best, gained_px2 = better, gain_px2
