"""The gap between two segments, in compiled loops."""

from __future__ import annotations

from rules.compiled import compiled


@compiled
def gap2(ax: float, ay: float, bx: float, by: float, px: float, py: float, qx: float, qy: float) -> float:
    """The square of the distance between two segments, ab and pq."""
    p_side, q_side = (bx - ax) * (py - ay) - (by - ay) * (px - ax), (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
    a_side, b_side = (qx - px) * (ay - py) - (qy - py) * (ax - px), (qx - px) * (by - py) - (qy - py) * (bx - px)
    if p_side * q_side < 0.0 and a_side * b_side < 0.0:
        return 0.0
    of_a, of_b = away2(ax, ay, px, py, qx, qy), away2(bx, by, px, py, qx, qy)
    return min(of_a, of_b, away2(px, py, ax, ay, bx, by), away2(qx, qy, ax, ay, bx, by))


@compiled
def away2(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The square of a point's distance from the segment ab."""
    ux, uy = bx - ax, by - ay
    length2 = ux * ux + uy * uy
    share = min(max(((x - ax) * ux + (y - ay) * uy) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
    dx, dy = ax + share * ux - x, ay + share * uy - y
    return dx * dx + dy * dy
