"""What a typed state says of units, checked: numbers, attacks and losses, and transports, each another unit."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.omniwar.attacks import check_attacks
from rules.games.omniwar.typed import check_numbers
from rules.games.omniwar.units import bound_pieces, units_for
from rules.losses import check_lost
from rules.scene import NONE, UNKNOWN, Piece, Scene
from rules.setup import Setup
from rules.state import State


def check_state(state: State, setup: Setup) -> None:
    """ValueError for losses, attacks and numbers that nobody can have, and for a unit that carries itself."""
    check_lost(state, setup)
    check_attacks(state)
    for unit, known in state.pieces.items():
        check_numbers(known, f"state: pieces.{unit}")
    for unit, carrier in _carried(state):
        if carrier == unit:
            raise ValueError(f"state: pieces.{unit}.carried_by: no unit carries itself; name its transport")


def check_carriers(scene: Scene, setup: Setup, state: State) -> None:
    """ValueError for a transport that is not there, is no transport or is an enemy's."""
    kinds = {piece.id: kind for piece, kind in bound_pieces(scene, setup, state)} if any(_carried(state)) else {}
    for unit, carrier in _carried(state):
        where = f"state: pieces.{unit}.carried_by"
        if carrier not in scene:
            there = ", ".join(piece.id for piece in scene) or "none"
            raise ValueError(f"{where}: there is no piece {carrier!r} in the scene; there are {there}")
        if not units_for(scene[carrier], setup, state):
            raise ValueError(f"{where}: {carrier} is no unit; name a transport")
        kind = kinds.get(carrier)
        if kind is not None and not kind.has("Transport"):
            raise ValueError(f"{where}: {carrier} is a {kind.name}, which carries nobody; name a transport")
        if unit in scene and _are_enemies(scene[unit], scene[carrier]):
            owners = f"{unit} is {scene[unit].owner}'s and {carrier} is {scene[carrier].owner}'s"
            raise ValueError(f"{where}: {owners}; name a transport of its own army")


def _are_enemies(one: Piece, other: Piece) -> bool:
    """Whether both are known to be somebody's, and not of one army."""
    return {one.owner, other.owner}.isdisjoint((NONE, UNKNOWN)) and one.owner != other.owner


def _carried(state: State) -> Iterator[tuple[str, str]]:
    """The ids of those that are carried, each with that of its transport."""
    told = ((unit, known.get("carried_by")) for unit, known in state.pieces.items())
    return ((unit, str(carrier)) for unit, carrier in told if carrier not in (None, ""))
