"""Coins of different owners that look alike and were moved in one go: which took the other's place unseen."""

from __future__ import annotations

from collections.abc import Sequence

from shapely.geometry.base import BaseGeometry

from vision.detection import Detection
from vision.memory.laid_on import touches
from vision.memory.likeness import may_be
from vision.track import Track


def not_taken_over(
    tracks: Sequence[Track], seen: Sequence[Detection], in_place: dict[int, int], changed_mm: BaseGeometry | None
) -> dict[int, int]:
    """`in_place` without the pairs in which the piece seen is another player's, put where the track's lay.

    That is so if a piece of the owner read here is missing, and one of the track's owner is new elsewhere.
    Another owner alone proves nothing: the eyes may overlook a dot.
    """
    gone = [t.seen for i, t in enumerate(tracks) if i not in in_place and not t.hidden and touches(t.seen, changed_mm)]
    new = [each for j, each in enumerate(seen) if j not in in_place.values()]

    def is_another(was: Detection, now: Detection) -> bool:
        """Whether what is read here came from elsewhere, and what was known here went there."""
        came = any(each.owner == now.owner and may_be(each, now) for each in gone)
        went = any(each.owner == was.owner and may_be(was, each) for each in new)
        return was.owner != now.owner and came and went

    return {
        i: j for i, j in in_place.items() if not (touches(seen[j], changed_mm) and is_another(tracks[i].seen, seen[j]))
    }
