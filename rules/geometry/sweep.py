"""The angular sweep behind sight and reach: what is nearest in every direction from a point, in machine code.

Walls are directed edges with solid ground on their left, no two of them crossing; only those that show their right side
to the eye are met. Directions are 'turns': 0 to 4 counter-clockwise along the square |x| + |y| = 1, monotonic in the
angle and free of trigonometry. Two walls keep their order over all directions that they share, so they are compared in
the middle of those, where rounding does least harm.

A walls array has a row (ax, ay, bx, by, px, py) for each wall from a to b, where p is the corner before a; the number
of the row is the number of corner a, `after[row]` that of corner b. Spans are the walls as seen from the eye at the
origin: rows (start turn, end turn, start x, start y, end x, end y), with the corners' numbers or -1 beside them in
`ends`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rules.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FULL_TURN = 4.0
# Directions closer than this are one: 1e-9 mm at the far end of a table.
SAME_TURN = 1e-12
# An eye nearer than this to a wall stands on it.
ON_WALL_MM = 1e-6
# Where the solid side of a wall begins for an eye on that wall.
CLOSE_UP_MM = 1e-7
# A wall whose line passes nearer than this is seen edge on.
EDGE_ON_MM = 1e-9


@compiled
def turn_of(x: float, y: float) -> float:
    """A number from 0 to 4 that grows with the direction's angle, counter-clockwise from +x; cheaper than atan2."""
    if y >= 0.0:
        if x > 0.0:
            return y / (x + y)
        return 1.0 - x / (y - x) if y > 0.0 or x < 0.0 else 0.0
    if x < 0.0:
        return 2.0 - y / (-x - y)
    return 3.0 + x / (x - y)


@compiled
def aim(turn: float) -> tuple[float, float]:
    """A direction of that turn (not of unit length)."""
    if turn < 1.0:
        return 1.0 - turn, turn
    if turn < 2.0:
        return 1.0 - turn, 2.0 - turn
    if turn < 3.0:
        return turn - 3.0, 2.0 - turn
    return turn - 3.0, turn - 4.0


@compiled
def _add_span(
    spans: Floats, ends: Ints, count: int, width: float, b: tuple[float, float], a: tuple[float, float], ids: Ints
) -> int:
    """Append the wall from b (first seen, as turns grow) to a, cut to the turns 0 to `width`; twice if it spans 0."""
    start, end = turn_of(b[0], b[1]), turn_of(a[0], a[1])
    pieces = 2 if start > end else 1
    for piece in range(pieces):
        low = 0.0 if pieces == 2 and piece == 1 else start
        high = FULL_TURN if pieces == 2 and piece == 0 else end
        first = max(low, 0.0)
        last = min(high, width)
        if last - first <= SAME_TURN:
            continue
        spans[count, 0], spans[count, 1] = first, last
        spans[count, 2], spans[count, 3] = b
        spans[count, 4], spans[count, 5] = a
        ends[count, 0] = ids[1] if first == start else -1
        ends[count, 1] = ids[0] if last == end else -1
        count += 1
    return count


@compiled
def _add_solid(spans: Floats, ends: Ints, count: int, width: float, first: Floats, last: Floats) -> int:
    """Close all directions counter-clockwise from `first` to `last`, where the solid begins at the eye itself."""
    angle = math.atan2(first[1], first[0])
    sweep = math.atan2(last[1], last[0]) - angle
    if sweep <= 0.0:
        sweep += math.tau
    parts = int(sweep / (0.4 * math.pi)) + 1
    none = np.full(2, -1, np.int64)
    for part in range(parts):
        low, high = angle + sweep * part / parts, angle + sweep * (part + 1) / parts
        b = (CLOSE_UP_MM * math.cos(low), CLOSE_UP_MM * math.sin(low))
        a = (CLOSE_UP_MM * math.cos(high), CLOSE_UP_MM * math.sin(high))
        count = _add_span(spans, ends, count, width, b, a, none)
    return count


@compiled
def is_on_wall(walls: Floats, row: int, eye: Floats) -> bool:
    """Whether the eye stands on that wall, within `ON_WALL_MM`."""
    ax, ay = walls[row, 0] - eye[0], walls[row, 1] - eye[1]
    dx, dy = walls[row, 2] - walls[row, 0], walls[row, 3] - walls[row, 1]
    part = min(1.0, max(0.0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)))
    x, y = ax + part * dx, ay + part * dy
    on_wall: bool = x * x + y * y <= ON_WALL_MM * ON_WALL_MM
    return on_wall


@compiled
def _add_underfoot(
    walls: Floats, row: int, eye: Floats, ahead: Floats, width: float, spans: Floats, ends: Ints, count: int
) -> int:
    """Close the solid side of a wall on whose line the eye stands; the number of spans, -1 if it stands off the wall.

    Whoever stands where a wall ends is closed in by the wall that begins there.
    """
    ax, ay = walls[row, 0] - eye[0], walls[row, 1] - eye[1]
    bx, by = walls[row, 2] - eye[0], walls[row, 3] - eye[1]
    dx, dy = bx - ax, by - ay
    first, last = np.empty(2), np.empty(2)
    first[0], first[1] = ahead[0] * dx + ahead[1] * dy, ahead[0] * dy - ahead[1] * dx
    if ax * ax + ay * ay <= ON_WALL_MM * ON_WALL_MM:
        px, py = walls[row, 4] - walls[row, 0], walls[row, 5] - walls[row, 1]
        last[0], last[1] = ahead[0] * px + ahead[1] * py, ahead[0] * py - ahead[1] * px
    elif bx * bx + by * by <= ON_WALL_MM * ON_WALL_MM:
        return count
    elif 0.0 < -(ax * dx + ay * dy) < dx * dx + dy * dy:
        last[0], last[1] = -first[0], -first[1]
    else:
        return -1
    return _add_solid(spans, ends, count, width, first, last)


@compiled
def gather(
    walls: Floats, after: Ints, rows: Ints, eye: Floats, ahead: Floats, width: float, far_mm: float,
    spans: Floats, ends: Ints,
) -> int:  # fmt: skip
    """Fill `spans` and `ends` with the walls that the eye may meet between `ahead` and `width` turns; their number.

    rows     first and last row of walls to look at
    ahead    unit vector of turn 0
    far_mm   walls farther away do not matter
    """
    cos, sin = ahead[0], ahead[1]
    ids = np.empty(2, np.int64)
    aside = aim(width)
    count = 0
    for row in range(rows[0], rows[1]):
        ax, ay = walls[row, 0] - eye[0], walls[row, 1] - eye[1]
        bx, by = walls[row, 2] - eye[0], walls[row, 3] - eye[1]
        depth = ax * by - ay * bx
        dx, dy = bx - ax, by - ay
        length2 = dx * dx + dy * dy
        if depth * depth <= ON_WALL_MM * ON_WALL_MM * length2:
            underfoot = _add_underfoot(walls, row, eye, ahead, width, spans, ends, count)
            if underfoot >= 0:
                count = underfoot
                continue
        if depth >= 0.0 or depth * depth <= EDGE_ON_MM * EDGE_ON_MM * length2:
            continue
        if depth * depth > far_mm * far_mm * length2:
            continue
        a = (cos * ax + sin * ay, cos * ay - sin * ax)
        b = (cos * bx + sin * by, cos * by - sin * bx)
        if width <= 2.0:
            if a[1] < 0.0 and b[1] < 0.0:
                continue
            if aside[0] * a[1] - aside[1] * a[0] > 0.0 and aside[0] * b[1] - aside[1] * b[0] > 0.0:
                continue
        ids[0], ids[1] = row, after[row]
        count = _add_span(spans, ends, count, width, b, a, ids)
    return count


@compiled
def range_mm(spans: Floats, span: int, ux: float, uy: float) -> float:
    """How many lengths of (ux, uy) away the line of a span is."""
    dx, dy = spans[span, 4] - spans[span, 2], spans[span, 5] - spans[span, 3]
    along: float = (spans[span, 2] * dy - spans[span, 3] * dx) / (ux * dy - uy * dx)
    return along


@compiled
def _is_nearer(spans: Floats, one: int, other: int, turn: float) -> bool:
    """Whether one span lies before the other, in the middle of the directions that they share from `turn` on."""
    ux, uy = aim(0.5 * (turn + min(spans[one, 1], spans[other, 1])))
    return range_mm(spans, one, ux, uy) < range_mm(spans, other, ux, uy)


@compiled
def _sorted_by(spans: Floats, column: int, count: int) -> Ints:
    """The spans in the order of a column, by merging runs of growing length (numpy's sort takes seconds to compile)."""
    order, other = np.empty(count, np.int64), np.empty(count, np.int64)
    for i in range(count):
        order[i] = i
    length = 1
    while length < count:
        for low in range(0, count, 2 * length):
            i, j = low, min(low + length, count)
            middle, high = j, min(low + 2 * length, count)
            for k in range(low, high):
                if j >= high or (i < middle and spans[order[i], column] <= spans[order[j], column]):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
        order, other = other, order
        length *= 2
    return order


@compiled
def _nearest(spans: Floats, of: Ints, count: int, turn: float) -> int:
    """The nearest of the first `count` spans, or -1 if there is none."""
    best = -1
    for k in range(count):
        if best < 0 or _is_nearer(spans, of[k], best, turn):
            best = of[k]
    return best


@compiled
def sweep(spans: Floats, count: int, width: float, runs: Floats, nearest: Ints) -> int:
    """Who is nearest, direction by direction: fills `runs` (from turn, to turn) and `nearest` (a span, or -1 for none).

    Returns the number of runs; they follow one another from 0 to `width` without a gap.
    """
    opening = _sorted_by(spans, 0, count)
    closing = _sorted_by(spans, 1, count)
    open_spans = np.empty(count, np.int64)
    place = np.empty(count, np.int64)
    current, since, opened, i, j, made = -1, 0.0, 0, 0, 0, 0
    while i < count or j < count:
        turn = spans[closing[j], 1]
        if i < count and spans[opening[i], 0] < turn:
            turn = spans[opening[i], 0]
        limit = turn + SAME_TURN
        best = current
        search = current >= 0 and spans[current, 1] <= limit
        while i < count and spans[opening[i], 0] <= limit:
            span = opening[i]
            open_spans[opened], place[span] = span, opened
            opened += 1
            i += 1
            if not search and (best < 0 or _is_nearer(spans, span, best, turn)):
                best = span
        while j < count and spans[closing[j], 1] <= limit:
            hole = place[closing[j]]
            opened -= 1
            open_spans[hole] = open_spans[opened]
            place[open_spans[hole]] = hole
            j += 1
        if search:
            best = _nearest(spans, open_spans, opened, turn)
        if best != current:
            if turn - since > SAME_TURN:
                runs[made, 0], runs[made, 1], nearest[made] = since, turn, current
                made += 1
            current, since = best, turn
    if width - since > SAME_TURN:
        runs[made, 0], runs[made, 1], nearest[made] = since, width, current
        made += 1
    return made
