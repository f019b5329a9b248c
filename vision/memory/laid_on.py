"""Which remembered thing lies on which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from shapely.geometry.base import BaseGeometry

from rules.scene import UNKNOWN
from vision.detection import ON_ANOTHER_MM, Detection
from vision.memory.likeness import covered_share, distance_mm, is_in_place, may_be, may_have_gone_there, remembering
from vision.track import Track

# An unsure look that gives a coin which is gone from its place this many times the chance of the one that lies here
# shows the former on top of the latter.
LAID_ON_LOG_ODDS = float(np.log(5.0))
# A coin that is seen so much higher than it lay has not risen: another lies on it (the thinnest is 1.35 mm), past doubt
# if by so many sigmas. Nor does a coin lie on one whose upper face is so much higher or lower than its own lower one.
RISEN_MM, RISEN_SIGMAS = 1.0, 2.5
# Where what shows below its rim speaks so much against it, a coin lies on no other, even where one vanished under it:
# so it does for half of 456 coins that lie on the table, and for none of 140 on others (24 drawn stills of stacks).
_FLAT_LOG_ODDS = -2.0
# What is laid on a coin changes so much of the look of its place, which what goes from beside it does not, and shows so
# far aside of it: it lies higher, and no hand is so exact.
_LOOKS_ELSE_SHARE, _SHOWS_ASIDE_MM = 0.5, 1.0


def not_laid_on(
    tracks: Sequence[Track], seen: Sequence[Detection], stayed: dict[int, int], changed_mm: BaseGeometry | None
) -> dict[int, int]:
    """`stayed` without the pairs in which the coin seen is another one, laid on top of the track's.

    It is another one if it lies higher than the track's did, or is rather a coin that is missing from its own place.
    Where its height is not told: if the place looks different, it shows aside, and a coin of the same class and owner
    is missing, or one that it is likelier to be, by its class and the side below its rim, than the one that lay there.
    So it is if the track's was hidden under one that is nowhere seen, and one like it is missing: it lies on both.
    """
    gone = [t for i, t in enumerate(tracks) if i not in stayed and not t.hidden and touches(t.seen, changed_mm)]
    free = [each for j, each in enumerate(seen) if j not in stayed.values()]
    lost = [t for t in gone if not any(may_be(t.seen, each) or may_have_gone_there(t.seen, each) for each in free)]

    def is_another(below: Track, seen: Detection) -> bool:
        """Whether what is seen there was laid on the track's piece."""
        missing = any(may_be(t.seen, seen) and not is_in_place(t.seen, seen) for t in gone)
        looks_else = changed_mm is not None and covered_share(seen, changed_mm) >= _LOOKS_ELSE_SHARE
        # Any is likelier than one that no look named: only the place tells whether something was laid there.
        may_be_on_it = changed_mm is None or looks_else or below.seen.cls != UNKNOWN
        if has_risen(below, seen, missing) or (may_be_on_it and any(_lies_on(below.seen, seen, t.seen) for t in gone)):
            return True
        may_lie_higher = is_untold(seen) and distance_mm(below.seen, seen) > _SHOWS_ASIDE_MM
        is_alike = any(_is_like(below.seen, t.seen) and may_be(t.seen, seen) for t in gone)
        is_on_it = any(_lies_on(below.seen, seen, t.seen, by_side=max(0.0, seen.risen_log_odds)) for t in gone)
        if below.hidden:
            return looks_else and _is_on_top_of_both(below, seen, lost)
        return looks_else and may_lie_higher and (is_alike or is_on_it)

    return {i: j for i, j in stayed.items() if not (touches(seen[j], changed_mm) and is_another(tracks[i], seen[j]))}


def raised_on(
    tracks: Sequence[Track], seen: Sequence[Detection], in_place: dict[int, int], stayed: dict[int, int]
) -> list[Detection]:
    """The detections; a coin of untold height that was laid on another is taken to lie as high as that one's top."""
    on = {j: _top_of_pile(tracks[i], tracks) for i, j in in_place.items() if i not in stayed}
    return [each.raised_to(on[j].top_mm) if j in on and is_untold(each) else each for j, each in enumerate(seen)]


def _is_on_top_of_both(below: Track, seen: Detection, lost: Sequence[Track]) -> bool:
    """Whether a coin like one that was hidden is on top of the coin that hid it: that one is `lost`, as is one from
    elsewhere that the eyes may see here. One laid on is less than two taken off."""
    is_covered = any(t.id == below.under and t.seen.kind == "coin" for t in lost)
    may_be_seen = any(t.id != below.under and may_have_gone_there(t.seen, seen) for t in lost)
    return is_covered and may_be_seen and is_untold(seen)


def _top_of_pile(track: Track, tracks: Sequence[Track]) -> Track:
    """The topmost of the coins that hide a track's, one on the other; the track if none does."""
    by_id, top, passed = {t.id: t for t in tracks if t.seen.kind == "coin"}, track, {track.id}
    while top.hidden and top.under in by_id and top.under not in passed:
        top = by_id[top.under]
        passed.add(top.id)
    return top


def has_risen(was: Track, seen: Detection, missing: bool = False) -> bool:
    """Whether a coin lies higher than it did, past doubt; if one like it is `missing` elsewhere, its sigmas do not
    count."""
    known_mm = was.seen.elevation_sigma_mm if was.lies_mm is None else 0.0
    doubt_mm = 0.0 if missing else RISEN_SIGMAS * float(np.hypot(known_mm, seen.elevation_sigma_mm))
    return seen.kind == "coin" and seen.elevation_mm - was.elevation_mm > max(RISEN_MM, doubt_mm)


def _lies_on(below: Detection, seen: Detection, gone: Detection, by_side: float = 0.0) -> bool:
    """Whether what is seen is rather the coin that is gone from its place, on top of the one that lay here.

    by_side  log odds that it lies on something, by the side that shows below its rim
    """
    chance, chance_below = (seen.class_log_probs.get(was.cls, -np.inf) for was in (gone, below))
    return (
        seen.cls == UNKNOWN and may_have_gone_there(gone, seen) and chance + by_side > chance_below + LAID_ON_LOG_ODDS
    )


def _is_like(one: Detection, other: Detection) -> bool:
    """Whether both are coins of one class of one player, or of one class without dots; or the one may be, as no look
    named it. Where no look named the other, both are likeliest of one class."""
    is_of_class = one.cls in (UNKNOWN, other.cls) if other.cls != UNKNOWN else _likeliest(one) == _likeliest(other)
    return is_of_class and one.kind == other.kind == "coin" and one.owner == other.owner != UNKNOWN


def _likeliest(seen: Detection) -> str:
    chances = seen.class_log_probs
    return max(chances, key=lambda cls: chances[cls], default=seen.cls)


def may_lie_on(seen: Detection, lower: Detection) -> bool:
    """Whether it is a coin that may lie on another, which is one of the same player."""
    is_friend = lower.kind == "coin" and seen.owner == lower.owner != UNKNOWN
    return is_friend and is_untold(seen)


def is_untold(seen: Detection) -> bool:
    """Whether it is a coin that may lie on the table or on another one: the look does not tell which."""
    return _is_seen_low(seen) and not lies_flat(seen)


def lies_flat(seen: Detection) -> bool:
    """Whether it is a coin that surely lies on the table, by the side that shows below its rim."""
    return _is_seen_low(seen) and seen.risen_log_odds < _FLAT_LOG_ODDS


def along(hidden: Track, before: Sequence[Track], carrier: Track) -> Track:
    """The hidden track, moved as far as the carrier moved on top of it."""
    was = next(track for track in before if track.id == carrier.id)
    if was.seen.position_mm == carrier.seen.position_mm:
        return hidden
    # Looks differ in the height that they give it: both are taken at the one that is known.
    (x0, y0), (x1, y1) = (each.seen.raised_to(hidden.top_mm).position_mm for each in (was, carrier))
    return replace(hidden, seen=hidden.seen.shifted(x1 - x0, y1 - y0))


def touches(seen: Detection, changed_mm: BaseGeometry | None) -> bool:
    """Whether the picture changed where it lies; with None it may have changed anywhere."""
    return changed_mm is None or seen.footprint.intersects(changed_mm)


def stacked(tracks: tuple[Track, ...]) -> tuple[Track, ...]:
    """Each track with the one that it lies on, if any: the coin whose top is as high as it lies, else the highest piece
    that it hides. The track then lies as high as that one's top, which is known as well as how that one lies."""
    coins = [track for track in tracks if track.seen.kind == "coin"]
    return tuple(_lying_on(_at_its_height(track, coins) or _highest_under(track, tracks), track) for track in tracks)


def come_down(tracks: tuple[Track, ...], before: Sequence[Track], seen: Mapping[str, Detection]) -> tuple[Track, ...]:
    """The tracks after a look; a coin from under which all others were pulled out lies on the table where it is seen.

    seen  by the track's id, the detection that was taken for it in its place
    """
    lay_on_another = {track.id for track in before if track.on is not None}
    raised = {t.id for t in tracks if t.on is None and t.id in lay_on_another and t.elevation_mm >= RISEN_MM}
    down = {id_: seen[id_] for id_ in raised & seen.keys() if _is_seen_low(seen[id_])}
    return tuple(replace(t, seen=remembering(t.seen, down[t.id])) if t.id in down else t for t in tracks)


def _is_seen_low(seen: Detection) -> bool:
    return seen.kind == "coin" and seen.elevation_mm < ON_ANOTHER_MM


def _lying_on(lower: Track | None, track: Track) -> Track:
    if lower is None:
        return replace(track, on=None, lies_mm=None)
    doubt_mm = max(RISEN_MM, RISEN_SIGMAS * track.seen.elevation_sigma_mm)
    is_near = abs(lower.top_mm - track.seen.elevation_mm) < doubt_mm
    knows_it = track.seen.kind == "coin" and (is_near or is_untold(track.seen))
    known_mm = lower.top_mm if knows_it else None
    return replace(track, on=lower.id, lies_mm=known_mm, lies_sigma_mm=lower.elevation_sigma_mm)


def _at_its_height(track: Track, coins: Sequence[Track]) -> Track | None:
    if track.seen.kind != "coin" or track.elevation_mm < RISEN_MM:
        return None
    # Nothing lies on what hides it.
    others = [coin for coin in coins if coin.id not in (track.id, track.under)]
    near = [t for t in others if abs(t.top_mm - track.elevation_mm) < RISEN_MM]
    best = max(near, key=lambda other: covered_share(track.seen, other.seen.footprint), default=None)
    return best if best is not None and covered_share(track.seen, best.seen.footprint) > 0 else None


def _highest_under(track: Track, tracks: Sequence[Track]) -> Track | None:
    hidden = (t for t in tracks if t.hidden and t.under == track.id)
    return max(hidden, key=lambda other: other.top_mm, default=None)
