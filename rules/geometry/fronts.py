"""The cost along a span of border, from its ends: what a wave brings there and how it goes on beyond.

At both ends of a span the cheapest cost is known, and from the direction in which the path arrives its slope along the
span. One wave gives a convex curve: a cubic with those values and slopes is right to the fourth power of the span's
length. Where two waves meet the curve has a kink: then each goes on straight until they cross.
"""

from __future__ import annotations

import math

from rules.compiled import compiled
from rules.geometry.screens import Floats

# Slopes closer than this share of the cost are one; what a curve loses by it is a hundredth of the span's length.
_SAME_SLOPE = 0.05
# Where two waves meet at the end of a span, the mean slope may be this share of the cost outside those at its ends.
_ONE_WAVE = 0.3
# A ray that runs along the border leaves it at no flatter angle than this cosine, or what it lights has no breadth.
STEEPEST = 1 - 1e-9
_NEWTON = 5


@compiled
def fits(mean: float, p0: float, p1: float, cost_per_mm: float) -> bool:
    """Whether a convex curve has these slopes at its ends and this one on the whole."""
    slack = _SAME_SLOPE * cost_per_mm
    return p0 - p1 <= slack and (2 * p0 + p1) / 3 - slack <= mean <= (p0 + 2 * p1) / 3 + slack


@compiled
def joining(along: float, across: float, fast: float, slow: float, length: float, is_dear: bool) -> tuple[float, float]:
    """Where behind its first point, mm, a path joins a span to run along it, and what it costs more until there.

    A path from dear ground meets the border of cheaper ground at the critical angle; if the one to this point, which
    comes from (-along, across), meets it more steeply, that place lies ahead.
    """
    mark = across * fast / math.sqrt(slow * slow - fast * fast) - along
    if not (is_dear and 0.0 < mark < length):
        return 0.0, 0.0
    return mark, slow * (math.hypot(along + mark, across) - math.hypot(along, across))


@compiled
def steepness(ux: float, uy: float, dx: float, dy: float, price: float, rise: float, starts_here: bool) -> float:
    """How steeply the cost rises along u, the way from a point to another, where a path arrives in the direction d.

    price        what a mm on the path's last segment costs
    rise         the cost at the other point less that at this one
    starts_here  whether a path begins here, or the one to the other point does: then it rises evenly
    """
    length, far = math.sqrt(ux * ux + uy * uy), math.sqrt(dx * dx + dy * dy)
    if starts_here or far == 0.0:
        return rise / length
    return price * (ux * dx + uy * dy) / (far * length)


@compiled
def joined(
    mean: float, p0: float, p1: float, cost_per_mm: float, is_end_0: bool, is_end_1: bool
) -> tuple[float, float]:
    """The slopes at both ends of a span.

    The end of a border may be reached by another wave than the span is: then its slope is that of a parabola.
    """
    if fits(mean, p0, p1, cost_per_mm):
        return p0, p1
    if is_end_0 and is_end_1:
        return mean, mean
    if is_end_0:
        return min(max(2 * mean - p1, -cost_per_mm), cost_per_mm), p1
    if is_end_1:
        return p0, min(max(2 * mean - p0, -cost_per_mm), cost_per_mm)
    return p0, p1


@compiled
def fronts(length: float, u0: float, u1: float, p0: float, p1: float, cost_per_mm: float, found: Floats) -> int:
    """How many smooth parts the curve over a span has, 0 to 2; `found` (2, 6) gets them.

    u0, u1       cost at both ends
    p0, p1       slope at both ends, along the span
    cost_per_mm  the lower of both sides' costs: no slope is steeper
    found        of each part: from, to, and the cubic's coefficients from the lowest
    None where the ends do not fit together; then only the ends themselves are known.
    """
    mean = (u1 - u0) / length
    if fits(mean, p0, p1, cost_per_mm):
        _put(found, 0, 0.0, length, u0, p0, (3 * mean - 2 * p0 - p1) / length, (p0 + p1 - 2 * mean) / length**2)
        return 1
    if p0 > p1:
        kink = (mean - p1) / (p0 - p1) * length
        if 0.0 <= kink <= length:
            _put(found, 0, 0.0, kink, u0, p0, 0.0, 0.0)
            _put(found, 1, kink, length, u1 - p1 * length, p1, 0.0, 0.0)
            return 2
    # One wave has the whole span, to the very end where another begins: a parabola with the slope at its own end.
    if max((2 * min(p0, p1) + p1) / 3 - mean, mean - (p0 + 2 * max(p0, p1)) / 3) <= _ONE_WAVE * cost_per_mm:
        p0 = min(p0, 2 * mean - p1)
        _put(found, 0, 0.0, length, u0, p0, (mean - p0) / length, 0.0)
        return 1
    return 0


@compiled
def _put(found: Floats, part: int, low: float, high: float, a: float, b: float, c: float, d: float) -> None:
    found[part, 0], found[part, 1], found[part, 2] = low, high, a
    found[part, 3], found[part, 4], found[part, 5] = b, c, d


@compiled
def cost_at(front: Floats, mark: float) -> float:
    """The cost of the cheapest path to the mark on the front's span."""
    return float(front[2] + mark * (front[3] + mark * (front[4] + mark * front[5])))


@compiled
def slope_at(front: Floats, mark: float) -> float:
    """How fast that cost grows along the span, at a mark."""
    return float(front[3] + mark * (2 * front[4] + mark * 3 * front[5]))


@compiled
def lean(slope: float, cost_per_mm: float) -> float:
    """The cosine between a span and the ray that leaves it into ground of that cost (Snell)."""
    return min(max(slope / cost_per_mm, -STEEPEST), STEEPEST)


@compiled
def crossing(front: Floats, cost_per_mm: float, along: float, across: float, slack: float) -> float:
    """Where a cheapest path to a point beside the span crosses it, as a mark; NaN where it crosses outside the front.

    along, across  the point, in mm along the span and at right angles to it
    slack          how far outside, as a share of the cost's slope, a path still counts as crossing at the end
    """
    low, high = front[0], front[1]
    at_low = slope_at(front, low) - cost_per_mm * (along - low) / math.sqrt((along - low) ** 2 + across * across)
    at_high = slope_at(front, high) - cost_per_mm * (along - high) / math.sqrt((along - high) ** 2 + across * across)
    if at_low > slack * cost_per_mm or at_high < -slack * cost_per_mm:
        return math.nan
    if at_low >= 0.0:
        return float(low)
    if at_high <= 0.0:
        return float(high)
    mark = low - at_low * (high - low) / (at_high - at_low)
    for _ in range(_NEWTON):
        far = math.sqrt((along - mark) ** 2 + across * across)
        error = slope_at(front, mark) - cost_per_mm * (along - mark) / far
        if error < 0.0:
            low = mark
        else:
            high = mark
        bend = 2 * front[4] + 6 * front[5] * mark + cost_per_mm * across * across / far**3
        mark = mark - error / bend if bend > 0.0 else 0.5 * (low + high)
        if not low <= mark <= high:
            mark = 0.5 * (low + high)
    return float(mark)
