"""Losses: which of the units that are gone can have been destroyed, when no attack destroys twice (OMNI-3.3, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.games.omniwar.attacks import attacked, losses
from rules.games.omniwar.units import Unit
from rules.matching import is_payable
from rules.state import State

# One attack: the attacker and the number of its attack in this turn.
Attack = tuple[str, int]


class Bill:
    """The losses that were accounted for, earlier ones that the match remembers first.

    What an area attack can have destroyed costs nothing: it destroys all in its hex (OMNI-3.3).
    """

    def __init__(self, state: State, units: Iterable[Unit]) -> None:
        self._state = state
        self._owed: list[frozenset[Attack]] = []
        known = {unit.id: unit for unit in units if unit.is_known}
        for lost, attackers in losses(state).items():
            if lost not in known and attackers <= known.keys():  # who is gone himself may have been the one
                self.takes(lost, [known[id_] for id_ in attackers])

    def takes(self, lost: str, enemies: Sequence[Unit]) -> list[str]:
        """Those of the enemies who have an attack left that destroyed this unit; one of them spends it."""
        able = [enemy for enemy in enemies if self._has_left(enemy, lost)]
        if able and not any(enemy.line.has("Area") for enemy in able):
            self._owed.append(frozenset().union(*(self._attacks(enemy, lost) for enemy in able)))
        return [enemy.id for enemy in able]

    def _has_left(self, enemy: Unit, lost: str) -> bool:
        return enemy.line.has("Area") or is_payable([*self._owed, self._attacks(enemy, lost)])

    def _attacks(self, enemy: Unit, lost: str) -> frozenset[Attack]:
        """The enemy's attacks that may have been at the unit: those logged at it, and those that nobody logged."""
        at = attacked(self._state, enemy.id)
        numbers = range(max(enemy.line.attacks, len(at)))
        return frozenset((enemy.id, n) for n in numbers if n >= len(at) or at[n] in (None, lost))
