"""What the start and the ends of borders light, as polygons that may overlap."""

from __future__ import annotations

import math

import numpy as np

from rules.compiled import compiled
from rules.geometry.chart import Chart
from rules.geometry.fronts import lean
from rules.geometry.lit import EARLY_RAD, OVERLAP_RAD, lit
from rules.geometry.ribbons import LEAST_MM
from rules.geometry.screens import Floats, Ints, Screens
from rules.geometry.wavefront import Wave, is_settled


@compiled
def fans(chart: Chart, screens: Screens, wave: Wave, cost_per_mm: Floats, budget: float) -> list[Floats]:
    """The corners (n, 2), mm, of what the start and ends of borders light on levels over which no path came to them."""
    found = [np.empty((0, 2)) for _ in range(0)]
    lost = _lost(chart, wave)
    for point in range(len(chart.xy)):
        if chart.is_rim[point] or not wave.settled[point] or not (chart.is_end[point] or lost[point]):
            continue
        for level in range(len(cost_per_mm)):
            left = (budget - wave.cost[point]) / cost_per_mm[level]
            if left <= LEAST_MM or not chart.on[point, level] or wave.level[point] == level:
                continue
            first, turn = _sector(chart, wave, cost_per_mm, point, level, lost[point])
            if turn > 0.0:
                far = lit(screens, chart.xy[point], level, left, first, turn)
                found.append(np.concatenate((chart.xy[point : point + 1], far)) if turn < math.tau else far)
    return found


@compiled
def _lost(chart: Chart, wave: Wave) -> Ints:
    """Which points are ends of spans on which nothing else is known."""
    lost = np.zeros(len(chart.xy), np.int64)
    for span in range(len(chart.spans)):
        if is_settled(chart, wave, span) and wave.parts[span] == 0:
            lost[chart.spans[span, 0]] = lost[chart.spans[span, 1]] = 1
    return lost


@compiled
def _sector(chart: Chart, wave: Wave, cost_per_mm: Floats, point: int, level: int, is_lost: int) -> tuple[float, float]:
    """Which sector a point lights on a level: its first direction, and how far it turns counter-clockwise.

    All round, but for a point between two spans on the level's border: most of what the spans light is left out.
    """
    into, out, count = np.full(2, np.nan), np.full(2, np.nan), 0
    for at in range(chart.first[point], chart.first[point + 1]):
        span = chart.spans_at[at]
        left, right = chart.spans[span, 2], chart.spans[span, 3]
        if level not in (left, right):
            continue
        count += 1
        if is_settled(chart, wave, span):
            leaves = (left == level) == (chart.spans[span, 0] == point)
            ray = _outermost(chart, wave, cost_per_mm, point, level, span)
            if leaves:
                out[0], out[1] = ray
            else:
                into[0], into[1] = ray
    if is_lost or wave.level[point] < 0 or count != 2 or math.isnan(into[0]) or math.isnan(out[0]):
        return 0.0, math.tau
    inside = (into[0] - out[0]) % math.tau
    inside = math.tau if inside == 0.0 else inside
    early = max(min(out[1], EARLY_RAD), OVERLAP_RAD)
    late = max(min(into[1], EARLY_RAD), OVERLAP_RAD)
    return out[0] + out[1] - early, inside - out[1] - into[1] + early + late


@compiled
def _outermost(chart: Chart, wave: Wave, cost_per_mm: Floats, point: int, level: int, span: int) -> tuple[float, float]:
    """The direction of a span from the point at its end, and the angle between it and the ray that leaves there."""
    first = chart.spans[span, 0]
    other = first + chart.spans[span, 1] - point
    away = math.atan2(chart.xy[other, 1] - chart.xy[point, 1], chart.xy[other, 0] - chart.xy[point, 0])
    slope = wave.slope[span, 0] if first == point else -wave.slope[span, 1]
    return away, math.acos(lean(slope, cost_per_mm[level]))
