"""A wave over ground of several costs: the cheapest cost at points of the borders, and what each such point lights.

The plane is cut into levels, from the cheapest ground to the dearest. At a level everything dearer, and every obstacle,
is a wall: `edges` are its sides. A straight segment that meets none of them costs at most the level's cost times its
length; every cheapest path is made of such segments, bent on borders between two levels and at corners of walls only.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rules.geometry.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

# Costs closer than this are one: a path that gains less is no better.
SAME_COST = 1e-9
# Walls are thinned by this, so that a path may run along them and past their corners.
THIN_MM = 1e-3
# So deep may a straight path lie in the wall behind a corner: at a right-angled corner thinning takes off 1.4 of it.
_SHAVED_MM = 2 * THIN_MM
# Two rays this far to the sides of a wall's corner pass it and hit it; 1e-5 mm at a foot.
_BESIDE_RAD = 3e-8
# An edge that passes this far outside a box may still be met by rounding.
_ROUNDING_MM = 1e-6


@compiled
def blocked(px: float, py: float, qx: float, qy: float, edges: Floats) -> bool:
    """Whether the segment from p to q meets one of the edges, (m, 4) as x0 y0 x1 y1."""
    for edge in range(len(edges)):
        ax, ay, bx, by = edges[edge]
        if (ax > px and ax > qx and bx > px and bx > qx) or (ax < px and ax < qx and bx < px and bx < qx):
            continue
        if (ay > py and ay > qy and by > py and by > qy) or (ay < py and ay < qy and by < py and by < qy):
            continue
        a_side = (qx - px) * (ay - py) - (qy - py) * (ax - px)
        b_side = (qx - px) * (by - py) - (qy - py) * (bx - px)
        p_side = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        q_side = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
        if a_side * b_side <= 0.0 and p_side * q_side <= 0.0:
            return True
    return False


@compiled
def bends(xy: Floats, came_from: int, node: int, corner: Floats) -> bool:
    """Whether a path may turn at a wall's corner: both sides of the wall (`corner`: x y x y) lie on one hand of it.

    Both the point it came from and the wall's corner before this one may lie on the wrong hand, by what the path may
    shave off a wall: seen from a point on the wall just before the corner, rounding alone turns the wall's side.
    """
    if math.isnan(corner[0]):
        return False
    dx, dy = xy[node, 0] - xy[came_from, 0], xy[node, 1] - xy[came_from, 1]
    length = math.hypot(dx, dy)
    low, high = np.inf, -np.inf
    for side in (0, 2):
        sx, sy = corner[side] - xy[node, 0], corner[side + 1] - xy[node, 1]
        hand, slack = dx * sy - dy * sx, _SHAVED_MM * max(length, math.hypot(sx, sy))
        low, high = min(low, hand + slack), max(high, hand - slack)
    return bool(low >= 0.0 or high <= 0.0)


@compiled
def shines(xy: Floats, node: int, level: int, parent: Ints, parent_level: Ints, corners: Floats) -> bool:
    """Whether new ground of that level can be won from the node: the path came over another level, or bends here."""
    if parent[node] < 0 or parent_level[node] != level:
        return True
    return bends(xy, parent[node], node, corners[node, level])


@compiled
def shining(xy: Floats, parent: Ints, parent_level: Ints, corners: Floats) -> Flags:
    """`shines` for every node and level, (n, levels)."""
    flags = np.empty(corners.shape[:2], np.bool_)
    for node in range(corners.shape[0]):
        for level in range(corners.shape[1]):
            flags[node, level] = shines(xy, node, level, parent, parent_level, corners)
    return flags


@compiled
def _next(cost: Floats, settled: Flags) -> int:
    best = -1
    for node in range(len(cost)):
        if not settled[node] and (best < 0 or cost[node] < cost[best]):
            best = node
    return best


@compiled
def settle(
    xy: Floats, on: Flags, corners: Floats, cost_per_mm: Floats, edges: Floats, first: Ints, budget: float
) -> tuple[Floats, Ints, Ints, Flags]:
    """The cheapest cost to every node, by Dijkstra over straight segments; node 0 is the start.

    xy           (n, 2) mm
    on           (n, levels): which ground a node touches
    corners      (n, levels, 4): the neighbours of a wall's corner, NaN where the node is none
    cost_per_mm  (levels,), rising
    edges        (m, 4) sides of the walls, level after level; those of level k are first[k] to first[k + 1]
    Returns      cost, parent, the level of the last segment, and whether the node was settled within the budget;
                 costs above the budget are upper bounds
    """
    count, levels = on.shape
    cost = np.full(count, np.inf)
    parent = np.full(count, -1, np.intp)
    parent_level = np.full(count, -1, np.intp)
    settled = np.zeros(count, np.bool_)
    cost[0] = 0.0
    while True:
        node = _next(cost, settled)
        if node < 0 or cost[node] >= budget:
            return cost, parent, parent_level, settled
        settled[node] = True
        for level in range(levels):
            if not on[node, level] or not shines(xy, node, level, parent, parent_level, corners):
                continue
            walls = edges[first[level] : first[level + 1]]
            for other in range(count):
                if settled[other] or not on[other, level]:
                    continue
                length = math.hypot(xy[other, 0] - xy[node, 0], xy[other, 1] - xy[node, 1])
                total = cost[node] + cost_per_mm[level] * length
                # Beyond the budget by a few mm: wanted only to see where along a border the budget ends.
                if total >= cost[other] - SAME_COST or total > budget + 8.0 * cost_per_mm[level]:
                    continue
                if blocked(xy[node, 0], xy[node, 1], xy[other, 0], xy[other, 1], walls):
                    continue
                cost[other], parent[other], parent_level[other] = total, node, level


@compiled
def _range_mm(px: float, py: float, ux: float, uy: float, radius: float, edges: Floats) -> float:
    nearest = radius
    for edge in range(len(edges)):
        ax, ay, bx, by = edges[edge]
        wx, wy = bx - ax, by - ay
        turn = ux * wy - uy * wx
        if turn == 0.0:
            continue
        along = ((ax - px) * wy - (ay - py) * wx) / turn
        if along < 0.0 or along >= nearest:
            continue
        side = ((ax - px) * uy - (ay - py) * ux) / turn
        if -1e-12 <= side <= 1.0 + 1e-12:
            nearest = along
    return nearest


@compiled
def _beside(low_x: float, low_y: float, high_x: float, high_y: float, edges: Floats) -> Floats:
    """The edges whose boxes meet a box: the others can stop no ray inside it."""
    found = np.empty_like(edges)
    count = 0
    for edge in range(len(edges)):
        ax, ay, bx, by = edges[edge]
        if max(ax, bx) >= low_x and min(ax, bx) <= high_x and max(ay, by) >= low_y and min(ay, by) <= high_y:
            found[count] = edges[edge]
            count += 1
    return found[:count]


@compiled
def _turns(px: float, py: float, radius: float, edges: Floats, steps: int, first: float, turn: float) -> Floats:
    """Where the border of what is lit can change: turns from `first`, counter-clockwise; and `steps` more."""
    turns = np.empty(steps + 1 + 8 * len(edges))
    count = steps + 1
    turns[:count] = np.linspace(0.0, turn, count)
    for edge in range(len(edges)):
        ax, ay = edges[edge, 0] - px, edges[edge, 1] - py
        bx, by = edges[edge, 2] - px, edges[edge, 3] - py
        for x, y in ((ax, ay), (bx, by)):
            if x * x + y * y <= radius * radius:
                at = math.atan2(y, x) - first
                turns[count], turns[count + 1], turns[count + 2] = at - _BESIDE_RAD, at, at + _BESIDE_RAD
                count += 3
        wx, wy = bx - ax, by - ay
        square = wx * wx + wy * wy
        half = ax * wx + ay * wy
        root = half * half - square * (ax * ax + ay * ay - radius * radius)
        if root > 0.0 and square > 0.0:
            for sign in (-1.0, 1.0):
                along = (-half + sign * math.sqrt(root)) / square
                if 0.0 <= along <= 1.0:
                    turns[count] = math.atan2(ay + along * wy, ax + along * wx) - first
                    count += 1
    turns[steps + 1 : count] = np.mod(turns[steps + 1 : count], math.tau)
    turns = turns[:count]
    return np.sort(turns[turns <= turn])


@compiled
def lit(px: float, py: float, radius: float, edges: Floats, steps: int, first: float, turn: float) -> Floats:
    """The corners, (n, 2), of all points within `radius` mm of p whose segment to p meets no edge.

    first, turn  the sector asked for, from the direction `first` on, counter-clockwise, rad; 2 pi is all round
    steps        how many chords the whole arc gets at least
    """
    far = radius + _ROUNDING_MM
    edges = _beside(px - far, py - far, px + far, py + far, edges)
    turns = _turns(px, py, radius, edges, steps, first, turn)
    start = 1 if turn < math.tau else 0
    rim = np.empty((len(turns) + start, 2))
    rim[0, 0], rim[0, 1] = px, py
    for ray in range(len(turns)):
        ux, uy = math.cos(first + turns[ray]), math.sin(first + turns[ray])
        far = _range_mm(px, py, ux, uy, radius, edges)
        rim[start + ray, 0], rim[start + ray, 1] = px + far * ux, py + far * uy
    return rim


@compiled
def beam(a: Floats, b: Floats, ux: float, uy: float, left_a: float, left_b: float, edges: Floats) -> Floats:
    """The corners of all that parallel rays from the segment a-b light, each until it meets an edge or its range ends.

    ux, uy          direction of the rays, a unit vector that is not along the segment
    left_a, left_b  range at both ends, mm; linear between
    """
    far_ax, far_ay, far_bx, far_by = a[0] + left_a * ux, a[1] + left_a * uy, b[0] + left_b * ux, b[1] + left_b * uy
    low_x, high_x = min(a[0], b[0], far_ax, far_bx), max(a[0], b[0], far_ax, far_bx)
    low_y, high_y = min(a[1], b[1], far_ay, far_by), max(a[1], b[1], far_ay, far_by)
    edges = _beside(low_x - _ROUNDING_MM, low_y - _ROUNDING_MM, high_x + _ROUNDING_MM, high_y + _ROUNDING_MM, edges)
    wx, wy = b[0] - a[0], b[1] - a[1]
    turn = wx * uy - wy * ux
    marks = np.empty(2 + 6 * len(edges))
    marks[0], marks[1], count = 0.0, 1.0, 2
    for edge in range(len(edges)):
        for corner in (0, 2):
            x, y = edges[edge, corner] - a[0], edges[edge, corner + 1] - a[1]
            along, far = (x * uy - y * ux) / turn, (wx * y - wy * x) / turn
            if 0.0 < along < 1.0 and 0.0 <= far <= max(left_a, left_b):
                marks[count], marks[count + 1], marks[count + 2] = along - _BESIDE_RAD, along, along + _BESIDE_RAD
                count += 3
    marks = np.sort(marks[:count])
    rim = np.empty((count + 2, 2))
    rim[0], rim[1] = b, a
    for ray in range(count):
        mark = min(max(marks[ray], 0.0), 1.0)
        x, y = a[0] + mark * wx, a[1] + mark * wy
        far = _range_mm(x, y, ux, uy, left_a + mark * (left_b - left_a), edges)
        rim[ray + 2, 0], rim[ray + 2, 1] = x + far * ux, y + far * uy
    return rim
