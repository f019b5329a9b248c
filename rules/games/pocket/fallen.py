"""What the tosses of this phase have done already, as the state remembers it until the phase ends (POCKET-3.1, 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ConfigDict

from rules import turn
from rules.files.tables import Row, checked
from rules.geometry.squares import Cell
from rules.scene import Scene
from rules.state import State

# Phases in which units toss.
_TOSSING = ("ranged", "melee")
# What a piece is known by in the state: it was destroyed, lay heads up, shot at that unit.
FALLEN, STEADY, SHOT_AT = "fallen", "steady", "shot_at"
MEMORY = (FALLEN, STEADY, SHOT_AT)


class Fallen(Row):
    """A unit that was destroyed in this phase; its own toss counts all the same, for all is at once (POCKET-3.2).

    damage  for each damage that destroyed it, the ids of those who may have tossed it
    struck  the ids of all units that took that damage
    steady  whether it was steady when the phase began
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    cell: tuple[int, int]
    owner: str
    damage: tuple[tuple[str, ...], ...]
    struck: tuple[str, ...] = ()
    steady: bool = False


def fallen(state: State) -> dict[str, Fallen]:
    """The units that were destroyed in this phase, by id; `KeyFault` names what in the state is none."""
    told = {id_: known[FALLEN] for id_, known in state.pieces.items() if known.get(FALLEN) is not None}
    return {id_: _fallen(id_, record) for id_, record in told.items()}


def _fallen(piece_id: str, record: object) -> Fallen:
    where = f"state: pieces.{piece_id}.{FALLEN}"
    if not isinstance(record, Mapping):
        raise ValueError(f"{where}: should be a table with cell, owner and damage, not {record!r}")
    return checked(Fallen, record, where)


def record(cell: Cell, owner: str, damage: list[frozenset[str]], struck: set[str], *, steady: bool) -> dict[str, Any]:
    """The destroyed unit as the log and the state have it."""
    tosses = [sorted(whose) for whose in damage]
    return {"cell": list(cell), "owner": owner, "damage": tosses, "struck": sorted(struck), "steady": steady}


def forgetting(state: State, *keys: str) -> State:
    """The state in which none of this is known of any piece."""
    kept = {id_: {key: known[key] for key in known if key not in keys} for id_, known in state.pieces.items()}
    return replace(state, pieces=kept)


def remembered(state: State, scene: Scene, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event that tells what tosses have done."""
    if state.phase not in _TOSSING:
        return state
    if kind == "attack" and state.phase == "ranged" and "piece" in fields:
        return turn.with_piece(state, fields["piece"], {SHOT_AT: fields.get("other")})
    if kind == "correction" and isinstance(fields["set"], Mapping) and "face" in fields["set"]:  # a person knows
        return _known(state, fields["piece"], STEADY, None)
    if kind == "place":
        state = _known(state, fields["piece"], FALLEN, None)
    if FALLEN in fields and fields.get("verdict") != "no":
        state = _known(state, fields["piece"], FALLEN, fields[FALLEN])
    for piece_id in _turned_over(scene, fields.get("former")):
        state = _known(state, piece_id, STEADY, True)
    return state


def _known(state: State, piece_id: str, key: str, value: object) -> State:
    """The state with one thing known, or forgotten; the very same if that is nothing new."""
    return state if state.of(piece_id).get(key) == value else turn.with_piece(state, piece_id, {key: value})


def _turned_over(scene: Scene, former: Scene | None) -> list[str]:
    """The coins that lay heads up and do not any more."""
    steady = [coin.id for coin in former.of_kind("coin") if coin.face == "heads"] if former is not None else []
    return [id_ for id_ in steady if id_ in scene and scene[id_].face != "heads"]
