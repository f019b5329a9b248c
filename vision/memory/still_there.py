"""Where the picture hardly changed, nothing was taken or put down: terrain or a coin that a look misses is still
there, and what a look sees for the first time was there before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from shapely import union_all
from shapely.geometry.base import BaseGeometry

from rules.scene import Kind
from vision.detect.solid.parts import SHEET_MM
from vision.detection import Detection
from vision.memory.likeness import covered_share
from vision.memory.move_cost import NEVER, stay_cost
from vision.motion.by_light import Lit
from vision.motion.hand import AROUND_MM
from vision.track import Track

# What goes or comes changes its place; a man who comes before a box changes less of it.
CHANGED_SHARE = 0.5
# What is laid on bare table changes nearly all of its place (of 21 pieces on film 0.95 and more; of print that was
# taken for a coin beside one that went 0.03 and 0.13).
_LAID_SHARE = 0.3
_LAID: tuple[Kind, ...] = ("coin", "card", "die", "match")
# Nothing stands before a coin of which so much shows.
_WHOLE_SHARE = 0.95
# A piece that is laid on a sheet changes it so far around itself: by its shadow, and by the width of a shrunk pixel.
_BESIDE_MM = 4.0
# What is read as a coin with so much of its outline on one that shows in part is that one: none can lie in it.
_PART_SHARE = 0.5
# A thing is another one by now if terrain that is seen lies on more than this share of it.
_ANOTHERS_SHARE = 0.3


def is_still_there(
    track: Track, changed_mm: BaseGeometry | None, visible: Sequence[Track], came_before_mm: BaseGeometry
) -> bool:
    """Whether a track that the look misses is still there: terrain whose place looks as before, or a coin that
    something new hides in part and whose other part looks as before.

    changed_mm      where the picture differs from the one last agreed; None for anywhere
    came_before_mm  what the things that came with this look hide of the table
    """
    if changed_mm is None or track.hidden:
        return False
    if track.seen.kind == "coin":
        return _still_shows(track.seen.footprint, changed_mm, came_before_mm)
    things = (v.seen.footprint for v in visible if v.seen.kind == "terrain")
    is_taken = any(covered_share(track.seen, footprint_mm) > _ANOTHERS_SHARE for footprint_mm in things)
    if track.seen.kind != "terrain" or is_taken:
        return False
    shows_mm = track.seen.footprint, _bare_of(track, visible)
    return any(part.intersection(changed_mm).area < CHANGED_SHARE * part.area for part in shows_mm)


def _bare_of(track: Track, visible: Sequence[Track]) -> BaseGeometry:
    """What shows of a sheet beside the pieces that lie on it; all of what is higher."""
    if (track.seen.height_mm or 0.0) > SHEET_MM:
        return track.seen.footprint
    on_it = [v.seen.footprint.buffer(_BESIDE_MM) for v in visible if v.seen.kind != "terrain"]
    return track.seen.footprint.difference(union_all(on_it))


def _still_shows(coin_mm: BaseGeometry, changed_mm: BaseGeometry, came_before_mm: BaseGeometry) -> bool:
    """Whether something came before a part of a coin, and hardly any of the rest changed: it is soon not found then."""
    shows_mm = coin_mm.difference(came_before_mm)
    is_in_part = 0 < shows_mm.area < _WHOLE_SHARE * coin_mm.area
    return is_in_part and bool(shows_mm.intersection(changed_mm).area < _LAID_SHARE * shows_mm.area)


def shows_in_part(seen: Detection, changed_mm: BaseGeometry | None, cover_mm: BaseGeometry) -> bool:
    """Whether a coin is still there: what came over the table covers only a part of it, and the rest hardly changed.

    changed_mm  as in `is_still_there`
    cover_mm    what could not be seen; so far around it changes are told as `vision.motion.hand` widens them
    """
    if seen.kind != "coin" or changed_mm is None or covered_share(seen, cover_mm) < 1 - _WHOLE_SHARE:
        return False
    return _still_shows(seen.footprint, changed_mm, cover_mm.buffer(AROUND_MM))


def as_known_in_part(
    tracks: Iterable[Track], seen: Sequence[Detection], changed_mm: BaseGeometry | None, cover_mm: BaseGeometry
) -> list[Detection]:
    """What is seen; of a coin that shows in part what was known of it: its rim is measured by what shows of it, aside
    and too small, and it is named by that.

    changed_mm, cover_mm  as in `shows_in_part`
    """
    known = [t.seen for t in tracks if not t.hidden and shows_in_part(t.seen, changed_mm, cover_mm)]
    return [next((one for one in known if _is_part_of(each, one)), each) for each in seen] if known else list(seen)


def read_by_less_light(
    tracks: Iterable[Track], seen: Sequence[Detection], is_lit: Callable[[Track], Lit | None]
) -> tuple[list[Track], list[Detection]]:
    """The tracks and what is seen; where a coin is seen that cannot be the one that lay there, though light alone
    changed its place, both are what was read there in less of a lamp's glow, in which it is misread."""
    known, read = list(tracks), list(seen)
    for j, each in enumerate(seen):
        there = [i for i, track in enumerate(known) if _may_be_misread(track, each)]
        if not there or any(stay_cost(known[i], each) < NEVER for i in there):
            continue
        track, lit = known[there[-1]], is_lit(known[there[-1]])
        if lit == "more":
            read[j] = track.seen
        elif lit == "less":
            known[there[-1]] = replace(track, seen=each)
    return known, read


def _may_be_misread(track: Track, seen: Detection) -> bool:
    return track.seen.kind == "coin" and not track.hidden and _is_part_of(seen, track.seen)


def _is_part_of(seen: Detection, coin: Detection) -> bool:
    """Whether a coin is seen where another shows in part, on which nothing was laid."""
    return seen.kind == "coin" and covered_share(seen, coin.footprint) >= _PART_SHARE


def was_laid(seen: Detection, changed_mm: BaseGeometry | None, gone: Sequence[Track]) -> bool:
    """Whether a flat thing that is new to the scene can have been put down, and was not merely overlooked or mistaken.

    changed_mm  as in `is_still_there`
    gone        tracks that are not seen in their places any more: it may look like what it lies in place of
    """
    if changed_mm is None or seen.kind not in _LAID or any(t.seen.footprint.intersects(seen.footprint) for t in gone):
        return True
    return covered_share(seen, changed_mm) >= _LAID_SHARE


def hidden_behind(tracks: Iterable[Track], hides: Callable[[Detection], BaseGeometry]) -> BaseGeometry:
    """What the tracks in sight hide of the table behind them; what later shows up in their own places was put there."""
    return union_all([hides(track.seen).difference(track.seen.footprint) for track in tracks if not track.hidden])


def came_in_sight(seen: Detection, changed_mm: BaseGeometry | None, hid_mm: BaseGeometry) -> bool:
    """Whether terrain that is new to the scene lay there before, hidden behind something that went.

    changed_mm  as in `is_still_there`
    hid_mm      what of the table was hidden by the things that went
    """
    if changed_mm is None or seen.kind != "terrain":
        return False
    showed_mm = seen.footprint.difference(hid_mm)
    return bool(showed_mm.intersection(changed_mm).area <= CHANGED_SHARE * showed_mm.area)
