"""What judging shares, with hexes and without: the ruling, and what turn and phase forbid (C4.8, C4.9)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rules.course.changes import Change
from rules.course.judged import Fault
from rules.course.judged import judged as ruling_on
from rules.game import Ruling
from rules.games.omniwar.attack import PHASE as ATTACK
from rules.games.omniwar.attack import attacker_fault
from rules.games.omniwar.attacks import LOST_TO, attacked, hit
from rules.games.omniwar.mobility import PHASE, standstill, with_room_for
from rules.games.omniwar.units import Unit, is_active
from rules.margin import CERTAIN, REFUSED, Margin, any_of, chooser
from rules.setup import Setup
from rules.state import State
from rules.turn import keeps_turns

UNKNOWN_FAULT: Fault = ("C5.2", "is of unknown kind or owner; say what and whose it is")
NOT_GONE = ("OMNI-2.2", "was removed, though nobody can have destroyed it and it cannot leave the board")

SomeUnit = TypeVar("SomeUnit", bound=Unit)


def judged(
    change: Change,
    fault: Fault,
    margin: Margin,
    why: str,
    rule: str = "OMNI-2.1",
    extra: Mapping[str, Any] | None = None,
) -> Ruling:
    """The ruling on a change in the phase of moves."""
    return ruling_on(change, fault, margin, why, rule, {"phase": PHASE, **(extra or {})})


@dataclass(frozen=True)
class Gone:
    """How a unit that is gone can have gone.

    margin     of either way, `destroyed` by an enemy or over the edge, which its move `reaches`
    attackers  ids of the enemies who can have destroyed it; a match that keeps turns remembers them
    left       what to say where it went over the edge
    """

    margin: Margin
    destroyed: Margin
    reaches: Margin
    attackers: Sequence[str]
    left: str


def removed(change: Change, gone: Gone, state: State, bar: Callable[[], Fault]) -> Ruling:
    """The ruling on a unit that is gone: an enemy can have destroyed it, or its move reaches over the edge.

    bar  gives what forbids both ways, or says that nobody could destroy it; asked only if it can have gone neither way
    """
    if gone.margin.verdict == "no":
        return judged(change, bar(), gone.margin, "", extra={"phase": state.phase or PHASE})
    if _explains(gone.destroyed, gone.reaches):
        why = "was destroyed" if gone.margin.verdict == "yes" else "was destroyed, if an enemy could"
        kept = {"attackers": sorted(gone.attackers)} if keeps_turns(state) else {}
        return judged(
            change, None, gone.margin, why, "OMNI-3.2", {"phase": state.phase or ATTACK, "destroyed": True, **kept}
        )
    return judged(change, None, gone.margin, gone.left, "OMNI-2.2", {"confirm": True})


def carrying(unit: SomeUnit, units: Mapping[str, SomeUnit], gone: Collection[str]) -> SomeUnit:
    """The unit that decides how a unit went: its transport, where that is gone too, else itself."""
    carrier = units.get(unit.carrier or "")
    return carrier if carrier is not None and carrier.is_known and carrier.id in gone else unit


def lost_with(change: Change, wreck: str, state: State) -> Ruling:
    """The ruling on a unit that goes after its transport: destroyed as that was, or over the edge with it."""
    if keeps_turns(state) and state.of(wreck).get(LOST_TO) is None:
        return judged(change, None, CERTAIN, f"left with {wreck}; please confirm", "OMNI-2.2", {"confirm": True})
    extra = {"phase": state.phase or ATTACK, "destroyed": True, **({"attackers": []} if keeps_turns(state) else {})}
    return judged(change, None, CERTAIN, f"was destroyed with {wreck}", "OMNI-3.2", extra)


def either(margins: Iterable[Margin]) -> Margin:
    """The margin of any of them; a refusal that hangs on no distance tells none where another does."""
    measured = [margin for margin in margins if margin is not REFUSED]
    return any_of(measured) if measured else REFUSED


def _explains(destroyed: Margin, leaves: Margin) -> bool:
    """Whether it is more likely to have been destroyed than to have left."""
    return chooser([destroyed, leaves]) == 0 or destroyed.verdict == "yes"


def owner_fault(unit: Unit, setup: Setup, state: State) -> Fault:
    """The fault of a unit that is moved in another player's turn; none in its own (C4.9)."""
    if is_active(unit, setup, state):
        return None
    return "C4.9", f"belongs to {unit.owner}; it is {state.active}'s turn"


def turn_fault(unit: Unit, state: State) -> Fault:
    """Why a unit may not move though it is its owner's turn: the phase, or it has moved, boarded or fired."""
    if state.phase not in (None, PHASE) and standstill(unit) is None:
        return "OMNI-5.1", "moved in the attack phase"
    return standstill(unit)


def may_come_any_time(unit: Unit) -> bool:
    """Whether it may be placed anywhere and in any turn (OMNI-4.2)."""
    return unit.line.has("Teleport") or unit.line.has("Drop troops")


def late_fault(state: State) -> Fault:
    """The fault of a unit that is set up after turn 1; none in it."""
    return None if state.turn <= 1 else ("OMNI-5.1", "is new; units are set up before the first turn only")


def as_if_not_fired(enemy: SomeUnit, lost: Unit, setup: Setup, state: State) -> SomeUnit | None:
    """The enemy as it was before what may have been its last attack of the turn (OMNI-3.3); None if it cannot fire.

    One whose attack at the lost unit was logged in its own turn could, though it had moved.
    """
    if phase_fault(enemy, setup, state) is not None:
        return None
    was_at_it = lost.id in (*attacked(state, enemy.id), *hit(state, enemy.id))
    return _without(enemy, ("fired", "moved")) if was_at_it else _unfired(enemy)


def _unfired(enemy: SomeUnit) -> SomeUnit:
    return _without(enemy, ("fired",))


def phase_fault(enemy: Unit, setup: Setup, state: State) -> Fault:
    """The fault of an attack in another phase of the attacker's own turn; who waits fires in any of the others'."""
    if is_active(enemy, setup, state) and state.phase not in (None, ATTACK):
        return "OMNI-5.1", f"units attack in the attack phase, not in the phase '{state.phase}'"
    return None


def freed(state: State) -> State:
    """The state in which it is everybody's turn and every phase."""
    return replace(state, active=None, phase=None)


def as_if_rested(unit: SomeUnit) -> SomeUnit:
    """The unit as if it had done nothing this turn."""
    return _without(unit, ("fired", "moved", "boarded"))


def _without(unit: SomeUnit, done: Sequence[str]) -> SomeUnit:
    return replace(unit, known={key: value for key, value in unit.known.items() if key not in done})


def loss_bar(near: Sequence[Unit], setup: Setup, state: State) -> Fault:
    """Why those in reach of a unit that is gone could not attack it: turn, phase, or what they did already."""
    if not near:
        return None
    enemy = near[0]
    fault = phase_fault(enemy, setup, state) or attacker_fault(_unfired(enemy), setup, state)
    rule, why = fault or ("OMNI-3.3", "its attacks went elsewhere")
    return rule, f"was removed; {enemy.name} could attack it, but {why}"


def not_gone(barred: Fault, unit: SomeUnit, army: Sequence[SomeUnit], setup: Setup, state: State) -> Fault:
    """Why a unit cannot be gone; and if it was lifted as it boarded, or rides, where it lies then (OMNI-2.2)."""
    rule, why = barred or NOT_GONE
    if unit.carrier is not None:
        return rule, f"{why}; it rides on {unit.carrier}: leave it there, it goes when {unit.carrier} goes"
    may_board = turn_fault(unit, state) is None and is_active(unit, setup, state)
    transports = list(with_room_for(unit, army, army)) if may_board else []
    if not transports:
        return rule, why
    nearest = min(transports, key=lambda one: math.dist(one.piece.position_mm, unit.piece.position_mm))
    return rule, f"{why}; if it went aboard {nearest.id}, lay it on {nearest.id}"


def leave_bar(unit: Unit, setup: Setup, state: State) -> Fault:
    """What forbids a unit to leave the board that could."""
    late = None
    if state.phase not in (None, PHASE):
        late = "OMNI-5.1", f"units move in the move phase, not in the phase '{state.phase}'"
    fault = owner_fault(unit, setup, state) or late or standstill(unit)
    return None if fault is None else (fault[0], f"was removed; it could leave the board, but {fault[1]}")
