"""Cards that do not lie flat: what is bowed lies elsewhere than its sides seem to.

A card that rests on its middle shows its ends farther away than they are, one that rests on its ends its middle. Seen
from aside a side bends by as much, which tells how high it rises. Along the way of sight nothing shows of it: there a
card is bowed as the others of its table are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane, sigma_of
from vision.frame import ImageBgr
from vision.shape.bent_rectangle import GLANCE, Bent, away_mm, bent_rectangles
from vision.shape.rectangle import RectangleFit

Array = NDArray[np.float64]

# Edges of one side err alike, as if each alone were so far off, mm (drawn cards that lie flat: half of that).
_EDGE_MM = 0.15
# So much of a card's sides lies on edges where it is measured, and no less, but for so much, than if it lay flat.
_SUPPORT, _NO_WORSE = 0.85, 0.02
# A card is plainly bowed by so many standard deviations, and so many mm, and none by more than that.
_PLAINLY, _LEAST_MM, _MOST_MM = 6.0, 0.5, 8.0
# What a bow is known to that tells how the others of its table are, mm; no cards lie flatter.
_TOLD_MM, _FLAT_MM = 0.5, 0.1


def as_they_lie(
    image_bgr: ImageBgr, plane: TablePlane, fits: Sequence[RectangleFit]
) -> tuple[list[RectangleFit], Array]:
    """Cards where they lie, and (n,) by how much farther off than flat ones they may be, mm: as they are where no card
    of the table is plainly bowed."""
    whole = [number for number, fit in enumerate(fits) if fit.support >= _SUPPORT]
    flat = [(numbers, bent_rectangles(image_bgr, plane, same, GLANCE)) for numbers, same in _by_size(fits, whole)]
    if not any(_is_plain(glance).any() for _, glance in flat):
        return list(fits), np.zeros(len(fits))
    told = [
        (numbers, _own(bent_rectangles(image_bgr, plane, [fits[number] for number in numbers]), glance))
        for numbers, glance in flat
    ]
    usual = _usual([bent for _, bent in told])
    lie, further_mm = list(fits), _untold_mm(plane, fits, usual)
    for numbers, (bent, is_own) in told:
        for number, at in zip(np.array(numbers)[is_own], np.flatnonzero(is_own).tolist(), strict=True):
            lie[number], further_mm[number] = _laid(plane, fits[number], bent, at, usual)
    return lie, further_mm


@dataclass(frozen=True, eq=False)
class _Usual:
    """How cards of a table are bowed along their length and breadth, (2,) mm each: on average, and how unlike."""

    mean_mm: Array
    spread_mm: Array

    @property
    def most_mm(self) -> float:
        """How high some part of one rises that was not measured (root of the mean square)."""
        return float(np.sqrt(np.square(self.mean_mm).sum() + np.square(self.spread_mm).sum()))


def _by_size(fits: Sequence[RectangleFit], numbers: list[int]) -> list[tuple[list[int], list[RectangleFit]]]:
    """The numbers of the cards of each size, and these."""
    sizes = sorted({fits[number].size_mm for number in numbers})
    alike = [[number for number in numbers if fits[number].size_mm == size_mm] for size_mm in sizes]
    return [(same, [fits[number] for number in same]) for same in alike]


def _is_plain(bent: Bent) -> NDArray[np.bool_]:
    """(n, 2) along which of length and breadth cards are bowed past doubt."""
    high_mm = np.abs(bent.bow_mm)
    return np.asarray((high_mm > _PLAINLY * _EDGE_MM * bent.bow_spread) & (high_mm > _LEAST_MM), bool)


def _own(bent: Bent, flat: Bent) -> tuple[Bent, NDArray[np.bool_]]:
    """The cards, and (n,) whose edges are surely their own sides: all that show, and no fewer than if they lay flat."""
    shown = (bent.support >= _SUPPORT) & (bent.support >= flat.support - _NO_WORSE)
    high_mm = np.abs(bent.bow_mm) - 2 * _EDGE_MM * bent.bow_spread
    return bent, shown & (high_mm.max(axis=1) < _MOST_MM)


def _usual(told: Sequence[tuple[Bent, NDArray[np.bool_]]]) -> _Usual:
    """How the cards of a table are bowed by those of which that is known, one of them plainly."""
    mean_mm, spread_mm = np.zeros(2), np.zeros(2)
    for way in range(2):
        bow_mm = np.concatenate([bent.bow_mm[is_own, way] for bent, is_own in told])
        sigma_mm = np.concatenate([_EDGE_MM * bent.bow_spread[is_own, way] for bent, is_own in told])
        is_plain = np.concatenate([_is_plain(bent)[is_own, way] for bent, is_own in told])
        if is_plain.any():
            mean_mm[way], spread_mm[way] = _mean_and_spread_mm(bow_mm[is_plain | (sigma_mm < _TOLD_MM)])
    return _Usual(mean_mm, spread_mm)


def _mean_and_spread_mm(bow_mm: Array) -> tuple[float, float]:
    """Of bows (n,): as if one more card lay flat, for of few cards the mean is as unsure."""
    every = np.append(bow_mm, 0.0)
    mean_mm = float(every.mean())
    return mean_mm, float(np.hypot(every.std(), mean_mm / np.sqrt(len(every))))


def _laid(plane: TablePlane, fit: RectangleFit, bent: Bent, at: int, usual: _Usual) -> tuple[RectangleFit, float]:
    """The `at`-th of the cards that were measured where it lies, and how far off that may be, mm."""
    firm, before = bent.known[at] / _EDGE_MM**2, np.zeros(7)
    before[5:] = 1 / np.square(np.maximum(usual.spread_mm, _FLAT_MM))
    covariance = np.linalg.inv(firm + np.diag(before))
    change = covariance @ (firm @ bent.change[at] + before * np.append(np.zeros(5), usual.mean_mm))
    # The middle of one that rests on its ends is as high as it is bowed.
    lifted = (change[5:] < 0) * away_mm(plane, np.array(fit.centre_mm))[:, None]
    moved = np.concatenate([np.eye(2), np.zeros((2, 3)), lifted], axis=1)
    x, y = np.array(fit.centre_mm) + moved @ change
    laid = replace(
        fit,
        centre_mm=(float(x), float(y)),
        angle_rad=fit.angle_rad + float(change[2]),
        straight_mm=float(bent.residual_mm[at]),
    )
    return laid, float(sigma_of((moved @ covariance @ moved.T)[None])[0])


def _untold_mm(plane: TablePlane, fits: Sequence[RectangleFit], usual: _Usual) -> Array:
    """(n,) how far off cards may be that are bowed as is usual, mm."""
    middles_mm = np.array([fit.centre_mm for fit in fits]).reshape(-1, 2)
    return np.asarray(usual.most_mm * np.linalg.norm(away_mm(plane, middles_mm), axis=1), float)
