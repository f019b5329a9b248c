"""What judging shares, with hexes and without: the ruling, and what turn and phase forbid (C4.8, C4.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rules.changes import Change
from rules.game import Ruling
from rules.games.omniwar.attack import PHASE as ATTACK
from rules.games.omniwar.mobility import PHASE, standstill
from rules.games.omniwar.units import Unit, is_active
from rules.judged import Fault
from rules.judged import judged as ruling_on
from rules.margin import REFUSED, Margin, any_of, chooser
from rules.setup import Setup
from rules.state import State
from rules.turn import keeps_turns

UNKNOWN_FAULT: Fault = ("C5.2", "is of unknown kind or owner; say what and whose it is")
NOT_GONE: Fault = ("OMNI-2.2", "was removed, though nobody can have destroyed it and it cannot leave the board")

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


def removed(
    change: Change,
    margin: Margin,
    destroyed: Margin,
    leaves: Margin,
    leaving: str,
    state: State,
    attackers: Sequence[str],
) -> Ruling:
    """The ruling on a unit that is gone: an enemy can have destroyed it, or its move reaches over the edge.

    margin     that of the one or the other
    attackers  who can have destroyed it, which a match that keeps turns remembers
    """
    if margin.verdict == "no":
        return judged(change, NOT_GONE, margin, "", extra={"phase": state.phase or PHASE})
    if _explains(destroyed, leaves):
        why = "was destroyed" if margin.verdict == "yes" else "was destroyed, if an enemy could"
        kept = {"attackers": sorted(attackers)} if keeps_turns(state) else {}
        return judged(
            change, None, margin, why, "OMNI-3.2", {"phase": state.phase or ATTACK, "destroyed": True, **kept}
        )
    return judged(change, None, margin, leaving, "OMNI-2.2", {"confirm": True})


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


def as_if_not_fired(enemy: SomeUnit, setup: Setup, state: State) -> SomeUnit | None:
    """The enemy as it was before what may have been its last attack of the turn (OMNI-3.3); None if it cannot fire."""
    if is_active(enemy, setup, state) and state.phase not in (None, ATTACK):
        return None
    return replace(enemy, known={key: value for key, value in enemy.known.items() if key != "fired"})
