"""Obstacles grown for a round base, so that its centre moves as a point among them."""

from __future__ import annotations

import math
from functools import lru_cache

import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.geometry.reach import CORNER_SAGITTA_MM, STRAIGHT_MM, TOUCH_ROOM_MM
from rules.geometry.templates import arc_steps


def grown_for(obstacle: Polygon, start: Point, radius_mm: float) -> BaseGeometry:
    """Where the centre of a base that starts there may not be; one that touches already only bars going nearer.

    Error  as `CORNER_SAGITTA_MM` says, and `TOUCH_ROOM_MM` less, so that a base may touch
    """
    return grown_by(obstacle, room_mm(float(shapely.distance(obstacle, start)), radius_mm))


def room_mm(gap_mm: float, radius_mm: float) -> float:
    """By how much an obstacle grows for a base whose centre starts at that distance from it."""
    return min(radius_mm, gap_mm) - TOUCH_ROOM_MM


@lru_cache(maxsize=4096)
def grown_by(obstacle: Polygon, by_mm: float) -> BaseGeometry:
    """The obstacle grown by `by_mm` on all sides, or shrunk by as much if that is negative."""
    quarter = math.ceil(arc_steps(max(by_mm, 1.0), sagitta_mm=CORNER_SAGITTA_MM) / 4)
    return obstacle.buffer(by_mm, quad_segs=quarter).simplify(STRAIGHT_MM)
