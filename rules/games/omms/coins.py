"""The coins of OMMS and how they lie: roles, sides, settlements and who is in them, stacks (OMMS-1)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from shapely import Point, Polygon

from rules.geometry.discs import Array, disc, half_cover_distance_mm
from rules.margin import ROUNDING_MM, Margin, at_most, pair_sigma_mm
from rules.scene import NONE, UNKNOWN, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.scene import Piece, Point2, Scene
    from rules.setup import Setup

SETTLEMENT, FORTIFICATION = "settlement", "fortification"
SCOUT, GUARD, INVADER, SHIP, TANK = "scout", "guard", "invader", "ship", "tank"

# OMMS-1.1; a set-up's [legend] can give other coins these parts, such as "eur-10c" = "scout".
LEGEND: Mapping[str, str] = MappingProxyType(
    {
        "gbp-1p": SETTLEMENT,
        "gbp-2p": FORTIFICATION,
        "gbp-5p": SCOUT,
        "gbp-10p": GUARD,
        "gbp-20p": INVADER,
        "gbp-50p": SHIP,
        "gbp-1": TANK,
    }
)
# A coin of a class without a part in the game: an enemy's is in the way, and that is all.
OTHER = "coin"
# A figure of which nobody has said what it is, or whose: it is in everybody's way (C5.2), and can be no unit.
STRANGE = "piece"
_FIGURES: tuple[Kind, ...] = ("soldier", "base")
BASES = (SETTLEMENT, FORTIFICATION)
UNITS = (SCOUT, GUARD, INVADER, SHIP, TANK)
# OMMS-6.1: what a coin counts for its owner; OMMS-6.3 asks for as many food tokens.
POINTS: Mapping[str, int] = MappingProxyType({SETTLEMENT: 1, FORTIFICATION: 2})


@dataclass(frozen=True)
class Coin:
    """A coin as the rules see it: a disc with a part in the game and an owner.

    It is a key of many caches, so its hash is computed once, and equal coins of two scenes are made the same object.

    role   one of BASES or UNITS, OTHER for a coin without a part, STRANGE for what is no coin, or unknown
    owner  a colour, `none` (neutral), or unknown
    """

    id: str
    role: str
    owner: str
    at_mm: Point2
    radius_mm: float
    sigma_mm: float = 0.0
    on: str | None = None

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.id, self.role, self.owner, self.at_mm, self.radius_mm, self.sigma_mm, self.on))

    @cached_property
    def point(self) -> Point:
        """Its centre as a shapely point."""
        return Point(self.at_mm)

    @cached_property
    def disc(self) -> Polygon:
        """Its disc, for painting."""
        return disc(self.at_mm, self.radius_mm)

    @property
    def is_known(self) -> bool:
        """Whether both its part and its owner are known (C5.2)."""
        return UNKNOWN not in (self.role, self.owner)

    @property
    def is_neutral(self) -> bool:
        """Whether it belongs to nobody; such a coin blocks nobody."""
        return self.owner == NONE

    @property
    def is_unit(self) -> bool:
        """Whether it is a player's unit."""
        return self.role in UNITS and self.is_known and not self.is_neutral

    @property
    def is_base(self) -> bool:
        """Whether it is a settlement or a fortification of whatever owner."""
        return self.role in BASES

    def blocks(self, owner: str) -> bool:
        """Whether it stands in the way of that owner's units: an enemy's coin, or one that nobody knows (C5.2)."""
        return not self.is_neutral and (not self.is_known or self.owner != owner)

    def is_enemy(self, owner: str) -> bool:
        """Whether it is known to be another player's."""
        return self.is_known and not self.is_neutral and self.owner != owner

    def is_friend(self, owner: str) -> bool:
        """Whether it is known to be that owner's."""
        return self.is_known and self.owner == owner

    def distance_mm(self, other: Coin) -> float:
        """From centre to centre (OMMS-1.4)."""
        return math.dist(self.at_mm, other.at_mm)

    def is_within(self, limit_mm: float, other: Coin) -> bool:
        """Whether the centres are at most so far apart; a distance that equals the limit is within it (C3.2)."""
        return self.distance_mm(other) <= limit_mm + ROUNDING_MM

    def overlap(self, other: Coin) -> Margin:
        """By how much two coins overlap; a touch is a margin of 0 and no overlap."""
        return at_most(self.distance_mm(other), self.radius_mm + other.radius_mm, self.pair_sigma_mm(other))

    def lies_over(self, other: Coin) -> Margin:
        """By how far this coin's centre lies on another."""
        return at_most(self.distance_mm(other), other.radius_mm, self.pair_sigma_mm(other))

    def cover(self, other: Coin) -> Margin:
        """The margin of `other` covering at least half of this coin, as a centre distance (OMMS-1.3)."""
        limit_mm = half_cover_distance_mm(self.radius_mm, other.radius_mm)
        return at_most(self.distance_mm(other), limit_mm, self.pair_sigma_mm(other))

    def grown(self, more_mm: float) -> Coin:
        """The coin as it bars a way that passes it by so much less."""
        return replace(self, radius_mm=max(self.radius_mm + more_mm, 0.0)) if more_mm else self

    def pair_sigma_mm(self, other: Coin) -> float:
        """The sigma of the distance between two coins."""
        return pair_sigma_mm(self.sigma_mm, other.sigma_mm)

    def __str__(self) -> str:
        owner = "" if self.owner in {NONE, UNKNOWN} else f"{self.owner} "
        return f"{owner}{self.role if self.role != UNKNOWN else 'unknown coin'} {self.id}"


def coin_of(piece: Piece, legend: Mapping[str, str]) -> Coin:
    """The coin that a piece is."""
    role = legend.get(piece.cls, UNKNOWN if piece.cls == UNKNOWN else OTHER)
    return _coin(piece.id, role, piece.owner, piece.position_mm, piece.radius_mm, piece.sigma_mm, piece.on)


def disc_of(piece: Piece, legend: Mapping[str, str]) -> Coin | None:
    """The disc that a piece is: a coin, or a figure that nobody has named; None for what has no part in the game."""
    if piece.kind == "coin":
        return coin_of(piece, legend)
    if piece.kind not in _FIGURES or piece.owner == NONE or piece.is_known:
        return None
    return _coin(piece.id, STRANGE, UNKNOWN, piece.position_mm, piece.radius_mm, piece.sigma_mm, piece.on)


# The same object for equal coins of different scenes, so that comparing keys of caches is a matter of identity.
_coin = lru_cache(maxsize=4096)(Coin)


def lying(unit: Coin, other: Coin) -> Margin:
    """By how much half a unit lies on a coin; of two units half the smaller on the other, whichever that is."""
    own = unit.cover(other)
    if not other.is_unit or (unit.role == SHIP) != (other.role == SHIP):
        return own
    return max(own, other.cover(unit), key=lambda margin: margin.margin_mm)


@dataclass(frozen=True)
class Coins:
    """All coins on the table.

    turned  ids of two coins that are too close to call: whether one lies on the other is read the other way round
    """

    all: tuple[Coin, ...]
    turned: frozenset[str] = frozenset()

    def __contains__(self, coin_id: object) -> bool:
        return coin_id in self._number

    def __getitem__(self, coin_id: str) -> Coin:
        return self.all[self._number[coin_id]]

    @cached_property
    def _number(self) -> dict[str, int]:
        return {coin.id: number for number, coin in enumerate(self.all)}

    @cached_property
    def _gaps_mm(self) -> Array:
        """(n, n): how far each coin's centre is from the edge of each other's."""
        at = np.array([coin.at_mm for coin in self.all]).reshape(-1, 2)
        apart = at[:, None, :] - at[None, :, :]
        radii = np.array([coin.radius_mm for coin in self.all])
        gaps: Array = np.hypot(apart[..., 0], apart[..., 1]) - radii[None, :]
        return gaps

    def near(self, coin: Coin, far_mm: float) -> list[Coin]:
        """The other coins whose disc comes within a distance of a coin's centre, in the scene's order."""
        number = self._number[coin.id]
        close = np.flatnonzero(self._gaps_mm[number] <= far_mm).tolist()
        return [self.all[other] for other in close if other != number]

    @cached_property
    def most_sigma_mm(self) -> float:
        """The largest sigma of all positions."""
        return max((coin.sigma_mm for coin in self.all), default=0.0)

    @cached_property
    def units(self) -> tuple[Coin, ...]:
        """Players' units."""
        return tuple(coin for coin in self.all if coin.is_unit)

    @cached_property
    def bases(self) -> tuple[Coin, ...]:
        """Settlements and fortifications, neutral and unowned ones too."""
        return tuple(coin for coin in self.all if coin.is_base)

    @cached_property
    def doubts(self) -> dict[frozenset[str], Margin]:
        """The pairs of coins of which 3 sigma leave open whether the one lies on the other, and how near that is."""
        if not self.most_sigma_mm:
            return {}
        pairs = (
            (unit, other)
            for unit in self.units
            for other in self.near(unit, unit.radius_mm)
            if other.is_friend(unit.owner) and (other.is_unit or other.is_base) and _may_carry(other, unit)
        )
        margins = {frozenset((unit.id, other.id)): lying(unit, other) for unit, other in pairs}
        return {pair: margin for pair, margin in margins.items() if margin.verdict == "close"}

    def lies_on(self, unit: Coin, other: Coin) -> bool:
        """Whether a unit lies on another coin, or it on the unit, by half its own area (OMMS-1.3)."""
        is_turned = bool(self.turned) and self.turned == {unit.id, other.id} and self[unit.id] == unit
        return (lying(unit, other).margin_mm >= 0) != is_turned

    def blocking(self, owner: str) -> tuple[Coin, ...]:
        """The coins in the way of an owner's units."""
        return tuple(coin for coin in self.all if coin.blocks(owner))

    @cached_property
    def _homes(self) -> dict[str, list[Coin]]:
        """The friendly settlements that each unit is in, by the unit's id, those that cover it best first."""
        found = {}
        for unit in (unit for unit in self.units if unit.role != SHIP):
            under = (base for base in self.near(unit, unit.radius_mm) if base.is_base and base.is_friend(unit.owner))
            covers = [(-unit.cover(base).margin_mm, base.id) for base in under if self.lies_on(unit, base)]
            found[unit.id] = [self[base] for _, base in sorted(covers)]
        return found

    def home_of(self, unit: Coin) -> Coin | None:
        """The friendly settlement that a unit is in: half its coin or more lies on it (OMMS-1.3)."""
        return next(iter(self._homes.get(unit.id, ())), None)

    @cached_property
    def _garrisons(self) -> dict[str, list[Coin]]:
        """The units whose walls each settlement is, by its id."""
        found: dict[str, list[Coin]] = {}
        for unit in self.units:
            for base in self.walls_of(unit):
                found.setdefault(base.id, []).append(unit)
        return found

    def garrison(self, base: Coin) -> tuple[Coin, ...]:
        """The units in a settlement, and those that the scene says lie on it."""
        return tuple(self._garrisons.get(base.id, ()))

    @cached_property
    def _stacks(self) -> dict[str, tuple[Coin, ...]]:
        """The stack of each coin, by its id."""
        stack = {coin.id: [coin.id] for coin in self.all}
        for one, other in self._links:
            if stack[one] is not stack[other]:
                joined = stack[one] + stack[other]
                stack.update(dict.fromkeys(joined, joined))
        return {
            coin: tuple(self[other] for other in sorted(ids, key=lambda other: self._number[other]))
            for coin, ids in stack.items()
        }

    @cached_property
    def _links(self) -> list[tuple[str, str]]:
        """Pairs of coins of one owner of which one lies on the other, or a unit in a settlement."""
        lying = [
            (coin.id, coin.on)
            for coin in self.all
            if coin.on is not None and coin.on in self and _may_lie_on(coin, self[coin.on])
        ]
        covered = [
            (unit.id, other.id)
            for unit in self.units
            for other in self.near(unit, unit.radius_mm)
            if other.is_unit and other.owner == unit.owner and self.lies_on(unit, other)
        ]
        piled = [
            (base.id, other.id)
            for base in self.bases
            for other in self.near(base, base.radius_mm)
            if other.is_base and other.is_friend(base.owner) and base.cover(other).margin_mm >= 0
        ]
        links = [*lying, *covered, *piled, *((unit, base.id) for unit, bases in self._homes.items() for base in bases)]
        return [(one, other) for one, other in links if not self._at_sea(one, other)]

    def _at_sea(self, one: str, other: str) -> bool:
        """Whether just one of two coins is a ship: a ship and its load, or its port, do not defend each other."""
        return (self[one].role == SHIP) != (self[other].role == SHIP)

    def ship_of(self, unit: Coin) -> Coin | None:
        """The friendly ship that a unit is aboard of: it lies on it, half its coin or more (note 9)."""
        if unit.role == SHIP:
            return None
        ships = (ship for ship in self._ships if ship.owner == unit.owner)
        return next((ship for ship in ships if unit.on == ship.id or self.lies_on(unit, ship)), None)

    @cached_property
    def _ships(self) -> tuple[Coin, ...]:
        return tuple(unit for unit in self.units if unit.role == SHIP)

    def stack_of(self, coin: Coin) -> tuple[Coin, ...]:
        """The coin and those of its owner that lie on it, under it, or in the same settlement."""
        return self._stacks[coin.id]

    def seat_of(self, unit: Coin) -> Coin | None:
        """The friendly settlement whose walls defend a unit: it is in it, or its stack lies on it; None for none."""
        home = self.home_of(unit)
        return home or next((coin for coin in self.stack_of(unit) if coin.is_base), None)

    def walls_of(self, unit: Coin) -> tuple[Coin, ...]:
        """The friendly settlements that a unit is in, several if each covers half of it; else that of its stack."""
        seat = self.seat_of(unit)
        return tuple(self._homes.get(unit.id) or ([seat] if seat is not None else []))


def _may_carry(carrier: Coin, unit: Coin) -> bool:
    """Whether a unit may lie on a coin: a ship lies on no other thing than a ship."""
    return unit.role != SHIP or carrier.role == SHIP


def _may_lie_on(coin: Coin, carrier: Coin) -> bool:
    """Whether it may, as the scene says: both are known, of one owner, and a hand moved neither away."""
    return coin.is_known and carrier.is_friend(coin.owner) and coin.overlap(carrier).verdict != "no"


def legend_of(setup: Setup) -> Mapping[str, str]:
    """The part of every class of coin; what a set-up says of other things is not ours."""
    return {**LEGEND, **{cls: role for cls, role in setup.legend.items() if role in (*BASES, *UNITS)}}


def coins_of(scene: Scene, setup: Setup, turned: frozenset[str] = frozenset()) -> Coins:
    """The coins of a scene, and figures that nobody has named, in its order; a legend can give other classes a part."""
    legend = legend_of(setup)
    found = (disc_of(piece, legend) for piece in scene)
    return Coins(tuple(coin for coin in found if coin is not None), turned)
