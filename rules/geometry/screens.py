"""What a straight segment may not meet: the walls of one kind of ground, in small groups with a box around each.

A segment on a level stays in that level's ground, so the sides of all other ground are walls to it; obstacles and the
table's edge are walls on every level.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from rules.compiled import compiled
from rules.geometry.chords import with_longer_chords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapely.geometry.base import BaseGeometry

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Walls are thinned by this, so that a path may run along them and past their corners.
THIN_MM = 5e-4
# Waves bend round obstacles whose chords lie this deep in them: a path round an arc of t radians loses t / 3 of it.
CHORD_SAGITTA_MM = 0.06
# Edges in a group: a segment is compared with the group's box first.
_GROUP = 8


class Screens(NamedTuple):
    """Walls for segments, level by level.

    edges  (m, 4) x0 y0 x1 y1
    boxes  (g, 4) low x, low y, high x, high y of each group of edges; `rows` (g, 2) its first edge and the one past it
    first  (levels + 2,) groups first[0]:first[1] are walls on every level, first[k + 1]:first[k + 2] on level k
    """

    edges: Floats
    boxes: Floats
    rows: Ints
    first: Ints


class Fence(NamedTuple):
    """Some edges in groups: `edges`, `boxes` and `rows` as in `Screens`."""

    edges: Floats
    boxes: Floats
    rows: Ints


def fence_of(area: BaseGeometry) -> Fence:
    """The sides of an area, grouped along its rings."""
    sides = [np.hstack((ring[:-1], ring[1:])) for ring in rings_of(area)]
    firsts = np.cumsum([0, *(len(side) for side in sides)])
    pairs = itertools.pairwise(firsts)
    rows = [(low, min(low + _GROUP, end)) for begin, end in pairs for low in range(begin, end, _GROUP)]
    edges = np.concatenate([np.empty((0, 4)), *sides])
    return Fence(edges, _boxes(edges, rows), np.array(rows, np.int64).reshape(-1, 2))


def rings_of(area: BaseGeometry) -> list[Floats]:
    """The closed rings, (n, 2), of the polygons in an area."""
    polygons = [part for part in shapely.get_parts(area) if isinstance(part, Polygon)]
    return [shapely.get_coordinates(ring) for part in polygons for ring in (part.exterior, *part.interiors)]


def thinned(area: BaseGeometry) -> BaseGeometry:
    """An area less a rim of `THIN_MM` along its border."""
    return shapely.buffer(area, -THIN_MM, join_style="mitre")


def screens_of(everywhere: Sequence[Fence], by_level: Sequence[Fence]) -> Screens:
    """The walls on every level, and those on each."""
    layers = [joined(everywhere), *by_level]
    return Screens(*joined(layers), np.cumsum([0, *(len(fence.rows) for fence in layers)]))


@compiled
def screens_within(everywhere: Fence, screens: Screens, x: float, y: float, range_mm: float) -> Screens:
    """The walls in a square about a point: a fence that stands on every level, and the walls of each level."""
    groups, edges = len(everywhere.rows) + len(screens.rows), len(everywhere.edges) + len(screens.edges)
    found = Screens(
        np.empty((edges, 4)), np.empty((groups, 4)), np.empty((groups, 2), np.int64), np.zeros_like(screens.first)
    )
    low_x, low_y, high_x, high_y = x - range_mm, y - range_mm, x + range_mm, y + range_mm
    edge, group = 0, 0
    for old in range(len(everywhere.rows)):
        if not _is_apart(everywhere.boxes, old, low_x, low_y, high_x, high_y):
            edge = _put(found, group, edge, everywhere.edges, everywhere.boxes, everywhere.rows, old)
            group += 1
    found.first[1] = group
    for level in range(1, len(screens.first) - 1):
        for old in range(screens.first[level], screens.first[level + 1]):
            if not _is_apart(screens.boxes, old, low_x, low_y, high_x, high_y):
                edge = _put(found, group, edge, screens.edges, screens.boxes, screens.rows, old)
                group += 1
        found.first[level + 1] = group
    return Screens(found.edges[:edge], found.boxes[:group], found.rows[:group], found.first)


@compiled
def _put(found: Screens, group: int, edge: int, edges: Floats, boxes: Floats, rows: Ints, old: int) -> int:
    """Put a group of edges behind those that were found; how many edges there are then."""
    low, high = rows[old, 0], rows[old, 1]
    end = edge + int(high - low)
    found.edges[edge:end], found.boxes[group] = edges[low:high], boxes[old]
    found.rows[group, 0], found.rows[group, 1] = edge, end
    return end


def _boxes(edges: Floats, rows: list[tuple[int, int]]) -> Floats:
    groups = [edges[low:high].reshape(-1, 2) for low, high in rows]
    return np.array([(*group.min(axis=0), *group.max(axis=0)) for group in groups], float).reshape(-1, 4)


def joined(fences: Sequence[Fence]) -> Fence:
    """Some fences as one, in their order."""
    offsets = np.cumsum([0, *(len(fence.edges) for fence in fences)])
    rows = [fence.rows + offset for fence, offset in zip(fences, offsets, strict=False)]
    edges = np.concatenate([np.empty((0, 4)), *(fence.edges for fence in fences)])
    boxes = np.concatenate([np.empty((0, 4)), *(fence.boxes for fence in fences)])
    return Fence(edges, boxes, np.concatenate([np.empty((0, 2), np.int64), *rows]))


@compiled
def blocked(screens: Screens, level: int, px: float, py: float, qx: float, qy: float) -> bool:
    """Whether the segment from p to q meets a wall of that level."""
    edges, boxes, rows, first = screens.edges, screens.boxes, screens.rows, screens.first
    return _stops(edges, boxes, rows, first[0], first[1], px, py, qx, qy) or _stops(
        edges, boxes, rows, first[level + 1], first[level + 2], px, py, qx, qy
    )


@compiled
def _stops(
    edges: Floats, boxes: Floats, rows: Ints, low: int, high: int, px: float, py: float, qx: float, qy: float
) -> bool:
    """Whether the segment meets a wall of the groups from `low` to before `high`."""
    low_x, high_x, low_y, high_y = min(px, qx), max(px, qx), min(py, qy), max(py, qy)
    for group in range(low, high):
        if _is_apart(boxes, group, low_x, low_y, high_x, high_y):
            continue
        if _meets(edges, rows[group, 0], rows[group, 1], px, py, qx, qy):
            return True
    return False


@compiled
def _meets(edges: Floats, low: int, high: int, px: float, py: float, qx: float, qy: float) -> bool:
    for edge in range(low, high):
        ax, ay, bx, by = edges[edge, 0], edges[edge, 1], edges[edge, 2], edges[edge, 3]
        a_side = (qx - px) * (ay - py) - (qy - py) * (ax - px)
        b_side = (qx - px) * (by - py) - (qy - py) * (bx - px)
        if a_side * b_side > 0.0:
            continue
        p_side = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        q_side = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
        if p_side * q_side <= 0.0:
            return True
    return False


@compiled
def _is_apart(boxes: Floats, group: int, low_x: float, low_y: float, high_x: float, high_y: float) -> bool:
    """Whether the box of a group does not meet a box."""
    aside = (boxes[group, 0] > high_x) | (boxes[group, 2] < low_x)
    return bool(aside | (boxes[group, 1] > high_y) | (boxes[group, 3] < low_y))


@compiled
def gathered(screens: Screens, level: int, low_x: float, low_y: float, high_x: float, high_y: float) -> Floats:
    """The walls (n, 4) of that level whose boxes meet a box: no other can stop a ray inside it."""
    most = 0
    for part in (0, level + 1):
        for group in range(screens.first[part], screens.first[part + 1]):
            if not _is_apart(screens.boxes, group, low_x, low_y, high_x, high_y):
                most += screens.rows[group, 1] - screens.rows[group, 0]
    found = np.empty((most, 4))
    count = 0
    for part in (0, level + 1):
        for group in range(screens.first[part], screens.first[part + 1]):
            if not _is_apart(screens.boxes, group, low_x, low_y, high_x, high_y):
                count = _gather(screens, group, low_x, low_y, high_x, high_y, found, count)
    return found[:count]


@compiled
def _gather(
    screens: Screens, group: int, low_x: float, low_y: float, high_x: float, high_y: float, found: Floats, count: int
) -> int:
    """Put the walls of a group that meet a box behind the first `count` that were found; how many there are then."""
    for edge in range(screens.rows[group, 0], screens.rows[group, 1]):
        ax, ay = screens.edges[edge, 0], screens.edges[edge, 1]
        bx, by = screens.edges[edge, 2], screens.edges[edge, 3]
        found[count, 0], found[count, 1], found[count, 2], found[count, 3] = ax, ay, bx, by
        meets_x = (max(ax, bx) >= low_x) & (min(ax, bx) <= high_x)
        count += int(meets_x & (max(ay, by) >= low_y) & (min(ay, by) <= high_y))
    return count


@compiled
def first_wall(px: float, py: float, ux: float, uy: float, range_mm: float, edges: Floats) -> tuple[float, int]:
    """How far a ray from p in the direction u gets, at most `range_mm`, and the edge that stops it; -1 if none does."""
    nearest, wall = range_mm, -1
    for edge in range(len(edges)):
        ax, ay = edges[edge, 0] - px, edges[edge, 1] - py
        bx, by = edges[edge, 2] - px, edges[edge, 3] - py
        a_side, b_side = ux * ay - uy * ax, ux * by - uy * bx
        if a_side * b_side > 0.0 or a_side == b_side:
            continue
        along = (ax * by - ay * bx) / (b_side - a_side)
        if 0.0 <= along < nearest:
            nearest, wall = along, edge
    return nearest, wall


@compiled
def is_solid(x: float, y: float, edges: Floats) -> bool:
    """Whether a point lies in the ground that the edges enclose (even-odd)."""
    odd = False
    for edge in range(len(edges)):
        ax, ay, bx, by = edges[edge, 0], edges[edge, 1], edges[edge, 2], edges[edge, 3]
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


class Solid(NamedTuple):
    """An obstacle: its corners (n, 6) as x y, those of the one before and of the one after; and its thinned sides."""

    corners: Floats
    fence: Fence


@lru_cache(maxsize=4096)
def solid_of(polygon: Polygon) -> Solid:
    """The polygon as an obstacle, its round corners with longer chords; kept, because most obstacles stay."""
    coarse = with_longer_chords(polygon, CHORD_SAGITTA_MM)
    rings = [ring[:-1] for ring in rings_of(coarse)]
    around = [np.hstack((ring, np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0))) for ring in rings]
    return Solid(np.concatenate([np.empty((0, 6)), *around]), fence_of(thinned(coarse)))
