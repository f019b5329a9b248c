"""What the state counts besides the pieces: the players' books, structures, missions and zones, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from rules.files.json_value import Number
from rules.files.tables import Row, checked
from rules.games.osmcg.card import Amount, Count, Inches
from rules.games.osmcg.tables import tables
from rules.setup import Setup
from rules.state import State

Coordinate = Annotated[Number, Field(allow_inf_nan=False)]
Side = Literal["near", "far", "left", "right"]


def _told(values: Any) -> Any:
    """Without what is null: nobody told it."""
    return {key: value for key, value in values.items() if value is not None} if isinstance(values, Mapping) else values


def _cards(value: Any) -> Any:
    """Cards told by name as their number."""
    return len(value) if isinstance(value, list) else value


Told = BeforeValidator(_told)
Cards = Annotated[Count, BeforeValidator(_cards)]


class _Page(Row):
    model_config = ConfigDict(frozen=True)


class Tally(_Page):
    """What a player's missions count; `kills_since` by the mission that has lain open since."""

    kills: Amount = 0
    kills_since: Annotated[dict[str, Amount], Told] = Field(default_factory=dict)
    mana_spent: Amount = 0
    hero_damage: Amount = 0
    hero_kills: Amount = 0

    def of(self, counts: str, mission: str) -> float:
        """The number for a mission of the deck that counts this."""
        return self.kills_since.get(mission, 0) if counts == "kills_since" else float(getattr(self, counts))


class Book(_Page):
    """A player's mana, cards and victory points."""

    mana: Amount = 0
    mana_max: Amount | None = None
    mana_start: Amount | None = None
    regen: Amount = 0
    vp: Amount = 0
    hand: Cards | None = None
    deck: Cards | None = None
    discard: Cards | None = None
    tally: Annotated[Tally, Told] = Tally()


class Structure(_Page):
    """Damage on an objective that can be destroyed, and the turns until it stands again."""

    wounds: Amount = 0
    returns_in: Count | None = None


class Zone(_Page):
    """The zone of a spell, measured from the miniature that it was cast from (OSMCG-3.2)."""

    source: str
    range_in: Inches
    effect: str = ""


class Books(_Page):
    """Those counters of a state that rulings look at."""

    players: Annotated[dict[str, Annotated[Book, Told]], Told] = Field(default_factory=dict)
    structures: Annotated[dict[str, Annotated[Structure, Told]], Told] = Field(default_factory=dict)
    nexus: Annotated[dict[Side, tuple[Coordinate, Coordinate]], Told] = Field(default_factory=dict)
    missions: tuple[str, ...] | None = None
    mission_deck: tuple[str, ...] = ()
    zones: tuple[Zone, ...] = ()
    won: str | None = None

    def of(self, player: str) -> Book:
        """A player's book; an empty one for whom nobody keeps one."""
        return self.players.get(player, Book())


def books_of(counters: Mapping[str, Any]) -> Books:
    """The counters, checked; ValueError names the key at fault."""
    return checked(Books, _told(counters), "state")


def check_books(state: State, setup: Setup) -> None:
    """ValueError for a book that goes by a player's colour, for they go by name, and for a mission that is none."""
    books, deck = books_of(state.counters), tables().mission
    for key, missions in (("missions", books.missions or ()), ("mission_deck", books.mission_deck)):
        for mission in missions:
            if mission not in deck:
                raise ValueError(f"state: {key}: {mission!r} is none of {', '.join(deck)}")
    if books.won is not None and setup.player_named(books.won) is None:
        raise ValueError(f"state: won: no player is called {books.won!r}; write the name of one")
    for name in books.players:
        player = setup.player_of_colour(name)
        if player is not None and setup.player_named(name) is None:
            raise ValueError(f"state: players: {name}: books go by name; write {player.name}")
