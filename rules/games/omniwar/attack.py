"""Attacks: who may attack and be attacked, and the number to roll (OMNI-3.2, 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules.course.judged import Fault
from rules.games.omniwar.units import Unit, is_active
from rules.setup import Setup
from rules.state import State

PHASE = "attack"
_SIDES_OF_DIE = 6
# OMNI-3.2: into dense ground a roll of 4 to 6 always misses.
_BEST_INTO_DENSE = 3


def number_needed(offense: int, defense: int) -> int:
    """The roll that still destroys, before the rule for dense ground: Offense minus Defense, 0 to 6 (OMNI-3.2)."""
    return min(max(offense - defense, 0), _SIDES_OF_DIE)


def destroy_chance(needs: int, into_dense: bool) -> Fraction:
    """The chance that one roll destroys."""
    return Fraction(min(needs, _BEST_INTO_DENSE) if into_dense else needs, _SIDES_OF_DIE)


def defense_of(target: Unit, *, in_water: bool) -> int:
    """The target's Defense; one more for a submersible that a player has put under water."""
    under = bool(target.known.get("submerged")) and target.line.has("Submersible")
    return target.line.defense + (under and in_water)


def is_asked(attacker: Unit, setup: Setup, state: State) -> bool:
    """Attacks belong to the attack phase; a waiting unit of the other side may fire in any (OMNI-3.3)."""
    return state.phase in (None, PHASE) or not is_active(attacker, setup, state)


def attacker_fault(attacker: Unit, setup: Setup, state: State) -> Fault:
    """Why the unit attacks nobody now: the rule and the reason; None if it may."""
    if attacker.carrier is not None:
        return "OMNI-2.2", f"is carried by {attacker.carrier}"
    if attacker.line.has("Move or fire") and attacker.has_moved:
        return "OMNI-4.2", "has moved and may not fire in the same turn"
    if attacker.times_fired >= attacker.line.attacks:
        return "OMNI-4.1", "has fired already"
    if not is_active(attacker, setup, state) and not attacker.has_waited:
        return "OMNI-3.3", "did not wait: it moved or fired in its own turn"
    return None


def target_fault(target: Unit) -> Fault:
    """Why nobody attacks the unit now; None if it may be attacked."""
    if target.carrier is not None:
        return "OMNI-2.2", f"the target is carried by {target.carrier}"
    if target.known.get("hidden"):
        return "OMNI-4.2", "the target is hidden until it moves or fires"
    return None


def defense_fault(attacker: Unit, defense: int) -> Fault:
    """Why no roll destroys; None if one does."""
    if number_needed(attacker.line.offense, defense) > 0:
        return None
    return "OMNI-3.2", f"offense {attacker.line.offense} cannot beat defense {defense}"


def attack_facts(attacker: Unit, defense: int, setup: Setup, state: State, *, dense: bool) -> Mapping[str, Any]:
    """What a `target` says besides its verdict: the number, the odds, the attacks that are left."""
    needs = number_needed(attacker.line.offense, defense)
    win = destroy_chance(needs, dense)
    facts: dict[str, Any] = {
        "phase": PHASE if state.phase is None else state.phase,
        "needs": needs,
        "odds": {"win": str(win), "tie": str(1 - win), "lose": "0"},
        "dense": dense,
        "attacks": max(0, attacker.line.attacks - attacker.times_fired),
    }
    return facts if is_active(attacker, setup, state) else {**facts, "waiting": True}


def hit_label(facts: Mapping[str, Any]) -> str:
    """What the mark on a target says: the chance of a hit."""
    return f"{round(100 * Fraction(facts['odds']['win']))} %"


def told(facts: Mapping[str, Any], measured: str) -> str:
    """The sentence of an attack that is possible, with how far it is of how much."""
    cover = ", never on 4 to 6 into dense ground" if facts["dense"] else ""
    return f"{facts['needs']} or less destroys{cover}; {measured}"
