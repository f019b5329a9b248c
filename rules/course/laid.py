"""A piece laid elsewhere than it lies, or back to where it lay."""

from __future__ import annotations

import math
from dataclasses import replace

from shapely.affinity import translate

from rules.margin import CLOSE_SIGMAS
from rules.scene import Piece, Point2, Scene

# Terrain on which men stand, as the eyes have it too: what is put into a mug or a plate stands on the table.
_TO_STAND_ON = ("book", "box")


def laid_at(piece: Piece, at_mm: Point2) -> Piece:
    """The piece with its footprint at that place."""
    dx_mm, dy_mm = at_mm[0] - piece.position_mm[0], at_mm[1] - piece.position_mm[1]
    return replace(piece, position_mm=at_mm, footprint=translate(piece.footprint, dx_mm, dy_mm))


def laid_as(piece: Piece, other: Piece) -> Piece:
    """The piece where the other lies, on the same thing and as high."""
    return replace(laid_at(piece, other.position_mm), on=other.on, elevation_mm=other.elevation_mm)


def is_back_at(piece: Piece, at_mm: Point2) -> bool:
    """Whether it lies where one like it was taken from, as exactly as hands put things back: to half its radius, or to
    three sigma where it is seen less exactly (C4.8)."""
    return math.dist(piece.position_mm, at_mm) <= max(piece.radius_mm / 2, CLOSE_SIGMAS * piece.sigma_mm)


def moved_by_hand(piece: Piece, at_mm: Point2, scene: Scene) -> Piece:
    """The piece moved to that place: on the table, or the highest book or box there, but for one that stays on the very
    thing on which it lay."""
    moved = laid_at(piece, at_mm)
    under = [thing for thing in scene if thing.id != piece.id and thing.footprint.covers(moved.point)]
    if any(thing.id == piece.on for thing in under):
        return moved
    tops_mm = (thing.elevation_mm + (thing.height_mm or 0.0) for thing in under if thing.cls in _TO_STAND_ON)
    return replace(moved, on=None, elevation_mm=max(tops_mm, default=0.0))
