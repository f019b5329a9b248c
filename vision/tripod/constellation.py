"""Known pieces recognised by how they lie to one another, as stars are, though the camera stands somewhere else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from rules.scene import NONE, UNKNOWN
from vision.detection import Detection

Array = NDArray[np.float64]
# Which of the known and which of the seen are the same: (n, 2) indices.
Pairs = NDArray[np.int_]

# Two pieces nearer to one another say too little of turn and scale.
_FAR_MM = 80.0
# What a camera sees of a table from elsewhere, laid out by the plane of before, is turned and shifted, larger or
# smaller by no more than this, and out of shape by so much.
_SCALES = (0.8, 1.25)
_OUT_OF_SHAPE_MM = (8.0, 25.0)
# So many pieces at least, and so large a share of those that are known, must be found again; any other way to lay the
# one pattern over the other must fit so many fewer. Rendered matches: `benchmarks.carried_round`.
FEWEST, SHARE, _AHEAD = 4, 0.5, 2
# Two ways to recognise pieces are the same if they lay most of them within this of one another.
_SAME_MM = 40.0
# Pairs of pieces tried, the longest ones: one true pair will do.
_MOST_PAIRS = 60


def is_alike(known: Detection, seen: Detection) -> bool:
    """Whether two detections may be one piece; a class or owner that is unknown speaks neither for it nor against."""
    if known.kind != seen.kind:
        return False
    if known.kind == "coin" and UNKNOWN not in (known.cls, seen.cls) and known.cls != seen.cls:
        return False
    return known.owner == seen.owner or not {UNKNOWN, NONE}.isdisjoint((known.owner, seen.owner))


def recognised(known: Sequence[Detection], seen: Sequence[Detection]) -> Pairs | None:
    """Which is which, at first by one turn, shift and scale of all; None where too few agree, or another way does too.

    seen  measured by the plane of before, which a camera that was moved no longer has
    """
    alike = np.array([[is_alike(k, s) for s in seen] for k in known], bool).reshape(len(known), len(seen))
    if min(alike.shape) < FEWEST:
        return None
    was, now = (np.array([d.position_mm for d in group]) @ (1, 1j) for group in (known, seen))
    factors, shifts = _motions(was, now, alike)
    if not len(factors):
        return None
    there = factors[:, None] * was + shifts[:, None]
    # What is hardly out of shape tells more: ranks of men lie over one another in many ways, but for a few cm.
    found = (_clearest(there, now, alike, within_mm) for within_mm in _OUT_OF_SHAPE_MM)
    return next((pairs for pairs in found if pairs is not None), None)


def _clearest(
    laid: NDArray[np.complex128], now: NDArray[np.complex128], alike: NDArray[np.bool_], within_mm: float
) -> Pairs | None:
    """By the one way (ways, known) to lay the known over those seen that brings clearly the most of them so near."""
    near = (np.abs(laid[:, :, None] - now) < within_mm) & alike
    # Each counts once, among the known and among the seen.
    counts = np.minimum(near.any(axis=2).sum(axis=1), near.any(axis=1).sum(axis=1))
    best = int(counts.argmax())
    others = np.median(np.abs(laid - laid[best]), axis=1) > _SAME_MM
    rival = int(counts[others].max(initial=0))
    if counts[best] < max(FEWEST, SHARE * laid.shape[1]) or counts[best] < rival + _AHEAD:
        return None
    return matched(np.abs(laid[best][:, None] - now), alike, within_mm)


def laid(known: Sequence[Detection], seen: Sequence[Detection], pairs: Pairs) -> Array:
    """(n, 2) mm where all the known would be seen, as those do that were recognised: by one turn, scale and shift."""
    was, now = (np.array([d.position_mm for d in group]) @ (1, 1j) for group in (known, seen))
    some, there = was[pairs[:, 0]], now[pairs[:, 1]]
    off, towards = some - some.mean(), there - there.mean()
    all_there = there.mean() + np.vdot(off, towards) / np.vdot(off, off) * (was - some.mean())
    return np.column_stack([all_there.real, all_there.imag])


def matched(distance_mm: Array, alike: NDArray[np.bool_], within_mm: float) -> Pairs:
    """(n, 2): the pairs that are alike and within so much of one another, none twice, the nearest together."""
    cost = np.where(alike & (distance_mm < within_mm), distance_mm - within_mm, 0.0)
    known, seen = linear_sum_assignment(cost)
    return np.stack([known, seen], axis=1)[cost[known, seen] < 0]


def _motions(was: NDArray[np.complex128], now: NDArray[np.complex128], alike: NDArray[np.bool_]) -> tuple[
    NDArray[np.complex128], NDArray[np.complex128]
]:  # fmt: skip
    """Each turn and scale, and shift, by which two of the known come to lie where two of the seen do."""
    pairs = sorted(combinations(range(len(was)), 2), key=lambda pair: -abs(was[pair[1]] - was[pair[0]]))[:_MOST_PAIRS]
    factors, shifts = [], []
    for a, b in pairs:
        length = was[b] - was[a]
        if abs(length) < _FAR_MM:
            break
        first, second = np.nonzero(alike[a])[0], np.nonzero(alike[b])[0]
        factor = (now[second][None] - now[first][:, None]) / length
        fits = (np.abs(factor) > _SCALES[0]) & (np.abs(factor) < _SCALES[1])
        rows, columns = np.nonzero(fits)
        factors.append(factor[rows, columns])
        shifts.append(now[first[rows]] - factor[rows, columns] * was[a])
    return np.concatenate(factors or [np.zeros(0, complex)]), np.concatenate(shifts or [np.zeros(0, complex)])
