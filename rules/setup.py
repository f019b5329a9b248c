"""What the set-up tells the rules: table, players, map, legend, house rules. No camera, no file reading."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.map import Map

_EMPTY: Mapping[str, Any] = MappingProxyType({})

# What owns a piece or a player's pieces are marked with.
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple", "tan", "grey")

# No table is smaller or larger: what is written so is a slip of the pen, or of the unit.
SHORTEST_TABLE_MM, LONGEST_TABLE_MM = 20.0, 100_000.0
# No card that anybody plays with is smaller or larger.
SHORTEST_CARD_MM, LONGEST_CARD_MM = 10.0, 500.0
# C1.4: length and breadth in mm.
CARD_SIZE_MM: Mapping[str, tuple[float, float]] = MappingProxyType({"poker": (88.9, 63.5), "bridge": (88.9, 57.15)})


@dataclass(frozen=True)
class Player:
    """One side of the match. `colour` is what its pieces are marked with, `side` where it sits."""

    name: str
    colour: str
    side: str = "near"


@dataclass(frozen=True)
class Setup:
    """The rules' share of the set-up file.

    card_mm   length L and breadth B of the ruler (C1.4)
    currency  of the coins on the table (gbp, eur, usd), where the players say
    house     house rules by name; a game knows its defaults
    """

    game: str = "omms"
    table_size_mm: tuple[float, float] = (700.0, 500.0)
    players: tuple[Player, ...] = ()
    map: Map | None = None
    legend: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    house: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    card_mm: tuple[float, float] = CARD_SIZE_MM["poker"]
    card: str = "poker"
    currency: str | None = None

    def player_named(self, name: str) -> Player | None:
        """The player of that name, if any."""
        return next((player for player in self.players if player.name == name), None)

    def player_called(self, told: str | None) -> Player | None:
        """The player whom a state or a log names, by name or by colour (`active`), if any."""
        return None if told is None else self.player_named(told) or self.player_of_colour(told)

    def player_of_colour(self, colour: str) -> Player | None:
        """The player whose pieces carry that colour, if any."""
        return next((player for player in self.players if player.colour == colour), None)
