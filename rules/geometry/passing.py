"""How straight lines pass areas: far, near, through, or too near to an edge to tell; many at once, in machine code."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from rules.compiled import compiled
from rules.geometry.border import Flags
from rules.geometry.depth import depth, entry
from rules.geometry.gap import away2, gap2
from rules.geometry.screens import Floats, Ints

FAR, BESIDE, THROUGH, UNSURE = 0, 1, 2, 3
# So near to an edge or to a limit rounding may decide: far below any measurement, far above it.
_DOUBT_MM = 1e-6


class Areas(NamedTuple):
    """Some areas as numbers.

    corners  (n, 2) of all closed rings, mm, one ring after the other: of each area its outline, then its holes
    first    (rings + 1,) the corners of ring r are `corners[first[r]:first[r + 1]]`
    of       (areas + 1,) the rings of area k are those from `of[k]` to before `of[k + 1]`
    around   (areas, 3) the centre and the radius of a circle around each, mm
    valid    (areas,) whether an area's rings are simple: nothing is sure of one whose are not
    """

    corners: Floats
    first: Ints
    of: Ints
    around: Floats
    valid: Flags


def areas_of(polygons: NDArray[np.object_]) -> Areas:
    """The polygons as numbers."""
    rings, area = shapely.get_rings(polygons, return_index=True)
    corners, ring = shapely.get_coordinates(rings, return_index=True)
    first = np.searchsorted(ring, np.arange(len(rings) + 1))
    of = np.searchsorted(area, np.arange(len(polygons) + 1))
    low_x, low_y, high_x, high_y = shapely.bounds(polygons).reshape(-1, 4).T
    around = np.column_stack(((low_x + high_x) / 2, (low_y + high_y) / 2, np.hypot(high_x - low_x, high_y - low_y) / 2))
    return Areas(corners, first, of, around, np.asarray(shapely.is_valid(polygons), bool))


@compiled
def passed(areas: Areas, ends: Floats, near_mm: Floats) -> tuple[Ints, Floats]:
    """Which areas the lines do not pass at a distance, and how.

    ends     (n, 4) x0 y0 x1 y1 of each line
    near_mm  (n, areas) what is farther from a line than this is far
    Returns  (k, 3) line, area, and `BESIDE`, `THROUGH` or `UNSURE`; and (k, 5), for those that go through, how far the
             line must shift to clear the area (`depth`), and the first point in it from either end; NaN for others
    """
    most = len(ends) * len(areas.around)
    which, where = np.empty((most, 3), np.int64), np.full((most, 5), np.nan)
    count = 0
    for line in range(len(ends)):
        for area in range(len(areas.around)):
            how = _passes(areas, area, ends[line], near_mm[line, area])
            if how == FAR:
                continue
            if how == THROUGH:
                _measure(areas, area, ends[line], where[count])
            which[count, 0], which[count, 1], which[count, 2] = line, area, how
            count += 1
    return which[:count], where[:count]


@compiled
def _passes(areas: Areas, area: int, line: Floats, near_mm: float) -> int:
    """How a line passes an area."""
    px, py, qx, qy = line
    x, y, radius = areas.around[area]
    if math.sqrt(away2(x, y, px, py, qx, qy)) > radius + near_mm + _DOUBT_MM:
        return FAR
    if not areas.valid[area] or math.hypot(qx - px, qy - py) < _DOUBT_MM:
        return UNSURE
    is_crossed, gap_mm2 = False, np.inf
    for ring in range(areas.of[area], areas.of[area + 1]):
        for corner in range(areas.first[ring] + 1, areas.first[ring + 1]):
            (ax, ay), (bx, by) = areas.corners[corner - 1], areas.corners[corner]
            met = _meets(px, py, qx, qy, ax, ay, bx, by)
            if met == UNSURE:
                return UNSURE
            is_crossed = is_crossed or met == THROUGH
            if not is_crossed:
                gap_mm2 = min(gap_mm2, gap2(px, py, qx, qy, ax, ay, bx, by))
    if is_crossed or _holds(areas, area, px, py):
        return THROUGH
    if abs(math.sqrt(gap_mm2) - near_mm) < _DOUBT_MM:
        return UNSURE
    return BESIDE if math.sqrt(gap_mm2) < near_mm else FAR


@compiled
def _meets(px: float, py: float, qx: float, qy: float, ax: float, ay: float, bx: float, by: float) -> int:
    """Whether the segment pq clears the side ab (`FAR`), crosses it (`THROUGH`), or comes near to an end (`UNSURE`)."""
    dx, dy, ex, ey = qx - px, qy - py, bx - ax, by - ay
    slack, side_slack = _DOUBT_MM * math.hypot(dx, dy), _DOUBT_MM * math.hypot(ex, ey)
    a_side, b_side = dx * (ay - py) - dy * (ax - px), dx * (by - py) - dy * (bx - px)
    if min(a_side, b_side) > slack or max(a_side, b_side) < -slack:
        return FAR
    p_side, q_side = ex * (py - ay) - ey * (px - ax), ex * (qy - ay) - ey * (qx - ax)
    if min(p_side, q_side) > side_slack or max(p_side, q_side) < -side_slack:
        return FAR
    is_sure = min(abs(a_side), abs(b_side)) > slack and min(abs(p_side), abs(q_side)) > side_slack
    return THROUGH if is_sure else UNSURE


@compiled
def _holds(areas: Areas, area: int, x: float, y: float) -> bool:
    """Whether a point that is near to no side lies in the area (even-odd)."""
    odd = False
    for ring in range(areas.of[area], areas.of[area + 1]):
        for corner in range(areas.first[ring] + 1, areas.first[ring + 1]):
            (ax, ay), (bx, by) = areas.corners[corner - 1], areas.corners[corner]
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                odd = not odd
    return odd


@compiled
def _measure(areas: Areas, area: int, line: Floats, found: Floats) -> None:
    """Put the depth of a line that goes through an area, and the first point in it from either end."""
    outline = areas.of[area]
    start, end = line[:2], line[2:]
    found[0] = depth(areas.corners[areas.first[outline] : areas.first[outline + 1]], start, end)
    found[1], found[2] = _entry(areas, area, start, end)
    found[3], found[4] = _entry(areas, area, end, start)


@compiled
def _entry(areas: Areas, area: int, start: Floats, end: Floats) -> tuple[float, float]:
    """The first point in the area of a segment that comes into it."""
    share = 0.0 if _holds(areas, area, start[0], start[1]) else np.inf
    if share > 0.0:
        for ring in range(areas.of[area], areas.of[area + 1]):
            share = min(share, entry(areas.corners[areas.first[ring] : areas.first[ring + 1]], start, end))
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
