"""The road point at which a unit stands, and those at which it may stand as well (OMMS-1.3, C3.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.games.omms.attack_way import Ask, Way, open_ways
from rules.games.omms.coins import SHIP
from rules.games.omms.condition import Condition, fact
from rules.games.omms.table import standing
from rules.margin import CLOSE_SIGMAS, REFUSED, Margin, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadNetwork, RoadPoint
    from rules.scene import Point2

# A step past a junction leaves it.
BEYOND_MM = 1e-3
# A coin that goes from one road straight to another changes the difference of its distances twice as much.
MOST_RATE = 2.0
# Points this near to one another are one place.
_SAME_MM = 1e-6


@dataclass(frozen=True)
class Reading:
    """Where a unit may stand as well, if one distance is 3 sigma off.

    point   None if it may stand off the roads
    margin  how far it is from standing there; not negative
    where   the end of a sentence that says so
    """

    point: RoadPoint | None
    margin: Margin
    where: str


def readings(table: Table, unit: Coin, point: RoadPoint | None) -> Iterator[Reading]:
    """Where a unit may stand as well that stands at `point`, or off the roads (C3.4)."""
    home = table.home_of(unit)
    yield from _other_homes(table, unit, home)
    if point is None:
        near = footing(table, unit)
        if near is not None:
            yield Reading(near, Margin(near.distance_mm - unit.radius_mm, unit.sigma_mm), "on a usable road")
        return
    edge = at_most(point.distance_mm, unit.radius_mm, unit.sigma_mm)
    if home is None and edge.verdict == "close":
        yield Reading(None, edge, "on no usable road")
    yield from _rivals(table, unit, point, home)


def readings_of_end(table: Table, unit: Coin, point: RoadPoint) -> Iterator[Reading]:
    """Where a unit may have ended its move as well: there the nearest road counts, in a settlement too."""
    touched_mm = unit.radius_mm + CLOSE_SIGMAS * unit.sigma_mm
    for one in _rivals(table, unit, point, None):
        if one.point is not None and one.point.distance_mm <= touched_mm:
            yield one


def _rivals(table: Table, unit: Coin, point: RoadPoint, home: Coin | None) -> Iterator[Reading]:
    """Other roads that are too little farther to call on which one the unit stands, in a settlement or outside."""
    if not unit.sigma_mm:
        return
    far_mm = point.distance_mm + CLOSE_SIGMAS * MOST_RATE * unit.sigma_mm
    centre_mm, radius_mm = (unit.at_mm, far_mm) if home is None else (home.at_mm, home.radius_mm)
    for other in table.country.roads.each_under(unit.at_mm, centre_mm, radius_mm):
        if other.distance_mm < far_mm and math.dist(other.at_mm, point.at_mm) > _SAME_MM:
            reading = _on(table, other, _farther(table, unit, point, other))
            if reading.margin.verdict == "close":
                yield reading


def _on(table: Table, other: RoadPoint, margin: Margin) -> Reading:
    return Reading(other, margin, f"on {table.country.road_name(other.segment)}")


def _farther(table: Table, unit: Coin, point: RoadPoint, other: RoadPoint) -> Margin:
    """How much farther another road is. Between two roads each mm of the coin changes that by up to two.

    At least by one: each distance may be off alone (C3.4). Also where the roads join, a step from one to the other.
    """
    roads = table.country.roads
    margin_mm, rate = other.distance_mm - point.distance_mm, 1.0
    if roads.vertex_of(other) not in roads.ends[point.segment]:
        here, there = (_away(roads, one, unit.at_mm) for one in (point, other))
        both_mm = point.distance_mm + other.distance_mm
        # Across its own road, as far beyond that as it was before it, the coin goes away from it again.
        across = margin_mm / both_mm * math.hypot(here[0] + there[0], here[1] + there[1])
        rate = max(rate, math.dist(here, there), across)
    return Margin(margin_mm, rate * unit.sigma_mm)


def _away(roads: RoadNetwork, point: RoadPoint, at_mm: Point2) -> Point2:
    """The direction in which a place goes straight away from a road point, across the road if it lies there."""
    x_mm, y_mm = at_mm[0] - point.at_mm[0], at_mm[1] - point.at_mm[1]
    if point.distance_mm <= _SAME_MM:
        y_mm, x_mm = (float(mm) for mm in roads.delta_mm[point.segment] * (1, -1))
    far_mm = math.hypot(x_mm, y_mm)
    return x_mm / far_mm, y_mm / far_mm


def _other_homes(table: Table, unit: Coin, home: Coin | None) -> Iterator[Reading]:
    """Where a unit stands that is read to lie in the other way on the rim of a settlement of its own."""
    if not unit.sigma_mm or unit.role == SHIP:
        return
    roads = table.country.roads
    for base in (base for base in table.coins.bases if base.is_friend(unit.owner)):
        cover = unit.cover(base)
        if cover.verdict == "close" and home is None:
            yield Reading(standing(roads, unit, base), Margin(-cover.margin_mm, cover.sigma_mm), f"in {base}")
        elif cover.verdict == "close" and home == base:
            yield Reading(standing(roads, unit, None), cover, f"outside {base}")


def footing(table: Table, unit: Coin) -> RoadPoint | None:
    """The road point at which a unit stands, or would stand if its coin were 3 sigma nearer to the road."""
    point = table.standing(unit)
    if point is not None or not unit.sigma_mm:
        return point
    return table.country.roads.nearest(unit.at_mm, unit.radius_mm + CLOSE_SIGMAS * unit.sigma_mm)


def off_table(unit: Coin) -> Condition:
    """The refusal of a unit whose road runs beyond the table's edge where it stands: no move begins there (C4.7)."""
    return fact(False, "C4.7", f"{unit} stands on a road that lies off the table there")


def off_road(table: Table, unit: Coin) -> Margin:
    """The margin of touching a usable road, for a unit that may stand far from the nearest."""
    away_mm = table.country.roads.distance_mm(unit.point)
    return REFUSED if math.isinf(away_mm) else at_most(away_mm, unit.radius_mm, unit.sigma_mm)


def past_motorway(table: Table, unit: Coin, point: RoadPoint) -> Iterator[Reading]:
    """Where a unit on a motorway stands if it is past a junction within 3 sigma: a hair along the other road.

    The junction itself is still the motorway's, so that the other road's nearest point says nothing.
    """
    country = table.country
    if not unit.sigma_mm or country.motorway_point(point) is None:
        return
    far_mm = min(point.distance_mm + CLOSE_SIGMAS * unit.sigma_mm, unit.radius_mm)
    for other in country.roads.each_under(unit.at_mm, unit.at_mm, far_mm):
        if country.on_motorway[other.segment] < 0 and country.motorway_point(other) is not None:
            farther = Margin(other.distance_mm - point.distance_mm, unit.sigma_mm)
            yield _on(table, country.roads.inward(other, BEYOND_MM), farther)


def doubted(roads: RoadNetwork, way: Way, ask: Ask, others: Sequence[tuple[RoadPoint, Margin]]) -> Way:
    """The way with the doubt on which road the attacker stands, if another road gives another answer.

    others  the points at which it may stand as well, and how far it is from that
    """
    answers = open_ways(roads, [replace(ask, point=other) for other, _ in others])
    sign = 1 if way.open else -1
    turns = [
        Margin(sign * margin.margin_mm, margin.sigma_mm)
        for (_, margin), is_open in zip(others, answers, strict=True)
        if is_open != way.open
    ]
    if way.turn is not None:
        turns.append(way.turn)
    return replace(way, turn=min(turns, key=lambda turn: abs(turn.margin_mm) / turn.sigma_mm, default=None))
