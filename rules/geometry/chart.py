"""The points about a start at which a cheapest path can bend, and the spans of border between them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rules.compiled import compiled
from rules.geometry.border import Flags, Plan
from rules.geometry.screens import Floats, Ints, is_solid

# A cut this near to a span's end is its end.
_SAME_MM = 1e-4


class Spacing(NamedTuple):
    """How far apart points on a border are, mm: `most`, or a `share` of the way to the start or the nearest other line
    if that is less, but no less than `least`."""

    most: float
    share: float
    least: float


class Chart(NamedTuple):
    """Numbered points; 0 is the start.

    xy       (n, 2) mm
    on       (n, levels) which ground a point touches
    corners  (n, levels, 4) the neighbours of a wall's corner, NaN where the point is none
    is_end   (n,) whether spans end there, so that the wave spreads from it in a fan
    is_rim   (n,) whether it is a corner of an obstacle and no more
    spans    (m, 4) numbers of both ends, and the levels on the left and on the right; one behind the other along a side
    first    (n + 1,) the spans at point i are `spans_at[first[i]:first[i + 1]]`
    row      the points of each level from left to right, level after level: those of level k are
             `row[row_first[k]:row_first[k + 1]]`, and `row_x` where they lie
    """

    xy: Floats
    on: Flags
    corners: Floats
    is_end: Flags
    is_rim: Flags
    spans: Ints
    first: Ints
    spans_at: Ints
    row: Ints
    row_x: Floats
    row_first: Ints


@compiled
def chart_of(
    plan: Plan, rims: Floats, beyond: Flags, corners: Floats, solids: Floats, start: Floats, range_mm: float,
    spacing: Spacing,
) -> Chart:  # fmt: skip
    """The points within range.

    corners  (r, 6) corners of obstacles as x y and their neighbours; `solids` (m, 4) the obstacles' thinned sides
    rims     (k, 6) those of them within range, and `beyond` (1 + k, levels) which ground the start and they touch
    """
    vertices = _open_vertices(plan.vertices, solids, start, range_mm)
    xy, is_cut, spans = _laid(plan.sides, vertices, plan.vertices[vertices], corners, solids, start, range_mm, spacing)
    ends, laid = 1 + len(vertices), len(xy)
    count, levels = laid + len(rims), plan.on.shape[1]
    on, turns = np.zeros((count, levels), np.bool_), np.full((count, levels, 4), np.nan)
    on[0], on[laid:] = beyond[0], beyond[1:]
    for number in range(len(vertices)):
        on[1 + number], turns[1 + number] = plan.on[vertices[number]], plan.corners[vertices[number]]
    for span in range(len(spans)):
        for end in (0, 1):
            point = spans[span, end]
            if point >= ends:
                on[point, spans[span, 2]] = on[point, spans[span, 3]] = True
    is_end, is_rim, whole = np.ones(count, np.bool_), np.zeros(count, np.bool_), np.empty((count, 2))
    is_end[ends:laid], is_rim[laid:], whole[:laid] = is_cut[ends:], True, xy
    for rim in range(len(rims)):
        whole[laid + rim] = rims[rim, :2]
        for level in range(levels):
            turns[laid + rim, level] = rims[rim, 2:]
    first, spans_at = _spans_at(spans, count)
    row, row_first = _rows(whole, on)
    return Chart(whole, on, turns, is_end, is_rim, spans, first, spans_at, row, whole[row, 0], row_first)


@compiled
def rims_within(corners: Floats, start: Floats, range_mm: float) -> Floats:
    """Those of the obstacles' corners (r, 6) that lie within range."""
    found = np.empty_like(corners)
    count = 0
    for corner in range(len(corners)):
        if math.hypot(corners[corner, 0] - start[0], corners[corner, 1] - start[1]) <= range_mm:
            found[count] = corners[corner]
            count += 1
    return found[:count]


@compiled
def _spans_at(spans: Ints, count: int) -> tuple[Ints, Ints]:
    """The spans at each point, in order: `first` and `spans_at` of a chart."""
    first = np.zeros(count + 1, np.int64)
    for span in range(len(spans)):
        first[spans[span, 0] + 1] += 1
        first[spans[span, 1] + 1] += 1
    first = np.cumsum(first)
    place, spans_at = first.copy(), np.empty(2 * len(spans), np.int64)
    for span in range(len(spans)):
        for end in (0, 1):
            point = spans[span, end]
            spans_at[place[point]] = span
            place[point] += 1
    return first, spans_at


@compiled
def _rows(xy: Floats, on: Flags) -> tuple[Ints, Ints]:
    """The points of each level from left to right: `row` and `row_first` of a chart."""
    order = np.argsort(xy[:, 0])
    row, row_first = np.empty(on.sum(), np.int64), np.zeros(on.shape[1] + 1, np.int64)
    count = 0
    for level in range(on.shape[1]):
        for point in order:
            if on[point, level]:
                row[count] = point
                count += 1
        row_first[level + 1] = count
    return row, row_first


@compiled
def near(chart: Chart, level: int, low_x: float, high_x: float) -> tuple[int, int]:
    """The places in `row` of the points of a level between two x: from the first to the one before the second."""
    first, last = chart.row_first[level], chart.row_first[level + 1]
    low = _place(chart.row_x, first, last, low_x)
    return low, _place(chart.row_x, low, last, np.nextafter(high_x, np.inf))


@compiled
def _place(xs: Floats, low: int, high: int, x: float) -> int:
    """The first place from `low` to `high` at which the rising numbers are at least x."""
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _open_vertices(vertices: Floats, solids: Floats, start: Floats, far: float) -> Ints:
    """The numbers of the vertices within range and outside obstacles."""
    found = np.empty(len(vertices), np.int64)
    count = 0
    for vertex in range(len(vertices)):
        x, y = vertices[vertex]
        if math.hypot(x - start[0], y - start[1]) <= far and not is_solid(x, y, solids):
            found[count] = vertex
            count += 1
    return found[:count]


@compiled
def _laid(
    sides: Floats, vertices: Ints, vertex_xy: Floats, rims: Floats, solids: Floats, start: Floats, far: float,
    spacing: Spacing,
) -> tuple[Floats, Flags, Ints]:  # fmt: skip
    """The start, the vertices and the points between them, which of these an obstacle or the range cuts, and the spans.

    sides     (s, 8) both ends as x y x y, the numbers of their vertices, and the levels on the left and on the right
    vertices  the numbers of those that are open
    """
    about = sides[_in_range(sides, start, far)]
    lines = np.concatenate((about[:, :4], _edges(rims)))
    xs, ys, is_cut = [start[0]], [start[1]], [True]
    for x, y in vertex_xy:
        xs.append(x)
        ys.append(y)
        is_cut.append(False)
    spans = [(0, 0, 0, 0) for _ in range(0)]
    for side in about:
        length = math.hypot(side[2] - side[0], side[3] - side[1])
        ends = _number(vertices, side[4]), _number(vertices, side[5])
        others = _beside(side[:4], lines, spacing.most / spacing.share)
        for low, high in _open_stretches(side[:4], rims, solids, start, far):
            last = -1
            for mark in _marks(side[:4], low, high, start, others, spacing):
                number = ends[0] if mark <= _SAME_MM else ends[1] if mark >= length - _SAME_MM else -1
                if number < 0:
                    number = len(xs)
                    xs.append(side[0] + mark / length * (side[2] - side[0]))
                    ys.append(side[1] + mark / length * (side[3] - side[1]))
                    is_cut.append(mark in (low, high))
                if last >= 0:
                    spans.append((last, number, int(side[6]), int(side[7])))
                last = number
    return np.column_stack((np.array(xs), np.array(ys))), np.array(is_cut), _table(spans)


@compiled
def _number(vertices: Ints, vertex: float) -> int:
    """A vertex's number among the points; -1 if it is not open."""
    place = int(np.searchsorted(vertices, int(vertex)))
    return place + 1 if place < len(vertices) and vertices[place] == vertex else -1


@compiled
def _table(spans: list[tuple[int, int, int, int]]) -> Ints:
    table = np.empty((len(spans), 4), np.int64)
    for span in range(len(spans)):
        table[span] = spans[span]
    return table


@compiled
def _edges(rims: Floats) -> Floats:
    """The obstacles' sides from their corners."""
    edges = np.empty((len(rims), 4))
    edges[:, :2], edges[:, 2:] = rims[:, :2], rims[:, 4:]
    return edges


@compiled
def _in_range(ends: Floats, start: Floats, far: float) -> Ints:
    """The numbers of the sides that come within range of the start."""
    found = np.empty(len(ends), np.int64)
    count = 0
    for side in range(len(ends)):
        if _distance(start[0], start[1], ends[side]) < far:
            found[count] = side
            count += 1
    return found[:count]


@compiled
def _distance(x: float, y: float, side: Floats) -> float:
    wx, wy = side[2] - side[0], side[3] - side[1]
    share = ((x - side[0]) * wx + (y - side[1]) * wy) / (wx * wx + wy * wy)
    share = min(max(share, 0.0), 1.0)
    return math.hypot(side[0] + share * wx - x, side[1] + share * wy - y)


@compiled
def _open_stretches(side: Floats, rims: Floats, solids: Floats, start: Floats, far: float) -> list[tuple[float, float]]:
    """The parts of a side within range and outside obstacles: from and to, mm along it."""
    ax, ay, bx, by = side
    length = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / length, (by - ay) / length
    foot = (start[0] - ax) * ux + (start[1] - ay) * uy
    aside = (start[0] - ax) * uy - (start[1] - ay) * ux
    half = math.sqrt(max(far * far - aside * aside, 0.0))
    low, high = max(foot - half, 0.0), min(foot + half, length)
    cuts = [low, high]
    for rim in range(len(rims)):
        px, py = rims[rim, 0] - ax, rims[rim, 1] - ay
        qx, qy = rims[rim, 4] - ax, rims[rim, 5] - ay
        p_side, q_side = ux * py - uy * px, ux * qy - uy * qx
        if p_side * q_side > 0.0 or p_side == q_side:
            continue
        share = p_side / (p_side - q_side)
        mark = (px + share * (qx - px)) * ux + (py + share * (qy - py)) * uy
        if low < mark < high:
            cuts.append(mark)
    cuts.sort()
    found = [(0.0, 0.0) for _ in range(0)]
    for cut in range(len(cuts) - 1):
        middle = 0.5 * (cuts[cut] + cuts[cut + 1])
        if cuts[cut + 1] - cuts[cut] > _SAME_MM and not is_solid(ax + middle * ux, ay + middle * uy, solids):
            found.append((cuts[cut], cuts[cut + 1]))
    return found


@compiled
def _marks(side: Floats, low: float, high: float, start: Floats, others: Floats, spacing: Spacing) -> Floats:
    """The places of points on a stretch of a side, mm along it: closer where the start or another line is near."""
    ax, ay, bx, by = side
    length = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / length, (by - ay) / length
    foot = min(max((start[0] - ax) * ux + (start[1] - ay) * uy, low), high)
    marks = [low, foot, high]
    for hand in (1.0, -1.0):
        mark = foot
        while True:
            x, y = ax + mark * ux, ay + mark * uy
            gap = min(_gap_mm(x, y, ux, uy, others), math.hypot(start[0] - x, start[1] - y))
            mark += hand * min(max(spacing.share * gap, spacing.least), spacing.most)
            if not low + _SAME_MM < mark < high - _SAME_MM:
                break
            marks.append(mark)
    # The end of a border may be another wave's: one more point beside it keeps that off the rest of the span.
    if high - low > 4 * spacing.least:
        marks.append(low + spacing.least)
        marks.append(high - spacing.least)
    return np.unique(np.array(marks))


@compiled
def _beside(side: Floats, lines: Floats, far: float) -> Floats:
    """The other lines whose boxes come within `far` mm of a side's box."""
    found = np.empty_like(lines)
    count = 0
    low_x, high_x = min(side[0], side[2]) - far, max(side[0], side[2]) + far
    low_y, high_y = min(side[1], side[3]) - far, max(side[1], side[3]) + far
    for line in range(len(lines)):
        ax, ay, bx, by = lines[line, 0], lines[line, 1], lines[line, 2], lines[line, 3]
        if max(ax, bx) < low_x or min(ax, bx) > high_x or max(ay, by) < low_y or min(ay, by) > high_y:
            continue
        if ax == side[0] and ay == side[1] and bx == side[2] and by == side[3]:
            continue
        found[count, 0], found[count, 1], found[count, 2], found[count, 3] = ax, ay, bx, by
        count += 1
    return found[:count]


@compiled
def _gap_mm(x: float, y: float, ux: float, uy: float, lines: Floats) -> float:
    """How far it is from a point on a border of direction u across to the nearest line.

    A line that lies ahead along the border, such as the next chord of a circle, is not across.
    """
    nearest2 = np.inf
    for line in range(len(lines)):
        ax, ay = lines[line, 0], lines[line, 1]
        wx, wy = lines[line, 2] - ax, lines[line, 3] - ay
        share = ((x - ax) * wx + (y - ay) * wy) / (wx * wx + wy * wy)
        share = min(max(share, 0.0), 1.0)
        dx, dy = ax + share * wx - x, ay + share * wy - y
        gap2, across = dx * dx + dy * dy, ux * dy - uy * dx
        if _SAME_MM * _SAME_MM < gap2 < nearest2 and across * across > 0.25 * gap2:
            nearest2 = gap2
    return math.sqrt(nearest2)
