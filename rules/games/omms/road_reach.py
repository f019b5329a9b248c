"""Road reach (OMMS-3.1 to 3.3) and what ends it (OMMS-3.6), for one unit."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from shapely import MultiLineString

from rules.games.omms.coins import Coin
from rules.games.omms.edge import is_on_table
from rules.games.omms.motorway import second_move
from rules.games.omms.table import Country, Table
from rules.geometry.cuts import Cut, cut, holes_of, merged_lines, whole
from rules.geometry.discs import SAME_MM
from rules.geometry.open_ground import shrunk
from rules.geometry.roads import RoadNetwork, RoadPoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rules.scene import Point2

# A point this near the edge of a disc lies on it.
ON_EDGE_MM = 1e-5
# Rounding of a position that was computed to lie at the very end of a reach.
ROUNDING_MM = 1e-6
# A step past the end of a way: it leaves a disc that only touches there, and enters one that ends the road.
BEYOND_MM = 1e-3


@dataclass(frozen=True)
class Block:
    """A place at which an enemy's coin ends the reach.

    depth_mm  how far the road runs inside the coin's disc; more than 0
    """

    coin: Coin
    at_mm: Point2
    road: str
    depth_mm: float


@dataclass(frozen=True, eq=False)
class RoadReach:
    """Where the roads let a unit go.

    part      what it can pass along in one move, places where it may not stop included; double the same for two moves
    lines     where it may stop
    homes     friendly settlements that it may end in
    on_table  whether its road point lies on the table, without which there is no reach
    """

    point: RoadPoint
    part: Cut
    double: Cut | None
    lines: MultiLineString
    homes: tuple[Coin, ...]
    blocks: tuple[Block, ...]
    on_table: bool


@dataclass(frozen=True)
class Mover:
    """A unit about to move along roads, with all that its road reach depends on.

    blockers  the coins in its way that are near enough to matter; homes: friendly settlements
    """

    unit: Coin
    radius_mm: float
    point: RoadPoint
    blockers: tuple[Coin, ...]
    homes: tuple[Coin, ...]
    window_mm: tuple[float, float]

    @property
    def is_on_table(self) -> bool:
        """Whether its road point lies on the table: beyond the edge no road counts for moves (C4.7)."""
        return is_on_table(self.point.at_mm, self.window_mm)

    def nearer(self, nearer_mm: Mapping[str, float]) -> Mover:
        """The mover with distances changed by so many mm, by coin's id.

        Enemies come nearer to its way, own settlements go farther from it; under its own id, its reach shrinks.
        """
        coins = tuple(coin.grown(nearer_mm.get(coin.id, 0.0)) for coin in self.blockers)
        homes = tuple(home.grown(-nearer_mm.get(home.id, 0.0)) for home in self.homes)
        return replace(self, radius_mm=self.radius_mm - nearer_mm.get(self.unit.id, 0.0), blockers=coins, homes=homes)

    def holes(self) -> list[tuple[Point2, float]]:
        """The enemy's discs, those that hold the road point shrunk until they touch it (OMMS-3.1)."""
        return shrunk(((coin.at_mm, coin.radius_mm) for coin in self.blockers), self.point.at_mm)

    def full(self) -> list[tuple[Point2, float]]:
        """The enemy's discs in full size."""
        return [(coin.at_mm, coin.radius_mm) for coin in self.blockers]

    def grown(self) -> list[tuple[Point2, float]]:
        """Where the unit's coin would overlap an enemy's (OMMS-3.5)."""
        return [(coin.at_mm, coin.radius_mm + self.unit.radius_mm) for coin in self.blockers]


def is_reached(reach: RoadReach, at: RoadPoint) -> bool:
    """Whether a road point lies on the part that the reach passes along, in one move or two."""
    here, ways = np.array([at.at_mm]), (reach.part, reach.double)
    return any(way is not None and len(way) > 0 and way.distances_mm(here).min() <= ROUNDING_MM for way in ways)


def road_reach(table: Table, unit: Coin) -> RoadReach | None:
    """The road reach of a unit; None off the roads."""
    point = table.standing(unit)
    if point is None:
        return None
    return reach_of(table.country, mover(table, unit, point, table.length_mm))


def mover(table: Table, unit: Coin, point: RoadPoint, radius_mm: float) -> Mover:
    """The unit with what lies near enough to matter for two moves along a motorway, or one along other roads."""
    moves = 2 if table.country.motorway_point(point) else 1
    near = table.coins.near(unit, moves * radius_mm + unit.radius_mm)
    blockers = tuple(coin for coin in near if coin.blocks(unit.owner))
    homes = tuple(coin for coin in near if coin.is_base and coin.is_friend(unit.owner))
    return Mover(unit, radius_mm, point, blockers, homes, table.scene.table_size_mm)


@lru_cache(maxsize=512)
def reach_of(country: Country, mover: Mover) -> RoadReach:
    """The road reach of a mover; computed once for equal ones."""
    unit = mover.unit
    here = np.array([unit.at_mm]), np.array([mover.radius_mm])
    left = cut(country.roads, *here, holes_of(mover.holes()), mover.window_mm)
    part = left.where(left.holding(mover.point))
    double = _double(country, mover)
    stops = part.without(holes_of(mover.grown()))
    lines = stops.lines
    blocks = _blocks(country, part, mover.blockers, mover.holes())
    if double is not None:
        lines = _joint_lines(country, stops, double.without(holes_of(mover.grown())))
        blocks += [block for block in _blocks(country, double, mover.blockers, mover.full()) if block not in blocks]
    homes = _homes(mover, part, double)
    return RoadReach(mover.point, part, double, lines, homes, tuple(_distinct(blocks)), mover.is_on_table)


def _double(country: Country, mover: Mover) -> Cut | None:
    """What two moves along a motorway reach; None for a unit that starts on none (OMMS-3.3)."""
    point = country.motorway_point(mover.point)
    if point is None:
        return None
    here, radius_mm = np.array([mover.unit.at_mm]), mover.radius_mm
    first = cut(country.motorways, here, np.array([radius_mm]), holes_of(mover.holes()), mover.window_mm)
    stops = first.where(first.holding(point)).without(holes_of(mover.grown()))
    wide = cut(country.motorways, here, np.array([2 * radius_mm + 1]), holes_of(mover.full()), mover.window_mm)
    return second_move(stops, wide, radius_mm)


def _joint_lines(country: Country, stops: Cut, more: Cut) -> MultiLineString:
    """The lines of two cuts, every stretch once; `more` is of the motorways.

    They are joined by their places along each segment: the rounded ends of shared stretches lie on no common line.
    """
    network = country.roads
    segments = np.concatenate([stops.segment, country.motorway_segments[more.segment]])
    lows, highs = np.concatenate([stops.low, more.low]), np.concatenate([stops.high, more.high])
    spans: list[list[float]] = []
    for place in np.lexsort((lows, segments)).tolist():
        segment, low, high = segments[place], lows[place], highs[place]
        if spans and spans[-1][0] == segment and low <= spans[-1][2] + SAME_MM / network.length_mm[segment]:
            spans[-1][2] = max(spans[-1][2], high)
        else:
            spans.append([segment, low, high])
    table = np.array(spans, dtype=float).reshape(-1, 3)
    at = table[:, 0].astype(np.intp)
    return merged_lines(network.at(at, table[:, 1]), network.at(at, table[:, 2]), network.overlapping)


def _homes(mover: Mover, part: Cut, double: Cut | None) -> tuple[Coin, ...]:
    """The friendly settlements whose disc the way meets (OMMS-3.2); none without a way."""
    if not mover.is_on_table:
        return ()
    return tuple(home for home in mover.homes if met_mm(home, mover.point, part, double) >= 0)


def met_mm(home: Coin, point: RoadPoint, part: Cut, double: Cut | None) -> float:
    """How far a unit's way runs inside a settlement's disc, 0 if it ends on the rim; negative for what it lacks."""
    here = np.array([home.at_mm])
    near_mm = [float(way.distances_mm(here).min()) for way in (part, double) if way is not None and len(way)]
    inside_mm = home.radius_mm - min([math.dist(home.at_mm, point.at_mm), *near_mm])
    return inside_mm if inside_mm < -ON_EDGE_MM else max(inside_mm, 0.0)


def _blocks(country: Country, part: Cut, coins: Sequence[Coin], holes: Sequence[tuple[Point2, float]]) -> list[Block]:
    """One block for each coin and point at which a disc's edge ends the part."""
    return [
        Block(coin, at_mm, *_road_of(country, part, segment, coin))
        for segment, at_mm, beyond_mm in _hole_ends(part)
        for coin, (centre, radius_mm) in zip(coins, holes, strict=True)
        if abs(math.dist(centre, at_mm) - radius_mm) <= ON_EDGE_MM and math.dist(centre, beyond_mm) < radius_mm
    ]


def _hole_ends(part: Cut) -> Iterator[tuple[int, Point2, Point2]]:
    """(segment, point, point a little beyond) of every end that a hole makes: a disc that only touches ends nothing."""
    network = part.network
    for parameters, by_hole, ahead_mm in (
        (part.low, part.hole_low, -BEYOND_MM),
        (part.high, part.hole_high, BEYOND_MM),
    ):
        segments = part.segment[by_hole]
        at, ahead = parameters[by_hole], ahead_mm / network.length_mm[segments]
        points = np.concatenate([network.at(segments, at), network.at(segments, at + ahead)], axis=1).tolist()
        for segment, (x, y, beyond_x, beyond_y) in zip(segments.tolist(), points, strict=True):
            yield segment, (x, y), (beyond_x, beyond_y)


def _road_of(country: Country, part: Cut, segment: int, coin: Coin) -> tuple[str, float]:
    """The name of the road of a segment, and how far it runs inside a coin's disc."""
    number = int(part.network.road[segment])
    return country.refs[number] or "the road", coin.radius_mm - _road_mm(part.network, number, coin.at_mm)


@lru_cache(maxsize=4096)
def _road_mm(network: RoadNetwork, number: int, at_mm: Point2) -> float:
    """How far a road of the network is from a place; kept, since many a unit is stopped by the same coin."""
    road = whole(network, network.of_road(number))
    return float(road.distances_mm(np.array([at_mm])).min())


def _distinct(blocks: list[Block]) -> list[Block]:
    """The blocks, one for each coin and point."""
    kept: list[Block] = []
    for block in blocks:
        if not any(other.coin == block.coin and math.dist(other.at_mm, block.at_mm) <= ON_EDGE_MM for other in kept):
            kept.append(block)
    return kept
