"""A hex grid: axial coordinates, places on the table, straight lines, and the cheapest ways (OMNI-1.1, 2.1, 3.1).

Which hexes a line crosses is decided in whole numbers, so that a line along a side is told from one just beside it.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from shapely import Point, Polygon

Hex = tuple[int, int]
Point2 = tuple[float, float]
Top = Literal["pointy", "flat"]
# The hexes of one stretch of a line: one that it crosses, or the two whose common side it runs along.
Stretch = tuple[Hex, ...]

# OMNI-1.1: side k faces this neighbour.
SIDES: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
# The corners of a hex, from its centre, in thirds of a step along q and r, counter-clockwise.
_CORNERS: tuple[Hex, ...] = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))


@dataclass(frozen=True)
class HexGrid:
    """Where the hexes lie on the table (OMNI-1.1).

    pitch_mm   centre to centre of neighbours
    origin_mm  centre of hex (0, 0)
    turn_deg   counter-clockwise turn of the whole grid
    """

    pitch_mm: float
    origin_mm: Point2 = (0.0, 0.0)
    turn_deg: float = 0.0
    top: Top = "pointy"

    def centre(self, cell: Hex) -> Point2:
        """The centre of the hex in table mm."""
        (ux, uy), (vx, vy) = self._axes
        q, r = cell
        return self.origin_mm[0] + q * ux + r * vx, self.origin_mm[1] + q * uy + r * vy

    @cached_property
    def _axes(self) -> tuple[Point2, Point2]:
        """The steps along q and along r, in table mm."""
        angles = self._side_angles()
        q_mm, r_mm = ((self.pitch_mm * math.cos(a), self.pitch_mm * math.sin(a)) for a in angles[:2])
        return q_mm, r_mm

    def cell_at(self, point_mm: Point2) -> Hex:
        """The hex whose centre is nearest to the point."""
        return _rounded(*self._axial(point_mm))

    def border_mm(self, point_mm: Point2) -> float:
        """How far the point is from the nearest side of the hex that it lies in."""
        dx_mm, dy_mm = (p - c for p, c in zip(point_mm, self.centre(self.cell_at(point_mm)), strict=True))
        reach_mm = max(dx_mm * math.cos(a) + dy_mm * math.sin(a) for a in self._side_angles())
        return self.pitch_mm / 2 - reach_mm

    def cells_within(self, point_mm: Point2, radius_mm: float) -> frozenset[Hex]:
        """The hexes that a point may lie in that is known to within `radius_mm`."""
        found, edge = set[Hex](), {self.cell_at(point_mm)}
        if self.border_mm(point_mm) > radius_mm:
            return frozenset(edge)
        while edge:
            found |= edge
            beyond = {beside for cell in edge for beside in neighbours(cell)} - found
            edge = {cell for cell in beyond if self.outline(cell).dwithin(Point(point_mm), radius_mm)}
        return frozenset(found)

    def outline(self, cell: Hex) -> Polygon:
        """The hex as a polygon in table mm; neighbours share their corners to the last bit."""
        (ux, uy), (vx, vy) = self._axes
        (x0, y0), (q, r) = self.origin_mm, cell
        thirds = ((3 * q + dq, 3 * r + dr) for dq, dr in _CORNERS)
        return Polygon([(x0 + (a * ux + b * vx) / 3, y0 + (a * uy + b * vy) / 3) for a, b in thirds])

    def facing(self, angle_deg: float) -> int:
        """The side that a piece faces which looks in this direction of the table."""
        return round((angle_deg - math.degrees(self._side_angles()[0])) / 60.0) % 6

    def _side_angles(self) -> list[float]:
        first_deg = self.turn_deg + (0.0 if self.top == "pointy" else 30.0)
        return [math.radians(first_deg + 60.0 * side) for side in range(6)]

    def _axial(self, point_mm: Point2) -> Point2:
        (ux, uy), (vx, vy) = self._axes
        dx, dy = point_mm[0] - self.origin_mm[0], point_mm[1] - self.origin_mm[1]
        determinant = ux * vy - uy * vx
        return (dx * vy - dy * vx) / determinant, (ux * dy - uy * dx) / determinant


def grid_through(cells: Iterable[tuple[Hex, Point2]], top: Top = "pointy") -> HexGrid:
    """The grid with these hex centres, at least three of them, by least squares (a similarity has four unknowns).

    ValueError if fewer than three centres are given or all are the same hex.
    """
    known = list(cells)
    if len({cell for cell, _ in known}) < 3:
        raise ValueError(f"a hex grid needs the centres of three different hexes; got {len(known)}")
    unit = HexGrid(1.0, top=top)
    flat = [complex(*unit.centre(cell)) for cell, _ in known]
    seen = [complex(*point_mm) for _, point_mm in known]
    design = np.column_stack([flat, np.ones(len(flat))])
    factor, origin = np.linalg.lstsq(design, np.array(seen), rcond=None)[0]
    turn_deg = math.degrees(math.atan2(factor.imag, factor.real))
    return HexGrid(float(abs(factor)), (float(origin.real), float(origin.imag)), turn_deg, top)


def _rounded(q: float, r: float) -> Hex:
    """The hex nearest to fractional axial coordinates: round all three cube coordinates, mend the worst."""
    s = -q - r
    whole = [round(q), round(r), round(s)]
    errors = [abs(whole[0] - q), abs(whole[1] - r), abs(whole[2] - s)]
    worst = errors.index(max(errors))
    if worst == 0:
        return -whole[1] - whole[2], whole[1]
    return (whole[0], -whole[0] - whole[2]) if worst == 1 else (whole[0], whole[1])


def neighbour(cell: Hex, side: int) -> Hex:
    """The hex behind that side."""
    dq, dr = SIDES[side]
    return cell[0] + dq, cell[1] + dr


def neighbours(cell: Hex) -> tuple[Hex, ...]:
    """The six hexes around, by side."""
    return tuple(neighbour(cell, side) for side in range(6))


def distance(a: Hex, b: Hex) -> int:
    """Steps from one hex to the other.

    >>> distance((0, 0), (2, -1))
    2
    """
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def stretches(start: Hex, end: Hex) -> tuple[Stretch, ...]:
    """What the straight line between two centres passes, in order, both ends included (OMNI-3.1).

    A stretch of one hex is crossed in its interior; along one of two hexes the line runs on their common side.
    """
    q, r = start
    return tuple(
        tuple((q + dq, r + dr) for dq, dr in stretch) for stretch in _stretches_from_zero(end[0] - q, end[1] - r)
    )


@lru_cache(maxsize=4096)
def _stretches_from_zero(dq: int, dr: int) -> tuple[Stretch, ...]:
    """The line from (0, 0) to (dq, dr), cut where one of 2q + r, q + 2r, r - q is whole: no side is crossed between."""
    slopes = [abs(2 * dq + dr), abs(dq + 2 * dr), abs(dr - dq)]
    parts = math.lcm(*(slope for slope in slopes if slope)) if any(slopes) else 1
    cuts = sorted({2 * parts * k // slope for slope in slopes if slope for k in range(slope + 1)})
    passed: list[Stretch] = [((0, 0),)]
    for before, after in itertools.pairwise(cuts):
        stretch = _hexes_at(dq, dr, (before + after) // 2, 2 * parts)
        if stretch != passed[-1]:
            passed.append(stretch)
    return tuple(passed)


def _hexes_at(dq: int, dr: int, part: int, parts: int) -> Stretch:
    """The hexes that hold the point `part / parts` of the way to (dq, dr): one, or two on whose side it lies."""
    nearest = _rounded(dq * part / parts, dr * part / parts)
    if _depth(nearest, dq * part, dr * part, parts) > 0:
        return (nearest,)
    depths = {cell: _depth(cell, dq * part, dr * part, parts) for cell in (nearest, *neighbours(nearest))}
    inside = tuple(cell for cell, depth in depths.items() if depth > 0)
    return inside or tuple(sorted(cell for cell, depth in depths.items() if depth == 0))


def _depth(cell: Hex, q: int, r: int, parts: int) -> int:
    """How deep the point (q, r) / parts lies in the hex, in whole parts: > 0 inside, 0 on a side, < 0 outside."""
    dq, dr = q - cell[0] * parts, r - cell[1] * parts
    return parts - max(abs(2 * dq + dr), abs(dq + 2 * dr), abs(dr - dq))


def blocking(start: Hex, end: Hex, dense: Collection[Hex]) -> Stretch | None:
    """The first stretch that stops the sight: a dense hex, or two along whose side the line runs; None if it is free.

    The hexes of both ends never stop it.
    """
    q, r = start
    for stretch in _stretches_from_zero(end[0] - q, end[1] - r)[1:-1]:
        if all((q + dq, r + dr) in dense for dq, dr in stretch):
            return tuple((q + dq, r + dr) for dq, dr in stretch)
    return None


def is_visible(start: Hex, end: Hex, dense: Collection[Hex]) -> bool:
    """Whether the one hex is seen from the other (OMNI-3.1).

    The line from (0, 0) to (1, 1) runs on the side that (1, 0) and (0, 1) share; only both together stop it.

    >>> is_visible((0, 0), (1, 1), {(1, 0)}), is_visible((0, 0), (1, 1), {(1, 0), (0, 1)})
    (True, False)
    """
    return blocking(start, end, dense) is None


# The steps that are allowed from a hex: the side, the neighbour behind it, and the price.
Exits = Callable[[Hex], Iterable[tuple[int, Hex, float]]]
# A hex, the side faced, and how many turns are still free.
Pose = tuple[Hex, int, int]


def costs(start: Hex, exits: Exits, budget: float) -> dict[Hex, float]:
    """The least price to every hex that can be had for `budget`, the start included at 0."""
    best = {start: 0.0}
    queue = [(0.0, start)]
    while queue:
        paid, cell = heapq.heappop(queue)
        if paid > best[cell]:
            continue
        for _, goal, price in exits(cell):
            total = paid + price
            if total <= budget and total < best.get(goal, math.inf):
                best[goal] = total
                heapq.heappush(queue, (total, goal))
    return best


def costs_with_turns(start: Hex, facing: int | None, exits: Exits, budget: float) -> dict[Hex, float]:
    """As `costs`, for a piece that steps only ahead: one 60 degree turn is free, each further costs 1 (OMNI-2.1).

    facing  the side that it faces at the start; None lets it begin in any direction
    """
    queue: list[tuple[float, Hex, int, int]] = [
        (0.0, start, side, 1) for side in (range(6) if facing is None else [facing])
    ]
    best = {(cell, side, free): paid for paid, cell, side, free in queue}
    while queue:
        paid, cell, side, free = heapq.heappop(queue)
        if paid > best[cell, side, free]:
            continue
        for price, key in _turns_and_steps(cell, side, free, exits):
            total = paid + price
            if total <= budget and total < best.get(key, math.inf):
                best[key] = total
                heapq.heappush(queue, (total, *key))
    return _cheapest(best)


def _cheapest(best: Mapping[Pose, float]) -> dict[Hex, float]:
    """The least price to each hex, whatever way the piece then faces."""
    reached: dict[Hex, float] = {}
    for (cell, _, _), paid in best.items():
        reached[cell] = min(paid, reached.get(cell, math.inf))
    return reached


def _turns_and_steps(cell: Hex, side: int, free: int, exits: Exits) -> Iterator[tuple[float, Pose]]:
    """What a piece can do next: turn left, turn right, or step ahead; each with its price."""
    for turned in ((side + 1) % 6, (side - 1) % 6):
        yield 0.0 if free else 1.0, (cell, turned, 0)
    for ahead, goal, price in exits(cell):
        if ahead == side:
            yield price, (goal, side, free)
