"""Pieces with a memory: ids that stay through moves, hands and bigger coins.

A tracker is a value. Each agreed look at the still table gives the next one: first things that stayed where they
were, then things of the same class and owner that went elsewhere, then what is hidden, gone, or new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from vision.memory.between import Between
from vision.memory.covered import as_hidden
from vision.memory.exchanged import not_exchanged
from vision.memory.glimpses import glimpses, shows_faintly, stood_there
from vision.memory.known_ground import on_known_ground
from vision.memory.laid_bare import was_laid_bare
from vision.memory.laid_on import come_down, not_laid_on, raised_on, stacked
from vision.memory.likeness import is_in_place
from vision.memory.move_cost import DOUBT, FAINT, NEVER, STOOD, UNSEEN, move_cost, stay_cost
from vision.memory.same_card import as_known_cards
from vision.memory.screens import STANDING, Screen, came_up, is_part_of_another
from vision.memory.seen_again import seen_again, seen_elsewhere
from vision.memory.still_there import (
    as_known_in_part,
    came_in_sight,
    hidden_behind,
    is_still_there,
    read_by_less_light,
    was_laid,
)
from vision.memory.taken_over import not_taken_over
from vision.memory.went_under import went_under
from vision.motion.by_light import LightAlone
from vision.track import Track

# What is read as a base smaller than any is none, with the first look too: 20 mm wide are the smallest.
_LEAST_BASE_MM = 10.0

Seen = TypeVar("Seen")

_LETTER: dict[Kind, str] = {
    "coin": "c", "card": "k", "die": "d", "match": "m", "soldier": "s", "base": "b", "terrain": "t",
}  # fmt: skip


@dataclass(frozen=True)
class Tracker:
    """All tracks, and the number that the next id takes.

    glimpsed  figures that the last look saw where nobody is told to stand
    """

    tracks: tuple[Track, ...] = ()
    next_number: int = 1
    glimpsed: tuple[Detection, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece on the table, hidden ones included."""
        return tuple(track.piece for track in self.tracks)

    def pushed(self, where: Mapping[str, Detection]) -> Tracker:
        """The tracker once pieces that no look tells were pushed on: by their ids, where they lie."""
        return replace(self, tracks=tuple(replace(t, seen=where.get(t.id, t.seen)) for t in self.tracks))

    def after(
        self,
        detections: Sequence[Detection],
        t_s: float,
        cover_mm: BaseGeometry | None = None,
        changed_mm: BaseGeometry | None = None,
        hides: Callable[[Detection], BaseGeometry] = attrgetter("footprint"),
        beyond_mm: BaseGeometry | None = None,
        from_elsewhere: bool = False,
        light_alone: LightAlone = lambda seen, since_s: None,
    ) -> Tracker:
        """The tracker after an agreed look.

        detections  what the look saw; faint ones can only be figures that are missed
        t_s         time of the look
        cover_mm    what of the table could not be seen (hands); here and below, regions are in table mm
        changed_mm  where the picture differs from the one last agreed; None for anywhere. Elsewhere nothing can have
                    come, gone or moved, whatever a look says.
        hides       gives the region that a thing hides from the camera; by default its footprint
        beyond_mm   what of the table lies outside the picture; a piece that a carried camera leaves there did not move
        from_elsewhere  whether the camera was carried since the last look: a piece seen half in its place then lies
                    there, and one seen for the first time was there before
        light_alone  which way the light changed at the place of a thing, if nothing else did there since a time, s
        """
        between = Between(t_s, cover_mm, changed_mm, hides, beyond_mm, from_elsewhere, light_alone)
        faint, sure = _parted(detections, attrgetter("faint"))
        seen = as_known_in_part(self.tracks, sure, changed_mm, cover_mm or MultiPolygon())
        seen = as_known_cards(self.tracks, seen, changed_mm, hides)
        tracks, seen = read_by_less_light(self.tracks, seen, between.is_lit)
        return replace(self, tracks=tuple(tracks))._after(seen, faint, between)

    def _after(self, seen: Sequence[Detection], faint: Sequence[Detection], between: Between) -> Tracker:
        """The tracker after a look, whose coins are those of the tracks wherever a glow had them misread."""
        changed_mm, look = between.changed_mm, (*seen, *faint)
        in_place = not_taken_over(self.tracks, seen, _matched(self.tracks, seen, stay_cost), changed_mm)
        if not between.from_elsewhere:
            in_place = not_exchanged(self.tracks, seen, in_place, changed_mm)
        stayed = not_laid_on(self.tracks, seen, in_place, changed_mm)
        seen = raised_on(self.tracks, seen, in_place, stayed)
        kept = [between.again(self.tracks[i], seen[j]) for i, j in stayed.items()]
        beneath = [self.tracks[i] for i in in_place if i not in stayed]
        left = [track for i, track in enumerate(self.tracks) if i not in in_place]
        free = [d for j, d in enumerate(seen) if j not in stayed.values() and between.may_change(d)]
        screens = [Screen(d, between.hides(d), any(d is new for new in free)) for d in seen if d.kind in STANDING]
        faint = [d for d in faint if between.may_change(d)]
        shown = self._shown(kept, left, free, faint, screens, between)
        now = self._with_lost(shown, beneath, faint, screens, between)
        known = on_known_ground(self.tracks, _in_order(self.tracks, now))
        in_place_now = {self.tracks[i].id: seen[j] for i, j in stayed.items()}
        tracks = come_down(stacked(known), self.tracks, in_place_now)
        return Tracker(tracks, self.next_number + shown.born, glimpses(look, tracks))

    def _shown(
        self,
        kept: Sequence[Track],
        left: Sequence[Track],
        free: Sequence[Detection],
        faint: Sequence[Detection],
        screens: Sequence[Screen],
        between: Between,
    ) -> _Shown:
        """What the look shows of all tracks.

        kept   tracks that are seen in their places; `left` are the others
        free   things seen in no track's place: these are tracks of `left` that went there, or new
        faint  figures of which the look is unsure: who is seen so in his place, hardly changed, went nowhere
        """
        left, untouched = _parted(left, lambda t: between.may_change(t.seen) and not between.is_lit(t))
        beyond, left = _parted(left, between.is_carried_off)
        dim, left = _parted(left, lambda t: between.hardly_changed(t.seen) and shows_faintly(t, faint))
        stood = partial(stood_there, glimpsed=self.glimpsed, hid_mm=hidden_behind(left, between.hides))

        def cost(track: Track, seen: Detection) -> float:
            """As of a move; a figure that is not he who stood there (`not_exchanged`) did not move there either, and
            who may lie where he lay went nowhere if another is missing."""
            is_another = seen.kind in FIGURES and is_in_place(track.seen, seen)
            unlikely = STOOD * stood(seen) + DOUBT * is_another + UNSEEN * between.is_kept_unseen(track)
            return move_cost(track, seen, screens) + unlikely

        moved = _matched(left, free, cost)
        went = [between.moved(left[i], free[j]) for i, j in moved.items()]
        elsewhere = [left[i] for i, j in moved.items() if not between.lies_still(left[i], free[j])]
        came = [d for j, d in enumerate(free) if j not in moved.values()]
        new = self._new(came, left, elsewhere, screens, between)
        gone = [*dim, *(track for i, track in enumerate(left) if i not in moved)]
        not_there = {track.id for track in (*elsewhere, *new)}
        return _Shown((*kept, *untouched, *went, *new), gone, beyond, not_there, len(new))

    def _new(
        self,
        came: Sequence[Detection],
        left: Sequence[Track],
        elsewhere: Sequence[Track],
        screens: Sequence[Screen],
        between: Between,
    ) -> list[Track]:
        """Tracks with new ids, for the things seen that are no track that left its place.

        elsewhere  those of `left` that went elsewhere, as they were before
        """
        laid = [d for d in came if was_laid(d, between.changed_mm, left)]
        born = [d for d in laid if not ((self.tracks or _is_no_base(d)) and is_part_of_another(d, screens))]
        hid_mm = hidden_behind(left, between.hides)
        return [
            Track(
                f"{_LETTER[d.kind]}{number}",
                d,
                between.t_s,
                was_there=between.from_elsewhere
                or came_in_sight(d, between.changed_mm, hid_mm)
                or between.came_to_light(d)
                or stood_there(d, self.glimpsed, hid_mm)
                or was_laid_bare(d, elsewhere),
            )
            for number, d in enumerate(born, self.next_number)
        ]

    def _with_lost(
        self,
        shown: _Shown,
        beneath: Sequence[Track],
        faint: Sequence[Detection],
        screens: Sequence[Screen],
        between: Between,
    ) -> tuple[Track, ...]:
        """All tracks that the look shows, and those that it does not show and that are there nevertheless.

        beneath  tracks on which something lies that was seen in their place
        """
        before_mm = union_all([screen.hides_mm for screen in screens if screen.is_new])
        is_still = partial(
            is_still_there, changed_mm=between.changed_mm, visible=shown.visible, came_before_mm=before_mm
        )
        still, lost = _parted(shown.gone, is_still)
        visible, lost = (*shown.visible, *still), [*lost, *beneath]
        cover_mm = between.also_covered([track.seen for track in lost])
        covered = [as_hidden(track, visible, self.tracks, cover_mm, screens) for track in lost]
        uncovered = [track for track, hidden in zip(lost, covered, strict=True) if hidden is None]
        beyond = [*shown.beyond, *(t for t in uncovered if t.hidden and between.is_beyond(t))]
        hidden = [*(track for track in covered if track is not None), *(replace(t, hidden=True) for t in beyond)]
        missed = [track for track in uncovered if not track.hidden]
        whole = [d for d in faint if not is_part_of_another(d, came_up(screens, visible))]
        again = _found_again(missed, whole, between.t_s, screens)
        now, found = (*visible, *again, *hidden), {track.id for track in again}
        tops = [track for track in stacked(now) if track.id in shown.came]
        return (*now, *went_under([track for track in missed if track.id not in found], tops))


@dataclass(frozen=True)
class _Shown:
    """What a look shows of all tracks.

    visible  tracks in sight, in their places or elsewhere, new ones included
    gone     tracks seen nowhere
    beyond   tracks too little of which is in the picture since the camera was carried
    came     ids of tracks that are new or lie elsewhere than before
    born     number of new tracks
    """

    visible: tuple[Track, ...]
    gone: list[Track]
    beyond: list[Track]
    came: set[str]
    born: int


def _parted(things: Iterable[Seen], is_one: Callable[[Seen], bool]) -> tuple[list[Seen], list[Seen]]:
    """The things for which `is_one` holds, and the others."""
    ones, others = list[Seen](), list[Seen]()
    for thing in things:
        (ones if is_one(thing) else others).append(thing)
    return ones, others


def _matched(tracks: Sequence[Track], seen: Sequence[Seen], cost: Callable[[Track, Seen], float]) -> dict[int, int]:
    """Index of track -> index of detection, of least total cost, impossible pairs left out."""
    if not tracks or not seen:
        return {}
    costs = np.array([[cost(track, detection) for detection in seen] for track in tracks])
    rows, columns = linear_sum_assignment(costs)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if costs[i, j] < NEVER}


def _found_again(
    missed: Sequence[Track], faint: Sequence[Detection], t_s: float, screens: Sequence[Screen]
) -> list[Track]:
    """The missed tracks of figures that are faintly seen, in their places or elsewhere, where they are seen.

    The paint of a faint figure tells little, so the owner stays as the track has it.
    """
    anyones = [replace(d, faint=False, owner=UNKNOWN) for d in faint]

    def cost(track: Track, index: int) -> float:
        """As of a move there; another army's paint and less of a chance make it dearer."""
        as_read, seen = faint[index], anyones[index]
        is_others = as_read.owner not in (UNKNOWN, NONE, track.seen.owner)
        return move_cost(track, seen, screens) + DOUBT * is_others - FAINT * float(np.log(seen.confidence))

    return [
        (seen_again if is_in_place(missed[i].seen, anyones[j]) else seen_elsewhere)(missed[i], anyones[j], t_s)
        for i, j in _matched(missed, range(len(faint)), cost).items()
    ]


def _is_no_base(seen: Detection) -> bool:
    """Whether it is read as a miniature smaller than any."""
    return seen.kind == "base" and seen.radius_mm < _LEAST_BASE_MM


def _in_order(before: tuple[Track, ...], after: tuple[Track, ...]) -> tuple[Track, ...]:
    rank = {track.id: index for index, track in enumerate(before)}
    return tuple(sorted(after, key=lambda t: rank.get(t.id, len(rank) + int(t.id[1:]))))
