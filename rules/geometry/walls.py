"""Blockers and the table's edge as directed walls, ready for the sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely import Point, Polygon

from rules.scene import Point2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# Corners nearer than this are one, and an outline no longer than a few of them is nothing.
SAME_MM, LEAST_OUTLINE_MM = 1e-9, 1e-6


class Walls(NamedTuple):
    """Walls with solid ground on their left; no two cross.

    segments  (n, 6) float64: ax, ay, bx, by and the corner before a, mm; row i begins at corner i
    after     (n,) int64: the number of corner b; `before` that of the corner before a
    first     (rings + 1,) int64: each ring's first row; the last entry is n
    rings     (rings, 3) float64: centre and radius of a circle around each ring, mm
    """

    segments: NDArray[np.float64]
    after: NDArray[np.int64]
    before: NDArray[np.int64]
    first: NDArray[np.int64]
    rings: NDArray[np.float64]


def walls_of(solids: Sequence[Polygon], bounds: Polygon | None = None) -> Walls:
    """The walls of disjoint solids, and behind them (as the last rows) those of the bounds, solid on the outside."""
    outlines = shapely.get_rings(shapely.orient_polygons(np.array(solids, object)))
    if bounds is not None:
        around = shapely.get_rings(shapely.orient_polygons(bounds, exterior_cw=True))
        outlines = np.concatenate((outlines, around))
    outlines = outlines[shapely.length(outlines) > LEAST_OUTLINE_MM]
    corners, ring = shapely.get_coordinates(outlines, return_index=True)
    begins = _begin_walls(corners, ring)
    kept = corners[begins]
    first = np.searchsorted(ring[begins], np.arange(len(outlines) + 1))
    after, before = np.arange(1, len(kept) + 1), np.arange(-1, len(kept) - 1)
    after[first[1:] - 1], before[first[:-1]] = first[:-1], first[1:] - 1
    segments = np.hstack((kept, kept[after], kept[before]))
    return Walls(segments, after, before, first, _circles(outlines))


def _begin_walls(corners: NDArray[np.float64], ring: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which corners of closed rings a wall begins at: not a ring's last one, and none that the next one repeats.

    Where solids are cut at the bounds, corners may lie 1e-15 mm apart: such a wall has no direction.
    """
    steps = np.diff(corners, axis=0)
    begins = np.append((ring[1:] == ring[:-1]) & (np.hypot(steps[:, 0], steps[:, 1]) > SAME_MM), False)
    return begins[: len(ring)]


def merged(solids: Sequence[Polygon]) -> list[Polygon]:
    """The same ground as polygons that neither overlap nor touch along an edge; most need no union at all."""
    polygons = np.array(solids, object)
    if not len(polygons):
        return []
    low_x, low_y, high_x, high_y = shapely.bounds(polygons).T
    apart = (low_x[:, None] > high_x) | (low_y[:, None] > high_y)
    i, j = np.nonzero(np.triu(~(apart | apart.T), 1))
    meet = shapely.intersects(polygons[i], polygons[j])
    crowded = np.zeros(len(polygons), bool)
    crowded[i[meet]] = crowded[j[meet]] = True
    union = shapely.get_parts(shapely.union_all(polygons[crowded])) if crowded.any() else ()
    return [*polygons[~crowded], *(part for part in union if isinstance(part, Polygon))]


def within(solids: Sequence[Polygon], bounds: Polygon) -> list[Polygon]:
    """The solids' parts inside the bounds; nothing of those without area."""
    polygons = np.array(solids, object)
    polygons = polygons[shapely.area(polygons) > 0]
    shapely.prepare(bounds)
    inside = shapely.covers(bounds, polygons)
    if inside.all():
        return list(polygons)
    cut = shapely.get_parts(shapely.intersection(polygons[~inside], bounds))
    return [*polygons[inside], *(part for part in cut if isinstance(part, Polygon))]


def floor_of(bounds: Polygon, solids: Sequence[Polygon], here: Point2) -> tuple[Polygon, list[Polygon]]:
    """The part of the bounds round a point that solids on their edge leave, and the solids that stand free of it.

    Empty where solids cover all of the bounds. A solid that was cut at the bounds lies along them but for rounding, and
    a path would slip through between.
    """
    free = shapely.contains_properly(bounds, np.array(solids, object))
    if free.all():
        return bounds, list(solids)
    leaning = [solid for solid, stands in zip(solids, free, strict=True) if not stands]
    left = shapely.difference(bounds, shapely.union_all(leaning))
    parts = [part for part in shapely.get_parts(left) if isinstance(part, Polygon) and not part.is_empty]
    standing = [solid for solid, stands in zip(solids, free, strict=True) if stands]
    floor = min(parts, key=Point(here).distance, default=Polygon())
    return floor, [solid for solid in standing if floor.contains(solid)]


def _circles(outlines: NDArray[np.object_]) -> NDArray[np.float64]:
    low_x, low_y, high_x, high_y = shapely.bounds(outlines).T.reshape(4, -1)
    return np.column_stack(((low_x + high_x) / 2, (low_y + high_y) / 2, np.hypot(high_x - low_x, high_y - low_y) / 2))
