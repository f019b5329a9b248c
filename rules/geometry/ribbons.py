"""What spans of border light on the sides to which the wave goes on, as polygons that may overlap.

The rays of a span leave it by Snell's law and end where the budget does or at a wall.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rules.compiled import compiled
from rules.geometry.chart import Chart
from rules.geometry.fronts import cost_at, crossing, lean, slope_at
from rules.geometry.lit import BESIDE_RAD, SAGITTA_MM, put_in_order
from rules.geometry.screens import THIN_MM, Floats, Screens, first_wall, gathered
from rules.geometry.wavefront import Wave, goes_on, is_settled

# A front that wins less than this wins nothing.
LEAST_MM = 1e-3
# Halvings that find where on a span the budget ends, or a wall: to a millionth of its length.
_HALVINGS = 20
# Walls are looked for this much beside the outermost rays: cosine, and mm.
_WIDER, _NEAR_MM = 0.05, 0.01
# Points of a rim closer than this are one.
SAME_MM = 1e-6
# A ribbon begins so far behind its span: what is lit on the other side of a border ends a hair off it, along a border
# the last ray leaves at 4e-5, and a slit between the two would be a border of the region. In reach is this hair anyway.
_LAP_MM = 0.02


class Beam(NamedTuple):
    """How rays leave a span: its first point, its direction, to which hand, and what a mm and the whole may cost."""

    x: float
    y: float
    ux: float
    uy: float
    hand: int
    price: float
    budget: float


@compiled
def ribbons(chart: Chart, screens: Screens, wave: Wave, cost_per_mm: Floats, budget: float) -> list[Floats]:
    """The corners (n, 2), mm, of what the spans light; ribbons of neighbours along a straight side are one."""
    found = [np.empty((0, 2)) for _ in range(0)]
    for hand in (1, -1):
        base, far = np.empty((0, 2)), np.empty((0, 2))
        for span in range(len(chart.spans)):
            level = chart.spans[span, 2] if hand > 0 else chart.spans[span, 3]
            if not (is_settled(chart, wave, span) and goes_on(chart, wave, span, level)):
                continue
            beam = _beam(chart, span, hand, cost_per_mm[level], budget)
            for part in range(wave.parts[span]):
                rays = _rays(screens, wave.fronts[span, part], beam, level)
                if len(rays) < 2:
                    continue
                if len(far) and _meets(base[1], far[-1], rays[0]):
                    base[1] = rays[-1, :2]
                    far = np.concatenate((far, rays[1:, 2:]))
                    continue
                if len(far):
                    found.append(_outline(base, far, hand))
                base, far = rays[np.array([0, len(rays) - 1]), :2], rays[:, 2:].copy()
        if len(far):
            found.append(_outline(base, far, hand))
    return found


@compiled
def _outline(base: Floats, far: Floats, hand: int) -> Floats:
    """The corners of a ribbon from its two ends on the span and its far border, with the lap behind the span."""
    dx, dy = base[1, 0] - base[0, 0], base[1, 1] - base[0, 1]
    share = hand * _LAP_MM / max(math.hypot(dx, dy), SAME_MM)
    outline = np.empty((len(far) + 4, 2))
    outline[0], outline[3] = base[1], base[0]
    for number, end in ((1, 1), (2, 0)):
        outline[number, 0], outline[number, 1] = base[end, 0] + share * dy, base[end, 1] - share * dx
    outline[4:] = far
    return outline


@compiled
def _beam(chart: Chart, span: int, hand: int, price: float, budget: float) -> Beam:
    first, last = chart.spans[span, 0], chart.spans[span, 1]
    x, y = chart.xy[first, 0], chart.xy[first, 1]
    dx, dy = chart.xy[last, 0] - x, chart.xy[last, 1] - y
    length = math.hypot(dx, dy)
    return Beam(x, y, dx / length, dy / length, hand, price, budget)


@compiled
def _meets(base: Floats, far: Floats, ray: Floats) -> bool:
    """Whether a ray is the last one of the ribbon before it."""
    near = abs(base[0] - ray[0]) + abs(base[1] - ray[1])
    return bool(near < 1e-9 and abs(far[0] - ray[2]) + abs(far[1] - ray[3]) < SAME_MM)


@compiled
def _rays(screens: Screens, front: Floats, beam: Beam, level: int) -> Floats:
    """The rays of one front, (n, 4) from x y to x y, in order along the span."""
    low, high = _within(front, beam.budget)
    left = (beam.budget - min(cost_at(front, low), cost_at(front, high))) / beam.price
    if high <= low or left <= LEAST_MM:
        return np.empty((0, 4))
    edges = _in_beam(_about(screens, level, beam, low, high, left), front, low, high, beam)
    marks = _marks(front, low, high, beam, left, edges)
    rays = [(0.0, 0.0, 0.0, 0.0) for _ in range(0)]
    steepest, before = -1.0, -1
    for number in range(len(marks)):
        # Rays that spread never cross, whatever rounding does to the curve.
        least, steepest = steepest, max(steepest, lean(slope_at(front, marks[number]), beam.price))
        far, wall = _far(front, marks[number], beam, steepest, edges)
        if number > 0 and wall != before:
            _join(rays, front, beam, marks[number - 1], marks[number], before, wall, edges, least)
        _draw(rays, beam, marks[number], steepest, far, SAME_MM if marks[number] < high else -1.0)
        before = wall
    return _table(rays)


@compiled
def _draw(
    rays: list[tuple[float, float, float, float]], beam: Beam, mark: float, cosine: float, far: float, apart_mm: float
) -> None:
    """Add a ray, unless it ends nearer than that to the one before; the first two count."""
    dx, dy = _aim(beam, cosine)
    x, y = beam.x + mark * beam.ux, beam.y + mark * beam.uy
    end_x, end_y = x + far * dx, y + far * dy
    if len(rays) > 1 and abs(end_x - rays[-1][2]) + abs(end_y - rays[-1][3]) <= apart_mm:
        return
    rays.append((x, y, end_x, end_y))


@compiled
def _table(rays: list[tuple[float, float, float, float]]) -> Floats:
    table = np.empty((len(rays), 4))
    for ray in range(len(rays)):
        table[ray, 0], table[ray, 1], table[ray, 2], table[ray, 3] = rays[ray]
    return table


@compiled
def _about(screens: Screens, level: int, beam: Beam, low: float, high: float, left: float) -> Floats:
    """The walls that can stop a ray which leaves between two marks and gets `left` mm at most."""
    x0, x1 = beam.x + low * beam.ux, beam.x + high * beam.ux
    y0, y1 = beam.y + low * beam.uy, beam.y + high * beam.uy
    return gathered(screens, level, min(x0, x1) - left, min(y0, y1) - left, max(x0, x1) + left, max(y0, y1) + left)


@compiled
def _in_beam(edges: Floats, front: Floats, low: float, high: float, beam: Beam) -> Floats:
    """The edges that are not wholly to one side of all rays."""
    at_low, at_high = lean(slope_at(front, low), beam.price), lean(slope_at(front, high), beam.price)
    left, right = at_low - _WIDER, max(at_low, at_high) + _WIDER
    left_x, left_y = max(left, -1.0), math.sqrt(max(1 - left * left, 0.0))
    right_x, right_y = min(right, 1.0), math.sqrt(max(1 - right * right, 0.0))
    found = np.empty_like(edges)
    count = 0
    for edge in range(len(edges)):
        dx, dy = edges[edge, 0] - beam.x, edges[edge, 1] - beam.y
        a, a_off = beam.ux * dx + beam.uy * dy, beam.hand * (beam.ux * dy - beam.uy * dx)
        dx, dy = edges[edge, 2] - beam.x, edges[edge, 3] - beam.y
        b, b_off = beam.ux * dx + beam.uy * dy, beam.hand * (beam.ux * dy - beam.uy * dx)
        if a_off < -_NEAR_MM and b_off < -_NEAR_MM:
            continue
        if max((a - low) * left_y - a_off * left_x, (b - low) * left_y - b_off * left_x) < -_NEAR_MM:
            continue
        if min((a - high) * right_y - a_off * right_x, (b - high) * right_y - b_off * right_x) > _NEAR_MM:
            continue
        found[count] = edges[edge]
        count += 1
    return found[:count]


@compiled
def _aim(beam: Beam, cosine: float) -> tuple[float, float]:
    """The direction of the ray at that angle to the span."""
    aside = beam.hand * math.sqrt(1 - cosine * cosine)
    return cosine * beam.ux - aside * beam.uy, cosine * beam.uy + aside * beam.ux


@compiled
def _far(front: Floats, mark: float, beam: Beam, cosine: float, edges: Floats) -> tuple[float, int]:
    """How far a ray gets, and the wall that stops it before the budget does; -1 if none."""
    dx, dy = _aim(beam, cosine)
    left = max((beam.budget - cost_at(front, mark)) / beam.price, 0.0)
    return first_wall(beam.x + mark * beam.ux, beam.y + mark * beam.uy, dx, dy, left, edges)


@compiled
def _within(front: Floats, budget: float) -> tuple[float, float]:
    """The part of a front within the budget; none if both ends are beyond it."""
    low, high = front[0], front[1]
    low_in, high_in = cost_at(front, low) < budget, cost_at(front, high) < budget
    if low_in == high_in:
        return (low, high) if low_in else (low, low)
    inside, outside = (low, high) if low_in else (high, low)
    for _ in range(_HALVINGS):
        middle = 0.5 * (inside + outside)
        if cost_at(front, middle) < budget:
            inside = middle
        else:
            outside = middle
    return (low, inside) if low_in else (inside, high)


@compiled
def _marks(front: Floats, low: float, high: float, beam: Beam, left: float, edges: Floats) -> list[float]:
    """Where on a front the rays leave that draw it: close enough for round ends, and where walls begin and end."""
    marks = _evenly_turning(front, low, high, beam.price, math.sqrt(8 * SAGITTA_MM / max(left, 1.0)))
    for edge in range(len(edges)):
        dx, dy = edges[edge, 0] - beam.x, edges[edge, 1] - beam.y
        along, across = beam.ux * dx + beam.uy * dy, beam.hand * (beam.ux * dy - beam.uy * dx)
        if across <= 2 * THIN_MM or math.hypot(min(along - low, 0.0) + max(along - high, 0.0), across) > left:
            continue
        mark = crossing(front, beam.price, along, across, 0.0)
        if low < mark < high and _sees(beam, mark, along, across, edges):
            beside = BESIDE_RAD * math.hypot(along - mark, across) + 1e-9
            marks.append(max(mark - beside, low))
            marks.append(min(mark + beside, high))
    put_in_order(marks, len(marks))
    return marks


@compiled
def _sees(beam: Beam, mark: float, along: float, across: float, edges: Floats) -> bool:
    """Whether no wall stands between a mark and a corner of one."""
    away = math.hypot(along - mark, across)
    dx, dy = _aim(beam, (along - mark) / away)
    free, _ = first_wall(beam.x + mark * beam.ux, beam.y + mark * beam.uy, dx, dy, away, edges)
    return bool(free > away - _NEAR_MM)


@compiled
def _join(
    rays: list[tuple[float, float, float, float]], front: Floats, beam: Beam, low: float, end: float,
    before: int, behind: int, edges: Floats, least: float,
) -> None:  # fmt: skip
    """Between two rays that different walls stop, or one of them none: where one gives way to the next, one by one."""
    while behind != before and end - low > 4 * SAME_MM:
        high, beyond = end, behind
        while high - low > SAME_MM:
            middle = 0.5 * (low + high)
            _, wall = _far(front, middle, beam, max(least, lean(slope_at(front, middle), beam.price)), edges)
            if wall == before:
                low = middle
            else:
                high, beyond = middle, wall
        for mark in (low, high):
            cosine = max(least, lean(slope_at(front, mark), beam.price))
            _draw(rays, beam, mark, cosine, _far(front, mark, beam, cosine, edges)[0], SAME_MM)
        low, before = high, beyond


@compiled
def _evenly_turning(front: Floats, low: float, high: float, price: float, step_rad: float) -> list[float]:
    """Marks from low to high at which the rays turn by at most `step_rad` from one to the next."""
    marks = [low]
    ends = [high]
    while ends:
        mark, end = marks[-1], ends[-1]
        turn = math.acos(lean(slope_at(front, mark), price)) - math.acos(lean(slope_at(front, end), price))
        if abs(turn) <= step_rad or end - mark < 1e-6:
            marks.append(ends.pop())
        else:
            ends.append(0.5 * (mark + end))
    return marks
