"""Losses: which of the units that are gone can have been destroyed, by the tosses of those who may act (POCKET-3.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from rules.games.pocket.shots import can_shoot
from rules.games.pocket.table import Table, opposed
from rules.games.pocket.units import Unit, is_active
from rules.scene import UNKNOWN

# Whose tosses may have done one damage, by the ids of the units that tossed.
Tosses = frozenset[str]
_NOBODY: Tosses = frozenset()


def destroyed(gone: Collection[str], seen: Table) -> frozenset[str]:
    """Those of the units that tosses can have destroyed together: the wavering first, each kind in the scene's order.

    Every toss does at most one damage (POCKET-3.1), so that whoever finds too few left was not destroyed.
    """
    bill = _Bill(seen)
    units = sorted((unit for unit in seen.units if unit.id in gone), key=lambda unit: unit.is_steady)
    return frozenset(unit.id for unit in units if bill.takes(unit))


def at_worst(seen: Table) -> Table:
    """The table on which every unit wavers whose face was not seen."""
    return replace(seen, units=tuple(_wavering(unit) if unit.piece.face == UNKNOWN else unit for unit in seen.units))


def _wavering(unit: Unit) -> Unit:
    return replace(unit, piece=replace(unit.piece, face="tails"))


def loss_fault(unit: Unit, seen: Table) -> str:
    """Why the unit was not destroyed, in words."""
    most = len(shots_at(unit, seen) | blows_at(unit, seen))
    if not most:
        return "was removed, though nothing can have destroyed it"
    if unit.id in destroyed([unit.id], seen):
        return f"was removed, though at most {most} damage can have been done, too little for all that are gone"
    first = ", nobody a second before all have one" if most > 1 else ""
    return f"was removed, though it was steady and at most {most} damage can have been done{first}"


def shots_at(unit: Unit, seen: Table) -> Tosses:
    """Who can have shot at the unit and hit: in range, not in melee, and in its own player's phase (POCKET-4.1)."""
    if not seen.phases("ranged"):
        return _NOBODY
    return frozenset(enemy.id for enemy in seen.units if _may_hit(unit, enemy, seen) and _may_shoot(unit, enemy, seen))


def blows_at(unit: Unit, seen: Table) -> Tosses:
    """Who can have damaged the unit in melee, in which all toss, whoever's turn it is."""
    if not seen.phases("melee"):
        return _NOBODY
    return frozenset(enemy.id for enemy in seen.units if enemy.cell == unit.cell and _may_hit(unit, enemy, seen))


def _may_hit(unit: Unit, enemy: Unit, seen: Table) -> bool:
    return opposed(unit, enemy) and seen.state.of(enemy.id).get("toss") != "tails"


def _may_shoot(unit: Unit, enemy: Unit, seen: Table) -> bool:
    """Also one that has shot already: its shot may be what destroyed."""
    if enemy.troop is None or seen.in_melee(enemy) or not is_active(enemy, seen.setup, seen.state):
        return False
    return can_shoot(enemy.troop, enemy.location, unit.location)


@dataclass
class _Bill:
    """The damage that has been accounted for: whose toss each may have been, and whom it struck."""

    seen: Table
    owed: list[Tosses] = field(default_factory=list)
    struck: set[str] = field(default_factory=set)

    def takes(self, unit: Unit) -> bool:
        """Whether tosses are left that destroy this unit too; if so, they are spent."""
        shots, blows = shots_at(unit, self.seen), blows_at(unit, self.seen)
        if not unit.is_steady:
            return self._spends([shots | blows], [unit])
        if self._spends([shots, shots | blows], [unit]):
            return True
        # In one melee nobody has a second damage before all on his side have one.
        beside = [one for one in self.seen.units if one.owner == unit.owner and one.cell == unit.cell and one.is_known]
        first = [one for one in beside if one.id not in self.struck]
        return self._spends([blows] * (len(first) + 1), first)

    def _spends(self, damage: Sequence[Tosses], struck: Sequence[Unit]) -> bool:
        if not _is_payable([*self.owed, *damage]):
            return False
        self.owed += damage
        self.struck |= {unit.id for unit in struck}
        return True


def _is_payable(owed: Sequence[Tosses]) -> bool:
    """Whether each damage can have been that of a toss of its own."""
    payers: dict[str, int] = {}
    return all(_finds_payer(place, owed, payers, set()) for place in range(len(owed)))


def _finds_payer(place: int, owed: Sequence[Tosses], payers: dict[str, int], asked: set[str]) -> bool:
    """Whether a toss is free for that damage, or is when others take another one."""
    for toss in sorted(owed[place] - asked):
        asked.add(toss)
        if toss not in payers or _finds_payer(payers[toss], owed, payers, asked):
            payers[toss] = place
            return True
    return False
