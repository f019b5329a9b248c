"""What the dice of an attack do (OMMS-5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Outcome = Literal["win", "tie", "lose"]


def outcome(attack: Sequence[int], defence: Sequence[int]) -> Outcome:
    """How an attack ends for the attacker: each side takes its highest die, equal dice are a stand-off.

    On `win` the defender's unit is gone and the attacker steals a card if there is one (OMMS-5.5); on `lose` the
    attacker's unit is gone. Raises ValueError unless both sides threw.
    """
    if not attack or not defence:
        raise ValueError("both sides of an attack throw at least one die")
    mine, theirs = max(attack), max(defence)
    if mine == theirs:
        return "tie"
    return "win" if mine > theirs else "lose"
