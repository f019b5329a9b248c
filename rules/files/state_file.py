"""The state file, `sandtable/state/1`: what the camera cannot see."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rules.files.json_file import Told, read_json, validated
from rules.files.json_value import Flag, FlagOrNames, Whole
from rules.state import State

SCHEMA = "sandtable/state/1"


class _Document(Told):
    model_config = ConfigDict(extra="allow")

    schema_name: Literal["sandtable/state/1"] = Field(alias="schema")
    turn: Annotated[Whole, Field(ge=0)] = 1
    phase: str | None = None
    active: str | None = None
    pieces: dict[str, dict[str, Any]] = Field(default_factory=dict)
    grid: dict[str, Any] | None = None
    counters: dict[str, Any] = Field(default_factory=dict)


class _Piece(Told):
    """What a state may say of a piece in any game; the rest is the game's own."""

    roster: str | None = None
    team: str | Whole | None = None
    weapon: str | None = None
    carried_by: str | Whole | None = None
    keywords: str | list[str] | None = None
    bonus: list[list[str]] | None = None
    toss: Literal["heads", "tails"] | None = None
    moved: Flag | None = None
    fired: Flag | None = None
    attacked: FlagOrNames | None = None
    boarded: Flag | None = None
    submerged: Flag | None = None
    hidden: Flag | None = None
    frenzied: Flag | None = None


class _Pieces(BaseModel):
    pieces: dict[str, _Piece]


def read_state(path: Path) -> State:
    """The state in `path`; ValueError names the key at fault. Keys that we do not know are the game's own counters."""
    return state_from(read_json(path), str(path))


def state_from(document: Any, where: str) -> State:
    """The state of a parsed document; `where` names it in errors."""
    parsed = validated(_Document, document, where)
    refuse_no_pieces(parsed.pieces, where)
    counters = {**(parsed.model_extra or {}), **parsed.counters}
    pieces = {piece: _without_nulls(known) for piece, known in parsed.pieces.items()}
    return State(parsed.turn, parsed.phase, parsed.active, pieces, parsed.grid, counters)


def refuse_no_pieces(pieces: Mapping[str, Mapping[str, Any]], where: str) -> None:
    """ValueError names what is told of a piece in another type than any game knows."""
    validated(_Pieces, {"pieces": {piece: dict(known) for piece, known in pieces.items()}}, where)


def _without_nulls(known: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of a piece: null says no more than leaving the key out."""
    return {key: value for key, value in known.items() if value is not None}


def state_document(state: State) -> dict[str, Any]:
    """The state as a JSON-ready document that `state_from` reads back."""
    return {
        "schema": SCHEMA,
        "turn": state.turn,
        "phase": state.phase,
        "active": state.active,
        "pieces": {piece: dict(known) for piece, known in state.pieces.items()},
        "grid": dict(state.grid) if state.grid is not None else None,
        "counters": dict(state.counters),
    }
