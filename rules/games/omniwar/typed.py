"""Units as people type them, in a set-up's roster or in a state: numbers that a unit can have, written as numbers.

A saved match is not asked: it opens with what was taken when it began.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from rules.files.json_value import Whole
from rules.files.tables import Row, checked
from rules.games.omniwar.roster import MOST_HEXES
from rules.setup import Setup

# No Offense or Defense is higher than any die, or so much lower; a mortar crew's Defense is -1.
_MOST_ON_DIE = 99

_Hexes = Annotated[Whole, Field(ge=0, le=MOST_HEXES)]
_Offense = Annotated[Whole, Field(ge=0, le=_MOST_ON_DIE)]
_Defense = Annotated[Whole, Field(ge=-_MOST_ON_DIE, le=_MOST_ON_DIE)]


class _Numbers(Row):
    """What a line of the roster or of a state may say in numbers; the rest is checked where it is read."""

    model_config = ConfigDict(extra="ignore")

    move: _Hexes | None = None
    range: _Hexes | None = None
    offense: _Offense | None = None
    defense: _Defense | None = None
    points: Annotated[Whole, Field(ge=0)] | None = None


class _Units(BaseModel):
    roster: dict[str, _Numbers]


def check_units(setup: Setup) -> None:
    """`KeyFault` for a number of `[rules.roster]` that no unit has."""
    checked(_Units, {"roster": setup.house.get("roster", {})}, "rules")


def check_numbers(known: Mapping[str, Any], where: str) -> None:
    """`KeyFault`, below `where`, for a number that no unit has."""
    checked(_Numbers, known, where)
