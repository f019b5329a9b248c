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

from rules.geometry.border import Flags
from rules.geometry.chart import Chart, near
from rules.geometry.compiled import compiled
from rules.geometry.fronts import cost_at, crossing, fits, fronts, lean, slope_at
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
    """

    cost: Floats
    source: Floats
    parent: Ints
    level: Ints
    settled: Flags


@compiled
def bends(corners: Floats, point: int, level: int, x: float, y: float, from_x: float, from_y: float) -> int:
    """To which hand a path from `from` turns at a wall's corner: 1 left, -1 right, 0 if it does not bend there.

    It bends where both sides of the wall (`corners` as in `Chart`) lie on one hand. The point it came from, or the
    corner before this one, may lie on the wrong hand by what a path may shave off a wall.
    """
    if math.isnan(corners[point, level, 0]):
        return 0
    dx, dy = x - from_x, y - from_y
    length = math.hypot(dx, dy)
    low, high = np.inf, -np.inf
    for side in (0, 2):
        sx, sy = corners[point, level, side] - x, corners[point, level, side + 1] - y
        hand, slack = dx * sy - dy * sx, _SHAVED_MM * max(length, math.hypot(sx, sy))
        low, high = min(low, hand + slack), max(high, hand - slack)
    if low >= 0.0:
        return 1
    return -1 if high <= 0.0 else 0


@compiled
def settle(chart: Chart, screens: Screens, cost_per_mm: Floats, limit: float) -> Wave:
    """The wave from point 0 until it costs `limit`."""
    count = len(chart.xy)
    source, level = np.full((count, 2), np.nan), np.full(count, -1, np.int64)
    parent = np.full(count, -1, np.int64)
    wave = Wave(np.full(count, np.inf), source, parent, level, np.zeros(count, np.bool_))
    wave.cost[0] = 0.0
    queue = [(0.0, 0)]
    while queue:
        cost, point = heappop(queue)
        if cost > wave.cost[point] or wave.settled[point]:
            continue
        if cost > limit:
            break
        wave.settled[point] = True
        _run_along(chart, wave, queue, cost_per_mm, point)
        if chart.is_end[point]:
            _spread(chart, screens, wave, queue, cost_per_mm, limit, point)
        for at in range(chart.first[point], chart.first[point + 1]):
            span = chart.spans[chart.spans_at[at]]
            if wave.settled[span[0]] and wave.settled[span[1]]:
                _pass_on(chart, screens, wave, queue, cost_per_mm, limit, span)
    return wave


@compiled
def _improve(
    wave: Wave, queue: Queue, point: int, cost: float, source: tuple[float, float], parent: int, level: int
) -> None:
    wave.cost[point], wave.parent[point], wave.level[point], wave.settled[point] = cost, parent, level, False
    wave.source[point, 0], wave.source[point, 1] = source
    heappush(queue, (cost, point))


@compiled
def _run_along(chart: Chart, wave: Wave, queue: Queue, cost_per_mm: Floats, point: int) -> None:
    """To the neighbours on borders, on the cheaper side."""
    for at in range(chart.first[point], chart.first[point + 1]):
        span = chart.spans[chart.spans_at[at]]
        other = span[0] + span[1] - point
        level = min(span[2], span[3])
        dx, dy = chart.xy[other, 0] - chart.xy[point, 0], chart.xy[other, 1] - chart.xy[point, 1]
        length = math.hypot(dx, dy)
        ux, uy = dx / length, dy / length
        mark, cost = _joining(chart, wave, cost_per_mm, point, span, ux, uy, length)
        cost += cost_per_mm[level] * (length - mark)
        if cost < wave.cost[other] - SAME_COST:
            source = chart.xy[point, 0] + mark * ux, chart.xy[point, 1] + mark * uy
            _improve(wave, queue, other, cost, source, point if mark == 0.0 else -1, level)


@compiled
def _joining(
    chart: Chart, wave: Wave, cost_per_mm: Floats, point: int, span: Ints, ux: float, uy: float, length: float
) -> tuple[float, float]:
    """Where behind a point, mm in the direction u, a path joins the border to run along it, and the cost until there.

    A path from dear ground meets the border of cheaper ground at the critical angle; if the one to this point meets it
    more steeply, that place lies ahead.
    """
    cost, dear = wave.cost[point], max(span[2], span[3])
    if wave.level[point] != dear:
        return 0.0, cost
    dx, dy = chart.xy[point, 0] - wave.source[point, 0], chart.xy[point, 1] - wave.source[point, 1]
    along, across = ux * dx + uy * dy, abs(ux * dy - uy * dx)
    slow, fast = cost_per_mm[dear], cost_per_mm[min(span[2], span[3])]
    root = math.sqrt(slow * slow - fast * fast)
    mark = across * fast / root - along
    if not 0.0 < mark < length:
        return 0.0, cost
    return mark, cost + slow * (math.hypot(along + mark, across) - math.hypot(along, across))


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
    for other in near(chart, level, x - left, x + left):
        if other == point or abs(chart.xy[other, 1] - y) > left:
            continue
        dx, dy = chart.xy[other, 0] - x, chart.xy[other, 1] - y
        length = math.hypot(dx, dy)
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
            _improve(wave, queue, other, cost, (x, y), point, level)


@compiled
def _slope(chart: Chart, wave: Wave, cost_per_mm: Floats, point: int, other: int) -> float:
    """How steeply the cost rises from a point of a span toward the span's other end."""
    x, y = chart.xy[point, 0], chart.xy[point, 1]
    ux, uy = chart.xy[other, 0] - x, chart.xy[other, 1] - y
    length = math.hypot(ux, uy)
    dx, dy = x - wave.source[point, 0], y - wave.source[point, 1]
    far = math.hypot(dx, dy)
    from_here = chart.is_end[point] and wave.source[other, 0] == x and wave.source[other, 1] == y
    if wave.level[point] < 0 or far == 0.0 or from_here:
        return float(wave.cost[other] - wave.cost[point]) / length
    return float(cost_per_mm[wave.level[point]] * (ux * dx + uy * dy) / (far * length))


@compiled
def slopes(chart: Chart, wave: Wave, cost_per_mm: Floats, span: Ints) -> tuple[float, float]:
    """The slope of the cost at both ends of a span, along it.

    The end of a border may be reached by another wave than the span is: then its slope is that of a parabola.
    """
    first, last = span[0], span[1]
    at_first = _slope(chart, wave, cost_per_mm, first, last)
    at_last = -_slope(chart, wave, cost_per_mm, last, first)
    length = math.hypot(chart.xy[last, 0] - chart.xy[first, 0], chart.xy[last, 1] - chart.xy[first, 1])
    mean = (wave.cost[last] - wave.cost[first]) / length
    cheap = cost_per_mm[min(span[2], span[3])]
    if fits(mean, at_first, at_last, cheap):
        return at_first, at_last
    if chart.is_end[first] and chart.is_end[last]:
        return mean, mean
    if chart.is_end[first]:
        return min(max(2 * mean - at_last, -cheap), cheap), at_last
    if chart.is_end[last]:
        return at_first, min(max(2 * mean - at_first, -cheap), cheap)
    return at_first, at_last


@compiled
def fronts_on(chart: Chart, wave: Wave, cost_per_mm: Floats, span: Ints) -> Floats:
    """`fronts` of a span whose ends are settled."""
    first, last = span[0], span[1]
    length = math.hypot(chart.xy[last, 0] - chart.xy[first, 0], chart.xy[last, 1] - chart.xy[first, 1])
    at_first, at_last = slopes(chart, wave, cost_per_mm, span)
    cheap = cost_per_mm[min(span[2], span[3])]
    return fronts(length, wave.cost[first], wave.cost[last], at_first, at_last, cheap)


@compiled
def goes_on(wave: Wave, span: Ints, level: int) -> bool:
    """Whether the wave passes the span into that level: it did not come over it."""
    return bool(wave.level[span[0]] != level or wave.level[span[1]] != level)


@compiled
def _pass_on(
    chart: Chart, screens: Screens, wave: Wave, queue: Queue, cost_per_mm: Floats, limit: float, span: Ints
) -> None:
    """From a span to what it sees on either side."""
    waves = fronts_on(chart, wave, cost_per_mm, span)
    for hand in (1, -1):
        level = span[2] if hand > 0 else span[3]
        if not goes_on(wave, span, level):
            continue
        if len(waves) == 0:
            for end in (span[0], span[1]):
                _shine(chart, screens, wave, queue, cost_per_mm, limit, end, level, 0)
        for front in waves:
            _beam(chart, screens, wave, queue, cost_per_mm, limit, span, front, level, hand)


@compiled
def _beam(
    chart: Chart, screens: Screens, wave: Wave, queue: Queue, cost_per_mm: Floats, limit: float, span: Ints,
    front: Floats, level: int, hand: int,
) -> None:  # fmt: skip
    """From one front to all points that it sees on a level, on the span's left (1) or right (-1)."""
    x, y = chart.xy[span[0], 0], chart.xy[span[0], 1]
    ux, uy = chart.xy[span[1], 0] - x, chart.xy[span[1], 1] - y
    length = math.hypot(ux, uy)
    ux, uy = ux / length, uy / length
    price = cost_per_mm[level]
    least = min(cost_at(front, front[0]), cost_at(front, front[1]))
    at_low, at_high = lean(slope_at(front, front[0]), price), lean(slope_at(front, front[1]), price)
    left, right = max(at_low - _SLACK, -1.0), min(at_high + _SLACK, 1.0)
    left_y, right_y = math.sqrt(1 - left * left), math.sqrt(1 - right * right)
    far = (limit - least) / price
    for other in near(chart, level, min(x, x + length * ux) - far, max(x, x + length * ux) + far):
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
        cost = cost_at(front, mark) + price * math.hypot(along - mark, across)
        if cost >= wave.cost[other] - SAME_COST or cost > limit:
            continue
        from_x, from_y = x + mark * ux, y + mark * uy
        if not blocked(screens, level, from_x, from_y, chart.xy[other, 0], chart.xy[other, 1]):
            _improve(wave, queue, other, cost, (from_x, from_y), -1, level)
