"""Turn and phase: whose move it is, what has moved and fired, and how an event changes what the camera cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.state import State, spelt_phase

if TYPE_CHECKING:
    from rules.game import Game
    from rules.scene import Scene
    from rules.setup import Setup

# What a piece has done in its owner's turn; a new turn of the owner clears it.
SPENT = ("moved", "fired")
# A turn, and whose it is, by name where the set-up has one.
Turn = tuple[int, str | None]
# The field of a `phase` that says that the turn to which it goes has begun before: its number or player was put back.
AGAIN = "again"
# The field of a `place` that says which piece was put back, by the name that it had.
RETURNS = "returns"
# The field of a `move` that names the piece that carries this one, and has yet to come where it was moved to.
AWAITS = "awaits"
# What the state said a piece stands for before a person corrected it.
_TOLD_NAME = "roster_told"


def with_piece(state: State, piece_id: str, known: Mapping[str, Any]) -> State:
    """The state in which `known` is known of that piece too; a value of None forgets the key."""
    merged = {key: value for key, value in {**state.of(piece_id), **known}.items() if value is not None}
    return replace(state, pieces={**state.pieces, piece_id: merged})


def with_counters(state: State, counters: Mapping[str, Any]) -> State:
    """The state with these counters of the game set; a value of None forgets the counter."""
    merged = {key: value for key, value in {**state.counters, **counters}.items() if value is not None}
    return replace(state, counters=merged)


def turn_of(state: State, setup: Setup) -> Turn:
    """Which turn it is, and whose."""
    named = setup.player_called(state.active)
    return state.turn, named.name if named is not None else state.active


def keeps_turns(state: State) -> bool:
    """Whether anybody told whose turn or which phase it is; if not, every piece may move at any time (C4.9)."""
    return state.active is not None or state.phase is not None


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event, as most games have it; a game's own `advance` may call this and go on from there.

    A legal move marks its piece `moved`, an attack its attacker `fired`; a `phase` sets turn, phase and active player.
    Who is put back under another name is known by that one. A correction goes before what the state says a piece is.
    """
    if kind == "phase":
        return _entered(state, scene, setup, fields)
    if kind == "state":
        return _patched(state, fields)
    if kind == "correction":
        return _renamed(state, fields["piece"], fields.get("set"))
    if kind == "place" and fields.get(RETURNS) is not None:
        return _known_as(state, fields[RETURNS], fields["piece"])
    done = _done(kind, fields) if keeps_turns(state) else {}
    return with_piece(state, fields["piece"], done) if done else state


def _done(kind: str, fields: Mapping[str, Any]) -> dict[str, bool]:
    """What its piece has done by an event."""
    if kind == "move" and fields.get("spends", True) and fields.get("verdict") != "no":
        return {"moved": True}
    return {"fired": True} if kind == "attack" and "piece" in fields else {}


def _renamed(state: State, piece: str, said: object) -> State:
    """A correction says what a piece stands for over what the state told (C5.2), which is kept: null takes it back."""
    now = state.of(piece).get("roster")
    if now is None or not isinstance(said, Mapping) or "roster" not in said:
        return state
    told, name = state.of(piece).get(_TOLD_NAME, now), said["roster"]
    return with_piece(state, piece, {"roster": name or told, _TOLD_NAME: told if name else None})


def _patched(state: State, fields: Mapping[str, Any]) -> State:
    """The `state` event: what a person typed about pieces, counters, grid, phase and player."""
    for piece_id, known in fields.get("pieces", {}).items():
        anew = {_TOLD_NAME: None} if "roster" in known else {}
        state = with_piece(state, piece_id, {**anew, **known})
    state = with_counters(state, fields.get("counters", {}))
    return replace(state, **{key: fields[key] for key in ("phase", "active", "grid") if key in fields})


def _known_as(state: State, was: str, now: str) -> State:
    """The state in which a piece is known by another name; counters kept by piece are the game's own business."""
    pieces = {id_: _named(known, was, now) for id_, known in state.pieces.items()}
    known = pieces.pop(was, {})
    return replace(state, pieces={**pieces, now: known}, counters=_named(state.counters, was, now))


def _named(told: Any, was: str, now: str) -> Any:
    if isinstance(told, Mapping):
        return {key: _named(value, was, now) for key, value in told.items()}
    if isinstance(told, list | tuple):
        return [_named(value, was, now) for value in told]
    return now if told == was else told


def _entered(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    """The state at the start of a phase. The pieces of a player whose turn begins may move and fire again; a turn that
    is put back begins but once."""
    entered = replace(state, **{key: fields[key] for key in ("turn", "phase", "active") if key in fields})
    if entered.phase is not None:
        entered = replace(entered, phase=spelt_phase(entered.phase))
    if fields.get(AGAIN) or (entered.turn, entered.active) == (state.turn, state.active):
        return entered
    return refreshed(entered, owned_by(entered.active, scene, setup, entered.pieces))


def owned_by(player: str | None, scene: Scene, setup: Setup, ids: Iterable[str]) -> tuple[str, ...]:
    """Those of the pieces that belong to the player, told by name or colour; all of them when no player is named."""
    named = setup.player_called(player)
    if named is None:
        return tuple(ids)
    return tuple(id_ for id_ in ids if id_ in scene and scene[id_].owner == named.colour)


def refreshed(state: State, ids: Iterable[str]) -> State:
    """The state in which these pieces have neither moved nor fired."""
    for piece_id in ids:
        state = with_piece(state, piece_id, dict.fromkeys(SPENT))
    return state


def coming_phase(game: Game, scene: Scene, setup: Setup, state: State) -> dict[str, Any]:
    """As `next_phase`, of the players who are still in the game: who is out has no turn. If all are, all play."""
    fields = coming = next_phase(game, setup, state)
    if game.is_out is None:
        return coming
    for _ in range(len(game.phases) * len(setup.players)):
        if not game.is_out(scene, setup, replace(state, **fields), fields["active"]):
            return fields
        fields = next_phase(game, setup, replace(state, **fields))
    return coming


def next_phase(game: Game, setup: Setup, state: State) -> dict[str, Any]:
    """The fields of the `phase` event that comes next: every player plays all phases in turn, or each phase in turn.

    Without players there is one nameless side; without a phase the first one begins.
    """
    if game.next_phase is not None:
        return game.next_phase(setup, state)
    players: list[str | None] = [player.name for player in setup.players] or [None]
    steps = _steps(game, players)
    named = setup.player_called(state.active)
    now = (state.phase, named.name if named is not None else state.active)
    if now not in steps:
        return _phase_fields(steps[0], state.turn)
    place = steps.index(now) + 1
    return _phase_fields(steps[place % len(steps)], state.turn + place // len(steps))


def _steps(game: Game, players: list[str | None]) -> list[tuple[str | None, str | None]]:
    if game.phase_by_phase:
        return [(phase, player) for phase in game.phases for player in players]
    return [(phase, player) for player in players for phase in game.phases]


def _phase_fields(step: tuple[str | None, str | None], turn: int) -> dict[str, Any]:
    return {"turn": turn, "phase": step[0], "active": step[1]}
