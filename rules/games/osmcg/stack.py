"""The stack: declared actions wait, last in first out, until two players pass one after the other (rulebook 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.state import State

# So many passes on end resolve the top.
PASSES = 2


def pushed(state: State, item: Mapping[str, Any]) -> State:
    """The state with an action on top of the stack; whoever declared it keeps priority."""
    return turn.with_counters(state, {"stack": [*_stack(state), dict(item)], "passes": None})


def passed(state: State) -> State:
    """The state after a pass; the second on end resolves the top: it moves to `resolved`."""
    passes = int(state.counters.get("passes", 0)) + 1
    stack = _stack(state)
    if passes < PASSES or not stack:
        return turn.with_counters(state, {"passes": passes})
    resolved = [*state.counters.get("resolved", ()), stack[-1]]
    return turn.with_counters(state, {"stack": stack[:-1] or None, "passes": None, "resolved": resolved})


def _stack(state: State) -> list[Mapping[str, Any]]:
    return list(state.counters.get("stack", ()))
