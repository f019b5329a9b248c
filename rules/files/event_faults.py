"""What cannot be read in an event of a log, refused before anything is folded: one line that says which, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.course.events import TABLE_EVENTS, Event
from rules.files.json_file import shortened
from rules.files.state_file import refuse_no_pieces
from rules.misspelt import refuse_no_player, refuse_no_turn
from rules.scene import Scene
from rules.state import spelt_phase

if TYPE_CHECKING:
    from rules.match import Match

# What an event says by the name of a thing, a player or a phase.
_NAMES = (
    "piece", "place", "other", "owner", "whose", "book", "replaces", "replaced_by", "returns", "besieged_in", "phase",
    "active",
)  # fmt: skip


def refuse_no_event(match: Match, event: Event, where: str) -> None:
    """ValueError for names, phases, tables and places that are none, and for a piece that is not there."""
    _refuse_no_names(event, where)
    if event.kind == "phase":
        _refuse_other_phase(match.game.phases, event.fields.get("phase"), where)
        refuse_no_player(event.fields.get("active"), match.state, match.setup, where)
    if event.kind == "state":
        _refuse_no_tables(event.fields, where)
    if event.kind in TABLE_EVENTS:
        _refuse_no_move(match.scene, event, where)


def _refuse_no_names(event: Event, where: str) -> None:
    """ValueError for a piece, a place, a player or a phase that is no name: nothing can be looked up by a list."""
    for key in _NAMES:
        told = event.fields.get(key)
        if not isinstance(told, str | None):
            raise ValueError(f"{where}: {key!r} must be a name, not {shortened(told)}; mend it")


def _refuse_other_phase(phases: Sequence[str], phase: str | None, where: str) -> None:
    """ValueError for a phase that the game has not: from then on every move was in the wrong one."""
    if phase is not None and spelt_phase(phase) not in phases:
        raise ValueError(f"{where}: the game has no phase {shortened(phase)}, but {', '.join(phases)}; mend it")


def refuse_no_state(match: Match, where: str) -> None:
    """ValueError for a turn that game and set-up do not have, and for what is told of pieces in another type."""
    told = match.state
    told = told if told.phase is None else replace(told, phase=spelt_phase(told.phase))
    refuse_no_pieces(told.pieces, where)
    refuse_no_turn(told, match.setup, match.game, where)


def _refuse_no_tables(fields: Mapping[str, Any], where: str) -> None:
    """ValueError for pieces, counters or a grid that are no tables of keys, and for what is told of a piece."""
    tables = {key: fields[key] for key in ("pieces", "counters") if key in fields}
    tables |= {"grid": fields["grid"]} if fields.get("grid") is not None else {}
    pieces = tables.get("pieces")
    tables |= {f"pieces.{id_}": known for id_, known in pieces.items()} if isinstance(pieces, Mapping) else {}
    for key, told in tables.items():
        if not isinstance(told, Mapping):
            raise ValueError(f"{where}: {key!r} must be an object, in braces, not {shortened(told)}; mend it")


def _refuse_no_move(scene: Scene, event: Event, where: str) -> None:
    """ValueError for a piece that goes and is not there, and for a place that is none."""
    piece_id = event.fields.get("piece")
    if event.kind != "place" and piece_id is not None and piece_id not in scene:
        raise ValueError(f"{where}: there is no piece {piece_id!r} on the table then; mend the name")
    for key in ("from_mm", "to_mm", "seen_mm"):
        told = event.fields.get(key)
        if told is not None and not is_point(told):
            raise ValueError(f"{where}: {key!r} must be [x, y] in mm, or null, not {shortened(told)}; mend it")


def is_point(told: Any) -> bool:
    """Whether an event's value is a place: [x, y], numbers."""
    return isinstance(told, list | tuple) and len(told) == 2 and all(type(each) in (int, float) for each in told)
