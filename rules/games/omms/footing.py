"""The road point at which a unit stands, and those at which it may stand as well (OMMS-1.3, C3.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from rules.games.omms.attack_way import Ask, Way, open_ways_on
from rules.games.omms.coins import SHIP
from rules.games.omms.table import standing
from rules.margin import CLOSE_SIGMAS, REFUSED, Margin, any_of, at_most

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
    """Another place where a unit may stand, if one distance is 3 sigma off.

    point   the road point of that place; None off the roads
    margin  how far the unit is from standing there; not negative
    where   the end of a sentence that names the place
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
            missed = touching(table, unit)
            yield Reading(near, Margin(-missed.margin_mm, missed.sigma_mm), "on a usable road")
        return
    edge = touching(table, unit)
    if edge.verdict == "close":
        yield Reading(None, edge, "on no usable road")
    yield from _rivals(table, unit, point, home)
    yield from _past_coins(table, unit, point)


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
            farther = _farther(table.country.roads, unit, point, other, home)
            if farther.verdict == "close":
                yield _on(table, other, farther)


def _past_coins(table: Table, unit: Coin, point: RoadPoint) -> Iterator[Reading]:
    """Past the middle of a coin that holds the unit's road point and shrinks until it touches that: a hair beyond, the
    road behind the unit is barred and that before it open (OMMS-3.1)."""
    for coin in table.coins.near(unit, point.distance_mm):
        sigma_mm = unit.pair_sigma_mm(coin)
        holds = coin.blocks(unit.owner) and math.dist(coin.at_mm, point.at_mm) < coin.radius_mm
        for abreast in joined_points(table.country.roads, point, coin.at_mm, CLOSE_SIGMAS * sigma_mm) if holds else ():
            margin = Margin(math.dist(abreast.at_mm, point.at_mm), sigma_mm)
            for past in table.country.roads.beside(abreast, BEYOND_MM) if margin.verdict == "close" else ():
                yield Reading(past, margin, f"on the other side of {coin}")


def joined_points(roads: RoadNetwork, point: RoadPoint, place_mm: Point2, far_mm: float) -> Iterator[RoadPoint]:
    """Points of a road point's own road and of those joining it, nearest to a place, within `far_mm` of the point."""
    for other in roads.each_under(place_mm, point.at_mm, far_mm) if far_mm else ():
        if not set(roads.ends[other.segment].tolist()).isdisjoint(roads.ends[point.segment].tolist()):
            yield other


def _on(table: Table, other: RoadPoint, margin: Margin) -> Reading:
    return Reading(other, margin, f"on {table.country.road_name(other.segment)}")


def _farther(roads: RoadNetwork, unit: Coin, point: RoadPoint, other: RoadPoint, home: Coin | None) -> Margin:
    """How much farther another road is. Its distance may be off alone (C3.4), or the coin's place, which moves both.

    The latter counts if it makes that road the nearest of all: a third may lie between.
    """
    farther = Margin(other.distance_mm - point.distance_mm, unit.sigma_mm)
    pull = _pull(roads, unit.at_mm, point, other)
    rate = math.hypot(*pull)
    if rate <= 1:
        return farther
    if farther.verdict != "close":
        steps_mm = (farther.margin_mm / rate + BEYOND_MM, CLOSE_SIGMAS * unit.sigma_mm)
        places = [
            tuple(at + step * along / rate for at, along in zip(unit.at_mm, pull, strict=True)) for step in steps_mm
        ]
        if not any(_is_nearest(roads, (x_mm, y_mm), point, other, home) for x_mm, y_mm in places):
            return farther
    return Margin(farther.margin_mm, rate * unit.sigma_mm)


def _is_nearest(roads: RoadNetwork, at_mm: Point2, point: RoadPoint, other: RoadPoint, home: Coin | None) -> bool:
    """Whether a unit there would stand on the other road, or just past a bend of it."""
    near_mm = math.dist(at_mm, other.at_mm)
    found = roads.nearest_under(at_mm, *((at_mm, near_mm) if home is None else (home.at_mm, home.radius_mm)))
    if found is None or found.segment == point.segment:
        return False
    return not set(roads.ends[found.segment].tolist()).isdisjoint(roads.ends[other.segment].tolist())


def _pull(roads: RoadNetwork, at_mm: Point2, point: RoadPoint, other: RoadPoint) -> Point2:
    """The way on which another road gains most on a coin's own, as long as it gains for each mm: 2 between the two.

    Nothing where the roads join: there a step leads from one to the other.
    """
    if roads.vertex_of(other) in roads.ends[point.segment]:
        return 0.0, 0.0
    here, there = (_away(roads, one, at_mm) for one in (point, other))
    # Across its own road, as far beyond that as it was before it, the coin goes away from it again.
    across = (other.distance_mm - point.distance_mm) / (other.distance_mm + point.distance_mm)
    between = here[0] - there[0], here[1] - there[1]
    beyond = -across * (here[0] + there[0]), -across * (here[1] + there[1])
    return max(between, beyond, key=lambda way: math.hypot(*way))


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
    """The road point at which a unit stands, or would stand if its coin were 3 sigma nearer to the road, or its
    settlement's."""
    point, roads, home = table.standing(unit), table.country.roads, table.home_of(unit)
    if point is not None:
        return point
    if home is not None and home.sigma_mm:
        under = roads.nearest_under(unit.at_mm, home.at_mm, home.radius_mm + CLOSE_SIGMAS * home.sigma_mm)
        if under is not None:
            return under
    return roads.nearest(unit.at_mm, unit.radius_mm + CLOSE_SIGMAS * unit.sigma_mm) if unit.sigma_mm else None


def touching(table: Table, unit: Coin) -> Margin:
    """The margin of touching a usable road with its own coin or its settlement's, however far the nearest is."""
    home = table.home_of(unit)
    return any_of(_touch(table.country.roads, coin) for coin in ((unit,) if home is None else (unit, home)))


@lru_cache(maxsize=4096)
def _touch(roads: RoadNetwork, coin: Coin) -> Margin:
    away_mm = roads.distance_mm(coin.point)
    return REFUSED if math.isinf(away_mm) else at_most(away_mm, coin.radius_mm, coin.sigma_mm)


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
    """The way; close if the attacker may stand on another road, and the answer is another one there.

    others  the points at which it may stand as well, each with the margin of standing there
    """
    answers = open_ways_on(roads)([replace(ask, point=other) for other, _ in others])
    sign = 1 if way.open else -1
    turns = [
        Margin(sign * margin.margin_mm, margin.sigma_mm)
        for (_, margin), is_open in zip(others, answers, strict=True)
        if is_open != way.open
    ]
    if way.turn is not None:
        turns.append(way.turn)
    return replace(way, turn=min(turns, key=lambda turn: abs(turn.margin_mm) / turn.sigma_mm, default=None))
