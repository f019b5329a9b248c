"""The roster: what a unit can do, by its name, its abilities and what the state says of it (OMNI-2.1, 4.1, 4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rules.files.tables import KeyFault, Row, checked, packaged_table
from rules.setup import Setup

# No table is longer; what is written as more is a slip of the pen.
MOST_HEXES = 99
# Other words for the same ability.
_ALSO_CALLED = {
    "flying": "flyer",
    "areaaffect": "area",
    "areaeffect": "area",
    "indirectfire": "indirect",
    "1card": "onecard",
    "swimmer": "amphibious",
}


@cache
def ability_key(name: str) -> str:
    """An ability's name without case, blanks and dashes between words: "Move or fire" and "move-or-fire" are one."""
    key = re.sub(r"(?<=\w)[-_\s]+|\s+", "", name.strip().casefold())
    return _ALSO_CALLED.get(key, key)


@lru_cache(maxsize=256)
def _keys(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(ability_key(name) for name in names)


class UnitType(Row):
    """A line of the roster. Move and Range in hexes, Offense and Defense on a six-sided die."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    move: int = Field(ge=0, le=MOST_HEXES)
    range: int = Field(ge=0, le=MOST_HEXES)
    offense: int
    defense: int
    points: int = Field(0, ge=0)
    abilities: tuple[str, ...] = ()

    def has(self, ability: str) -> bool:
        """Whether the unit has the ability, however it is written."""
        return ability_key(ability) in _keys(self.abilities)

    @property
    def is_vehicle(self) -> bool:
        """A ground vehicle: roads help it and dense ground hinders it."""
        return self.has("Vehicle") and not self.is_flyer

    @property
    def is_flyer(self) -> bool:
        """No terrain counts for its moves."""
        return self.has("Flyer")

    @property
    def turns_badly(self) -> bool:
        """Turns beyond the first cost movement; a formation turns badly too."""
        return self.has("Limited turning") or self.has("Formation")

    @property
    def attacks(self) -> int:
        """How often it attacks in a turn."""
        return 2 if self.has("Extra attack") else 1


class Ability(Row):
    """What an ability costs in percent of the unit's points, and what it adds to the unit's numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    percent: int
    move: int = 0
    range: int = 0
    offense: int = 0
    defense: int = 0


class Roster(BaseModel):
    """All of `roster.toml`."""

    model_config = ConfigDict(extra="forbid")

    unit: dict[str, UnitType]
    ability: dict[str, Ability]

    @model_validator(mode="after")
    def _joined(self) -> Self:
        """Units have abilities of the table only."""
        for name, kind in self.unit.items():
            check_abilities(kind, self.ability, ("unit", name, "abilities"))
        return self


def check_abilities(kind: UnitType, known: Iterable[str], keys: tuple[str, ...]) -> None:
    """`KeyFault` for an ability of the unit that is neither Vehicle nor one of those known."""
    names = ("Vehicle", *known)
    heard = set(map(ability_key, names))
    unheard = next((word for word in kind.abilities if ability_key(word) not in heard), None)
    if unheard is not None:
        raise KeyFault(keys, f"there is no ability {unheard!r}; choose from {', '.join(names)}")


class _OwnUnits(BaseModel):
    roster: dict[str, UnitType]


@cache
def packaged_roster() -> Roster:
    """The roster that came with the game; ValueError names the line at fault."""
    return packaged_table(Roster, "rules.games.omniwar", "roster.toml")


@cache
def abilities() -> Mapping[str, Ability]:
    """The abilities by `ability_key`."""
    return {ability_key(name): ability for name, ability in packaged_roster().ability.items()}


def unit_types(setup: Setup) -> Mapping[str, UnitType]:
    """The unit types by name in lower case: the packaged ones, and those of `[rules.roster]` over them."""
    if "roster" not in setup.house:
        return _packaged()
    own = checked(_OwnUnits, {"roster": setup.house["roster"]}, "rules").roster
    return _by_name({**packaged_roster().unit, **own})


@cache
def _packaged() -> Mapping[str, UnitType]:
    """Named once: the price of every piece is asked for after every move."""
    return MappingProxyType(_by_name(packaged_roster().unit))


def _by_name(units: Mapping[str, UnitType]) -> dict[str, UnitType]:
    return {name.casefold(): kind.model_copy(update={"name": name}) for name, kind in units.items()}


class _Changes(Row):
    """What the state may say of a unit's line of the roster."""

    keywords: tuple[str, ...] = ()
    move: int | None = Field(None, ge=0, le=MOST_HEXES)
    range: int | None = Field(None, ge=0, le=MOST_HEXES)
    offense: int | None = None
    defense: int | None = None


def unit_type(name: str, known: Mapping[str, Any], types: Mapping[str, UnitType], where: str) -> UnitType | None:
    """The type of a unit with that roster name, changed as the state says of it; None for a name that is not there.

    known  the state's keys of the piece: `keywords` add abilities ("Vehicle", "+1 Move" ...), and `move`, `range`,
           `offense`, `defense` count instead of the roster's; ValueError names the key at fault, after `where`
    """
    kind = types.get(name.strip().casefold())
    if kind is None or known.keys().isdisjoint(_Changes.model_fields):
        return kind
    changes = checked(_Changes, known, where)
    added = [abilities()[key] for key in map(ability_key, changes.keywords) if key in abilities()]
    numbers = {number: _changed(kind, changes, added, number) for number in ("move", "range", "offense", "defense")}
    numbers["move"], numbers["range"] = max(numbers["move"], 0), max(numbers["range"], 0)
    return kind.model_copy(update={"abilities": (*kind.abilities, *changes.keywords), **numbers})


def _changed(kind: UnitType, changes: _Changes, added: list[Ability], number: str) -> int:
    """One number of the unit: what the state says, else the roster's with what the added abilities give."""
    said: int | None = getattr(changes, number)
    listed: int = getattr(kind, number)
    return listed + sum(getattr(ability, number) for ability in added) if said is None else said
