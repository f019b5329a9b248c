"""Random but fixed obstacle courses, and hypothesis strategies for them."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st
from shapely import Point, Polygon, affinity, box

TABLE = box(0, 0, 400, 300)


def course(seed: int, count: int, clear_of: tuple[float, float], room_mm: float = 13.0) -> list[Polygon]:
    """Convex and concave polygons on `TABLE` that neither overlap nor crowd `clear_of`."""
    rng = np.random.default_rng(seed)
    found: list[Polygon] = []
    while len(found) < count:
        corners, size = rng.integers(3, 8), rng.uniform(10, 35)
        turns = np.sort(rng.uniform(0, math.tau, corners))
        rim = np.column_stack((np.cos(turns), np.sin(turns))) * rng.uniform(0.5, 1, (corners, 1)) * size
        one = Polygon(rim + rng.uniform((size, size), (400 - size, 300 - size)))
        if (
            one.is_valid
            and one.distance(Point(clear_of)) > room_mm
            and all(one.distance(other) > 0.5 for other in found)
        ):
            found.append(one)
    return found


@st.composite
def boxes(draw: st.DrawFn) -> list[Polygon]:
    """Boxes on a 10 mm grid: they touch, overlap and line up as often as chance and luck want."""
    cells = draw(st.lists(st.tuples(*[st.integers(0, 35)] * 2, *[st.integers(1, 6)] * 2), min_size=1, max_size=6))
    return [box(10 * x, 10 * y, min(10 * (x + w), 400), min(10 * (y + h), 300)) for x, y, w, h in cells if y < 28]


def turned(shape: Polygon, degrees: float) -> Polygon:
    """The shape after the table was turned about its origin."""
    return affinity.rotate(shape, degrees, origin=(0, 0))
