"""Reach off the roads: Scout and Tank on land (OMMS-3.4), the Ship on water (note 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import shapely
from shapely import GeometryCollection, MultiLineString, MultiPolygon, Point, box
from shapely.geometry.base import BaseGeometry

from rules.games.omms.coins import SHIP, Coin
from rules.games.omms.table import Country, Table
from rules.geometry.cuts import as_multi_line
from rules.geometry.discs import disc
from rules.geometry.open_ground import FIT_MM, Disc, area_of, clearing, less_discs, shrunk_near
from rules.margin import CLOSE_SIGMAS


@dataclass(frozen=True)
class Rover:
    """A unit about to leave the roads, with all that its way over ground or water hangs on.

    radius_mm  B on land, L at sea
    blockers   the coins in its way that are near enough to matter
    """

    unit: Coin
    radius_mm: float
    blockers: tuple[Coin, ...]

    def nearer(self, nearer_mm: Mapping[str, float]) -> Rover:
        """The same with coins so much nearer to its way, and for its own id with so much less of a reach."""
        coins = (coin.grown(nearer_mm.get(coin.id, 0.0)) for coin in self.blockers)
        return replace(self, radius_mm=self.radius_mm - nearer_mm.get(self.unit.id, 0.0), blockers=tuple(coins))


def rover(table: Table, unit: Coin) -> Rover:
    """The unit with the coins in its way that it could overlap within its reach, or might."""
    radius_mm = table.length_mm if unit.role == SHIP else table.breadth_mm
    near = table.coins.near(unit, radius_mm + unit.radius_mm + CLOSE_SIGMAS * table.coins.most_sigma_mm)
    return Rover(unit, radius_mm, tuple(coin for coin in near if coin.blocks(unit.owner)))


@lru_cache(maxsize=16)
def _land(country: Country, table_size_mm: tuple[float, float]) -> BaseGeometry:
    """Dry land on the table: what the map calls land, or everything, less the water."""
    window = box(0, 0, *table_size_mm)
    land = window if country.land is None else shapely.intersection(window, country.land)
    dry = shapely.difference(land, country.water)
    shapely.prepare(dry)
    return dry


@lru_cache(maxsize=16)
def _sea(country: Country, table_size_mm: tuple[float, float]) -> BaseGeometry:
    """Water on the table."""
    return shapely.intersection(box(0, 0, *table_size_mm), country.water)


def ground_of(country: Country, table_size_mm: tuple[float, float], role: str) -> BaseGeometry:
    """What units of a role move over off the roads: water for a ship, dry land for all others."""
    return _sea(country, table_size_mm) if role == SHIP else _land(country, table_size_mm)


def _discs(coins: tuple[Coin, ...], more_mm: float) -> tuple[Disc, ...]:
    return tuple((coin.at_mm, coin.radius_mm + more_mm) for coin in coins)


def _ground(table: Table, unit: Coin) -> BaseGeometry:
    return ground_of(table.country, table.scene.table_size_mm, unit.role)


def offroad_reach(table: Table, asked: Rover) -> MultiPolygon:
    """The ground where a Scout or Tank may end its move off road."""
    room_mm = asked.unit.radius_mm if table.house("offroad_gap") == "coin" else 0.0
    return _offroad(_ground(table, asked.unit), asked, room_mm)


@lru_cache(maxsize=512)
def _offroad(land: BaseGeometry, asked: Rover, room_mm: float) -> MultiPolygon:
    ground = clearing(land, asked.unit.at_mm, asked.radius_mm, _discs(asked.blockers, room_mm))
    return less_discs(ground, _discs(asked.blockers, asked.unit.radius_mm))


def sea_reach(table: Table, asked: Rover) -> tuple[MultiPolygon, MultiLineString]:
    """Where a ship may end its move: water, and rivers as lines."""
    passed, rivers = sea_way(table, asked, asked.unit.radius_mm)
    discs = _discs(asked.blockers, asked.unit.radius_mm)
    lines = shapely.difference(rivers, shapely.union_all([disc(at, size) for at, size in discs]))
    return less_discs(passed, discs), as_multi_line(shapely.difference(lines, passed))


def sea_way(table: Table, asked: Rover, room_mm: float) -> tuple[MultiPolygon, MultiLineString]:
    """Water and rivers along which so much room is left within L by enemy ships and unknown coins (note 9)."""
    discs = _discs(tuple(coin for coin in asked.blockers if _is_at_sea(coin)), room_mm)
    return _sea_way(_ground(table, asked.unit), table.country, asked.unit, asked.radius_mm, discs)


@lru_cache(maxsize=128)
def _sea_way(
    sea: BaseGeometry, country: Country, ship: Coin, radius_mm: float, discs: tuple[Disc, ...]
) -> tuple[MultiPolygon, MultiLineString]:
    keep = disc(ship.at_mm, radius_mm)
    holes = [disc(at, size - FIT_MM) for at, size in shrunk_near(discs, ship.at_mm, radius_mm)]
    taken = shapely.union_all(holes)
    rivers = shapely.union_all(list(country.rivers)) if country.rivers else MultiLineString()
    areas = shapely.get_parts(shapely.difference(shapely.intersection(sea, keep), taken))
    lines = shapely.get_parts(shapely.difference(shapely.intersection(rivers, keep), taken))
    parts = [part for part in (*areas, *lines) if not part.is_empty]
    return _joined(parts, _berth(parts, Point(ship.at_mm), ship.radius_mm))


def _berth(parts: list[BaseGeometry], here: Point, radius_mm: float) -> list[BaseGeometry]:
    """The parts in which a ship floats: the water under its centre, else the nearest river under its coin."""
    under = [part for part in parts if part.dwithin(here, 1e-3)]
    rivers = [part for part in parts if part.length and not part.area and part.dwithin(here, radius_mm)]
    return under or sorted(rivers, key=here.distance)[:1]


def _joined(parts: list[BaseGeometry], berth: list[BaseGeometry]) -> tuple[MultiPolygon, MultiLineString]:
    """The parts that hang together with those in which the ship floats."""
    todo, found = list(berth), list[BaseGeometry]()
    while todo:
        part = todo.pop()
        found.append(part)
        todo += [other for other in parts if other not in found and other not in todo and other.dwithin(part, 1e-3)]
    return area_of(found), as_multi_line(GeometryCollection(found))


def _is_at_sea(coin: Coin) -> bool:
    """Whether a coin bars ships: a ship, or one that nobody knows."""
    return coin.role == SHIP or not coin.is_known
