"""Terrain that no look tells any more, though hardly anything changed where it lies: it is still there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapely.geometry.base import BaseGeometry

from vision.likeness import covered_share

if TYPE_CHECKING:
    from vision.track import Track

# What goes changes its place; a man who comes before a box changes less of it.
_CHANGED_SHARE = 0.5
# It is something else by now if a thing that is seen lies on so much of it.
_ANOTHERS_SHARE = 0.3


def is_still_there(track: Track, changed_mm: BaseGeometry | None, visible: Sequence[Track]) -> bool:
    """Whether a track that was lost is terrain whose place looks as before.

    changed_mm  where the picture differs from the one last agreed; None for anywhere
    """
    if changed_mm is None or track.hidden or track.seen.kind != "terrain":
        return False
    things = (v.seen.footprint for v in visible if v.seen.kind == "terrain")
    is_taken = any(covered_share(track.seen, footprint_mm) > _ANOTHERS_SHARE for footprint_mm in things)
    return not is_taken and covered_share(track.seen, changed_mm) < _CHANGED_SHARE
