"""What an event of a match tells the game, checked: amounts are numbers, and books belong to players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from rules.files.tables import Row, checked
from rules.games.osmcg.card import Amount, Count
from rules.setup import Setup

# The events of the game's own.
DEEDS = ("stack", "score", "play", "rest", "exhaust", "activated")


class _Deed(Row):
    """The data of an event as far as the game counts with them; the rest is free."""

    mana: Amount = 0
    vp: Amount = 0
    ap: Count = 0
    damage: Amount | None = None
    cleave: tuple[str, ...] = ()
    cleave_damage: tuple[Amount, ...] = ()
    push: dict[str, Any] = Field(default_factory=dict)


def check_deed(kind: str, fields: Mapping[str, Any]) -> None:
    """ValueError for a number that is none, or a list that is none."""
    checked(_Deed, fields, f"event {kind!r}")


def book_of(fields: Mapping[str, Any], setup: Setup) -> str:
    """The name of the player whose book changes, told by name or colour; ValueError for who does not play."""
    told = str(fields["book"])
    player = setup.player_named(told) or setup.player_of_colour(told)
    if player is None and setup.players:
        names = ", ".join(one.name for one in setup.players)
        raise ValueError(f"event: book: there is no player {told!r}; there are {names}")
    return told if player is None else player.name
