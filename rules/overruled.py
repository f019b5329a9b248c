"""Pieces that a person moved or took away by hand while the picture shows them as before.

What he said counts until they are seen to move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from shapely.affinity import translate

from rules.changes import has_moved
from rules.events import Event
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

    def by(self, event: Event, seen: Scene) -> Overruled:
        """With what a typed or clicked event says of a piece that the eyes see; any other event changes nothing."""
        piece_id = event.fields.get("piece")
        if event.kind not in _BY_HAND or not isinstance(piece_id, str) or piece_id not in seen:
            return self
        untold = {**self.untold, piece_id: _BY_HAND[event.kind]}
        return Overruled({**self.seen, piece_id: seen[piece_id]}, untold)

    def among(self, seen: Scene) -> Overruled:
        """Those that are seen still where they were: of the others the picture tells where they are."""
        kept = {id_: piece for id_, piece in self.seen.items() if id_ in seen and not has_moved(piece, seen[id_])}
        return Overruled(kept, {id_: how for id_, how in self.untold.items() if id_ in kept})

    def counting(self, seen: Scene, agreed: Scene) -> Scene:
        """What the eyes see, with these pieces where the hand put them: as `agreed` has them, or gone."""
        if not self.seen:
            return seen
        counted = (_put(piece, agreed) if piece.id in self.seen else piece for piece in seen)
        return replace(seen, pieces=tuple(piece for piece in counted if piece is not None))

    def sentences(self, agreed: Scene) -> list[str]:
        """What is to be said, once, of those that `agreed` has elsewhere than the picture, or not at all."""
        apart = [id_ for id_ in self.untold if id_ not in agreed or has_moved(agreed[id_], self.seen[id_])]
        shows = "by hand, but the picture shows it where it was: the hand counts until it is seen to move"
        return [f"{id_} was {self.untold[id_]} {shows}" for id_ in apart]

    def told(self) -> Overruled:
        """The same when all is said."""
        return Overruled(self.seen)


def _put(piece: Piece, agreed: Scene) -> Piece | None:
    if piece.id not in agreed:
        return None
    (x_mm, y_mm), (was_x_mm, was_y_mm) = agreed[piece.id].position_mm, piece.position_mm
    moved = translate(piece.footprint, x_mm - was_x_mm, y_mm - was_y_mm)
    return replace(piece, position_mm=(x_mm, y_mm), footprint=moved)
