"""Does a segment cross a wall? Many segments at once, in machine code, with the doubtful ones named."""

from __future__ import annotations

import math

import numpy as np

from rules.compiled import compiled
from rules.geometry.sweep import ON_WALL_MM, Floats, Ints

CLEAR, BLOCKED, TOUCHING = 0, 1, 2


@compiled
def meets_ring(segments: Floats, low: int, high: int, p: Floats, q: Floats) -> int:
    """How the segment from p to q meets the solid of one ring: CLEAR, BLOCKED or TOUCHING (then rounding may decide).

    segments, low, high   walls as in `Walls`, and the ring's first and last row
    """
    dx, dy = q[0] - p[0], q[1] - p[1]
    slack = ON_WALL_MM * math.sqrt(dx * dx + dy * dy)
    touching, odd = False, False
    for row in range(low, high):
        ax, ay = segments[row, 0] - p[0], segments[row, 1] - p[1]
        bx, by = segments[row, 2] - p[0], segments[row, 3] - p[1]
        if (ay > 0.0) != (by > 0.0) and (ax * by - bx * ay > 0.0) == (by > ay):
            odd = not odd
        a_side, b_side = dx * ay - dy * ax, dx * by - dy * bx
        if (a_side > slack and b_side > slack) or (a_side < -slack and b_side < -slack):
            continue
        ex, ey = bx - ax, by - ay
        edge_slack = ON_WALL_MM * math.sqrt(ex * ex + ey * ey)
        p_side = ey * ax - ex * ay
        q_side = p_side + ex * dy - ey * dx
        if (p_side > edge_slack and q_side > edge_slack) or (p_side < -edge_slack and q_side < -edge_slack):
            continue
        if min(abs(a_side), abs(b_side)) <= slack or min(abs(p_side), abs(q_side)) <= edge_slack:
            touching = True
        else:
            return BLOCKED
    if touching:
        return TOUCHING
    return BLOCKED if odd else CLEAR


@compiled
def meets_any(segments: Floats, first: Ints, rings: Floats, p: Floats, q: Floats) -> int:
    """The same against every ring; a solid with holes is not meant here."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    length2 = dx * dx + dy * dy
    worst = CLEAR
    for ring in range(len(rings)):
        cx, cy, radius = rings[ring, 0] - p[0], rings[ring, 1] - p[1], rings[ring, 2] + ON_WALL_MM
        off = dx * cy - dy * cx
        if off * off > radius * radius * length2:
            continue
        part = min(1.0, max(0.0, (cx * dx + cy * dy) / length2)) if length2 > 0.0 else 0.0
        x, y = cx - part * dx, cy - part * dy
        if x * x + y * y > radius * radius:
            continue
        found = meets_ring(segments, first[ring], first[ring + 1], p, q)
        if found == BLOCKED:
            return BLOCKED
        worst = max(worst, found)
    return worst


@compiled
def meets_pairs(segments: Floats, first: Ints, rings: Floats, a: Floats, b: Floats) -> Ints:
    """The same for every segment from a point of `a` (n, 2) to one of `b` (m, 2): (n, m)."""
    found = np.empty((len(a), len(b)), np.int64)
    for i in range(len(a)):
        for j in range(len(b)):
            p, q = a[i], b[j]
            if p[0] > q[0] or (p[0] == q[0] and p[1] > q[1]):
                p, q = q, p  # one direction for both askers
            found[i, j] = meets_any(segments, first, rings, p, q)
    return found
