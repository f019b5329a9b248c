"""What somebody types: the scene that a move, a piece put down or one taken away would make, before it is judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.course.events import Event
from rules.course.fold import piece_from, with_pieces
from rules.course.laid import moved_by_hand
from rules.scene import Point2, Scene


def proposed(scene: Scene, event: Event) -> Scene:
    """The scene as a typed move, place or remove would make it.

    ValueError, one line: no such piece, one of that id already, or a place or a piece that nobody can mean
    """
    if event.kind == "place":
        return _with_placed(scene, event)
    piece_id = event.fields.get("piece")
    if not isinstance(piece_id, str) or piece_id not in scene:
        raise ValueError(f"{event.kind}: there is no piece {piece_id!r} on the table")
    if event.kind == "remove":
        return replace(scene, pieces=tuple(piece for piece in scene if piece.id != piece_id))
    to_mm = _typed_mm(piece_id, event.fields.get("to_mm"))
    return with_pieces(scene, {piece_id: moved_by_hand(scene[piece_id], to_mm, scene)}, scene.time_s)


def _with_placed(scene: Scene, event: Event) -> Scene:
    if "feature" not in event.fields:
        raise ValueError("place: no 'feature'; give the piece as a feature of a scene file")
    piece = piece_from(event.fields["feature"], scene.table_size_mm, "place")
    if piece.id in scene:
        raise ValueError(f"place: there is a piece {piece.id!r} on the table already; move it, or give another id")
    return with_pieces(scene, {piece.id: piece}, scene.time_s)


def _typed_mm(piece_id: str, to_mm: Any) -> Point2:
    try:
        x_mm, y_mm = (float(value) for value in to_mm)
    except (TypeError, ValueError):
        raise ValueError(f"move: to_mm of {piece_id} must be [x, y] in mm, not {to_mm!r}") from None
    return x_mm, y_mm


def numbered(event: Event) -> Event:
    """The event with the turn that its fields name, as those of a `phase` do, for its own."""
    if "turn" not in event.fields:
        return event
    rest = {key: value for key, value in event.fields.items() if key != "turn"}
    return replace(event, turn=event.fields["turn"], fields=rest)
