"""Pieces that a person moved or took away by hand while the picture shows them as before.

What he said counts until they are seen to move."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.course.changes import has_moved
from rules.course.events import TABLE_EVENTS, Event
from rules.course.fold import scene_after, with_pieces
from rules.course.laid import laid_as, laid_at
from rules.files.event_faults import is_point
from rules.scene import Piece, Scene

_BY_HAND = MappingProxyType({"move": "moved", "remove": "taken away"})
_NOTHING: Mapping[str, Piece] = MappingProxyType({})
_UNTOLD: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Overruled:
    """What the eyes showed of pieces when a hand said otherwise.

    seen    by id, as they were seen then
    untold  what became of them by hand, of those of which it is not said yet that the picture shows otherwise
    """

    seen: Mapping[str, Piece] = field(default_factory=lambda: _NOTHING)
    untold: Mapping[str, str] = field(default_factory=lambda: _UNTOLD)

    @classmethod
    def of(cls, events: Sequence[Event], table_size_mm: tuple[float, float]) -> Overruled:
        """What is left of it after the events of a log. Those that were undone count too: the eyes undid nothing."""
        overruled, seen = cls(), Scene(table_size_mm)
        for event in events:
            if event.kind in TABLE_EVENTS and "by" in event.fields:
                overruled = overruled.by(event, _as_told(seen, event))
            else:
                overruled = overruled._after(event)
                seen = overruled.lain(scene_after(seen, event))
        return overruled

    def by(self, event: Event, seen: Scene) -> Overruled:
        """With what a typed or clicked event says of a piece that the eyes see; any other event changes nothing."""
        piece_id = _ruled_over(event, seen)
        if piece_id is None:
            return self
        untold = {**self.untold, piece_id: _BY_HAND[event.kind]}
        return Overruled({**self.seen, piece_id: seen[piece_id]}, untold)

    def among(self, seen: Scene, agreed: Scene) -> Overruled:
        """Those whose overruling still holds: pieces that are seen still where they were, or are not seen since a hand
        put them, in `agreed`, where no camera may see them."""
        kept = {id_: was for id_, was in self.seen.items() if _holds(was, seen, agreed)}
        return Overruled(kept, {id_: how for id_, how in self.untold.items() if id_ in kept and id_ in seen})

    def counting(self, seen: Scene, agreed: Scene) -> Scene:
        """What the eyes see, with these pieces where the hand put them: as `agreed` has them, or gone."""
        if not self.seen:
            return seen
        counted = [_put(piece, agreed) if piece.id in self.seen else piece for piece in seen]
        counted += [agreed[id_] for id_ in self.seen if id_ in agreed and id_ not in seen]
        return replace(seen, pieces=tuple(piece for piece in counted if piece is not None))

    def lain(self, agreed: Scene) -> Scene:
        """What was agreed, with these pieces where the eyes saw them: those that were taken away too."""
        if not self.seen:
            return agreed
        lying = (laid_as(piece, self.seen[piece.id]) if piece.id in self.seen else piece for piece in agreed)
        gone = (piece for piece in self.seen.values() if piece.id not in agreed)
        return replace(agreed, pieces=(*lying, *gone))

    def sentences(self, agreed: Scene) -> list[str]:
        """What is to be said, once, of those that `agreed` has elsewhere than the picture, or not at all."""
        apart = [id_ for id_ in self.untold if id_ not in agreed or has_moved(agreed[id_], self.seen[id_])]
        return [_sentence(id_, self.untold[id_]) for id_ in apart]

    def told(self, sentences: Collection[object]) -> Overruled:
        """The same when these are said."""
        left = {id_: how for id_, how in self.untold.items() if _sentence(id_, how) not in sentences}
        return Overruled(self.seen, left)

    def _after(self, event: Event) -> Overruled:
        """When the eyes, or a note, have said so in a log: a piece that they tell of was seen to move."""
        if event.kind == "note":
            return self.told([event.fields.get("text")])
        if event.kind not in TABLE_EVENTS:
            return self
        seen = {id_: piece for id_, piece in self.seen.items() if id_ != event.fields.get("piece")}
        return Overruled(seen, {id_: how for id_, how in self.untold.items() if id_ in seen})


def _sentence(piece_id: str, how: str) -> str:
    shows = "by hand, but the picture shows it where it was: the hand counts until it is seen to move"
    return f"{piece_id} was {how} {shows}"


def with_sight(event: Event, seen: Scene) -> Event:
    """A typed event with where the eyes see the piece that it moves or takes away: `of` goes by it."""
    piece_id = _ruled_over(event, seen)
    if piece_id is None:
        return event
    at_mm = [round(float(value), 3) for value in seen[piece_id].position_mm]
    return replace(event, fields={**event.fields, "seen_mm": at_mm})


def _as_told(seen: Scene, event: Event) -> Scene:
    """What the eyes saw, with the piece where the log says it: that it came where a hand had put it is no event."""
    piece_id = _ruled_over(event, seen)
    if piece_id is None or not is_point(event.fields.get("seen_mm")):
        return seen
    x_mm, y_mm = event.fields["seen_mm"]
    return with_pieces(seen, {piece_id: laid_at(seen[piece_id], (float(x_mm), float(y_mm)))}, seen.time_s)


def _ruled_over(event: Event, seen: Scene) -> str | None:
    """The piece that the eyes see and a typed event moves or takes away."""
    piece_id = event.fields.get("piece")
    is_seen = event.kind in _BY_HAND and isinstance(piece_id, str) and piece_id in seen
    return piece_id if is_seen else None


def _holds(was: Piece, seen: Scene, agreed: Scene) -> bool:
    """Whether what a hand said of a piece counts still; not where a new piece that came there may be this one."""
    if was.id in seen:
        return not has_moved(was, seen[was.id])
    if was.id not in agreed:
        return False
    put_mm = agreed[was.id].position_mm
    new = (piece for piece in seen if piece.kind == was.kind and piece.id not in agreed)
    return has_moved(was, agreed[was.id]) and all(math.dist(one.position_mm, put_mm) > one.radius_mm for one in new)


def _put(piece: Piece, agreed: Scene) -> Piece | None:
    return laid_as(piece, agreed[piece.id]) if piece.id in agreed else None
