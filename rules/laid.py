"""A piece laid elsewhere than it lies."""

from __future__ import annotations

from dataclasses import replace

from shapely.affinity import translate

from rules.scene import Piece, Point2, Scene


def laid_at(piece: Piece, at_mm: Point2) -> Piece:
    """The piece with its footprint at that place."""
    dx_mm, dy_mm = at_mm[0] - piece.position_mm[0], at_mm[1] - piece.position_mm[1]
    return replace(piece, position_mm=at_mm, footprint=translate(piece.footprint, dx_mm, dy_mm))


def laid_as(piece: Piece, other: Piece) -> Piece:
    """The piece where the other lies, on the same thing and as high."""
    return replace(laid_at(piece, other.position_mm), on=other.on, elevation_mm=other.elevation_mm)


def moved_by_hand(piece: Piece, at_mm: Point2, scene: Scene) -> Piece:
    """The piece moved to that place: on the table, but for one that stays on the very thing on which it lay."""
    moved = laid_at(piece, at_mm)
    if any(thing.id == piece.on and thing.footprint.covers(moved.point) for thing in scene):
        return moved
    return replace(moved, on=None, elevation_mm=0.0)
