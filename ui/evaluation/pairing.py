"""Which found piece is which known one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from rules.scene import Piece
from ui.evaluation.truth import Known

# A found piece farther than this from a known one, or than half its size, is another thing.
_NEAR_MM = 6.0
# Labelled boxes are off by 5 % of their size here and there: a centre may lie this far outside, in half boxes.
_BOX_SLACK = 1.1
_NEVER = 1e6


def paired(known: Sequence[Known], found: Sequence[Piece]) -> list[tuple[int, int]]:
    """(index of known, index of found), one to one, the nearest of the same kind together; what hardly shows, such as
    a coin under another, has what is left."""
    shown = [i for i, thing in enumerate(known) if thing.must_find]
    hidden = [i for i, thing in enumerate(known) if not thing.must_find]
    first = _nearest(known, shown, found, range(len(found)))
    taken = {j for _, j in first}
    return [*first, *_nearest(known, hidden, found, [j for j in range(len(found)) if j not in taken])]


def _nearest(
    known: Sequence[Known], which: Sequence[int], found: Sequence[Piece], among: Sequence[int]
) -> list[tuple[int, int]]:
    if not which or not among:
        return []
    costs = np.array([[_cost(known[i], found[j]) for j in among] for i in which])
    rows, columns = (axis.tolist() for axis in linear_sum_assignment(costs))
    return [(which[i], among[j]) for i, j in zip(rows, columns, strict=True) if costs[i, j] < _NEVER]


def _cost(known: Known, piece: Piece) -> float:
    if known.kind != piece.kind:
        return _NEVER
    if known.position_mm is not None:
        distance_mm = math.dist(known.position_mm, piece.position_mm)
        return distance_mm if distance_mm <= max(_NEAR_MM, piece.radius_mm) else _NEVER
    if known.box_px is None or piece.image_px is None:
        return _NEVER
    x, y, w, h = known.box_px
    off = max(abs(piece.image_px[0] - x - w / 2) / (w / 2), abs(piece.image_px[1] - y - h / 2) / (h / 2))
    return off if off <= _BOX_SLACK else _NEVER
