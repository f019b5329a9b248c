"""Losses: which of the units that are gone can have been destroyed, when no attack destroys twice (OMNI-3.3, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.course.matching import is_payable
from rules.games.omniwar.attacks import attacked, hit, losses
from rules.games.omniwar.units import Unit, is_active
from rules.setup import Setup
from rules.state import State

# One attack: the attacker and the number of its attack in this turn.
Attack = tuple[str, int]


class Bill:
    """The losses that were accounted for, earlier ones that the match remembers first.

    What an area attack can have destroyed costs nothing: it destroys all in its hex (OMNI-3.3).
    """

    def __init__(self, setup: Setup, state: State, units: Iterable[Unit]) -> None:
        self._setup, self._state = setup, state
        self._owed: list[frozenset[Attack]] = []
        self._known = {unit.id: unit for unit in units if unit.is_known}
        for lost, attackers in losses(state).items():
            if lost not in self._known and attackers <= self._known.keys():  # who is gone himself may have been the one
                self.takes(lost, [self._known[id_] for id_ in attackers])

    def takes(self, lost: str, enemies: Sequence[Unit]) -> list[str]:
        """Those of the enemies who have an attack left that destroyed this unit; one of them spends it."""
        able = [enemy for enemy in enemies if self._has_left(enemy, lost)]
        if able and not any(enemy.line.has("Area") for enemy in able):
            self._owed.append(frozenset().union(*(self._attacks(enemy, lost) for enemy in able)))
        return [enemy.id for enemy in able]

    def _has_left(self, enemy: Unit, lost: str) -> bool:
        attacks = self._attacks(enemy, lost)
        return bool(attacks) if enemy.line.has("Area") else is_payable([*self._owed, attacks])

    def _attacks(self, enemy: Unit, lost: str) -> frozenset[Attack]:
        """The enemy's attacks that may have hit the lost unit: those logged as at it, and those not logged at all."""
        at = attacked(self._state, enemy.id)
        numbers = range(max(self._most(enemy), len(at)))
        under = lost in hit(self._state, enemy.id)
        return frozenset((enemy.id, n) for n in numbers if n >= len(at) or at[n] in (None, lost) or under)

    def _most(self, enemy: Unit) -> int:
        """How often it attacks until its next turn: who fired in its own turn fires no more in another's (OMNI-3.3)."""
        now = self._known[enemy.id]
        may_fire_on = is_active(now, self._setup, self._state) or now.has_waited
        return enemy.line.attacks if may_fire_on else min(now.times_fired, enemy.line.attacks)
