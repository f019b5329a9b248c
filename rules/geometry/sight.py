"""Sight: the visibility polygon from a point, and whether two points see each other (C4.2).

A segment is blocked if it crosses the interior of a blocker. Touching an edge or a corner does not block, and a cut thinner
than `TOUCH_MM` is a touch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import MultiPolygon, Point, Polygon

from rules.geometry.templates import TOUCH_MM
from rules.scene import Point2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


def visibility_polygon(observer: Point2, blockers: Sequence[Polygon], bounds: Polygon) -> Polygon:
    """All points of `bounds` whose straight segment to `observer` crosses no blocker's interior.

    Empty for an observer outside the bounds or inside a blocker.
    """
    eye = Point(observer)
    if not bounds.covers(eye) or any(blocker.contains(eye) for blocker in blockers):
        return Polygon()
    far_mm = 4 * max(bounds.bounds[2] - bounds.bounds[0], bounds.bounds[3] - bounds.bounds[1])
    shadows = [_shadow(observer, a, b, far_mm) for blocker in blockers for a, b in _sides(blocker)]
    return _part_at(shapely.difference(bounds, shapely.union_all([*blockers, *shadows])), eye)


def is_visible(a: Point2, b: Point2, blockers: Sequence[Polygon]) -> bool:
    """Whether the segment from `a` to `b` crosses no blocker's interior; the same from `b` to `a`."""
    return bool(visible_pairs([a], [b], blockers)[0, 0])


def visible_pairs(a: ArrayLike, b: ArrayLike, blockers: Sequence[Polygon]) -> NDArray[np.bool_]:
    """Which of the points `a` sees which of the points `b`.

    a, b     (n, 2) and (m, 2) float, mm
    Returns  (n, m) bool
    """
    starts, ends = np.asarray(a, float).reshape(-1, 2), np.asarray(b, float).reshape(-1, 2)
    pairs = np.empty((len(starts), len(ends), 2, 2))
    pairs[:, :, 0] = starts[:, None]
    pairs[:, :, 1] = ends[None]
    cores = shapely.union_all(shapely.buffer(np.array(blockers, object), -TOUCH_MM, join_style="mitre"))
    if cores.is_empty:
        return np.ones(pairs.shape[:2], bool)
    shapely.prepare(cores)
    return ~shapely.intersects(cores, shapely.linestrings(pairs))


def _sides(blocker: Polygon) -> list[tuple[Point2, Point2]]:
    corners = shapely.get_coordinates(blocker.exterior)
    return list(zip(corners[:-1], corners[1:], strict=True))


def _shadow(observer: Point2, a: Point2, b: Point2, far_mm: float) -> Polygon:
    ends = np.array((a, b), float)
    rays = ends - observer
    lengths = np.hypot(*rays.T)[:, None]
    if min(lengths) == 0:
        return Polygon()
    far = ends + rays / lengths * far_mm
    return (
        Polygon((ends[0], ends[1], far[1], far[0])).convex_hull
        if abs(rays[0][0] * rays[1][1] - rays[0][1] * rays[1][0]) > 0
        else Polygon()
    )


def _part_at(seen: shapely.Geometry, eye: Point) -> Polygon:
    parts = [part for part in getattr(seen, "geoms", [seen]) if isinstance(part, Polygon)]
    return min(parts, key=lambda part: part.distance(eye), default=Polygon())
