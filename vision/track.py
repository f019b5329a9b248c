"""Pieces with a memory: ids that stay through moves, hands and bigger coins.

A tracker is a value. Each agreed look at the still table gives the next one: first things that stayed where they
were, then things of the same class and owner that went elsewhere, then what is hidden, gone, or new.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment
from shapely import MultiPolygon
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from rules.scene import NONE, UNKNOWN, Kind, Piece, shift_sigma_mm
from vision.detection import FIGURES, Detection
from vision.known_ground import on_known_ground
from vision.likeness import (
    covered_share,
    distance_mm,
    is_in_place,
    is_turned_over,
    may_be,
    may_have_gone_there,
    remembering,
)
from vision.screens import HIDDEN_SHARE, STANDING, Screen, came_up, is_behind, is_part_of_another
from vision.still_there import came_in_sight, hidden_behind, is_still_there

# A piece measured again within this stays where it was: nudges below it are measuring noise (a coin's p95 error).
STAYED_MM = 1.0
STAYED_SIGMAS = 3.0
# A card of another size than said, or with a dark border that is not seen, is found at either end of its place.
CARD_STAYED_MM = 3.0
# A smaller thing on a larger one hides it when so much of it is covered: a scout on a penny leaves a thin ring.
NEARLY_HIDDEN_SHARE = 0.65
# An unsure look that gives a coin which is gone from its place this many times the chance of the one that lies here
# shows the former on top of the latter.
LAID_ON_LOG_ODDS = float(np.log(5.0))
# A coin that is seen so much higher than it lay has not risen: another lies on it (the thinnest is 1.35 mm), past doubt
# if by so many sigmas. Nor does a coin lie on one whose upper face is so much higher or lower than its own lower one.
RISEN_MM, RISEN_SIGMAS = 1.0, 2.5
# Nor is what comes in sight there with the first look, if it is smaller than any base: 20 mm wide are the smallest.
LEAST_BASE_MM = 10.0
# Costs of a move, in mm: that class or owner are others, that a soldier is read as another kind, that what is seen is
# rather the rider or the head of another, that the place which it left cannot be seen. Each outweighs any distance on a
# table, the second a good part of one.
DOUBT, SOLDIERS_DOUBT, PART, UNSEEN = 5000.0, 300.0, 900.0, 2000.0
# Miniatures look alike but for their bases. Of one and the same two looks are apart by 0.065 of the radius (mean, 23
# moves on film), its moves are some 130 mm long: so many mm cost as much as a radius e times as large.
UNLIKE_SIZE = 2000.0
# So many mm is a place dearer where a figure is e times less likely: beyond a hand's move, odds decide.
FAINT = 100.0
_NEVER = 1e6  # the cost of a pair that cannot be, for the assignment

Seen = TypeVar("Seen")

_LETTER: dict[Kind, str] = {
    "coin": "c", "card": "k", "die": "d", "match": "m", "soldier": "s", "base": "b", "terrain": "t",
}  # fmt: skip


@dataclass(frozen=True)
class Track:
    """One thing on the table, with an id that stays.

    seen     as it was seen last, and `seen_s` when
    hidden   whether it cannot be seen now; `under` is the id of the track that hides it
    on       id of the track that it lies on
    was_there  whether it lay there before it was seen first
    lies_mm  how high that is above the table, where it is known better than by the look at it
    """

    id: str
    seen: Detection
    seen_s: float
    hidden: bool = False
    under: str | None = None
    on: str | None = None
    lies_mm: float | None = None
    was_there: bool = False

    @property
    def elevation_mm(self) -> float:
        """Height of what it lies on above the table."""
        return self.seen.elevation_mm if self.lies_mm is None else self.lies_mm

    @property
    def top_mm(self) -> float:
        """Height of its upper face above the table."""
        return self.elevation_mm + (self.seen.height_mm or 0.0)

    @property
    def piece(self) -> Piece:
        """The thing as the rules see it."""
        seen = self.seen
        return Piece(
            self.id,
            seen.kind,
            seen.cls,
            seen.position_mm,
            seen.footprint,
            seen.owner,
            seen.face,
            seen.sigma_mm,
            self.elevation_mm,
            seen.height_mm,
            seen.rotation_deg,
            seen.facing_deg,
            seen.colour,
            seen.level,
            None,
            self.on,
            seen.confidence,
            seen.image_px,
            seen.shared_sigma_mm,
            seen.plane,
            self.was_there,
        )


@dataclass(frozen=True)
class Tracker:
    """All tracks, and the number that the next id takes."""

    tracks: tuple[Track, ...] = ()
    next_number: int = 1

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece on the table, hidden ones included."""
        return tuple(track.piece for track in self.tracks)

    def after(
        self,
        detections: Sequence[Detection],
        t_s: float,
        cover_mm: BaseGeometry | None = None,
        changed_mm: BaseGeometry | None = None,
        hides: Callable[[Detection], BaseGeometry] = attrgetter("footprint"),
    ) -> Tracker:
        """The tracker after an agreed look.

        detections  faint ones are taken for figures that are missed, for nothing else
        cover_mm    what could not be seen (hands)
        changed_mm  where the picture differs from the one last agreed; None for anywhere. Elsewhere nothing can have
                    come, gone or moved, whatever a look says.
        hides       what a thing keeps from the camera; by default what lies under it
        """
        faint, detections = ([d for d in detections if d.faint == is_faint] for is_faint in (True, False))
        in_place = _matched(self.tracks, detections, _stay_cost)
        stayed = _not_laid_on(self.tracks, detections, in_place, changed_mm)
        beneath = [self.tracks[i] for i in in_place if i not in stayed]
        kept = [_in_place(self.tracks[i], detections[j], t_s, changed_mm) for i, j in stayed.items()]
        left = [t for i, t in enumerate(self.tracks) if i not in in_place]
        may_change = partial(_shows_in, changed_mm=changed_mm, hides=hides)
        free = [d for j, d in enumerate(detections) if j not in stayed.values() and may_change(d)]
        kept += [track for track in left if not may_change(track.seen)]
        left = [track for track in left if may_change(track.seen)]
        screens = [Screen(d, hides(d), any(d is new for new in free)) for d in detections if d.kind in STANDING]
        moved = _matched(left, free, partial(_move_cost, screens=screens))
        kept += [_elsewhere(left[i], free[j], t_s) for i, j in moved.items()]
        came = [d for j, d in enumerate(free) if j not in moved.values()]
        born = [d for d in came if not ((self.tracks or _is_no_base(d)) and is_part_of_another(d, screens))]
        was_there = partial(came_in_sight, changed_mm=changed_mm, hid_mm=hidden_behind(left, hides))
        numbered = zip((f"{_LETTER[d.kind]}{n}" for n, d in enumerate(born, self.next_number)), born, strict=True)
        new = [Track(name, d, t_s, was_there=was_there(d)) for name, d in numbered]
        gone = [t for i, t in enumerate(left) if i not in moved]
        still = [t for t in gone if is_still_there(t, changed_mm, (*kept, *new))]
        visible, lost = (*kept, *new, *still), [*(t for t in gone if t not in still), *beneath]
        cover_mm = cover_mm or MultiPolygon()
        hides_it = partial(_hidden, visible=visible, before=self.tracks, cover_mm=cover_mm, screens=screens)
        hidden = {t.id: h for t in lost if (h := hides_it(t)) is not None}
        missed = [t for t in lost if t.id not in hidden and not t.hidden]
        whole = [d for d in faint if may_change(d) and not is_part_of_another(d, came_up(screens, visible))]
        again = _found_again(missed, whole, t_s, screens)
        known = on_known_ground(self.tracks, _in_order(self.tracks, (*visible, *again, *hidden.values())))
        return Tracker(_stacked(known), self.next_number + len(born))


def _touches(seen: Detection, changed_mm: BaseGeometry | None) -> bool:
    return changed_mm is None or seen.footprint.intersects(changed_mm)


def _shows_in(seen: Detection, changed_mm: BaseGeometry | None, hides: Callable[[Detection], BaseGeometry]) -> bool:
    """Whether it lies where the picture changed, or, if it is a figure, its body shows there: a foot is soon hidden."""
    if changed_mm is None or seen.footprint.intersects(changed_mm):
        return True
    body_mm = hides(seen) if seen.kind in FIGURES else seen.footprint
    return float(body_mm.intersection(changed_mm).area) >= HIDDEN_SHARE * float(body_mm.area)


def _matched(tracks: Sequence[Track], seen: Sequence[Seen], cost: Callable[[Track, Seen], float]) -> dict[int, int]:
    """Index of track -> index of detection, of least total cost, impossible pairs left out."""
    if not tracks or not seen:
        return {}
    costs = np.array([[cost(track, detection) for detection in seen] for track in tracks])
    rows, columns = linear_sum_assignment(costs)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if costs[i, j] < _NEVER}


def _stay_cost(track: Track, seen: Detection) -> float:
    if not (is_in_place(track.seen, seen) and (may_be(track.seen, seen) or is_turned_over(track.seen, seen))):
        return _NEVER
    return distance_mm(track.seen, seen) + abs(track.seen.elevation_mm - seen.elevation_mm)


def _move_cost(track: Track, seen: Detection, screens: Sequence[Screen]) -> float:
    """Distance; doubt about class or owner is dearer than any distance on a table, and so is, less so, that the place
    which it left cannot be seen. A miniature's base tells as well who it is."""
    is_it = may_be(track.seen, seen) and not (is_in_place(track.seen, seen) and _has_risen(track, seen))
    if not (is_it or may_have_gone_there(track.seen, seen)):
        return _NEVER
    of_class = SOLDIERS_DOUBT if seen.kind == "soldier" else DOUBT
    doubt = of_class * (seen.cls != track.seen.cls) + DOUBT * (seen.owner != track.seen.owner)
    unlike = UNLIKE_SIZE * abs(float(np.log(seen.radius_mm / track.seen.radius_mm))) if seen.kind == "base" else 0.0
    unlikely = doubt + unlike + PART * is_part_of_another(seen, screens) + UNSEEN * is_behind(track, screens)
    return distance_mm(track.seen, seen) + unlikely


def _not_laid_on(
    tracks: Sequence[Track], seen: Sequence[Detection], stayed: dict[int, int], changed_mm: BaseGeometry | None
) -> dict[int, int]:
    """The pairs that stay, but for those where another coin lies on this one: one that is gone from its place, or one
    that lies higher than this one did."""
    gone = [t for i, t in enumerate(tracks) if i not in stayed and not t.hidden and _touches(t.seen, changed_mm)]

    def is_another(below: Track, seen: Detection) -> bool:
        """Whether what is seen there was laid on the track's piece."""
        missing = any(may_be(t.seen, seen) and not is_in_place(t.seen, seen) for t in gone)
        return _has_risen(below, seen, missing) or any(_lies_on(below.seen, seen, t.seen) for t in gone)

    return {i: j for i, j in stayed.items() if not (_touches(seen[j], changed_mm) and is_another(tracks[i], seen[j]))}


def _has_risen(was: Track, seen: Detection, missing: bool = False) -> bool:
    """Whether it is seen to lie higher; where a coin like it is missing elsewhere, doubt of the height is none."""
    known_mm = was.seen.elevation_sigma_mm if was.lies_mm is None else 0.0
    doubt_mm = 0.0 if missing else RISEN_SIGMAS * float(np.hypot(known_mm, seen.elevation_sigma_mm))
    return seen.kind == "coin" and seen.elevation_mm - was.elevation_mm > max(RISEN_MM, doubt_mm)


def _lies_on(below: Detection, seen: Detection, gone: Detection) -> bool:
    chance, chance_below = (seen.class_log_probs.get(was.cls, -np.inf) for was in (gone, below))
    return seen.cls == UNKNOWN and may_have_gone_there(gone, seen) and chance > chance_below + LAID_ON_LOG_ODDS


def _in_place(track: Track, seen: Detection, t_s: float, changed_mm: BaseGeometry | None = None) -> Track:
    """The track seen again where it was: its place is kept unless it shifted measurably where the picture changed."""
    untouched = not _touches(track.seen, changed_mm)
    known = remembering(track.seen, _as_it_lay(track.seen, seen) if untouched else seen)
    if untouched or distance_mm(track.seen, seen) <= _noise_mm(track.seen, seen):
        known = replace(
            known,
            position_mm=track.seen.position_mm,
            elevation_mm=track.seen.elevation_mm,
            elevation_sigma_mm=track.seen.elevation_sigma_mm,
            footprint=track.seen.footprint,
            sigma_mm=track.seen.sigma_mm,
            shared_sigma_mm=track.seen.shared_sigma_mm,
            plane=track.seen.plane,
            sigma_at_height_mm=track.seen.sigma_at_height_mm,
            image_px=track.seen.image_px,
        )
    return replace(track, seen=known, seen_s=t_s, hidden=False, under=None)


def _as_it_lay(was: Detection, seen: Detection) -> Detection:
    """The look at a die or a card that nobody touched: what it was known to show it still shows."""
    if was.kind not in ("die", "card") or was.cls == UNKNOWN:
        return seen
    return replace(seen, cls=was.cls, class_log_probs=was.class_log_probs)


def _noise_mm(was: Detection, seen: Detection) -> float:
    """How far two looks at what was not moved may be apart."""
    least_mm = CARD_STAYED_MM if seen.kind == "card" else STAYED_MM
    return max(least_mm, STAYED_SIGMAS * shift_sigma_mm(was, seen))


def _elsewhere(track: Track, seen: Detection, t_s: float) -> Track:
    known = replace(remembering(track.seen, seen), facing_deg=seen.facing_deg)
    return replace(track, seen=known, seen_s=t_s, hidden=False, under=None, lies_mm=None)


def _found_again(
    missed: Sequence[Track], faint: Sequence[Detection], t_s: float, screens: Sequence[Screen]
) -> list[Track]:
    """The tracks of those that are missed and stand where a figure is faintly seen, in their place or elsewhere. The
    paint of a faint one tells little: whose he is they know."""
    anyones = [replace(d, faint=False, owner=UNKNOWN) for d in faint]

    def cost(track: Track, index: int) -> float:
        """As of a move there; another army's paint and less of a chance make it dearer."""
        as_read, seen = faint[index], anyones[index]
        is_others = as_read.owner not in (UNKNOWN, NONE, track.seen.owner)
        return _move_cost(track, seen, screens) + DOUBT * is_others - FAINT * float(np.log(seen.confidence))

    return [
        (_in_place if is_in_place(missed[i].seen, anyones[j]) else _elsewhere)(missed[i], anyones[j], t_s)
        for i, j in _matched(missed, range(len(faint)), cost).items()
    ]


def _hidden(
    track: Track,
    visible: Sequence[Track],
    before: Sequence[Track],
    cover_mm: BaseGeometry,
    screens: Sequence[Screen],
) -> Track | None:
    """The track as hidden, if something hides its place; if its cover went elsewhere, it went along; else None."""
    beneath = [was.id for was in before if not track.hidden and _lay_beneath(was, track)]
    cover = next((v for v in visible if v.id not in beneath and _covers(v, track)), None)
    if cover is not None:
        return replace(track, hidden=True, under=cover.id)
    if _share(track, cover_mm) >= HIDDEN_SHARE or is_behind(track, screens):
        return replace(track, hidden=True)
    carried = next((v for v in visible if v.id == track.under and track.hidden), None)
    if carried is not None:
        return replace(track, seen=_placed_under(track.seen, carried.seen))
    return None


def _is_no_base(seen: Detection) -> bool:
    """Whether it is read as a miniature smaller than any."""
    return seen.kind == "base" and seen.radius_mm < LEAST_BASE_MM


def _lay_beneath(was: Track, track: Track) -> bool:
    """Whether it is what the track, which was seen, lay on: a card cannot hide a coin that was taken off it."""
    return (
        was.seen.kind == "card"
        and track.seen.kind != "card"
        and not was.hidden
        and _share(track, was.seen.footprint) > 0
    )


def _covers(cover: Track, track: Track) -> bool:
    """A larger thing hides a smaller one (C2.2), as does anything seen to lie above it, or most of it by another kind.

    A coin of the same class exactly in its place has taken its place: a captured penny. So has a card in a card's.
    """
    if cover.seen.kind == track.seen.kind == "card" and is_in_place(track.seen, cover.seen):
        return False
    larger = cover.seen.footprint.area > track.seen.footprint.area * 1.02
    above = cover.elevation_mm > track.elevation_mm
    if not (larger or above) and cover.seen.cls == track.seen.cls:
        return False
    overlap = cover.seen.footprint.intersection(track.seen.footprint).area
    return overlap >= (HIDDEN_SHARE if larger or above else NEARLY_HIDDEN_SHARE) * track.seen.footprint.area


def _share(track: Track, cover_mm: BaseGeometry) -> float:
    return covered_share(track.seen, cover_mm)


def _placed_under(lower: Detection, upper: Detection) -> Detection:
    dx, dy = (upper.position_mm[k] - lower.position_mm[k] for k in (0, 1))
    return replace(lower, position_mm=upper.position_mm, footprint=translate(lower.footprint, dx, dy))


def _stacked(tracks: tuple[Track, ...]) -> tuple[Track, ...]:
    """Each track with the one that it lies on, and as high as that one's top: the coin that is as high as it lies, or
    the highest that it hides."""
    coins = [track for track in tracks if track.seen.kind == "coin"]
    return tuple(_lying_on(_at_its_height(track, coins) or _highest_under(track, tracks), track) for track in tracks)


def _lying_on(lower: Track | None, track: Track) -> Track:
    if lower is None:
        return replace(track, on=None, lies_mm=None)
    doubt_mm = max(RISEN_MM, RISEN_SIGMAS * track.seen.elevation_sigma_mm)
    is_near = track.seen.kind == "coin" and abs(lower.top_mm - track.seen.elevation_mm) < doubt_mm
    return replace(track, on=lower.id, lies_mm=lower.top_mm if is_near else None)


def _at_its_height(track: Track, coins: Sequence[Track]) -> Track | None:
    if track.seen.kind != "coin" or track.elevation_mm < RISEN_MM:
        return None
    near = [t for t in coins if t.id != track.id and abs(t.top_mm - track.elevation_mm) < RISEN_MM]
    best = max(near, key=lambda other: _share(track, other.seen.footprint), default=None)
    return best if best is not None and _share(track, best.seen.footprint) > 0 else None


def _highest_under(track: Track, tracks: Sequence[Track]) -> Track | None:
    hidden = (t for t in tracks if t.hidden and t.under == track.id)
    return max(hidden, key=lambda other: other.top_mm, default=None)


def _in_order(before: tuple[Track, ...], after: tuple[Track, ...]) -> tuple[Track, ...]:
    rank = {track.id: index for index, track in enumerate(before)}
    return tuple(sorted(after, key=lambda t: rank.get(t.id, len(rank) + int(t.id[1:]))))
