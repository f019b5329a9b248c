"""What a point sees within a range, in a sector: its far border."""

from __future__ import annotations

import math

import numpy as np

from rules.compiled import compiled
from rules.geometry.screens import Floats, Screens, first_wall, gathered

# An arc's chords lie this far inside it; a tenth of what mixed ground may be off.
SAGITTA_MM = 0.04
# Two rays this far to the sides of a wall's corner pass it and hit it; 1e-5 mm at a foot.
BESIDE_RAD = 3e-8
# Sectors begin and end this much early and late, or rounding would leave slits; 0.01 mm at a foot.
OVERLAP_RAD = 3e-5
# Where the direction of a neighbouring ray is not sure, a sector begins so much early: what a point sees is won whoever
# else lights it, and a path that came from very near tells its cost well and its direction badly.
EARLY_RAD = 0.5
# Walls are looked for this much beside the outermost rays, and a corner is seen if its ray ends this near.
_NEAR_MM = 0.01


@compiled
def lit(screens: Screens, at: Floats, level: int, far: float, first: float, turn: float) -> Floats:
    """The far border, (n, 2) counter-clockwise, of all that a point sees within a range, in a sector."""
    x, y = at
    edges = gathered(screens, level, x - far, y - far, x + far, y + far)
    if turn < math.pi:
        edges = _in_sector(edges, x, y, first, turn)
    turns = _turns(x, y, far, edges, first, turn)
    rim = [(0.0, 0.0) for _ in range(0)]
    before, wall = 0.0, -1
    for ray in range(len(turns)):
        there, behind = _cast(x, y, far, edges, first + turns[ray])
        if ray > 0 and behind != wall:
            _join(rim, x, y, far, edges, first, before, turns[ray], wall, behind)
        rim.append(there)
        before, wall = turns[ray], behind
    return _table(rim)


@compiled
def _cast(x: float, y: float, far: float, edges: Floats, angle: float) -> tuple[tuple[float, float], int]:
    """Where a ray ends, and the wall that stops it; -1 if none does."""
    ux, uy = math.cos(angle), math.sin(angle)
    reach, wall = first_wall(x, y, ux, uy, far, edges)
    return (x + reach * ux, y + reach * uy), wall


@compiled
def _join(
    rim: list[tuple[float, float]], x: float, y: float, far: float, edges: Floats, first: float,
    low: float, end: float, before: int, behind: int,
) -> None:  # fmt: skip
    """Between two rays that different walls stop, or one of them none: where one gives way to the next, one by one."""
    while behind != before and end - low > 4 * BESIDE_RAD:
        high, beyond = end, behind
        last, _ = _cast(x, y, far, edges, first + low)
        next_one, _ = _cast(x, y, far, edges, first + high)
        while high - low > BESIDE_RAD:
            middle = 0.5 * (low + high)
            there, wall = _cast(x, y, far, edges, first + middle)
            if wall == before:
                low, last = middle, there
            else:
                high, beyond, next_one = middle, wall, there
        rim.append(last)
        rim.append(next_one)
        low, before = high, beyond


@compiled
def _table(points: list[tuple[float, float]]) -> Floats:
    table = np.empty((len(points), 2))
    for row in range(len(points)):
        table[row, 0], table[row, 1] = points[row]
    return table


@compiled
def _in_sector(edges: Floats, x: float, y: float, first: float, turn: float) -> Floats:
    """The edges that are not wholly to one side of a sector of less than half a turn."""
    right_x, right_y, left_x, left_y = math.cos(first), math.sin(first), math.cos(first + turn), math.sin(first + turn)
    found = np.empty_like(edges)
    count = 0
    for edge in range(len(edges)):
        ax, ay, bx, by = edges[edge, 0] - x, edges[edge, 1] - y, edges[edge, 2] - x, edges[edge, 3] - y
        if max(right_x * ay - right_y * ax, right_x * by - right_y * bx) < -_NEAR_MM:
            continue
        if min(left_x * ay - left_y * ax, left_x * by - left_y * bx) > _NEAR_MM:
            continue
        found[count] = edges[edge]
        count += 1
    return found[:count]


@compiled
def _turns(x: float, y: float, far: float, edges: Floats, first: float, turn: float) -> Floats:
    """The directions of rays that draw a sector, as turns from its first: along the arc, beside corners in sight."""
    steps = max(2, math.ceil(turn / math.sqrt(8 * SAGITTA_MM / max(far, 1.0))))
    turns = np.empty(steps + 1 + 2 * len(edges))
    turns[: steps + 1] = np.linspace(0.0, turn, steps + 1)
    count = steps + 1
    for edge in range(len(edges)):
        ax, ay = edges[edge, 0] - x, edges[edge, 1] - y
        away = math.hypot(ax, ay)
        if not _NEAR_MM < away <= far:
            continue
        free, _ = first_wall(x, y, ax / away, ay / away, away, edges)
        if free > away - _NEAR_MM:
            at = (math.atan2(ay, ax) - first) % math.tau
            turns[count], turns[count + 1] = at - BESIDE_RAD, at + BESIDE_RAD
            count += 2
    put_in_order(turns, count)
    low, high = 0, count
    while turns[low] < 0.0:
        low += 1
    while turns[high - 1] > turn:
        high -= 1
    return turns[low:high]


@compiled
def put_in_order(numbers: Floats | list[float], count: int) -> None:
    """Sort the first `count` numbers, most of which rise already."""
    for place in range(1, count):
        number = numbers[place]
        before = place - 1
        while before >= 0 and numbers[before] > number:
            numbers[before + 1] = numbers[before]
            before -= 1
        numbers[before + 1] = number
