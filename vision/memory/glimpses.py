"""Figures that looks see where nobody is told to stand: too faintly, or though nothing had changed there.

Who is told late is mostly one who stood behind another and comes in sight when that one goes. He did not come, nor is
he the one who went, if there is another place for that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapely.geometry.base import BaseGeometry

from vision.detection import FIGURES, Detection
from vision.memory.likeness import covered_share, is_in_place, may_be
from vision.memory.screens import HIDDEN_SHARE
from vision.track import Track


def glimpses(look: Iterable[Detection], tracks: Sequence[Track]) -> tuple[Detection, ...]:
    """The figures of a look that are in no track's place."""
    known = [track.seen for track in tracks if track.seen.kind in FIGURES and not track.hidden]
    return tuple(d for d in look if d.kind in FIGURES and not any(is_in_place(was, d) for was in known))


def stood_there(seen: Detection, glimpsed: Iterable[Detection], hid_mm: BaseGeometry) -> bool:
    """Whether the look before saw the figure too; if it saw it only faintly, this counts only behind what went.

    hid_mm  what the pieces that are missing now hid of the table, their own places left out
    """
    same = [one for one in glimpsed if one.kind == seen.kind and is_in_place(one, seen)]
    return any(not one.faint for one in same) or (bool(same) and covered_share(seen, hid_mm) >= HIDDEN_SHARE)


def shows_faintly(track: Track, faint: Iterable[Detection]) -> bool:
    """Whether a figure that no look told surely is faintly seen where it stood."""
    return track.seen.kind in FIGURES and any(is_in_place(track.seen, d) and may_be(track.seen, d) for d in faint)
