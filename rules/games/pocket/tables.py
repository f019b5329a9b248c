"""The tables of Pocket Wargame: units by coin, grounds, and the ground of each card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rules.files.tables import KeyFault, Row, packaged_table
from rules.scene import COIN_DIAMETER_MM
from rules.setup import Setup

VARIANTS = ("normal", "steppes", "wetland", "mountainous")
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_COURT = ("J", "Q", "K")
# What people call the grounds besides the table's names.
_ALSO_CALLED = {
    "hills": "hill",
    "mountains": "mountain",
    "marsh": "swamp",
    "wood": "woodland",
    "woods": "woodland",
    "lakes": "lake",
    "open ground": "open",
}


class Troop(Row):
    """A kind of unit. `range` 0 cannot shoot; `steadfast` may cancel damage in melee on good going (POCKET-3.1)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    coins: tuple[str, ...]
    name: str = ""
    light: bool = False
    mounted: bool = False
    steadfast: bool = False
    range: int = Field(0, ge=0)


class Ground(Row):
    """What a location's ground does (POCKET-1.2, 2.1, 2.2, 3.1)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    elevation: int = 0
    good_going: bool = False
    cover: bool = False
    closed: bool = False
    borders: tuple[str, ...] | None = None


class Tables(BaseModel):
    """All of `tables.toml`."""

    model_config = ConfigDict(extra="forbid")

    unit: dict[str, Troop]
    ground: dict[str, Ground]
    terrain: dict[str, dict[str, str]]

    @model_validator(mode="after")
    def _joined(self) -> Self:
        """Suits and borders name grounds of the table, units are played by coins that there are."""
        told = [(("terrain", name, suit), word) for name, suits in self.terrain.items() for suit, word in suits.items()]
        told += [(("ground", name, "borders"), word) for name, row in self.ground.items() for word in row.borders or ()]
        for name in VARIANTS:
            _refuse_gaps(("terrain", name), self.terrain.get(name, {}), SUITS.values())
        for keys, word in told:
            _refuse_other(keys, word, self.ground)
            if keys[0] == "terrain":
                _refuse_other(keys, keys[-1], _SUIT_KEYS)
        for name, troop in self.unit.items():
            for coin in troop.coins:
                _refuse_other(("unit", name, "coins"), coin, COIN_DIAMETER_MM)
        return self

    @model_validator(mode="after")
    def _named(self) -> Self:
        self.unit = {name: troop.model_copy(update={"name": name}) for name, troop in self.unit.items()}
        self.ground = {name: ground.model_copy(update={"name": name}) for name, ground in self.ground.items()}
        return self


# What a terrain tells the ground of: suits, and their court cards.
_SUIT_KEYS = (*SUITS.values(), *(f"{suit}-court" for suit in SUITS.values()))


def _refuse_gaps(keys: tuple[str, ...], given: Iterable[str], wanted: Iterable[str]) -> None:
    """`KeyFault` for the first key that is wanted and not given."""
    missing = next((key for key in wanted if key not in given), None)
    if missing is not None:
        raise KeyFault((*keys, missing), "missing: add it")


def _refuse_other(keys: tuple[str, ...], word: str, known: Iterable[str]) -> None:
    """`KeyFault` for a word that is none of those known."""
    words = tuple(known)
    if word not in words:
        raise KeyFault(keys, f"{word!r} is none of {', '.join(words)}")


# A joker that nobody gave a meaning, and a card that was not read: both are rough going, the latter is shut (C5.2).
UNSET = Ground(name="unset")
UNREAD = Ground(name="unknown", closed=True)


@cache
def tables() -> Tables:
    """The packaged tables; ValueError names the line at fault."""
    return packaged_table(Tables, "rules.games.pocket", "tables.toml")


@cache
def troops() -> Mapping[str, Troop]:
    """The troop of each coin class."""
    return {coin: troop for troop in tables().unit.values() for coin in troop.coins}


def ground_of(card: str, setup: Setup) -> Ground:
    """The ground that a card stands for: the legend's word for the card or its suit, else the terrain's (POCKET-1.2).

    ValueError for a word in the legend that names no ground.
    """
    if card != "JOKER" and card[-1:] not in SUITS:
        return UNREAD
    legend = {key.lower(): word for key, word in setup.legend.items()}
    names = _names_of(card)
    word = next((legend[name] for name in names if name in legend), None)
    if word is not None:
        return ground_named(word, names[-1])
    variant = tables().terrain[setup.house.get("terrain", VARIANTS[0])]
    word = next((variant[name] for name in names if name in variant), None)
    return UNSET if word is None else tables().ground[word]


def _names_of(card: str) -> list[str]:
    """The keys under which a card's meaning is looked up, the most special first."""
    if card == "JOKER":
        return ["joker", "jokers"]
    suit = SUITS[card[-1]]
    court = [f"{suit}-court"] if card[:-1] in _COURT else []
    return [card.lower(), *court, suit]


def ground_named(word: str, key: str) -> Ground:
    """The ground that the legend's word for `key` names; `KeyFault` if it names none."""
    name = _ALSO_CALLED.get(word.lower(), word.lower())
    if name not in tables().ground:
        known = ", ".join(tables().ground)
        raise KeyFault(("legend", key), f"there is no ground {word!r}; choose one of {known}")
    return tables().ground[name]
