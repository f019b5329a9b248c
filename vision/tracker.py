"""Pieces with a memory: ids that stay through moves, hands and bigger coins.

A tracker is a value. Each agreed look at the still table gives the next one: first things that stayed where they
were, then things of the same class and owner that went elsewhere, then what is hidden, gone, or new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment
from shapely import MultiPolygon, union_all
from shapely.geometry.base import BaseGeometry

from rules.scene import NONE, UNKNOWN, Kind, Piece
from vision.detection import FIGURES, Detection
from vision.known_ground import on_known_ground
from vision.laid_on import along, come_down, lies_flat, may_lie_on, not_laid_on, raised_on, stacked
from vision.likeness import covered_share, is_in_place, remembering
from vision.move_cost import DOUBT, FAINT, NEVER, move_cost, stay_cost
from vision.screens import HIDDEN_SHARE, STANDING, Screen, came_up, is_behind, is_part_of_another
from vision.seen_again import seen_again
from vision.still_there import came_in_sight, hidden_behind, is_still_there, was_laid
from vision.taken_over import not_taken_over
from vision.track import Track
from vision.went_under import went_under

# A smaller thing on a larger one hides it when so much of it is covered: a scout on a penny leaves a thin ring.
NEARLY_HIDDEN_SHARE = 0.65
# What is read as a base smaller than any is none, with the first look too: 20 mm wide are the smallest.
LEAST_BASE_MM = 10.0

Seen = TypeVar("Seen")

_LETTER: dict[Kind, str] = {
    "coin": "c", "card": "k", "die": "d", "match": "m", "soldier": "s", "base": "b", "terrain": "t",
}  # fmt: skip


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
        beyond_mm: BaseGeometry | None = None,
        from_elsewhere: bool = False,
    ) -> Tracker:
        """The tracker after an agreed look.

        detections  faint ones are taken for figures that are missed, for nothing else
        cover_mm    what could not be seen (hands)
        changed_mm  where the picture differs from the one last agreed; None for anywhere. Elsewhere nothing can have
                    come, gone or moved, whatever a look says.
        hides       what a thing keeps from the camera; by default what lies under it
        beyond_mm   what lies beyond the picture: what was carried out of sight did not move, later it may
        from_elsewhere  whether the camera was carried since: what lies half in its place lies there, however else it
                    shows now, and who shows now and did not before was there
        """
        faint, detections = _parted(detections, attrgetter("faint"))
        in_place = not_taken_over(self.tracks, detections, _matched(self.tracks, detections, stay_cost), changed_mm)
        stayed = not_laid_on(self.tracks, detections, in_place, changed_mm)
        detections = raised_on(self.tracks, detections, in_place, stayed)
        beneath = [self.tracks[i] for i in in_place if i not in stayed]
        shifted_mm = MultiPolygon() if from_elsewhere else changed_mm
        kept = [seen_again(self.tracks[i], detections[j], t_s, shifted_mm, cover_mm) for i, j in stayed.items()]
        left = [t for i, t in enumerate(self.tracks) if i not in in_place]
        may_change = partial(_shows_in, changed_mm=changed_mm, hides=hides)
        free = [d for j, d in enumerate(detections) if j not in stayed.values() and may_change(d)]
        left, untouched = _parted(left, lambda track: may_change(track.seen))
        is_beyond = partial(_is_beyond, beyond_mm=beyond_mm or MultiPolygon())
        beyond, left = _parted(left, lambda track: from_elsewhere and not track.hidden and is_beyond(track))
        screens = [Screen(d, hides(d), any(d is new for new in free)) for d in detections if d.kind in STANDING]
        moved = _matched(left, free, partial(move_cost, screens=screens))
        stays = {i for i, j in moved.items() if from_elsewhere and left[i].seen.footprint.intersects(free[j].footprint)}
        kept += untouched
        kept += [_in_sight(left[i], t_s) if i in stays else _elsewhere(left[i], free[j], t_s) for i, j in moved.items()]
        came = [d for j, d in enumerate(free) if j not in moved.values()]
        laid = [d for d in came if was_laid(d, changed_mm, left)]
        born = [d for d in laid if not ((self.tracks or _is_no_base(d)) and is_part_of_another(d, screens))]
        was_there = partial(came_in_sight, changed_mm=changed_mm, hid_mm=hidden_behind(left, hides))
        numbered = zip((f"{_LETTER[d.kind]}{n}" for n, d in enumerate(born, self.next_number)), born, strict=True)
        new = [Track(name, d, t_s, was_there=from_elsewhere or was_there(d)) for name, d in numbered]
        gone = [t for i, t in enumerate(left) if i not in moved]
        before_mm = union_all([screen.hides_mm for screen in screens if screen.is_new])
        still, lost = _parted(gone, lambda track: is_still_there(track, changed_mm, (*kept, *new), before_mm))
        visible, lost = (*kept, *new, *still), [*lost, *beneath]
        cover_mm = cover_mm or MultiPolygon()
        hides_it = partial(_hidden, visible=visible, before=self.tracks, cover_mm=cover_mm, screens=screens)
        hidden = {t.id: h for t in lost if (h := hides_it(t)) is not None}
        beyond += [t for t in lost if t.hidden and t.id not in hidden and is_beyond(t)]
        hidden |= {t.id: replace(t, hidden=True) for t in beyond}
        missed = [t for t in lost if t.id not in hidden and not t.hidden]
        whole = [d for d in faint if may_change(d) and not is_part_of_another(d, came_up(screens, visible))]
        again = _found_again(missed, whole, t_s, screens)
        now, found = (*visible, *again, *hidden.values()), {track.id for track in again}
        came_here = {left[i].id for i in moved if i not in stays} | {track.id for track in new}
        tops = [track for track in stacked(now) if track.id in came_here]
        now += tuple(went_under([track for track in missed if track.id not in found], tops))
        known = on_known_ground(self.tracks, _in_order(self.tracks, now))
        in_place_now = {self.tracks[i].id: detections[j] for i, j in stayed.items()}
        return Tracker(come_down(stacked(known), self.tracks, in_place_now), self.next_number + len(born))


def _parted(things: Iterable[Seen], is_one: Callable[[Seen], bool]) -> tuple[list[Seen], list[Seen]]:
    """Those for which it holds, and the others."""
    ones, others = list[Seen](), list[Seen]()
    for thing in things:
        (ones if is_one(thing) else others).append(thing)
    return ones, others


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
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if costs[i, j] < NEVER}


def _in_sight(track: Track, t_s: float) -> Track:
    """The track as it was, seen again."""
    return replace(track, seen_s=t_s, hidden=False, under=None)


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
        return move_cost(track, seen, screens) + DOUBT * is_others - FAINT * float(np.log(seen.confidence))

    return [
        (seen_again if is_in_place(missed[i].seen, anyones[j]) else _elsewhere)(missed[i], anyones[j], t_s)
        for i, j in _matched(missed, range(len(faint)), cost).items()
    ]


def _hidden(
    track: Track,
    visible: Sequence[Track],
    before: Sequence[Track],
    cover_mm: BaseGeometry,
    screens: Sequence[Screen],
) -> Track | None:
    """The track as hidden, if something hides its place; where its cover went it went along; else None."""
    beneath = {was.id for was in before if not track.hidden and _lay_beneath(was, track)} | _carriers(track, before)
    carrier = next((v for v in visible if v.id == track.under and track.hidden), None)
    cover = next((v for v in visible if v.id not in beneath and _covers(v, track)), None)
    stood_on = {v.seen.position_mm for v in visible if v.id in beneath}
    screens = [screen for screen in screens if screen.thing.position_mm not in stood_on]
    if cover is not None and cover is not carrier:
        return replace(track, hidden=True, under=cover.id)
    if cover is None and (_share(track, cover_mm) >= HIDDEN_SHARE or is_behind(track, screens)):
        return replace(track, hidden=True)
    return along(track, before, carrier) if carrier is not None else None


def _is_beyond(track: Track, beyond_mm: BaseGeometry) -> bool:
    """Whether so much of it lies there that it is not seen."""
    return _share(track, beyond_mm) >= HIDDEN_SHARE


def _is_no_base(seen: Detection) -> bool:
    """Whether it is read as a miniature smaller than any."""
    return seen.kind == "base" and seen.radius_mm < LEAST_BASE_MM


def _lay_beneath(was: Track, track: Track) -> bool:
    """Whether it is what the track, which was seen, lay or stood on: a card cannot hide a coin that was taken off it,
    nor a book a man."""
    is_sheet_or_hill = was.seen.kind == "terrain" or (was.seen.kind == "card" and track.seen.kind != "card")
    return (
        is_sheet_or_hill and not was.hidden and was.id != track.id and _share(track, was.seen.footprint) >= HIDDEN_SHARE
    )


def _carriers(track: Track, before: Sequence[Track]) -> set[str]:
    """The ids of all that the track lay on: what is gone from the top of a pile does not lie hidden in it."""
    on = {was.id: was.on for was in before}
    found, lower = set[str](), track.on
    while lower is not None and lower not in found:
        found.add(lower)
        lower = on.get(lower)
    return found


def _covers(cover: Track, track: Track) -> bool:
    """A larger thing hides a smaller one (C2.2), as does anything seen to lie above it, or most of it by another kind.

    A coin of the same class exactly in its place has taken its place: a captured penny. So has a card in a card's, and
    a coin that is seen to lie on the table.
    """
    if cover.seen.kind == track.seen.kind == "card" and is_in_place(track.seen, cover.seen):
        return False
    if track.seen.kind == "coin" and not track.hidden and lies_flat(cover.seen):
        return False
    larger = cover.seen.footprint.area > track.seen.footprint.area * 1.02
    above = cover.elevation_mm > track.elevation_mm or may_lie_on(cover.seen, track.seen)
    if not (larger or above) and cover.seen.cls == track.seen.cls:
        return False
    overlap = cover.seen.footprint.intersection(track.seen.footprint).area
    return overlap >= (HIDDEN_SHARE if larger or above else NEARLY_HIDDEN_SHARE) * track.seen.footprint.area


def _share(track: Track, cover_mm: BaseGeometry) -> float:
    return covered_share(track.seen, cover_mm)


def _in_order(before: tuple[Track, ...], after: tuple[Track, ...]) -> tuple[Track, ...]:
    rank = {track.id: index for index, track in enumerate(before)}
    return tuple(sorted(after, key=lambda t: rank.get(t.id, len(rank) + int(t.id[1:]))))
