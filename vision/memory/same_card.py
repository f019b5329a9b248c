"""Cards that a look reads as others since a piece on them went or came: of the rest of a card nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from shapely import union_all
from shapely.geometry.base import BaseGeometry

from rules.scene import UNKNOWN
from vision.detection import Detection
from vision.memory.likeness import is_in_place
from vision.motion.hand import AROUND_MM
from vision.track import Track

# Beside the pieces on it 0.07 at most changed of 61 cards that lay on (nine films on which coins went and came on
# cards), of one in whose place a hand laid another 0.26 and more, of one exactly there with one pip more 0.09 (360 of
# two decks, as like as they have them, 1 px to a mm; *script*).
_CHANGED_SHARE = 0.1
# What is told of a card by so little of it is nothing.
_BARE_SHARE = 0.3
# A piece changes so much around itself: its shadow and its rim's parallax, and as changes are widened.
_BESIDE_MM = 4.0 + AROUND_MM


def as_known_cards(
    tracks: Iterable[Track],
    seen: Sequence[Detection],
    changed_mm: BaseGeometry | None,
    hides: Callable[[Detection], BaseGeometry],
) -> list[Detection]:
    """What is seen; cards that lie where they lay, and changed but where pieces lie on them or did, are read as before.

    changed_mm  where the picture differs from the one last agreed; None for anywhere
    hides       gives the region, table mm, that a thing hides from the camera
    """
    showed = [track for track in tracks if not track.hidden]
    known = [track.seen for track in showed if track.seen.kind == "card" and track.seen.cls != UNKNOWN]
    misread = [each for each in seen if each.kind == "card" and _lay_there(known, each) is not None]
    if changed_mm is None or not misread:
        return list(seen)
    pieces = [one for one in (*(track.seen for track in showed), *seen) if one.kind not in ("card", "terrain")]

    def read(each: Detection) -> Detection:
        was = _lay_there(known, each)
        on_it = [] if was is None else [one for one in pieces if one.footprint.intersects(was.footprint)]
        if was is None or not _lies_on(was, union_all([hides(one).buffer(_BESIDE_MM) for one in on_it]), changed_mm):
            return each
        return replace(each, cls=was.cls, class_log_probs=was.class_log_probs)

    return [read(each) for each in seen]


def _lay_there(known: Iterable[Detection], seen: Detection) -> Detection | None:
    """The card that lay where one is seen that is read as another."""
    others = (was for was in known if seen.kind == "card" and seen.cls not in (UNKNOWN, was.cls))
    return next((was for was in others if is_in_place(was, seen)), None)


def _lies_on(card: Detection, pieces_mm: BaseGeometry, changed_mm: BaseGeometry) -> bool:
    """Whether much of a card is bare, and hardly any of that changed."""
    bare_mm = card.footprint.difference(pieces_mm)
    is_told = bare_mm.area >= _BARE_SHARE * card.footprint.area
    return is_told and bool(bare_mm.intersection(changed_mm).area < _CHANGED_SHARE * bare_mm.area)
