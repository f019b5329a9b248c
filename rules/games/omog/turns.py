"""How the state of an OMOG match takes events: sides in turn, clock, rounds, charges, objectives, losses (OMOG-6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules import turn
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.clock import MOVE_PHASES, PHASES, next_step, order_of_sides
from rules.games.omog.standing import began_close, held_on_end, holding, objective_rows, place_of
from rules.games.omog.tables import tables
from rules.games.omog.taken_off import back, gone
from rules.games.omog.template import CANISTER, is_for_canister
from rules.scene import Piece, Scene
from rules.setup import Setup
from rules.state import State

# What a man or a gun has done in one turn, and what is over with it.
_DONE = ("moved", "fired", "mounting", "dismounting", "charging", "charge")
# What the state says of a figure and not of the man.
_OF_THE_FIGURE = ("class", "radius_mm", "taken_off")


def next_phase(setup: Setup, state: State) -> dict[str, Any]:
    """The fields of the `phase` event that comes next: side 1 moves, side 2 moves, both fire, hand to hand."""
    phase = state.phase if state.phase in PHASES else None
    number, following = next_step(state.turn, phase)
    return {"turn": number, "phase": following, "active": _mover(setup, number, following)}


def _mover(setup: Setup, number: int, phase: str) -> str | None:
    """The player who moves in that phase; nobody in particular in the others, which are everybody's, nor where two or
    more are left for the second move."""
    order = order_of_sides([player.name for player in setup.players], number)
    place = MOVE_PHASES.index(phase) if phase in MOVE_PHASES else len(order)
    movers = order[place:] if phase == MOVE_PHASES[-1] else order[place : place + 1]
    return movers[0] if len(movers) == 1 else None


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event; an `attack` of a gun takes a round, a `phase` of a new turn ends the old one."""
    if kind == "phase":
        return _entered(state, scene, setup, fields)
    after = turn.advance(state, scene, setup, kind, fields)
    if kind == "attack" and fields.get("piece") in scene and _is_gun(scene[fields["piece"]], state):
        return _shot_off(after, scene, fields)
    if kind == "place" and fields.get("replaces") is not None and fields.get("verdict") != "no":
        return _mounted(after, fields)
    if kind == "place":
        return back(after, fields["piece"])
    if kind == "remove" and fields.get("replaced_by") is None:
        return gone(after, fields.get("former", scene), fields)
    return after


def _mounted(state: State, fields: Mapping[str, Any]) -> State:
    """Who got on or off his horse is the same man, and has half of this turn's move left."""
    state = back(state, fields["replaces"])
    known = {key: told for key, told in state.of(fields["replaces"]).items() if key not in _OF_THE_FIGURE}
    spent = {"mounting": True} if turn.keeps_turns(state) else {}
    return turn.with_piece(state, fields["piece"], {**known, **spent})


def _is_gun(piece: Piece, state: State) -> bool:
    """Whether it is a gun, to the camera or as the state says."""
    return bool(state.of(piece.id).get("class", piece.cls) == "gun")


def _entered(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    entered = replace(state, **{key: fields[key] for key in ("turn", "phase", "active") if key in fields})
    if entered.turn != state.turn:
        held = _held(state, scene, setup) if entered.turn > state.turn else {}
        entered = turn.with_counters(entered, held)
        entered = entered if fields.get(turn.AGAIN) else _rested(entered)
    if (entered.turn, entered.phase, entered.active) == (state.turn, state.phase, state.active):
        return entered
    started_s = fields.get("time_s", scene.time_s) if entered.phase in MOVE_PHASES else None
    return turn.with_counters(entered, {"clock_started_s": started_s})


def _held(state: State, scene: Scene, setup: Setup) -> dict[str, Any]:
    """The objectives as they stand at the end of a turn: who holds each, and for how many turns on end."""
    field = Battlefield(scene, setup, state)
    rows = []
    for row in objective_rows(field):
        place = place_of(row, scene)
        if place is None:  # its thing was taken off the table: nobody gained or lost it
            rows.append(row)
            continue
        found, margin, _ = holding(*place, field)
        held = held_on_end(row, found, state.turn)
        close = held > 0 and (margin.verdict == "close" or began_close(row, held))
        told = {key: value for key, value in row.items() if key != "held_close"}
        told |= {"held_by": found.owner, "held_turns": held, "counted_turn": state.turn}
        told |= {"held_close": True} if close else {}
        rows.append(told)
    return {"objectives": rows} if rows else {}


def _rested(state: State) -> State:
    """Everybody may move and fire again; whoever charged has charged for the whole game."""
    for piece_id, known in state.pieces.items():
        charged = {"charged": True} if known.get("charging") or known.get("charge") else {}
        state = turn.with_piece(state, piece_id, {**dict.fromkeys(_DONE), **charged})
    return state


def _shot_off(state: State, scene: Scene, fields: Mapping[str, Any]) -> State:
    """One round less, and the turn in which it was fired: a crew of two needs the next one to load."""
    table, kind = tables().gun, CANISTER if _is_canister(scene, fields) else "shells"
    left = state.of(fields["piece"]).get(kind, table.canister if kind == "canister" else table.shells)
    return turn.with_piece(state, fields["piece"], {kind: max(0, int(left) - 1), "fired_turn": state.turn})


def _is_canister(scene: Scene, fields: Mapping[str, Any]) -> bool:
    """Whether a round was canister: as the attack says, or else by how near its target is."""
    told, other = (fields.get("weapon"), fields.get("case")), fields.get("other")
    if any(told) or other is None or other not in scene:
        return CANISTER in told
    return is_for_canister(math.dist(scene[fields["piece"]].position_mm, scene[other].position_mm))
