"""The six phases of a turn, and which one it is (C4.10)."""

from __future__ import annotations

from rules.state import State, spelt_phase

PHASES = ("upkeep", "draw", "main-1", "activation", "main-2", "end")


def phase_of(state: State) -> str | None:
    """The phase that the state tells, however it is spelt; None if it tells none, ValueError if there is no such."""
    if state.phase is None:
        return None
    phase = spelt_phase(state.phase)
    if phase not in PHASES:
        raise ValueError(f"state: phase: {state.phase!r} is none of {', '.join(PHASES)}")
    return phase
