"""Obstacles grown for a round base, so that its centre moves as a point among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.geometry.reach import CORNER_SAGITTA_MM, TOUCH_ROOM_MM
from rules.geometry.templates import arc_steps


def grown_for(
    obstacles: Sequence[Polygon], start: Point, radius_mm: float, range_mm: float = math.inf
) -> list[BaseGeometry]:
    """Where the centre of a base that starts there may not be; one that touches already only bars going nearer.

    range_mm  what its rim does not come to from there is left out
    Error     as `CORNER_SAGITTA_MM` says, and `TOUCH_ROOM_MM` less, so that a base may touch
    """
    gaps_mm = shapely.distance(np.array(obstacles, object), start).tolist()
    near = ((one, gap_mm) for one, gap_mm in zip(obstacles, gaps_mm, strict=True) if gap_mm <= range_mm + radius_mm)
    return [_grown_by(one, min(radius_mm, gap_mm) - TOUCH_ROOM_MM) for one, gap_mm in near]


@lru_cache(maxsize=4096)
def _grown_by(obstacle: Polygon, by_mm: float) -> BaseGeometry:
    quarter = math.ceil(arc_steps(max(by_mm, 1.0), sagitta_mm=CORNER_SAGITTA_MM) / 4)
    return obstacle.buffer(by_mm, quad_segs=quarter).simplify(CORNER_SAGITTA_MM / 10)
