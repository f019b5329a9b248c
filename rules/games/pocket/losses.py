"""Losses: which of the units that are gone can have been destroyed, by the tosses of those who may act (POCKET-3.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rules.course.matching import is_payable
from rules.games.pocket.combat import may_cancel_in_melee
from rules.games.pocket.fallen import FALLEN, SHOT_AT, STEADY, Fallen, fallen, forgetting, record
from rules.games.pocket.shots import can_shoot
from rules.games.pocket.table import Table, opposed
from rules.games.pocket.tosses import Tosser, may_have_been
from rules.games.pocket.units import Unit, is_active
from rules.scene import UNKNOWN

# Whose tosses may have done one damage, by the ids of the units that tossed.
Tosses = frozenset[str]
_NOBODY: Tosses = frozenset()


def destroyed(gone: Collection[str], seen: Table) -> Mapping[str, dict[str, Any]]:
    """Those of the units that tosses can have destroyed together: the wavering first, each kind in the scene's order.

    Every toss does at most one damage (POCKET-3.1), so that whoever finds too few left was not destroyed: the damage
    that was done earlier in the phase counts first. Each with its record for the log.
    """
    bill = _Bill(_as_first_seen(seen))
    for unit in seen.units:
        if unit.id not in gone and unit.piece.face == "tails" and _was_steady(unit, seen):
            bill.strikes(unit)
    units = sorted((unit for unit in bill.seen.units if unit.id in gone), key=lambda unit: unit.is_steady)
    return {unit.id: paid for unit in units if (paid := bill.takes(unit)) is not None}


def at_worst(seen: Table) -> Table:
    """The table on which nobody turned over in this phase, and every unit wavers whose face was not seen."""
    units = (_with_face(unit, "tails") if unit.piece.face == UNKNOWN else unit for unit in seen.units)
    return replace(seen, units=tuple(units), state=forgetting(seen.state, STEADY))


def _as_first_seen(seen: Table) -> Table:
    """The table with the faces of the phase's beginning: who turned over since had a damage for that."""
    units = (_with_face(unit, "heads") if _was_steady(unit, seen) else unit for unit in seen.units)
    return replace(seen, units=tuple(units))


def _was_steady(unit: Unit, seen: Table) -> bool:
    return bool(seen.state.of(unit.id).get(STEADY))


def _with_face(unit: Unit, face: str) -> Unit:
    return replace(unit, piece=replace(unit.piece, face=face))


def falls_too(unit: Unit, gone: Collection[str], seen: Table) -> Unit | None:
    """A wavering friend who is still there though melee destroyed a steady unit, and who must have been destroyed too.

    Nobody is damaged twice before all on his side are once (POCKET-3.2); who may cancel damage may have done so.
    """
    first = _as_first_seen(seen)
    steady = any(one.id == unit.id and one.is_steady and one.piece.face != UNKNOWN for one in first.units)
    if not steady or shots_at(unit, seen):
        return None
    beside = (one for one in first.units if (one.cell, one.owner) == (unit.cell, unit.owner) and one.id not in gone)
    return next((one for one in beside if one.is_known and not one.is_steady and not _may_cancel(one, seen)), None)


def _may_cancel(unit: Unit, seen: Table) -> bool:
    return unit.troop is not None and may_cancel_in_melee(unit.troop, unit.location) and _tossed(unit.id, seen)


def loss_fault(unit: Unit, seen: Table, went: str) -> str:
    """Why the unit was not destroyed, in words; `went` is how it left the battlefield."""
    most = len(shots_at(unit, seen) | blows_at(unit, seen))
    if not most:
        return f"{went}{_bar(unit, seen) or ', though nothing can have destroyed it'}"
    if unit.id in destroyed([unit.id], replace(seen, state=forgetting(seen.state, FALLEN, STEADY))):
        return f"{went}, though at most {most} damage can have been done, too little for all that are gone"
    if not unit.is_steady and not _was_steady(unit, seen):
        return f"{went}, though at most {most} damage can have been done, and others are damaged first"
    first = ", nobody a second before all have one" if most > 1 else ""
    return f"{went}, though it was steady and at most {most} damage can have been done{first}"


def _bar(unit: Unit, seen: Table) -> str | None:
    """The end of a sentence: an enemy could damage the unit from where it stands, but it is not its phase or turn.

    None if there is no such enemy.
    """
    free = replace(seen, state=replace(seen.state, active=None, phase=None))
    for verb, phase, able in (("strike", "melee", blows_at(unit, free)), ("shoot at", "ranged", shots_at(unit, free))):
        enemy = next((one for one in seen.units if one.id in able), None)
        if enemy is not None:
            wrong = f"it is {seen.state.active}'s turn"
            if not seen.phases(phase):
                wrong = f"units {verb.split()[0]} in the {phase} phase, not in the phase '{seen.state.phase}'"
            return f"; {enemy.name} could {verb} it, but {wrong}"
    return None


def shots_at(unit: Unit, seen: Table) -> Tosses:
    """Who can have shot at the unit and hit: in range, not in melee, and in its own player's phase (POCKET-4.1)."""
    if not seen.phases("ranged"):
        return _NOBODY
    return frozenset(enemy.id for enemy in seen.units if _may_hit(unit, enemy, seen) and _may_shoot(unit, enemy, seen))


def blows_at(unit: Unit, seen: Table) -> Tosses:
    """Who can have damaged the unit in melee, in which all toss, whoever's turn it is."""
    if not seen.phases("melee"):
        return _NOBODY
    there = frozenset(enemy.id for enemy in seen.units if enemy.cell == unit.cell and _may_hit(unit, enemy, seen))
    return there | _last_blows_at(unit, seen)


def _last_blows_at(unit: Unit, seen: Table) -> Tosses:
    """Those of the enemies who fell in this melee: the tosses of destroyed units count too."""
    enemies = (id_ for id_, one in _fallen(seen).items() if one.cell == unit.cell and one.owner != unit.owner)
    return frozenset(id_ for id_ in enemies if unit.is_known and _tossed(id_, seen))


def _fallen(seen: Table) -> dict[str, Fallen]:
    """The units that fell in this phase; one that stands on the cards again did not."""
    standing = {unit.id for unit in seen.units}
    return {id_: one for id_, one in fallen(seen.state).items() if id_ not in standing}


def _may_hit(unit: Unit, enemy: Unit, seen: Table) -> bool:
    return opposed(unit, enemy) and _tossed(enemy.id, seen)


def _tossed(enemy_id: str, seen: Table) -> bool:
    """Whether its toss may have been heads."""
    return seen.state.of(enemy_id).get("toss") != "tails"


def _may_shoot(unit: Unit, enemy: Unit, seen: Table) -> bool:
    """Also one that has shot already: its shot may be what destroyed, unless it is known to have been at another."""
    if seen.state.of(enemy.id).get(SHOT_AT) not in (None, unit.id):
        return False
    if enemy.troop is None or seen.in_melee(enemy) or not is_active(enemy, seen.setup, seen.state):
        return False
    return can_shoot(enemy.troop, enemy.location, unit.location)


def _goes_first(one: Unit, unit: Unit, seen: Table) -> bool:
    """Whether one has to be damaged in melee before a unit: who tossed tails, then who is steady, if both tossed."""
    tosses = [seen.state.of(each.id).get("toss") for each in (one, unit)]
    if any(toss not in ("heads", "tails") for toss in tosses):
        return False
    return (tosses[0] == "heads", not one.is_steady) < (tosses[1] == "heads", not unit.is_steady)


@dataclass
class _Bill:
    """The damage that has been accounted for: whose toss each may have been, and whom it struck."""

    seen: Table
    owed: list[Tosses] = field(default_factory=list)
    struck: set[str] = field(default_factory=set)
    destroyed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for one in _fallen(self.seen).values():
            self.owed += map(frozenset, one.damage)
            self.struck |= set(one.struck)

    def strikes(self, unit: Unit) -> None:
        """Spends the toss that turned the unit over, if there can have been one."""
        if unit.id not in self.struck:
            self._spends(unit, [shots_at(unit, self.seen) | blows_at(unit, self.seen)], [unit])

    def takes(self, unit: Unit) -> dict[str, Any] | None:
        """The record of the unit's end, if tosses are left that destroy it too; they are then spent."""
        if not self._was_tossed(unit):
            return None
        shots, blows = shots_at(unit, self.seen), blows_at(unit, self.seen)
        beside = [one for one in self.seen.units if one.owner == unit.owner and one.cell == unit.cell and one.is_known]
        waiting = [one for one in beside if one.id not in self.struck]
        if not unit.is_steady:
            if unit.id in self.struck:
                return self._spends(unit, [], [unit])
            first = [unit, *(one for one in waiting if _goes_first(one, unit, self.seen))]
            return self._spends(unit, [shots], [unit]) or self._spends(unit, [blows] * len(first), first)
        # In one melee nobody has a second damage before all on his side have one.
        return self._spends(unit, [shots, shots | blows], [unit]) or self._spends(
            unit, [blows] * (len(waiting) + 1), waiting
        )

    def _was_tossed(self, unit: Unit) -> bool:
        """Whether one toss of all who fight in the unit's melee can have destroyed it and the others that are gone.

        True also where it may have been shot, or where the kind or owner of a unit in the melee is unknown.
        """
        there = [one for one in self.seen.units if one.cell == unit.cell]
        if self.seen.state.phase != "melee" or not all(one.is_known for one in there):
            return True
        gone = {*self.destroyed, unit.id}
        tossers = [(one.owner, one.id, one.is_steady, one.id in gone) for one in there]
        ended = ((id_, one) for id_, one in _fallen(self.seen).items() if one.cell == unit.cell)
        tossers += [(one.owner, id_, one.steady, True) for id_, one in ended]
        sides: tuple[list[Tosser], list[Tosser]] = [], []
        for owner, id_, steady, is_gone in tossers:
            sides[owner == unit.owner].append(Tosser(steady, is_gone, self.seen.state.of(id_).get("toss")))
        return may_have_been(sides)

    def _spends(self, unit: Unit, damage: list[Tosses], struck: Sequence[Unit]) -> dict[str, Any] | None:
        if not is_payable([*self.owed, *damage]):
            return None
        self.owed += damage
        self.struck |= {one.id for one in struck}
        self.destroyed |= {unit.id}
        return record(unit.cell, unit.owner, damage, {one.id for one in struck}, steady=unit.is_steady)
