"""What a point sees within a range, in a sector: its far border."""

from __future__ import annotations

import math

import numpy as np

from rules.geometry.compiled import compiled
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
    turns = np.sort(np.concatenate((turns, _joints(x, y, far, edges, first, turns))))
    rim = np.empty((len(turns), 2))
    for ray in range(len(turns)):
        ux, uy = math.cos(first + turns[ray]), math.sin(first + turns[ray])
        reach, _ = first_wall(x, y, ux, uy, far, edges)
        rim[ray, 0], rim[ray, 1] = x + reach * ux, y + reach * uy
    return rim


@compiled
def _joints(x: float, y: float, far: float, edges: Floats, first: float, turns: Floats) -> Floats:
    """Between two rays that different walls stop, or one of them none: where one gives way to the next, one by one."""
    found = [turns[0] for _ in range(0)]
    _, before = first_wall(x, y, math.cos(first + turns[0]), math.sin(first + turns[0]), far, edges)
    for number in range(1, len(turns)):
        low, end = turns[number - 1], turns[number]
        _, behind = first_wall(x, y, math.cos(first + end), math.sin(first + end), far, edges)
        while behind != before and end - low > 4 * BESIDE_RAD:
            high, beyond = end, behind
            while high - low > BESIDE_RAD:
                middle = 0.5 * (low + high)
                _, wall = first_wall(x, y, math.cos(first + middle), math.sin(first + middle), far, edges)
                if wall == before:
                    low = middle
                else:
                    high, beyond = middle, wall
            found.append(low)
            found.append(high)
            low, before = high, beyond
        before = behind
    return np.array(found)


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
    turns = np.sort(turns[:count])
    return turns[(turns >= 0.0) & (turns <= turn)]
