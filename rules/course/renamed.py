"""A scene under other names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.scene import Scene


def renamed(seen: Scene, names: Mapping[str, str]) -> Scene:
    """The scene with those names, also where one piece lies on another; pieces without one keep theirs."""
    pieces = tuple(
        replace(piece, id=names.get(piece.id, piece.id), on=names.get(piece.on, piece.on) if piece.on else piece.on)
        for piece in seen
    )
    return replace(seen, pieces=pieces)
