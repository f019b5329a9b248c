"""The table of OMMS: coins on a map, with the ruler and the house rules that hold (OMMS-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from rules.games.omms.coins import SHIP, Coin, Coins, coins_of
from rules.games.omms.harbour import berths
from rules.games.omms.losses import used_attacks
from rules.games.omms.ruler import card_mm
from rules.games.omms.strength import attack_dice, defence_dice, defenders
from rules.games.omms.told import count, some_of, table
from rules.geometry.roads import Indices, RoadNetwork, RoadPoint, road_network
from rules.map import Map, Place
from rules.margin import ROUNDING_MM, Margin

if TYPE_CHECKING:
    from rules.scene import Scene
    from rules.setup import Setup
    from rules.state import State

MOTORWAY = "motorway"
# OMMS-1.2; the house rule `usable_roads` is the setting for other map scales.
USABLE_ROADS = (MOTORWAY, "primary", "a", "b")

ROAD_CLASSES = (*USABLE_ROADS, "minor")

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

    @cached_property
    def motorway_segments(self) -> Indices:
        """The segments of `roads` that are those of `motorways`, in the same order."""
        return np.flatnonzero(np.array(self.on_motorway) >= 0)

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
    on_motorway = [road.cls == MOTORWAY for road in used]
    roads = road_network([road.line for road in used], on_motorway)
    is_motorway = np.array(on_motorway, dtype=bool)[roads.road]
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
    turned                 ids of two coins: whether one lies on the other is read against what was measured
    """

    scene: Scene
    setup: Setup
    state: State
    turned: frozenset[str] = frozenset()

    @cached_property
    def coins(self) -> Coins:
        """The coins on the table."""
        return coins_of(self.scene, self.setup, self.turned)

    @cached_property
    def country(self) -> Country:
        """The map as the rules use it; built once for a map."""
        usable = some_of(self.house("usable_roads"), ROAD_CLASSES, "rules.usable_roads")
        return _country(_Same(self.setup.map or _NOWHERE), usable)

    @cached_property
    def doubts(self) -> dict[frozenset[str], Margin]:
        """The pairs of coins of which 3 sigma leave open whether the one lies on the other, or in its harbour."""
        moored = {
            frozenset((ship.id, port.id)): margin
            for ship in (self.coins.units if self.coins.most_sigma_mm else ())
            if ship.role == SHIP
            for port, margin in berths(self.country.places, self.coins, ship)
            if margin.verdict == "close"
        }
        return {**self.coins.doubts, **moored}

    @cached_property
    def otherwise(self) -> dict[frozenset[str], Table]:
        """The table for each of these pairs with that read anew (C3.4)."""
        return {} if self.turned else {pair: replace(self, turned=pair) for pair in self.doubts}

    def without(self, name: str) -> Table:
        """The table on which one piece does not lie; the same if it does not anyway."""
        if name not in self.scene:
            return self
        left = tuple(piece for piece in self.scene if piece.id != name)
        return replace(self, scene=replace(self.scene, pieces=left))

    @property
    def length_mm(self) -> float:
        """The card's long side."""
        return self._card_mm[0]

    @property
    def breadth_mm(self) -> float:
        """The card's short side."""
        return self._card_mm[1]

    @cached_property
    def _card_mm(self) -> tuple[float, float]:
        return card_mm(self.scene, self.setup)

    def house(self, name: str) -> Any:
        """The value of a house rule, or its default."""
        default = HOUSE[name]
        return self.setup.house.get(name, default[0] if isinstance(default, tuple) else default)

    def standing(self, unit: Coin) -> RoadPoint | None:
        """The road point at which a unit stands, None off the roads (OMMS-1.3), and aboard at sea (note 9)."""
        return None if self.afloat(unit) is not None else standing(self.country.roads, unit, self.home_of(unit))

    def home_of(self, unit: Coin) -> Coin | None:
        """The friendly settlement that a unit is in, or in whose harbour the ship lies that it is aboard of."""
        home = self.coins.home_of(unit)
        ship = self.coins.ship_of(unit) if home is None else None
        return home if ship is None else self.port_of(ship)

    def port_of(self, ship: Coin) -> Coin | None:
        """The friendly port in whose harbour a ship lies (note 9)."""
        ports = berths(self.country.places, self.coins, ship)
        moored = (port for port, by in ports if (by.margin_mm >= -ROUNDING_MM) != (self.turned == {ship.id, port.id}))
        return next(moored, None)

    def berth_of(self, ship: Coin) -> tuple[Coin, Margin] | None:
        """The friendly port that a ship is nearest to, and by how much it lies in its harbour; None far from any."""
        found = berths(self.country.places, self.coins, ship)
        return max(found, key=lambda berth: berth[1].margin_mm, default=None)

    def afloat(self, unit: Coin) -> Coin | None:
        """The ship that a unit is aboard of, if that lies in no harbour."""
        ship = self.coins.ship_of(unit)
        return None if ship is None or self.port_of(ship) is not None else ship

    def has_moved(self, unit: Coin) -> bool:
        """Whether the state says that the unit has had its move."""
        return bool(self.state.of(unit.id).get("moved", False))

    def has_attacked(self, unit: Coin) -> bool:
        """Whether the state says that the unit has had its attack, or the losses of this turn do."""
        known = self.state.of(unit.id)
        return bool(known.get("fired", False) or known.get("attacked", False)) or unit.id in self._used_attacks

    @cached_property
    def _used_attacks(self) -> frozenset[str]:
        return used_attacks(self.state)

    def counter(self, name: str, colour: str) -> Any:
        """A counter of the state kept for each player, by name or by colour; None if it is not told."""
        kept = table(self.state.counters.get(name, {}), f"the state's {name}")
        player = self.setup.player_of_colour(colour)
        return kept.get(player.name, kept.get(colour)) if player else kept.get(colour)

    def tells(self, name: str, colour: str) -> bool:
        """Whether the state tells such a counter of a player, be it null."""
        kept = table(self.state.counters.get(name, {}), f"the state's {name}")
        player = self.setup.player_of_colour(colour)
        return colour in kept or (player is not None and player.name in kept)

    def number(self, name: str, colour: str) -> int | None:
        """Such a counter as a whole number; ValueError says what else was told."""
        told = self.counter(name, colour)
        return None if told is None else count(told, f"the state's {name} of {colour}")

    def targets_of(self, owner: str) -> tuple[Coin, ...]:
        """The enemy coins that an owner's units could be asked about: units, and settlements with nobody in them."""
        return tuple(coin for coin in self._targets if coin.owner != owner)

    @cached_property
    def _targets(self) -> tuple[Coin, ...]:
        units = self.coins.units
        empty = (base for base in self.coins.bases if base.is_known and not base.is_neutral)
        found = {*units, *(base for base in empty if not self.coins.garrison(base))}
        return tuple(coin for coin in self.coins.all if coin in found)

    def defenders_of(self, target: Coin) -> tuple[Coin, ...]:
        """Those that defend when a coin is attacked: the best of its stack, or an empty settlement itself."""
        return self._defenders[target.id]

    @cached_property
    def _defenders(self) -> dict[str, tuple[Coin, ...]]:
        coins = self.coins
        return {
            target.id: (target,)
            if target.is_base
            else defenders([c for c in coins.stack_of(target) if c.is_unit and coins.ship_of(c) is None])
            for target in self._targets
        }

    def attack_dice_of(self, unit: Coin) -> int:
        """The dice of an attacking unit; the counter `extra_dice` tells those bought with diamonds."""
        return attack_dice(unit, self._bought[unit.owner])

    @cached_property
    def _bought(self) -> dict[str, int]:
        owners = {unit.owner for unit in self.coins.units}
        return {owner: self.number("extra_dice", owner) or 0 for owner in owners}

    def defence_dice_of(self, unit: Coin) -> int:
        """The dice of a target where it stands; none for an empty settlement, or if another of its stack defends it."""
        return self._defence[unit.id]

    @cached_property
    def _defence(self) -> dict[str, int]:
        coins = self.coins
        dice = dict.fromkeys((target.id for target in self._targets), 0)
        for unit in coins.units:
            if unit in self.defenders_of(unit):
                harbour = unit.role == SHIP and self.port_of(unit) is not None
                dice[unit.id] = defence_dice(unit, coins.walls_of(unit), harbour)
        return dice

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
