"""Walls about a point, sorted into sectors: a ray asks only those that lie in its own."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rules.compiled import compiled
from rules.geometry.screens import Floats, Ints, first_wall

# A wall counts for a sector if it comes this near to it: far above rounding.
_BESIDE_RAD = 1e-6
# Of a wall that comes nearer than this nobody can tell the direction.
_NEAR_MM = 1e-3
# So many walls are worth one sector more; fewer than twice as many are not sorted.
_WALLS = 6


class Sectors(NamedTuple):
    """The walls (n, 4) of all sectors, one sector behind the other and each sector's in the order in which they came.

    width_rad  of a sector; the first begins at turn 0
    edges      those of sector k are `edges[begin[k]:begin[k + 1]]`; `numbers` (n,) which they were
    """

    width_rad: float
    edges: Floats
    numbers: Ints
    begin: Ints


@compiled
def sectors_of(edges: Floats, x: float, y: float, first: float, turn: float) -> Sectors:
    """Walls by the directions in which they lie from a point, as turns from `first` up to `turn`."""
    count = max(1, len(edges) // _WALLS)
    if count == 1:
        return Sectors(math.inf, edges, np.arange(len(edges)), np.array([0, len(edges)]))
    width_rad, spans = turn / count, np.empty((len(edges), 2))
    begin = np.zeros(count + 1, np.int64)
    for edge in range(len(edges)):
        spans[edge] = _span(edges[edge], x, y, first)
        for part in range(2):
            low, high = _places(spans[edge], part, width_rad, count)
            for sector in range(low, high):
                begin[sector + 1] += 1
    begin = np.cumsum(begin)
    place, numbers = begin[:-1].copy(), np.empty(begin[-1], np.int64)
    for edge in range(len(edges)):
        for part in range(2):
            low, high = _places(spans[edge], part, width_rad, count)
            for sector in range(low, high):
                numbers[place[sector]] = edge
                place[sector] += 1
    return Sectors(width_rad, edges[numbers], numbers, begin)


@compiled
def _span(edge: Floats, x: float, y: float, first: float) -> tuple[float, float]:
    """From which turn to which a wall lies, at least 0 and the second no less than the first; all round if it is near."""
    ax, ay, bx, by = edge[0] - x, edge[1] - y, edge[2] - x, edge[3] - y
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    share = min(max(-(ax * dx + ay * dy) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
    if math.hypot(ax + share * dx, ay + share * dy) < _NEAR_MM:
        return 0.0, math.tau
    a, b = math.atan2(ay, ax), math.atan2(by, bx)
    low, wide = (a, (b - a) % math.tau) if ax * by - ay * bx >= 0.0 else (b, (a - b) % math.tau)
    low = (low - first - _BESIDE_RAD) % math.tau
    return low, low + wide + 2 * _BESIDE_RAD


@compiled
def _places(span: Floats, part: int, width_rad: float, count: int) -> tuple[int, int]:
    """The sectors in which a wall lies, from and to before; part 1 is what of it lies past a whole turn.

    One that comes round to its own sector again is there twice, which changes no answer.
    """
    low, high = (span[0], span[1]) if part == 0 else (0.0, span[1] - math.tau)
    if high < low:
        return 0, 0
    return min(int(low / width_rad), count), min(int(high / width_rad) + 1, count)


@compiled
def first_wall_at(
    sectors: Sectors, x: float, y: float, ux: float, uy: float, far: float, turn: float
) -> tuple[float, int]:
    """As `first_wall` for the ray in the direction u, which lies at that turn."""
    count = len(sectors.begin) - 1
    sector = min(max(int(turn / sectors.width_rad), 0), count - 1)
    low, high = sectors.begin[sector], sectors.begin[sector + 1]
    nearest, wall = first_wall(x, y, ux, uy, far, sectors.edges[low:high])
    return nearest, sectors.numbers[low + wall] if wall >= 0 else -1
