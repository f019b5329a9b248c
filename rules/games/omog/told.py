"""What the state may say of a figure or an objective, checked: every fault is told with its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictFloat, StrictInt, StrictStr

from rules.files.geojson import FARTHEST
from rules.files.json_value import Flag as Said
from rules.files.tables import checked
from rules.losses import check_lost
from rules.setup import COLOURS, LONGEST_TABLE_MM, Setup
from rules.state import State

Flag = Said | None
Count = Annotated[StrictInt, Field(ge=0)]
Millimetres = Annotated[StrictInt | StrictFloat, Field(gt=0, le=LONGEST_TABLE_MM, allow_inf_nan=False)]
_Ordinate = Annotated[StrictInt | StrictFloat, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]
Place = tuple[_Ordinate, _Ordinate]
Word = StrictStr | None
Name = StrictStr | StrictInt | None


class _Roles(BaseModel):
    """Keys that say yes or no to a role."""

    officer: Flag = None
    lancer: Flag = None
    heavy: Flag = None
    light: Flag = None
    cuirassier: Flag = None
    armour: Flag = None
    armor: Flag = None
    elite: Flag = None
    bayonet: Flag = None
    dragoon: Flag = None
    hussar: Flag = None
    guard: Flag = None
    grenadier: Flag = None
    artillery: Flag = None


ROLE_KEYS = tuple(_Roles.model_fields)


class Taken(BaseModel):
    """A figure that was taken off the table: where it stood, and the army that counts it as a loss, if one does."""

    from_mm: Place
    lost: Word = None


class _Figure(_Roles):
    """A figure's entry under `pieces`; keys that OMOG does not know are somebody else's."""

    roster: Word = None
    role: Word = None
    roles: tuple[StrictStr, ...] | None = None
    keywords: tuple[StrictStr, ...] | None = None
    cls: Word = Field(None, alias="class")
    weapon: Word = None
    team: Name = None
    radius_mm: Millimetres | None = None
    moved: Flag = None
    fired: Flag = None
    mounting: Flag = None
    dismounting: Flag = None
    leaning: Flag = None
    charging: Flag = None
    charge: Flag = None
    charged: Flag = None
    from_mm: Place | None = None
    crew: Count | tuple[StrictStr, ...] | None = None
    shells: Count | None = None
    canister: Count | None = None
    fired_turn: Count | None = None
    taken_off: Taken | None = None


class _Typed(BaseModel):
    """What a state file may not say either, though a match that was saved with it still opens."""

    cls: Literal["foot", "mounted", "gun", "unknown"] | None = Field(None, alias="class")


class _Objective(BaseModel):
    """A row of `objectives`."""

    name: Name = None
    id: Name = None
    piece: Name = None
    position_mm: Place | None = None
    radius_mm: Millimetres | None = None
    held_by: Word = None
    held_turns: Count | None = None
    counted_turn: Count | None = None
    held_close: Flag = None


def check_state(state: State, setup: Setup) -> None:
    """ValueError for losses that nobody can have, and for what the state cannot mean of a figure, be it seen or not."""
    check_lost(state, setup)
    _check_holders(state, setup)
    for piece_id, known in state.pieces.items():
        check_figure(piece_id, known)
        checked(_Typed, known, f"state: pieces.{piece_id}")


def _check_holders(state: State, setup: Setup) -> None:
    """ValueError for an objective that is held by a player's name: armies go by colour."""
    rows = state.counters.get("objectives")
    for number, row in enumerate(rows if isinstance(rows, list) else ()):
        holder = row.get("held_by") if isinstance(row, Mapping) else None
        player = setup.player_named(holder) if isinstance(holder, str) and holder not in COLOURS else None
        if player is not None:
            raise ValueError(f"state: objectives.{number}.held_by: armies go by colour; write {player.colour}")


def check_figure(piece_id: str, known: Mapping[str, Any]) -> _Figure:
    """What the state says of a figure; ValueError in one line for what it cannot mean."""
    return checked(_Figure, known, f"state: pieces.{piece_id}")


def check_objective(number: int, row: Mapping[str, Any]) -> None:
    """ValueError in one line for a row of `objectives` that says something else than it should."""
    checked(_Objective, row, f"state: objectives.{number}")
