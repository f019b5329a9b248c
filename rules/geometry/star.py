"""From a sweep to a region: the border of all that an eye sees, cut at a range, in machine code."""

from __future__ import annotations

import math

import numpy as np

from rules.compiled import compiled
from rules.geometry.sweep import FULL_TURN, SAME_TURN, Floats, Ints, aim, gather, is_on_wall, range_mm, sweep

# Points of a border closer than this are one.
SAME_POINT_MM = 1e-9
# A full sweep begins in a direction in which nobody lays a ruler, so that no corner falls on its seam.
ODD_ANGLE_RAD = 0.739085133215


@compiled
def meet(spans: Floats, span: int, turn: float) -> tuple[float, float]:
    """Where the ray of that turn meets the span; its own corner where the span begins or ends."""
    if abs(turn - spans[span, 0]) <= SAME_TURN and turn_is_corner(spans, span, 2, turn):
        return spans[span, 2], spans[span, 3]
    if abs(turn - spans[span, 1]) <= SAME_TURN and turn_is_corner(spans, span, 4, turn):
        return spans[span, 4], spans[span, 5]
    ux, uy = aim(turn)
    reach = range_mm(spans, span, ux, uy)
    return reach * ux, reach * uy


@compiled
def turn_is_corner(spans: Floats, span: int, column: int, turn: float) -> bool:
    """Whether the span's corner in that column lies in the direction `turn` (it may have been cut off by the wedge)."""
    ux, uy = aim(turn)
    x, y = spans[span, column], spans[span, column + 1]
    return bool(abs(ux * y - uy * x) <= 1e-11 * (abs(x) + abs(y)) and ux * x + uy * y > 0.0)


@compiled
def _put(out: Floats, count: int, x: float, y: float) -> int:
    if count and abs(out[count - 1, 0] - x) + abs(out[count - 1, 1] - y) <= SAME_POINT_MM:
        return count
    out[count, 0], out[count, 1] = x, y
    return count + 1


@compiled
def _arc(
    out: Floats, count: int, far_mm: float, step_rad: float, p: tuple[float, float], q: tuple[float, float]
) -> int:
    """Append the arc of radius `far_mm` from the direction of p counter-clockwise to that of q, both ends included."""
    low = math.atan2(p[1], p[0])
    turn_rad = math.atan2(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1])
    if turn_rad < -1e-9:
        turn_rad += math.tau
    steps = max(1, math.ceil(turn_rad / step_rad))
    for step in range(steps + 1):
        angle = low + turn_rad * step / steps
        count = _put(out, count, far_mm * math.cos(angle), far_mm * math.sin(angle))
    return count


@compiled
def _chord(
    out: Floats, count: int, far_mm: float, step_rad: float, p: tuple[float, float], q: tuple[float, float]
) -> int:
    """Append the border along the wall from p to q, where the parts beyond `far_mm` become arcs."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    a = dx * dx + dy * dy
    b = p[0] * dx + p[1] * dy
    root2 = b * b - a * (p[0] * p[0] + p[1] * p[1] - far_mm * far_mm)
    if root2 <= 0.0 or a == 0.0:
        return _arc(out, count, far_mm, step_rad, p, q)
    low, high = (-b - math.sqrt(root2)) / a, (-b + math.sqrt(root2)) / a
    if high <= 0.0 or low >= 1.0:
        return _arc(out, count, far_mm, step_rad, p, q)
    enter, leave = (p[0] + low * dx, p[1] + low * dy), (p[0] + high * dx, p[1] + high * dy)
    if low > 0.0:
        count = _arc(out, count, far_mm, step_rad, p, enter)
    count = _put(out, count, enter[0] if low > 0.0 else p[0], enter[1] if low > 0.0 else p[1])
    count = _put(out, count, leave[0] if high < 1.0 else q[0], leave[1] if high < 1.0 else q[1])
    if high < 1.0:
        count = _arc(out, count, far_mm, step_rad, leave, q)
    return count


@compiled
def border(spans: Floats, runs: Floats, nearest: Ints, made: int, far_mm: float, step_rad: float, out: Floats) -> int:
    """Fill `out` with the border of the region in sight, counter-clockwise, in the eye's frame; the number of points.

    far_mm     nothing beyond is in the region; directions with no wall end there in an arc
    step_rad   longest step along an arc
    """
    count = 0
    for run in range(made):
        span, low, high = nearest[run], runs[run, 0], runs[run, 1]
        if span < 0:
            middle = aim(0.5 * (low + high))
            count = _arc(out, count, far_mm, step_rad, aim(low), middle)
            count = _arc(out, count, far_mm, step_rad, middle, aim(high))
            continue
        p, q = meet(spans, span, low), meet(spans, span, high)
        far2 = far_mm * far_mm
        if p[0] * p[0] + p[1] * p[1] <= far2 and q[0] * q[0] + q[1] * q[1] <= far2:
            count = _put(out, count, p[0], p[1])
            count = _put(out, count, q[0], q[1])
        else:
            count = _chord(out, count, far_mm, step_rad, p, q)
    return count


@compiled
def back_to_table(out: Floats, count: int, eye: Floats, ahead: Floats) -> None:
    """Turn and shift the first `count` points from the eye's frame to the table's, in place."""
    for i in range(count):
        x, y = out[i, 0], out[i, 1]
        out[i, 0] = eye[0] + ahead[0] * x - ahead[1] * y
        out[i, 1] = eye[1] + ahead[1] * x + ahead[0] * y


@compiled
def is_inside(walls: Floats, rows: Ints, eye: Floats) -> bool:
    """Whether the eye is in the solid ground of those rows (even-odd); undecided on a wall."""
    odd = False
    for row in range(rows[0], rows[1]):
        ay, by = walls[row, 1] - eye[1], walls[row, 3] - eye[1]
        if (ay > 0.0) != (by > 0.0):
            ax, bx = walls[row, 0] - eye[0], walls[row, 2] - eye[0]
            if (ax * by - bx * ay > 0.0) == (by > ay):
                odd = not odd
    return odd


@compiled
def stands_on(walls: Floats, rows: Ints, eye: Floats) -> bool:
    """Whether the eye stands on one of those walls, within `ON_WALL_MM`."""
    found = False
    for row in range(rows[0], rows[1]):
        found = found or is_on_wall(walls, row, eye)
    return found


@compiled
def star(walls: Floats, after: Ints, solid_rows: int, eye: Floats, far_mm: float, step_rad: float) -> Floats:
    """The border (n, 2) of all that the eye sees within `far_mm`, table frame; empty if it stands inside a solid.

    solid_rows   how many rows belong to solids; the rest are the table's edge
    """
    rows = np.array([0, solid_rows])
    if is_inside(walls, rows, eye) and not stands_on(walls, rows, eye):
        return np.empty((0, 2))
    rows[1] = len(walls)
    spans, ends = np.empty((2 * len(walls) + 32, 6)), np.empty((2 * len(walls) + 32, 2), np.int64)
    ahead = np.array([math.cos(ODD_ANGLE_RAD), math.sin(ODD_ANGLE_RAD)])
    count = gather(walls, after, rows, eye, ahead, FULL_TURN, far_mm, spans, ends)
    runs, nearest = np.empty((2 * count + 2, 2)), np.empty(2 * count + 2, np.int64)
    made = sweep(spans, count, FULL_TURN, runs, nearest)
    out = np.empty((2 * made + 16 + 2 * math.ceil(math.tau / step_rad) + 4 * made, 2))
    length = border(spans, runs, nearest, made, far_mm, step_rad, out)
    back_to_table(out, length, eye, ahead)
    return out[:length]
