"""How the state of an OmniWar match takes events: boarding, scouts, attacks, points lost (OMNI-2.2, 3.3, 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.games.omniwar.area import may_hit
from rules.games.omniwar.attacks import HIT, LOST_TO, remembered, rested
from rules.games.omniwar.forces import lost_points, price
from rules.games.omniwar.roster import unit_types
from rules.games.omniwar.units import is_turn_of, unit_name
from rules.scene import Piece, Scene
from rules.setup import Setup
from rules.state import State

# What the state knows of a piece that was destroyed: its points, which are among its army's losses.
_LOST = "lost"


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event; `fired` counts attacks, for some units have more than one."""
    if kind == "attack" and "piece" in fields:
        hits = may_hit(scene, setup, state, fields["piece"], fields.get("other"))
        return remembered(_fired(state, scene, setup, fields["piece"]), kind, {**fields, HIT: hits})
    after = turn.advance(state, scene, setup, kind, fields)
    if kind == "move" and fields.get("verdict") != "no" and fields.get("spends", True):
        return _moved(after, fields)
    if kind == "remove" and fields.get("destroyed"):
        return remembered(_lost(after, setup, fields), kind, fields)
    if kind == "place" and after.of(fields["piece"]).get(_LOST) is not None:
        return _returned(after, scene[fields["piece"]].owner, fields["piece"])
    if (after.turn, after.active) != (state.turn, state.active) and not fields.get(turn.AGAIN):
        after = rested(after, scene, setup)
    return _settled_in(after) if kind == "phase" else after


def _fired(state: State, scene: Scene, setup: Setup, piece: str) -> State:
    """An attack shows a scout; one out of turn tells that the unit waited, for it may have another."""
    fired = state.of(piece).get("fired")
    known = {"fired": 1 + (fired if isinstance(fired, int) else 0), "hidden": None}
    waits = piece in scene and not is_turn_of(scene[piece].owner, setup, state)
    return turn.with_piece(state, piece, {**known, "waited": True} if waits else known)


def _moved(state: State, fields: Mapping[str, Any]) -> State:
    """A move shows a scout; it takes a unit into a transport, or out of the one that carried it."""
    boards = fields.get("boards")
    known = {"hidden": None, "carried_by": boards, "boarded": True if boards else None}
    if not any(key in state.of(fields["piece"]) for key in known) and not boards:
        return state
    return turn.with_piece(state, fields["piece"], known)


def _gone(fields: Mapping[str, Any]) -> Piece | None:
    """The piece that is gone, as it lay in the scene before."""
    former: Scene | None = fields.get("former")
    return former[fields["piece"]] if former is not None and fields["piece"] in former else None


def _lost(state: State, setup: Setup, fields: Mapping[str, Any]) -> State:
    """The points of a destroyed unit go to the losses of its army."""
    piece = _gone(fields)
    name = unit_name(piece, setup, state, unit_types(setup)) if piece is not None else None
    cost = price(name, state.of(piece.id), setup) if piece is not None and name is not None else None
    if piece is None or cost is None:
        return state
    return turn.with_piece(_with_lost(state, piece.owner, cost.points), piece.id, {_LOST: cost.points})


def _returned(state: State, owner: str, piece: str) -> State:
    """A unit that is put back was not lost."""
    return turn.with_piece(_with_lost(state, owner, -state.of(piece)[_LOST]), piece, {_LOST: None, LOST_TO: None})


def _with_lost(state: State, army: str, points: int) -> State:
    lost = lost_points(state)
    return turn.with_counters(state, {"lost": {**lost, army: max(lost.get(army, 0) + points, 0)}})


def _settled_in(state: State) -> State:
    """Whoever may move again has been long enough in the transport to leave it."""
    for piece_id, known in state.pieces.items():
        if known.get("boarded") and not known.get("moved"):
            state = turn.with_piece(state, piece_id, {"boarded": None})
    return state
