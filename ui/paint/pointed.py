"""Which piece a px of the picture shows: by its ring on the table, or by the body that stands on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from rules.scene import Piece, Point2, Scene
from ui.paint.marks import top_mm
from ui.paint.projection import Array, Projection

# A click this far beyond the rim still means the coin: fingers on a touch screen are no better.
_CLICK_SLACK_MM = 4.0
# What rings are drawn for, over whatever stands before them.
_RINGED = ("coin", "base", "soldier", "die")
# How tall figures are that nobody measured (C2: toy soldiers of 50 to 64 mm; miniatures on bases of 28 to 35).
_USUAL_MM: Mapping[str, float] = MappingProxyType({"foot": 58.0, "mounted": 66.0, "gun": 30.0, "base": 34.0})
_FIGURES = ("soldier", "base")
# Two heights at which a px is followed through space.
_UP_MM = 50.0


def piece_at(scene: Scene, projection: Projection, u_px: float, v_px: float) -> Piece | None:
    """The piece under a px: the smallest whose ring holds it, or the nearest whose ring nearly does. Otherwise what the
    eye meets first there: a figure's body before the book that it stands on or the card behind it."""
    ringed = [
        (beside_mm, piece.radius_mm, piece.id)
        for piece in scene
        if (beside_mm := _beside_mm(piece, projection, u_px, v_px)) is not None
    ]
    if ringed:
        return scene[min(ringed)[2]]
    ray = projection.to_table([(u_px, v_px)], 0.0)[0], projection.to_table([(u_px, v_px)], _UP_MM)[0]
    if not np.isfinite(ray).all():
        return None
    met = [(met_mm, -piece.radius_mm, piece.id) for piece in scene if (met_mm := _met_mm(piece, *ray)) is not None]
    return scene[max(met)[2]] if met else None


def _beside_mm(piece: Piece, projection: Projection, u_px: float, v_px: float) -> float | None:
    """How far outside the piece's ring a px is, mm at the ring's height; 0 within, None if too far to mean it."""
    if piece.kind not in _RINGED:
        return None
    at_mm = projection.to_table([(u_px, v_px)], top_mm(piece))[0]
    if not np.isfinite(at_mm).all():
        return None
    beside_mm = _outline(piece).distance(Point(at_mm))
    return beside_mm if beside_mm <= (_CLICK_SLACK_MM if piece.kind != "die" else 0.0) else None


def _met_mm(piece: Piece, foot_mm: Array, up_mm: Array) -> float | None:
    """The height at which the eye's ray, seen from its camera, enters the piece's body; None if it misses it.

    foot_mm  where the ray meets the table; `up_mm` where it is at `_UP_MM` above it
    """
    low_mm, high_mm = piece.elevation_mm, piece.elevation_mm + _tall_mm(piece)
    top, bottom = (_along(foot_mm, up_mm, height_mm) for height_mm in (high_mm, low_mm))
    length_mm = math.dist(top, bottom)
    way = LineString([top, bottom]) if length_mm > 0 else Point(top)
    # Heads lean out over the feet, by which a figure is measured: in the sample of OMOG a third of one was missed.
    body = _outline(piece).buffer(_CLICK_SLACK_MM) if piece.kind in _FIGURES else _outline(piece)
    inside = body.intersection(way)
    if inside.is_empty:
        return None
    return high_mm - (Point(top).distance(inside) / length_mm * (high_mm - low_mm) if length_mm > 0 else 0.0)


def _along(foot_mm: Array, up_mm: Array, height_mm: float) -> Point2:
    """Where a straight ray is at that height."""
    x_mm, y_mm = foot_mm + (up_mm - foot_mm) * (height_mm / _UP_MM)
    return float(x_mm), float(y_mm)


def _tall_mm(piece: Piece) -> float:
    if piece.height_mm is not None:
        return piece.height_mm
    return _USUAL_MM.get(piece.cls, 0.0) if piece.kind in _FIGURES else 0.0


def _outline(piece: Piece) -> BaseGeometry:
    return piece.footprint if piece.kind not in ("coin", "base") else piece.point.buffer(piece.radius_mm)
