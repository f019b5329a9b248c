"""Whether a man among things that his base touches is shut in, and on the place of which of them that hangs (C3.4).

What touches his base bars every way nearer to it, half of all directions; three or more may bar all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Point, Polygon

from rules.margin import CLOSE_SIGMAS, Margin

# Two bar at most all directions but one.
_LEAST = 3
# The ground between bases that all but touch is told from none somewhere between these gaps (specks of 0.002 mm2 are
# left out): up to the first they bar what is shut, up to the second what is not.
_SHUT_MM, _OPEN_MM = 0.02, 0.005
# The directions in which a thing may stand elsewhere, and how finely the least distance is told: 1/32 of 3 sigma.
_ASIDE = np.linspace(0.0, 2 * math.pi, 16, endpoint=False)
_HALVINGS = 5


class Beside(NamedTuple):
    """A thing beside him: its words for a person, its footprint, the sigma of how far it is from him."""

    name: str
    area: Polygon
    sigma_mm: float

    @property
    def band_mm(self) -> float:
        """3 sigma."""
        return CLOSE_SIGMAS * self.sigma_mm


class Hanging(NamedTuple):
    """What turns whether he is shut in: whose place, and by how much he may leave his own, less than 0 where he is."""

    name: str
    margin: Margin


def hangs_on_one(here: Point, keep_mm: float, things: Sequence[Beside], *, shut: bool) -> Hanging | None:
    """The thing that would shut him in, or let him out, if it alone stood elsewhere by the least part of its 3 sigma.

    keep_mm  the radius of his base
    shut     whether he has no place to end a move in, as measured; None too where that has another reason
    """
    keep_mm += _SHUT_MM if shut else _OPEN_MM
    gaps_mm = shapely.distance(np.array([thing.area for thing in things], object), here).tolist()
    near = [one for one, gap_mm in zip(things, gaps_mm, strict=True) if gap_mm <= keep_mm + one.band_mm]
    if len(near) < _LEAST or _bars_all([_barred(thing.area, here, keep_mm) for thing in near]) != shut:
        return None
    turning = [one for place in range(len(near)) for one in _turning(near, place, here, keep_mm, shut)]
    least = min(turning, key=lambda one: one.margin.margin_mm / one.margin.sigma_mm, default=None)
    if least is None:
        return None
    return least._replace(margin=Margin(least.margin.margin_mm * (-1 if shut else 1), least.margin.sigma_mm))


def _turning(near: Sequence[Beside], place: int, here: Point, keep_mm: float, shut: bool) -> Iterator[Hanging]:
    """How far one of the things would have to stand in each direction in which that turns it."""
    others = [_barred(one.area, here, keep_mm) for one in (*near[:place], *near[place + 1 :])]
    moved = near[place]

    def turns(mm: float, direction: float) -> bool:
        # That it stands elsewhere is to it as if he did, the other way.
        there = Point(here.x - mm * math.cos(direction), here.y - mm * math.sin(direction))
        return _bars_all([*others, _barred(moved.area, there, keep_mm)]) != shut

    for direction in _ASIDE.tolist() if moved.sigma_mm else ():
        if turns(moved.band_mm, direction):
            low, high = 0.0, moved.band_mm
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                low, high = (low, middle) if turns(middle, direction) else (middle, high)
            yield Hanging(moved.name, Margin(high, moved.sigma_mm))


def _barred(area: Polygon, here: Point, keep_mm: float) -> float:
    """The direction, rad, in which what touches a base there bars it; no number where it does not touch, or where the
    base's centre lies in it."""
    nearest, _ = shapely.get_coordinates(shapely.shortest_line(area, here))
    gap_mm = math.dist(nearest, (here.x, here.y))
    return math.atan2(nearest[1] - here.y, nearest[0] - here.x) if 0 < gap_mm <= keep_mm else math.nan


def _bars_all(directions: Sequence[float]) -> bool:
    """Whether no direction is left that leads nearer to none."""
    told: NDArray[np.float64] = np.sort([direction for direction in directions if not math.isnan(direction)])
    if len(told) < _LEAST:
        return False
    between = np.diff(told, append=told[0] + 2 * math.pi)
    return bool(between.max() < math.pi)
