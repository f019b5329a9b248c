"""What hides parts of the table, so that pieces may lie there unseen: a hand, a book, a pencil laid across."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from shapely import MultiPolygon, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import Detection
from vision.memory.hiding import hidden_by, is_gone, laid_over
from vision.memory.likeness import covered_share
from vision.memory.screens import STANDING
from vision.motion.change import Change
from vision.motion.hand import Hand, find_hand, region_mm
from vision.track import Track

# Shadows and pale rims reach so far beyond what came or went (as `vision.motion.hand` has it).
_AROUND_MM = 6.0
# So much of a change is the coming of something strange: a pencil 7 mm wide has 500 mm2 and more beyond a coin.
_STRANGE_SHARE, _STRANGE_MM2 = 0.5, 300.0
# What went changed all of its place, whatever narrower came across it or beside it.
_WENT_SHARE = 0.9


def cover_of(
    hand: Hand, came_mm: BaseGeometry, plane: TablePlane, showed: Sequence[Detection], seen: Sequence[Detection]
) -> BaseGeometry:
    """What hides the table in a picture, table mm.

    came_mm  where the picture shows what the table did not
    showed   what showed on the table that was agreed last
    seen     what looks at the picture saw
    """
    if hand.reaches_in:
        return hand.cover_mm
    hid_mm = [hidden_by(one, plane) for one in showed]
    known_mm = [*hid_mm, *(hidden_by(one, plane) for one in seen)]
    # What stands throws a shadow as strange as any pencil.
    tall_mm = [one.footprint for one in (*showed, *seen) if one.kind in STANDING]
    across_mm = laid_across(came_mm, known_mm, tall_mm)
    over_mm = [part for part in across_mm if not any(_went(one, part) for one in showed)]
    return union_all([laid_over(hand.cover_mm, hid_mm), *over_mm])


def where_came(change: Change, uncovered: Change | None, plane: TablePlane) -> BaseGeometry:
    """Where the table shows what it showed neither when it was last agreed nor before it was covered.

    uncovered  what differs from the table as it was before that; None where nothing covers it
    """
    changed = change.changed if uncovered is None else np.minimum(change.changed, uncovered.changed)
    return region_mm(changed, change.scale, plane)


def left_over(
    uncovered: Change | None, plane: TablePlane, tracks: Sequence[Track], seen: Sequence[Detection]
) -> BaseGeometry:
    """Where pieces are hidden by something that was laid over them before and still lies there. Its look may have
    changed meanwhile, by fading light or by what was put down beside it.

    uncovered  as `where_came` has it
    """
    under_it = [track.seen for track in tracks if track.hidden and track.under is None]
    if uncovered is None or not under_it:
        return MultiPolygon()
    differs_mm = region_mm(uncovered.changed, uncovered.scale, plane)
    cover_mm = cover_of(find_hand(uncovered, plane), differs_mm, plane, [track.seen for track in tracks], seen)
    return cover_mm.intersection(union_all([one.footprint for one in under_it]))


def laid_across(
    came_mm: BaseGeometry, known_mm: Iterable[BaseGeometry], tall_mm: Iterable[BaseGeometry]
) -> list[BaseGeometry]:
    """The parts of what came that are mostly no known piece and lie beside nothing that stands.

    came_mm   as in `cover_of`
    known_mm  what each thing that lies there now, or did, hides of the table
    tall_mm   where things stand that throw a shadow
    """
    known, tall = (union_all([one.buffer(_AROUND_MM) for one in each]) for each in (known_mm, tall_mm))
    parts = getattr(came_mm, "geoms", [came_mm])
    return [part for part in parts if not part.intersects(tall) and _is_strange(part, known)]


def _went(one: Detection, part_mm: BaseGeometry) -> bool:
    """Whether a thing that showed in a part went: of what is as wide there it is a third or more, which a coin is not
    of a match box that was laid over it."""
    reach_mm = _WENT_SHARE * one.radius_mm
    wide_mm = part_mm.buffer(-reach_mm).buffer(reach_mm)
    return covered_share(one, part_mm) > _WENT_SHARE and is_gone(one.footprint, wide_mm)


def _is_strange(part_mm: BaseGeometry, known_mm: BaseGeometry) -> bool:
    strange_mm2 = float(part_mm.difference(known_mm).area)
    return strange_mm2 >= max(_STRANGE_MM2, _STRANGE_SHARE * float(part_mm.area))
