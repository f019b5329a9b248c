"""A wave over ground of several costs: the cheapest cost at the points of a chart, by Dijkstra's order.

Every cheapest path is made of straight segments, each in one kind of ground, bent on borders between two kinds and at
corners of walls only. On a span of border the wave goes on from a curve (`fronts`), so that paths cross between points;
from the ends of borders, the corners of walls and the start it spreads in fans.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from rules.compiled import compiled
from rules.geometry.border import Flags
from rules.geometry.chart import Chart, near
from rules.geometry.fronts import cost_at, crossing, fronts, joined, joining, lean, slope_at, steepness
from rules.geometry.screens import THIN_MM, Floats, Ints, Screens, blocked

Queue = list[tuple[float, int]]

# Costs closer than this are one; a path that gains less is no better.
SAME_COST = 1e-6
# So deep may a straight path lie in the wall behind a corner: at a right-angled corner thinning takes off 1.4 of it.
_SHAVED_MM = 2 * THIN_MM
# Points whose path would cross just beyond the end of a front are reached from its end; the share of the full slope.
_SLACK = 0.02
# Points this near to a span's line lie on it.
_ON_LINE_MM = 1e-6


class Wave(NamedTuple):
    """What the wave brought to each point of the chart.

    cost     (n,) the cheapest; infinite where the wave did not come
    source   (n, 2) where the path's last segment begins; `parent` (n,) the number of the point there, -1 if it is none
    level    (n,) the level on which it runs, -1 at the start
    settled  (n,) whether the cost is final

    and to each span whose ends are both settled:

    slope    (m, 2) of the cost at both ends, along the span
    parts    (m,) how many `fronts` it has; fronts (m, 2, 6)
    """

    cost: Floats
    source: Floats
    parent: Ints
    level: Ints
    settled: Flags
    slope: Floats
    parts: Ints
    fronts: Floats


@compiled
def bends(corners: Floats, point: int, level: int, x: float, y: float, from_x: float, from_y: float) -> int:
    """To which hand a path from `from` turns at a wall's corner: 1 left, -1 right, 0 if it does not bend there.

    It bends where both sides of the wall (`corners` as in `Chart`) lie on one hand. The point it came from, or the
    corner before this one, may lie on the wrong hand by what a path may shave off a wall.
    """
    if math.isnan(corners[point, level, 0]):
        return 0
    dx, dy = x - from_x, y - from_y
    length = math.sqrt(dx * dx + dy * dy)
    low, high = np.inf, -np.inf
    for side in (0, 2):
        sx, sy = corners[point, level, side] - x, corners[point, level, side + 1] - y
        hand, slack = dx * sy - dy * sx, _SHAVED_MM * max(length, math.sqrt(sx * sx + sy * sy))
        low, high = min(low, hand + slack), max(high, hand - slack)
    if low >= 0.0:
        return 1
    return -1 if high <= 0.0 else 0


@compiled
def settle(chart: Chart, screens: Screens, cost_per_mm: Floats, limit: float) -> Wave:
    """The wave from point 0 until it costs `limit`."""
    wave = _nowhere(len(chart.xy), len(chart.spans))
    wave.cost[0] = 0.0
    queue = [(0.0, 0)]
    while queue:
        cost, point = heappop(queue)
        if cost > wave.cost[point] or wave.settled[point]:
            continue
        if cost > limit:
            break
        wave.settled[point] = True
        for at in range(chart.first[point], chart.first[point + 1]):
            _run_along(chart, wave, queue, cost_per_mm, point, chart.spans_at[at])
        if chart.is_end[point]:
            _spread(chart, screens, wave, queue, cost_per_mm, limit, point)
        for at in range(chart.first[point], chart.first[point + 1]):
            span = chart.spans_at[at]
            if is_settled(chart, wave, span):
                _measure(chart, wave, cost_per_mm, span)
                _pass_on(chart, screens, wave, queue, cost_per_mm, limit, span)
    return wave


@compiled
def _nowhere(points: int, spans: int) -> Wave:
    """A wave that has come nowhere yet."""
    source, level = np.full((points, 2), np.nan), np.full(points, -1, np.int64)
    cost, parent, settled = np.full(points, np.inf), np.full(points, -1, np.int64), np.zeros(points, np.bool_)
    slope, parts, fronts = np.zeros((spans, 2)), np.zeros(spans, np.int64), np.zeros((spans, 2, 6))
    return Wave(cost, source, parent, level, settled, slope, parts, fronts)


@compiled
def _improve(
    wave: Wave, queue: Queue, point: int, cost: float, from_x: float, from_y: float, parent: int, level: int
) -> None:
    wave.cost[point], wave.parent[point], wave.level[point], wave.settled[point] = cost, parent, level, False
    wave.source[point, 0], wave.source[point, 1] = from_x, from_y
    heappush(queue, (cost, point))


@compiled
def _run_along(chart: Chart, wave: Wave, queue: Queue, cost_per_mm: Floats, point: int, span: int) -> None:
    """To the point at the span's other end, on the cheaper side."""
    mark, cost = _along(chart, wave, cost_per_mm, point, span)
    other = chart.spans[span, 0] + chart.spans[span, 1] - point
    if cost < wave.cost[other] - SAME_COST:
        x, y = chart.xy[point, 0], chart.xy[point, 1]
        dx, dy = chart.xy[other, 0] - x, chart.xy[other, 1] - y
        share = mark / math.sqrt(dx * dx + dy * dy)
        level = min(chart.spans[span, 2], chart.spans[span, 3])
        _improve(wave, queue, other, cost, x + share * dx, y + share * dy, point if mark == 0.0 else -1, level)


@compiled
def _along(chart: Chart, wave: Wave, cost_per_mm: Floats, point: int, span: int) -> tuple[float, float]:
    """Where behind a point, mm toward the span's other end, a path joins the border to run along it, and the cost at
    that end."""
    other = chart.spans[span, 0] + chart.spans[span, 1] - point
    left, right = chart.spans[span, 2], chart.spans[span, 3]
    dx, dy = chart.xy[other, 0] - chart.xy[point, 0], chart.xy[other, 1] - chart.xy[point, 1]
    from_x, from_y = chart.xy[point, 0] - wave.source[point, 0], chart.xy[point, 1] - wave.source[point, 1]
    fast, slow = cost_per_mm[min(left, right)], cost_per_mm[max(left, right)]
    length = math.sqrt(dx * dx + dy * dy)
    along, across = (dx * from_x + dy * from_y) / length, abs(dx * from_y - dy * from_x) / length
    is_dear = wave.level[point] == max(left, right)
    mark, more = joining(along, across, fast, slow, length, is_dear)
    return mark, wave.cost[point] + more + fast * (length - mark)


@compiled
def _spread(
    chart: Chart, screens: Screens, wave: Wave, queue: Queue, cost_per_mm: Floats, limit: float, point: int
) -> None:
    """From the end of a border, a wall's corner or the start."""
    x, y = chart.xy[point, 0], chart.xy[point, 1]
    for level in range(len(cost_per_mm)):
        if not chart.on[point, level]:
            continue
        hand = 0
        if wave.level[point] == level:
            hand = bends(chart.corners, point, level, x, y, wave.source[point, 0], wave.source[point, 1])
            if hand == 0:
                continue
        _shine(chart, screens, wave, queue, cost_per_mm, limit, point, level, hand)


@compiled
def _shine(
    chart: Chart,
    screens: Screens,
    wave: Wave,
    queue: Queue,
    cost_per_mm: Floats,
    limit: float,
    point: int,
    level: int,
    hand: int,
) -> None:
    """Straight from a point to all that it sees on a level; only to the hand to which the path bends, if it does."""
    x, y = chart.xy[point, 0], chart.xy[point, 1]
    ahead_x, ahead_y = x - wave.source[point, 0], y - wave.source[point, 1]
    ahead = math.hypot(ahead_x, ahead_y)
    left = (limit - wave.cost[point]) / cost_per_mm[level]
    low, high = near(chart, level, x - left, x + left)
    for place in range(low, high):
        other = chart.row[place]
        if other == point or abs(chart.xy[other, 1] - y) > left:
            continue
        dx, dy = chart.xy[other, 0] - x, chart.xy[other, 1] - y
        length = math.sqrt(dx * dx + dy * dy)
        cost = wave.cost[point] + cost_per_mm[level] * length
        if cost >= wave.cost[other] - SAME_COST or cost > limit:
            continue
        if hand != 0 and hand * (ahead_x * dy - ahead_y * dx) < -_SHAVED_MM * max(ahead, length):
            continue
        if (
            chart.is_rim[other]
            and bends(chart.corners, other, level, chart.xy[other, 0], chart.xy[other, 1], x, y) == 0
        ):
            continue
        if not blocked(screens, level, x, y, chart.xy[other, 0], chart.xy[other, 1]):
            _improve(wave, queue, other, cost, x, y, point, level)


@compiled
def _slope(chart: Chart, wave: Wave, cost_per_mm: Floats, point: int, other: int) -> float:
    """How steeply the cost rises from a point of a span toward the span's other end."""
    x, y = chart.xy[point, 0], chart.xy[point, 1]
    ux, uy = chart.xy[other, 0] - x, chart.xy[other, 1] - y
    dx, dy = x - wave.source[point, 0], y - wave.source[point, 1]
    from_here = chart.is_end[point] & (wave.source[other, 0] == x) & (wave.source[other, 1] == y)
    level, rise = wave.level[point], wave.cost[other] - wave.cost[point]
    return steepness(ux, uy, dx, dy, cost_per_mm[max(level, 0)], rise, from_here | (level < 0))


@compiled
def _measure(chart: Chart, wave: Wave, cost_per_mm: Floats, span: int) -> None:
    """The slopes and the fronts of a span whose ends are settled."""
    first, last = chart.spans[span, 0], chart.spans[span, 1]
    cheap = cost_per_mm[min(chart.spans[span, 2], chart.spans[span, 3])]
    dx, dy = chart.xy[last, 0] - chart.xy[first, 0], chart.xy[last, 1] - chart.xy[first, 1]
    length = math.sqrt(dx * dx + dy * dy)
    u0, u1 = wave.cost[first], wave.cost[last]
    at_first = _slope(chart, wave, cost_per_mm, first, last)
    at_last = -_slope(chart, wave, cost_per_mm, last, first)
    p0, p1 = joined((u1 - u0) / length, at_first, at_last, cheap, chart.is_end[first], chart.is_end[last])
    wave.slope[span, 0], wave.slope[span, 1] = p0, p1
    wave.parts[span] = fronts(length, u0, u1, p0, p1, cheap, wave.fronts[span])


@compiled
def is_settled(chart: Chart, wave: Wave, span: int) -> bool:
    """Whether the wave came to both ends of a span."""
    return bool(wave.settled[chart.spans[span, 0]] & wave.settled[chart.spans[span, 1]])


@compiled
def goes_on(chart: Chart, wave: Wave, span: int, level: int) -> bool:
    """Whether the wave passes the span into that level: it did not come over it."""
    first, last = chart.spans[span, 0], chart.spans[span, 1]
    return bool((wave.level[first] != level) | (wave.level[last] != level))


@compiled
def _pass_on(
    chart: Chart, screens: Screens, wave: Wave, queue: Queue, cost_per_mm: Floats, limit: float, span: int
) -> None:
    """From a span to what it sees on either side."""
    for hand in (1, -1):
        level = chart.spans[span, 2] if hand > 0 else chart.spans[span, 3]
        if not goes_on(chart, wave, span, level):
            continue
        if wave.parts[span] == 0:
            for end in range(2):
                _shine(chart, screens, wave, queue, cost_per_mm, limit, chart.spans[span, end], level, 0)
        for part in range(wave.parts[span]):
            front = wave.fronts[span, part]
            _beam(chart, screens, wave, queue, cost_per_mm, limit, chart.spans[span], front, level, hand)


@compiled
def _beam(
    chart: Chart, screens: Screens, wave: Wave, queue: Queue, cost_per_mm: Floats, limit: float, span: Ints,
    front: Floats, level: int, hand: int,
) -> None:  # fmt: skip
    """From one front to all points that it sees on a level, on the span's left (1) or right (-1)."""
    x, y = chart.xy[span[0], 0], chart.xy[span[0], 1]
    ux, uy = chart.xy[span[1], 0] - x, chart.xy[span[1], 1] - y
    length = math.sqrt(ux * ux + uy * uy)
    ux, uy = ux / length, uy / length
    price = cost_per_mm[level]
    least = min(cost_at(front, front[0]), cost_at(front, front[1]))
    at_low, at_high = lean(slope_at(front, front[0]), price), lean(slope_at(front, front[1]), price)
    left, right = max(at_low - _SLACK, -1.0), min(at_high + _SLACK, 1.0)
    left_y, right_y = math.sqrt(1 - left * left), math.sqrt(1 - right * right)
    far = (limit - least) / price
    low, high = near(chart, level, min(x, x + length * ux) - far, max(x, x + length * ux) + far)
    for place in range(low, high):
        other = chart.row[place]
        if wave.cost[other] <= least:
            continue
        dx, dy = chart.xy[other, 0] - x, chart.xy[other, 1] - y
        along, across = ux * dx + uy * dy, hand * (ux * dy - uy * dx)
        if across <= _ON_LINE_MM or (along - front[0]) * left_y < across * left:
            continue
        if (along - front[1]) * right_y > across * right:
            continue
        mark = crossing(front, price, along, across, _SLACK)
        if math.isnan(mark):
            continue
        back = along - mark
        cost = cost_at(front, mark) + price * math.sqrt(back * back + across * across)
        if cost >= wave.cost[other] - SAME_COST or cost > limit:
            continue
        from_x, from_y = x + mark * ux, y + mark * uy
        if not blocked(screens, level, from_x, from_y, chart.xy[other, 0], chart.xy[other, 1]):
            _improve(wave, queue, other, cost, from_x, from_y, -1, level)
