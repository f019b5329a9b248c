"""The attacks of a turn and what they destroyed, remembered in the state until the attackers' next turn (OMNI-3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.games.omniwar.units import CARRIED_BY
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# What the state knows of a piece: whom it attacked this turn, one entry an attack; all whom its area attacks may have
# hit; that it waited and attacked out of turn; who can have destroyed it.
ATTACKED, HIT, WAITED, LOST_TO = "attacked", "hit", "waited", "lost_to"


def attacked(state: State, piece_id: str) -> tuple[str | None, ...]:
    """The ids of whom the unit attacked this turn, one for each attack; None where nobody knows whom."""
    return tuple(_names(state, piece_id, ATTACKED))


def hit(state: State, piece_id: str) -> tuple[str | None, ...]:
    """Whom the unit's area attacks of this turn may have hit, as far as they were logged."""
    return tuple(_names(state, piece_id, HIT))


def losses(state: State) -> dict[str, frozenset[str]]:
    """The units that were destroyed, each with those who can have done it and had no new turn since."""
    ids = [id_ for id_, known in state.pieces.items() if known.get(LOST_TO) is not None]
    return {id_: frozenset(name for name in _names(state, id_, LOST_TO) if name is not None) for id_ in ids}


def check_attacks(state: State) -> None:
    """ValueError for attacks and attackers that are no lists of ids."""
    for piece_id in state.pieces:
        attacked(state, piece_id)
        hit(state, piece_id)
    losses(state)


def _names(state: State, piece_id: str, key: str) -> list[str | None]:
    names = state.of(piece_id).get(key, [])
    if not isinstance(names, list | tuple) or not all(isinstance(name, str | None) for name in names):
        raise ValueError(f"state: pieces.{piece_id}.{key}: should be a list of ids, not {names!r}")
    return list(names)


def remembered(state: State, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an attack (`hit`: whom it may have hit, if it was at an area) or a loss.

    Without turns nothing would ever be forgotten, and nothing is kept.
    """
    if not turn.keeps_turns(state):
        return state
    if kind != "attack":
        return turn.with_piece(state, fields["piece"], {LOST_TO: fields.get("attackers")})
    told = {ATTACKED: [fields.get("other")], HIT: fields.get(HIT) or []}
    known = {key: [*_names(state, fields["piece"], key), *names] for key, names in told.items()}
    return turn.with_piece(state, fields["piece"], {key: names for key, names in known.items() if names})


def rested(state: State, scene: Scene, setup: Setup) -> State:
    """The state when a turn begins: the player's units attack afresh, and what they can have destroyed is done with."""
    there = {piece.id for piece in scene}
    fresh = set(turn.owned_by(state.active, scene, setup, there))
    for piece_id in fresh:
        for key in (ATTACKED, HIT, WAITED):
            state = _forgetting(state, piece_id, key)
    for piece_id, known in state.pieces.items():
        if known.get(CARRIED_BY) and known[CARRIED_BY] not in there:
            state = _forgetting(state, piece_id, CARRIED_BY)
    for piece_id, attackers in losses(state).items():
        if attackers & fresh or not attackers & there:
            state = _forgetting(state, piece_id, LOST_TO)
    return state


def _forgetting(state: State, piece_id: str, key: str) -> State:
    return turn.with_piece(state, piece_id, {key: None}) if key in state.of(piece_id) else state
