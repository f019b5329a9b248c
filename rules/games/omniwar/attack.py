"""Attacks: range, sight, and the number to roll (OMNI-3.1 to 3.3)."""

from __future__ import annotations

from fractions import Fraction

from rules.games.omniwar.board import DENSE, WATER, Board
from rules.games.omniwar.units import Table, Unit, is_active
from rules.geometry.hexes import Stretch, distance

_SIDES_OF_DIE = 6
# OMNI-3.2: into dense ground a roll of 4 to 6 always misses.
_BEST_INTO_DENSE = 3


def number_needed(offense: int, defense: int) -> int:
    """The roll that still destroys, before the rule for dense ground: Offense minus Defense, 0 to 6 (OMNI-3.2)."""
    return min(max(offense - defense, 0), _SIDES_OF_DIE)


def destroy_chance(needs: int, into_dense: bool) -> Fraction:
    """The chance that one roll destroys."""
    return Fraction(min(needs, _BEST_INTO_DENSE) if into_dense else needs, _SIDES_OF_DIE)


def defense_of(target: Unit, board: Board) -> int:
    """The target's Defense; one more for a submersible that a player has put under water."""
    assert target.kind is not None  # only known units are asked
    under = bool(target.known.get("submerged")) and target.kind.has("Submersible")
    return target.kind.defense + (under and board.ground.get(target.cell) == WATER)


def is_in_dense(target: Unit, board: Board) -> bool:
    """Whether the target's hex is dense ground."""
    return board.ground.get(target.cell) == DENSE


def sight_blocked(attacker: Unit, target: Unit, board: Board) -> Stretch | None:
    """The hex, or the two along whose side the line runs, that hides the target; None if it is seen or need not be."""
    assert attacker.kind is not None  # only known units are asked
    if attacker.kind.has("Indirect"):
        return None
    return board.hidden_by(attacker.cell, target.cell)


def attack_fault(seen: Table, attacker: Unit, target: Unit) -> tuple[str, str] | None:
    """Why the attack is not possible: the rule and the reason; None if it is."""
    return _attacker_fault(seen, attacker) or _target_fault(seen, attacker, target)


def _attacker_fault(seen: Table, attacker: Unit) -> tuple[str, str] | None:
    kind = attacker.kind
    assert kind is not None  # only known units are asked
    if attacker.carrier is not None:
        return "OMNI-2.2", f"is carried by {attacker.carrier}"
    if kind.has("Move or fire") and attacker.has_moved:
        return "OMNI-4.2", "has moved and may not fire in the same turn"
    if attacker.times_fired >= kind.attacks:
        return "OMNI-4.1", "has fired already"
    if not is_active(attacker, seen.setup, seen.state) and (attacker.has_moved or attacker.times_fired):
        return "OMNI-3.3", "did not wait: it moved or fired in its own turn"
    return None


def _target_fault(seen: Table, attacker: Unit, target: Unit) -> tuple[str, str] | None:
    assert attacker.kind is not None  # only known units are asked
    if target.carrier is not None:
        return "OMNI-2.2", f"the target is carried by {target.carrier}"
    if target.known.get("hidden"):
        return "OMNI-4.2", "the target is hidden until it moves or fires"
    steps = distance(attacker.cell, target.cell)
    if steps > attacker.kind.range:
        return "OMNI-3.1", f"{steps} hexes away, range {attacker.kind.range}"
    hidden_by = sight_blocked(attacker, target, seen.board)
    if hidden_by is not None:
        return "OMNI-3.1", f"no sight through dense {' and '.join(map(str, hidden_by))}"
    if number_needed(attacker.kind.offense, defense_of(target, seen.board)) == 0:
        return "OMNI-3.2", f"offense {attacker.kind.offense} cannot beat defense {defense_of(target, seen.board)}"
    return None
