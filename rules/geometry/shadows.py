"""What is won behind corners of walls, as polygons that may overlap."""

from __future__ import annotations

import math

import numpy as np

from rules.compiled import compiled
from rules.geometry.chart import Chart
from rules.geometry.lit import EARLY_RAD, OVERLAP_RAD, lit
from rules.geometry.ribbons import SAME_MM
from rules.geometry.screens import Floats, Ints, Screens
from rules.geometry.wavefront import Wave, bends


@compiled
def shadows(chart: Chart, screens: Screens, wave: Wave, cost_per_mm: Floats, budget: float) -> list[Floats]:
    """The corners (n, 2), mm, of what paths win that bend round corners of walls; one that goes on from corner to
    corner of a wall lights one area."""
    found = [np.empty((0, 2)) for _ in range(0)]
    hands, after, is_first = _bent(chart, wave, budget)
    for first in range(len(chart.xy)):
        if hands[first] == 0 or not is_first[first]:
            continue
        base, far = [first for _ in range(0)], np.empty((0, 2))
        point: int = first
        while point >= 0:
            base.append(point)
            level, hand = wave.level[point], hands[point]
            left = (budget - wave.cost[point]) / cost_per_mm[level]
            turn_from, turn = _behind_corner(chart, wave, point, level, hand, point == first, after[point] < 0)
            rim = lit(screens, chart.xy[point], level, left, turn_from, turn)
            far = np.concatenate((far, rim if hand > 0 else rim[::-1]))
            point = int(after[point])
        found.append(np.concatenate((chart.xy[np.array(base)][::-1], _apart(far))))
    return found


@compiled
def _apart(rim: Floats) -> Floats:
    """The points of a rim without repetitions."""
    kept = np.empty_like(rim)
    count = 0
    for point in rim:
        if count == 0 or abs(point[0] - kept[count - 1, 0]) + abs(point[1] - kept[count - 1, 1]) > SAME_MM:
            kept[count] = point
            count += 1
    return kept[:count]


@compiled
def _bent(chart: Chart, wave: Wave, budget: float) -> tuple[Ints, Ints, Ints]:
    """To which hand paths bend at each point, the next corner at which the same path bends along the same wall (-1 if
    none), and whether a point is the first of such a row."""
    count = len(chart.xy)
    hands, after, is_first = np.zeros(count, np.int64), np.full(count, -1, np.int64), np.ones(count, np.int64)
    for point in range(count):
        level = wave.level[point]
        if wave.settled[point] and wave.cost[point] < budget and level >= 0 and chart.is_end[point]:
            x, y = chart.xy[point]
            hands[point] = bends(chart.corners, point, level, x, y, wave.source[point, 0], wave.source[point, 1])
    bent = np.flatnonzero(hands)
    for next_one in bent:
        before = wave.parent[next_one]
        if hands[before] == hands[next_one] and after[before] < 0 and _follows(chart, wave, next_one, before):
            after[before], is_first[next_one] = next_one, 0
    return hands, after, is_first


@compiled
def _follows(chart: Chart, wave: Wave, point: np.intp, other: int) -> bool:
    """Whether the path to a point comes from another, if there is one, along the side of a wall between both."""
    x, y = chart.xy[other]
    corner = chart.corners[point, wave.level[point]]
    is_beside = (corner[0] == x and corner[1] == y) or (corner[2] == x and corner[3] == y)
    return bool(other >= 0 and is_beside and wave.level[other] == wave.level[point])


@compiled
def _behind_corner(
    chart: Chart, wave: Wave, point: int, level: int, hand: int, is_first: bool, is_last: bool
) -> tuple[float, float]:
    """The sector between the path's way on and the side of the wall round which it bends; wider at the row's ends."""
    corner, (x, y) = chart.corners[point, level], chart.xy[point]
    ahead_x, ahead_y = x - wave.source[point, 0], y - wave.source[point, 1]
    nearest = math.inf
    for side in (0, 2):
        sx, sy = corner[side] - x, corner[side + 1] - y
        turn = hand * math.atan2(ahead_x * sy - ahead_y * sx, ahead_x * sx + ahead_y * sy)
        # The side along which the path came, if it did, lies behind: rounding decides to which hand.
        if -OVERLAP_RAD < turn < min(nearest, math.pi - OVERLAP_RAD):
            nearest = turn
    turn = 0.0 if nearest == math.inf else max(nearest, 0.0)
    early = EARLY_RAD if is_first else 0.0
    late = OVERLAP_RAD if is_last else 0.0
    first = math.atan2(ahead_y, ahead_x)
    return (first - early if hand > 0 else first - turn - late), turn + early + late
