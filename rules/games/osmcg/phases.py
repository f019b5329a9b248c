"""The six phases of a turn, and which one it is (C4.10)."""

from __future__ import annotations

import re

from rules.state import State

PHASES = ("upkeep", "draw", "main-1", "activation", "main-2", "end")


def phase_of(state: State) -> str | None:
    """The phase that the state tells, however it is spelt; None if it tells none, ValueError if there is no such."""
    if state.phase is None:
        return None
    phase = re.sub(r"[\s_-]+", "-", state.phase.strip().lower())
    if phase not in PHASES:
        raise ValueError(f"state: phase: {state.phase!r} is none of {', '.join(PHASES)}")
    return phase
