"""The coins of OMMS and how they lie: roles, sides, settlements and who is in them, stacks (OMMS-1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from rules.geometry.discs import half_cover_distance_mm
from rules.margin import Margin, at_most, pair_sigma_mm
from rules.scene import NONE, UNKNOWN

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
BASES = (SETTLEMENT, FORTIFICATION)
UNITS = (SCOUT, GUARD, INVADER, SHIP, TANK)
# OMMS-6.1: what a coin counts for its owner; OMMS-6.3 asks for as many food tokens.
POINTS: Mapping[str, int] = MappingProxyType({SETTLEMENT: 1, FORTIFICATION: 2})


@dataclass(frozen=True)
class Coin:
    """A coin as the rules see it: a disc with a part in the game and an owner.

    role   one of BASES or UNITS, or unknown
    owner  a colour, `none` (neutral), or unknown
    """

    id: str
    role: str
    owner: str
    at_mm: Point2
    radius_mm: float
    sigma_mm: float = 0.0
    on: str | None = None

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

    def overlap(self, other: Coin) -> Margin:
        """By how much two coins overlap; a touch is a margin of 0 and no overlap."""
        return at_most(self.distance_mm(other), self.radius_mm + other.radius_mm, self.pair_sigma_mm(other))

    def cover(self, other: Coin) -> Margin:
        """The margin of `other` covering at least half of this coin, as a centre distance (OMMS-1.3)."""
        limit_mm = half_cover_distance_mm(self.radius_mm, other.radius_mm)
        return at_most(self.distance_mm(other), limit_mm, self.pair_sigma_mm(other))

    def pair_sigma_mm(self, other: Coin) -> float:
        """The sigma of the distance between two coins."""
        return pair_sigma_mm(self.sigma_mm, other.sigma_mm)

    def __str__(self) -> str:
        owner = "" if self.owner in {NONE, UNKNOWN} else f"{self.owner} "
        return f"{owner}{self.role if self.role != UNKNOWN else 'unknown coin'} {self.id}"


def coin_of(piece: Piece, legend: Mapping[str, str]) -> Coin:
    """The coin that a piece is; a class without a part in the game is unknown."""
    role = legend.get(piece.cls, UNKNOWN)
    owner = piece.owner
    return Coin(piece.id, role, owner, piece.position_mm, piece.radius_mm, piece.sigma_mm, piece.on)


@dataclass(frozen=True)
class Coins:
    """All coins on the table."""

    all: tuple[Coin, ...]

    def __contains__(self, coin_id: object) -> bool:
        return coin_id in self._by_id

    def __getitem__(self, coin_id: str) -> Coin:
        return self._by_id[coin_id]

    @cached_property
    def _by_id(self) -> dict[str, Coin]:
        return {coin.id: coin for coin in self.all}

    @cached_property
    def units(self) -> tuple[Coin, ...]:
        """Players' units."""
        return tuple(coin for coin in self.all if coin.is_unit)

    @cached_property
    def bases(self) -> tuple[Coin, ...]:
        """Settlements and fortifications, neutral and unowned ones too."""
        return tuple(coin for coin in self.all if coin.is_base)

    def blocking(self, owner: str) -> tuple[Coin, ...]:
        """The coins in the way of an owner's units."""
        return tuple(coin for coin in self.all if coin.blocks(owner))

    @cached_property
    def _home(self) -> dict[str, Coin]:
        """The friendly settlement that each unit is in, by the unit's id."""
        homes = {}
        for unit in self.units:
            if unit.role == SHIP:
                continue
            covers = [(unit.cover(base).margin_mm, base) for base in self.bases if base.is_friend(unit.owner)]
            best = max(covers, key=lambda cover: cover[0], default=None)
            if best is not None and best[0] >= 0:
                homes[unit.id] = best[1]
        return homes

    def home_of(self, unit: Coin) -> Coin | None:
        """The friendly settlement that a unit is in: half its coin or more lies on it (OMMS-1.3)."""
        return self._home.get(unit.id)

    def garrison(self, base: Coin) -> tuple[Coin, ...]:
        """The units in a settlement, and those that the scene says lie on it."""
        return tuple(unit for unit in self.units if self.seat_of(unit) == base)

    @cached_property
    def _stack(self) -> dict[str, int]:
        """The number of the stack that each coin belongs to, by its id."""
        number = {coin.id: index for index, coin in enumerate(self.all)}
        for one, other in self._links:
            old, new = number[one], number[other]
            number = {coin: new if stack == old else stack for coin, stack in number.items()}
        return number

    @cached_property
    def _links(self) -> tuple[tuple[str, str], ...]:
        """Pairs of coins of one owner of which one lies on the other, or a unit in a settlement."""
        lying = [
            (coin.id, coin.on)
            for coin in self.all
            if coin.on is not None and coin.on in self and _same(coin, self[coin.on])
        ]
        covered = [
            (one.id, other.id)
            for index, one in enumerate(self.units)
            for other in self.units[index + 1 :]
            if one.owner == other.owner and max(one.cover(other).margin_mm, other.cover(one).margin_mm) >= 0
        ]
        links = (*lying, *covered, *((unit, base.id) for unit, base in self._home.items()))
        return tuple((one, other) for one, other in links if not self._at_sea(one, other))

    def _at_sea(self, one: str, other: str) -> bool:
        """Whether just one of two coins is a ship: a ship and its load, or its port, do not defend each other."""
        return (self[one].role == SHIP) != (self[other].role == SHIP)

    def ship_of(self, unit: Coin) -> Coin | None:
        """The friendly ship that a unit is aboard of: it lies on it, half its coin or more (note 9)."""
        if unit.role == SHIP:
            return None
        ships = (ship for ship in self.units if ship.role == SHIP and ship.owner == unit.owner)
        return next((ship for ship in ships if unit.on == ship.id or unit.cover(ship).margin_mm >= 0), None)

    def stack_of(self, coin: Coin) -> tuple[Coin, ...]:
        """The coins of one owner that lie on each other or in one settlement, this one among them."""
        number = self._stack[coin.id]
        return tuple(other for other in self.all if self._stack[other.id] == number)

    def seat_of(self, unit: Coin) -> Coin | None:
        """The friendly settlement whose walls defend a unit: the one that it is in, or that its stack lies on."""
        home = self.home_of(unit)
        return home or next((coin for coin in self.stack_of(unit) if coin.is_base), None)


def _same(one: Coin, other: Coin) -> bool:
    return one.is_known and other.is_known and one.owner == other.owner


def coins_of(scene: Scene, setup: Setup) -> Coins:
    """The coins of a scene, in its order; the set-up's legend can give other classes a part."""
    legend = {**LEGEND, **{cls: role for cls, role in setup.legend.items() if role in (*BASES, *UNITS)}}
    return Coins(tuple(coin_of(piece, legend) for piece in scene.of_kind("coin")))
