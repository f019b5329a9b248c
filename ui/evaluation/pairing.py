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
# What it costs to leave a known one without any, beside distances in mm: much, and less where it hardly shows.
_NEVER, _UNMET, _UNMET_HIDDEN = 1e9, 1e6, 1e3


def paired(known: Sequence[Known], found: Sequence[Piece]) -> list[tuple[int, int]]:
    """(index of known, index of found), one to one, the nearest of the same kind together; what hardly shows, such as
    a coin under another, has only what leaves none without that shows."""
    if not known or not found:
        return []
    costs = np.array([[_cost(thing, piece) for piece in found] for thing in known])
    left_out = np.array([_UNMET if thing.must_find else _UNMET_HIDDEN for thing in known])
    without = np.where(np.eye(len(known), dtype=bool), left_out[:, None], _NEVER)
    rows, columns = (axis.tolist() for axis in linear_sum_assignment(np.hstack([costs, without])))
    met = [(i, j) for i, j in zip(rows, columns, strict=True) if j < len(found) and costs[i, j] < _NEVER]
    return sorted(met, key=lambda pair: not known[pair[0]].must_find)


def _cost(known: Known, piece: Piece) -> float:
    if known.kind != piece.kind:
        return _NEVER
    if known.position_mm is not None:
        distance_mm = math.dist(known.position_mm, piece.position_mm)
        if distance_mm > max(_NEAR_MM, piece.radius_mm):
            return _NEVER
        # Of coins on one another each is the one at its height, whichever lies nearer from above.
        return math.hypot(distance_mm, 0.0 if known.elevation_mm is None else piece.elevation_mm - known.elevation_mm)
    if known.box_px is None or piece.image_px is None:
        return _NEVER
    x, y, w, h = known.box_px
    off = max(abs(piece.image_px[0] - x - w / 2) / (w / 2), abs(piece.image_px[1] - y - h / 2) / (h / 2))
    return off if off <= _BOX_SLACK else _NEVER
