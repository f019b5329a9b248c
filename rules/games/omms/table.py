"""The table of OMMS: coins on a map, with the ruler and the house rules that hold (OMMS-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from rules.games.omms.coins import Coin, Coins, coins_of
from rules.geometry.roads import RoadNetwork, RoadPoint, road_network
from rules.map import Map, Place

if TYPE_CHECKING:
    from rules.scene import Scene
    from rules.setup import Setup
    from rules.state import State

MOTORWAY = "motorway"
# OMMS-1.2; the house rule `usable_roads` is the setting for other map scales.
USABLE_ROADS = (MOTORWAY, "primary", "a", "b")

# House rules: the first of several values is the default; a value alone is free.
HOUSE: Mapping[str, Any] = MappingProxyType(
    {
        "draw": ("die", "one"),
        "offroad_gap": ("coin", "point"),
        "usable_roads": list(USABLE_ROADS),
        "win": ("last", "points", "bases"),
        "win_points": 20,
        "win_bases": 1,
    }
)


class _Same:
    """A key that is equal only for the very same object: hashing 5,000 roads by value takes longer than the rulings."""

    def __init__(self, map_: Map) -> None:
        self.map = map_

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.map is other.map

    def __hash__(self) -> int:
        return id(self.map)


@dataclass(frozen=True, eq=False)
class Country:
    """What the rules make of a map: usable roads as a network, motorways alone, dry land and water.

    on_motorway  for each segment of `roads`, the number of the same segment in `motorways`, or -1
    """

    roads: RoadNetwork
    motorways: RoadNetwork
    on_motorway: tuple[int, ...]
    refs: tuple[str, ...]
    places: tuple[Place, ...]
    land: BaseGeometry | None
    water: BaseGeometry
    rivers: tuple[LineString, ...]

    def motorway_point(self, point: RoadPoint) -> RoadPoint | None:
        """The same point on the motorway network, if the road there is a motorway or joins one at this vertex."""
        segment = self.on_motorway[point.segment]
        if segment >= 0:
            return RoadPoint(segment, point.t, point.at_mm, point.distance_mm)
        vertex = self.roads.vertex_of(point)
        if vertex is None or not len(self.motorways):
            return None
        at = np.argwhere(self.motorways.ends == vertex)
        return RoadPoint(int(at[0, 0]), float(at[0, 1]), point.at_mm, point.distance_mm) if len(at) else None

    def road_name(self, segment: int) -> str:
        """What a sentence calls the road of a segment."""
        return self.refs[int(self.roads.road[segment])] or "the road"


@lru_cache(maxsize=8)
def _country(same: _Same, usable: tuple[str, ...]) -> Country:
    map_ = same.map
    used = [road for road in map_.roads if road.cls in usable]
    roads = road_network([road.line for road in used])
    is_motorway = np.array([road.cls == MOTORWAY for road in used], dtype=bool)[roads.road]
    numbers = np.where(is_motorway, np.cumsum(is_motorway) - 1, -1)
    return Country(
        roads,
        roads.only(is_motorway),
        tuple(numbers.tolist()),
        tuple(road.ref for road in used),
        map_.places,
        shapely.union_all(list(map_.land)) if map_.land else None,
        shapely.union_all(list(map_.water)),
        map_.rivers,
    )


@dataclass(frozen=True, eq=False)
class Table:
    """One moment of a match: scene, set-up and state, read as OMMS.

    length_mm, breadth_mm  the card's L and B (C1.4)
    """

    scene: Scene
    setup: Setup
    state: State

    @cached_property
    def coins(self) -> Coins:
        """The coins on the table."""
        return coins_of(self.scene, self.setup)

    @cached_property
    def country(self) -> Country:
        """The map as the rules use it; built once for a map."""
        usable = tuple(self.house("usable_roads"))
        return _country(_Same(self.setup.map or _NOWHERE), usable)

    @property
    def length_mm(self) -> float:
        """The card's long side."""
        return self.setup.card_mm[0]

    @property
    def breadth_mm(self) -> float:
        """The card's short side."""
        return self.setup.card_mm[1]

    def house(self, name: str) -> Any:
        """The value of a house rule, or its default."""
        default = HOUSE[name]
        return self.setup.house.get(name, default[0] if isinstance(default, tuple) else default)

    def standing(self, unit: Coin) -> RoadPoint | None:
        """The road point at which a unit stands, None off the roads (OMMS-1.3)."""
        home = self.coins.home_of(unit)
        return standing(self.country.roads, unit, home)

    def has_moved(self, unit: Coin) -> bool:
        """Whether the state says that the unit has had its move."""
        return bool(self.state.of(unit.id).get("moved", False))

    def has_attacked(self, unit: Coin) -> bool:
        """Whether the state says that the unit has had its attack."""
        return bool(self.state.of(unit.id).get("attacked", False))

    def counter(self, name: str, colour: str) -> Any:
        """A counter of the state kept for each player, by name or by colour; None if it is not told."""
        kept = self.state.counters.get(name)
        if not isinstance(kept, Mapping):
            return None
        player = self.setup.player_of_colour(colour)
        return kept.get(player.name, kept.get(colour)) if player else kept.get(colour)

    def is_on(self, place: Place, coin: Coin) -> bool:
        """Whether a coin lies on a place: its centre in the place's outline, or the place's point under the coin."""
        reach_mm = coin.radius_mm if isinstance(place.geometry, Point) else 0.0
        return bool(place.geometry.dwithin(Point(coin.at_mm), reach_mm))

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The players' colours: the set-up's, else all that are seen on coins."""
        named = tuple(player.colour for player in self.setup.players)
        seen = sorted({coin.owner for coin in self.coins.all if coin.is_known and not coin.is_neutral})
        return named or tuple(seen)


_NOWHERE = Map()


@lru_cache(maxsize=512)
def standing(roads: RoadNetwork, unit: Coin, home: Coin | None) -> RoadPoint | None:
    """The road point of a unit: under its settlement's coin if it is in one, else on the nearest road it touches."""
    inside = roads.nearest_under(unit.at_mm, home.at_mm, home.radius_mm) if home is not None else None
    return inside or roads.nearest(unit.at_mm, unit.radius_mm)
