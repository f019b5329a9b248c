"""A miniature's card and markers as the state tells them, checked; what it leaves out is the game's default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from rules.files.tables import KeyFault, Row, checked
from rules.games.osmcg.keywords import MOST, Keywords, keywords_of, number_of
from rules.games.osmcg.tables import tables
from rules.setup import LONGEST_TABLE_MM


def _no_word(value: Any) -> Any:
    """Numbers are written as such: "3" is none. A status may be true, which is once."""
    if isinstance(value, str):
        raise PydanticCustomError("number", "should be a number")
    return value


Number = BeforeValidator(_no_word)
Amount = Annotated[float, Number, Field(ge=0, allow_inf_nan=False)]
Inches = Annotated[float, Number, Field(ge=0, le=MOST, allow_inf_nan=False)]
Count = Annotated[int, Number, Field(ge=0)]
# The regions of thousands of points take minutes; no miniature acts a hundred times in a turn.
MOST_POINTS = 99
Points = Annotated[int, Number, Field(ge=0, le=MOST_POINTS)]


def _told(values: Any) -> Any:
    """Without the keys whose value is null: nobody told them."""
    return {key: value for key, value in values.items() if value is not None} if isinstance(values, Mapping) else values


def _lower(values: Any) -> Any:
    told = _told(values)
    return {str(key).lower(): value for key, value in told.items()} if isinstance(told, Mapping) else told


def _listed(words: Any) -> Any:
    """A single keyword as a list of one."""
    return [words] if isinstance(words, str) else words


class Lifted(Row):
    """A miniature that was lifted and is not destroyed: where it stood, the turn, the turn's player, its owner."""

    model_config = ConfigDict(frozen=True)

    from_mm: tuple[float, float]
    turn: int
    active: str | None = None
    owner: str | None = None


class Card(Row):
    """What the state says of a miniature. Keys that it does not know are somebody else's."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    team: str | None = None
    roster: str | None = None
    radius_mm: Annotated[float, Field(gt=0, le=LONGEST_TABLE_MM, allow_inf_nan=False)] | None = None
    spd_in: Inches = tables().unit.spd_in
    ap: Points = tables().unit.ap
    ap_spent: Count = 0
    atk: Amount | None = None
    damage: Amount | None = None
    defense: Amount = tables().unit.defense
    range_in: Inches | None = None
    hp: Amount | None = None
    wounds: Amount = 0
    words: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field((), alias="keywords")
    hero: bool = False
    statuses: Annotated[dict[str, Amount], BeforeValidator(_lower)] = Field(default_factory=dict)
    markers: dict[str, dict[Literal["minor", "medium", "major"], Count]] = Field(default_factory=dict)
    cooldowns: dict[str, Count] = Field(default_factory=dict)
    moved: bool = False
    exhausted: bool = False
    deployed: bool = False
    activated: bool = False
    lifted: Lifted | None = None

    @cached_property
    def keywords(self) -> Keywords:
        """By lower-case name, with what stands in brackets or after the colon."""
        return keywords_of(self.words)

    def number(self, keyword: str, place: int = 0) -> float | None:
        """The number at that place of a keyword, if the card carries it."""
        parts = self.keywords.get(keyword, ())
        return number_of(parts[place]) if len(parts) > place else None

    @property
    def range(self) -> float | None:
        """Inches that the miniature shoots, or None; the keyword wins over the number."""
        shot = self.number("ranged", 1)
        return self.range_in if shot is None else shot

    @property
    def strike(self) -> float:
        """ATK; a card that tells no more than `damage` strikes with that."""
        plain = self.damage if self.atk is None else self.atk
        return tables().unit.atk if plain is None else plain

    @property
    def shot(self) -> float:
        """The damage d of a ranged attack."""
        printed = self.number("ranged", 0)
        if printed is not None:
            return printed
        return self.strike if self.damage is None else self.damage

    @property
    def armour(self) -> float:
        """Defense: the keyword, or the number."""
        printed = self.number("defense")
        return self.defense if printed is None else printed


def card_of(piece_id: str, known: Mapping[str, Any], where: Sequence[str] = ()) -> Card:
    """The card of a piece; `KeyFault` names the key at fault, below the keys `where`."""
    where = where or (f"state: pieces.{piece_id}",)
    card = checked(Card, _told(known), *where)
    try:
        lacks_range = "ranged" in card.keywords and card.range is None
    except ValueError as error:
        raise KeyFault((*where, "keywords"), str(error)) from None
    if lacks_range:
        raise KeyFault((*where, "keywords"), "Ranged needs its damage and range: write Ranged(3, 12)")
    return card
