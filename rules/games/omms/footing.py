"""The road point from which a unit attacks, and those at which it may stand as well (OMMS-1.3, C3.4)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from rules.games.omms.attack_way import Ask, Way, open_ways
from rules.margin import CLOSE_SIGMAS, Margin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadNetwork, RoadPoint

# Points this near to one another are one place.
_SAME_MM = 1e-6


def footing(table: Table, unit: Coin) -> RoadPoint | None:
    """The road point at which a unit stands, or would stand if its coin were 3 sigma nearer to the road."""
    point = table.standing(unit)
    if point is not None or not unit.sigma_mm:
        return point
    return table.country.roads.nearest(unit.at_mm, unit.radius_mm + CLOSE_SIGMAS * unit.sigma_mm)


def rivals(table: Table, unit: Coin, point: RoadPoint) -> tuple[RoadPoint, ...]:
    """The points of other roads that are at most 3 sigma farther: too close to call on which road the unit stands."""
    if not unit.sigma_mm:
        return ()
    home, far_mm = table.coins.home_of(unit), point.distance_mm + CLOSE_SIGMAS * unit.sigma_mm
    centre_mm, radius_mm = (unit.at_mm, far_mm) if home is None else (home.at_mm, home.radius_mm)
    found = table.country.roads.each_under(unit.at_mm, centre_mm, radius_mm)
    return tuple(one for one in found if one.distance_mm < far_mm and math.dist(one.at_mm, point.at_mm) > _SAME_MM)


def doubted(roads: RoadNetwork, way: Way, ask: Ask, others: Sequence[RoadPoint]) -> Way:
    """The way with the doubt on which road the attacker stands, if another road gives another answer."""
    answers = open_ways(roads, [replace(ask, point=other) for other in others])
    sign = 1 if way.open else -1
    turns = [
        Margin(sign * (other.distance_mm - ask.point.distance_mm), ask.attacker.sigma_mm)
        for other, is_open in zip(others, answers, strict=True)
        if is_open != way.open
    ]
    if way.turn is not None:
        turns.append(way.turn)
    return replace(way, turn=min(turns, key=lambda turn: abs(turn.margin_mm) / turn.sigma_mm, default=None))
