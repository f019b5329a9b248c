"""Figures that look alike to the nets and were moved in one go: which of them took another's place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment
from shapely.geometry.base import BaseGeometry

from vision.detection import FIGURES, Detection
from vision.memory.laid_on import touches
from vision.memory.likeness import may_be
from vision.memory.move_cost import NEVER, unlike_in_any_light
from vision.track import Track

# In mm of a move's cost: who is seen where one stood is that one, unless another who is missing, or in whose place one
# is seen as well, is so much more like him, or somebody new elsewhere so much more like that one. Looks at one base
# that stayed are 13 apart (median of 302 on six films, a lamp dimmed by a third on one) and 138 at most, at one soldier
# 31 (55); of two bases on one table one pair in ten less than 216, half more than 689.
_WENT = 250.0
# Who is missing may have been taken off, and who is new put down, so that two of these cost no more for being unlike.
_ANOTHER = _WENT / 2


def not_exchanged(
    tracks: Sequence[Track], seen: Sequence[Detection], in_place: dict[int, int], changed_mm: BaseGeometry | None
) -> dict[int, int]:
    """`in_place` without the pairs in which a figure seen is another one, put where the track's stood.

    Size and a base's paint tell it, and only where the one that it is then is missing, or has another in his place, or
    where the one that it is not is seen elsewhere: a change of light alone makes nobody look like another one.
    """
    touched = {i: j for i, j in in_place.items() if seen[j].kind in FIGURES and touches(seen[j], changed_mm)}
    gone = [i for i, t in enumerate(tracks) if i not in in_place and _is_missing(t, changed_mm)]
    new = [j for j, d in enumerate(seen) if d.kind in FIGURES and j not in in_place.values()]
    if not touched or len(touched) + len(gone) + len(new) < 2:
        return in_place
    who, where = [*touched, *gone], [*touched.values(), *new]
    costs = np.array([[_cost(tracks[i], seen[j], stays=touched.get(i) == j) for j in where] for i in who])
    of_missing_and_new = costs[len(touched) :, len(touched) :]
    np.minimum(of_missing_and_new, _WENT + _ANOTHER, out=of_missing_and_new)
    best = {who[row]: where[column] for row, column in zip(*linear_sum_assignment(costs), strict=True)}
    return {i: j for i, j in in_place.items() if i not in touched or best.get(i) == j}


def _is_missing(track: Track, changed_mm: BaseGeometry | None) -> bool:
    return track.seen.kind in FIGURES and not track.hidden and touches(track.seen, changed_mm)


def _cost(track: Track, seen: Detection, *, stays: bool) -> float:
    """Cost, mm, of the figure seen being the track's, which stayed or went there."""
    if not may_be(track.seen, seen):
        return NEVER
    return unlike_in_any_light(track.seen, seen) + (0.0 if stays else _WENT)
