"""Which figures may stand in a soldier's way: those that his base may come to touch, by a bound that costs little."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Point

from rules.games.omog.going import Going
from rules.games.omog.soldier import Figure, Soldier
from rules.scene import Point2

# What is looked at beyond reach and base, so that nothing that cuts the reach is left out.
_BESIDE_MM = 1.0
# The cost of a mm where nobody may go: large, not infinite, so that no way costs nothing.
_DEAR = 1e9

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pace:
    """What a soldier's move may cost at the least.

    gap_mm  from him to ground that is faster than the open; infinite if there is none
    budget  the share of a move that he has
    """

    soldier: Soldier
    going: Going
    gap_mm: float
    budget: float


@lru_cache(maxsize=4096)
def pace_of(soldier: Soldier, going: Going, budget: float) -> Pace:
    """His pace, kept: most men stay where they are."""
    gap_mm = math.inf if going.fast.is_empty else float(going.fast.distance(Point(soldier.position_mm)))
    return Pace(soldier, going, gap_mm, budget)


def may_meet(paces: Sequence[Pace], figures: Sequence[Figure]) -> NDArray[np.bool_]:
    """Which figures' bases each soldier's base may touch within his move, (soldiers, figures); never too few.

    Whoever uses fast ground goes to it and from it over other ground, and the rest of the straight way at best on it.
    """
    starts = _places(pace.soldier.position_mm for pace in paces)
    ends = _places(figure.piece.position_mm for figure in figures)
    spreads_mm = np.array([figure.spread_mm for figure in figures], float)
    own_mm = np.array([pace.soldier.radius_mm + _BESIDE_MM for pace in paces], float)[:, None]
    straight_mm = _none_below_0(np.hypot(*(starts[:, None] - ends[None]).transpose(2, 0, 1)) - spreads_mm - own_mm)
    aside_mm = _none_below_0(_from_fast_mm(paces, ends) - spreads_mm - own_mm)
    open_cost, fast_cost, gap_mm, budget = (
        np.array([_terms(pace) for pace in paces], float).reshape(-1, 4).T[:, :, None]
    )
    on_foot_mm = gap_mm + aside_mm
    by_road = open_cost * on_foot_mm + fast_cost * _none_below_0(straight_mm - on_foot_mm)
    near: NDArray[np.bool_] = np.minimum(open_cost * straight_mm, by_road) <= budget
    return near


def _terms(pace: Pace) -> tuple[float, float, float, float]:
    """Cost of a mm off fast ground and on it, the way to it, and the budget. A climb is no farther than its length."""
    longest_mm = max(pace.going.open_mm, pace.going.climb_mm)
    open_cost = 1 / longest_mm if longest_mm > 0 else _DEAR
    return open_cost, min(pace.going.least_cost_per_mm, open_cost), pace.gap_mm, pace.budget


def _places(points_mm: Iterable[Point2]) -> Floats:
    return np.array(list(points_mm), float).reshape(-1, 2)


def _none_below_0(lengths_mm: Floats) -> Floats:
    return np.maximum(lengths_mm, 0.0)


def _from_fast_mm(paces: Sequence[Pace], places: Floats) -> Floats:
    """From each soldier's fast ground to each place; infinite where there is none."""
    points, gaps_mm = shapely.points(places), dict[Going, Floats]()
    for pace in paces:
        if pace.going not in gaps_mm:
            found = np.asarray(shapely.distance(pace.going.fast, points), float)
            gaps_mm[pace.going] = np.nan_to_num(found, nan=math.inf)
    return np.array([gaps_mm[pace.going] for pace in paces]).reshape(len(paces), len(places))
