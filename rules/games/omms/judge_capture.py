"""Whether a settlement may have been taken, and a unit lost in a fight (OMMS-5.2 to 5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from rules.course.changes import has_moved
from rules.game import Ruling
from rules.games.omms.condition import Condition, fact, measured, refused
from rules.games.omms.emptied import emptied_by
from rules.games.omms.fight import all_fights
from rules.games.omms.losses import LOSSES, known_losses
from rules.games.omms.target_rulings import target_rulings
from rules.games.omms.whose_turn import may_attack
from rules.margin import REFUSED, ROUNDING_MM, UNTOLD, Margin

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table

# The rule by which a unit is lost in a fight.
FOUGHT = "OMMS-5.4"


def taken(was: Table, now: Table, base: Coin, taker: str | None = None) -> list[Condition]:
    """That an enemy, or one owner, can have taken a settlement: nobody is left in it, and a unit was in range.

    A unit that has attacked may take what its fight has emptied (rulebook, Defeating a settlement).
    """
    inside = was.coins.garrison(base)
    victors = emptied_by(was.state, base.id)
    if victors and not inside and taker in (None, *victors):
        return [fact(True, "OMMS-5.5", f"{base} was taken: its last defender was destroyed")]
    rested = _rested(was)
    enemies = [unit for unit in _attackers(rested, base) if taker in (None, unit.owner)]
    goals = {unit.id for unit in inside} or {base.id}
    aimed = (ruling for enemy in enemies for ruling in target_rulings(rested, enemy) if ruling.other in goals)
    whose = "no enemy" if taker is None else f"no unit of {taker}"
    likely = likeliest(aimed, "OMMS-5.5", f"{base} was taken", f"{base} is gone, but {whose} could take it")
    if likely.verdict == "no":
        likely = _barred(was, base, _reaching(was, base, goals, taker), "take it") or likely
    return [*(_left(was, now, base, unit) for unit in inside if unit.id in now.coins), likely]


def _left(was: Table, now: Table, base: Coin, unit: Coin) -> Condition:
    """That a unit of the garrison has left a settlement. One that only lay on others in it has to lie over it no more.

    A unit that has not moved is still there.
    """
    here = now.coins[unit.id]
    stays = not has_moved(was.scene[unit.id], now.scene[unit.id])
    inside = here.cover(base) if unit.cover(base).verdict != "no" else here.lies_over(base)
    gone = Margin(-abs(inside.margin_mm) if stays else -inside.margin_mm, inside.sigma_mm)
    return measured(gone, "OMMS-5.5", f"{unit} {'has left' if gone.margin_mm > 0 else 'still stands in'} {base}")


def lost_in_a_fight(was: Table, unit: Coin) -> list[Condition]:
    """The fights in which a unit can have been lost: one that was declared, and those that were possible."""
    fought = _undeclared(was, [*_attacks_on(was, unit), *_attacks_by(was, unit)])
    gone = f"{unit} is gone, but nothing could have destroyed it where it stood"
    likely = likeliest(fought, FOUGHT, f"{unit} was lost in a fight", gone)
    if likely.verdict == "no":
        likely = _barred(was, unit, _reaching(was, unit, {unit.id}), "attack it") or likely
    return [*_declared(was, unit), likely]


def undeclared_attackers(was: Table, unit: Coin) -> list[str]:
    """Who may have destroyed a lost unit, by id; none if an attack on it was declared, or it may have attacked."""
    if any(fight.holds for fight in _declared(was, unit)) or any(r.verdict != "no" for r in _attacks_by(was, unit)):
        return []
    return [str(ruling.piece) for ruling in _attacks_on(was, unit) if ruling.verdict != "no"]


def left_empty(was: Table, now: Table, unit: Coin) -> dict[str, list[str]]:
    """The settlements whose last defender a destroyed unit was, by id, with the colours of those who may have
    destroyed it."""
    fights = [*(fight for fight in all_fights(was) if fight.other == unit.id), *_attacks_on(was, unit)]
    colours = sorted({was.coins[str(fight.piece)].owner for fight in fights if fight.verdict != "no"})
    walls = [base for base in was.coins.walls_of(unit) if base.id in now.coins and not now.coins.garrison(base)]
    return {base.id: colours for base in walls if colours}


def _attacks_on(was: Table, unit: Coin) -> list[Ruling]:
    left = _without_lost(was, unit)
    enemies = _attackers(left, unit)
    return [ruling for enemy in enemies for ruling in target_rulings(left, enemy) if ruling.other == unit.id]


def _without_lost(table: Table, unit: Coin) -> Table:
    """The table without the others whose loss is explained already: they defend for nobody any more (OMMS-5.3)."""
    for lost in known_losses(table.state).keys() - {unit.id}:
        table = table.without(lost)
    return table


def _attacks_by(was: Table, unit: Coin) -> list[Ruling]:
    """Those in which the unit itself can be lost."""
    own = target_rulings(was, unit) if _in_its_attack(was, unit) else ()
    return [ruling for ruling in own if "odds" in ruling.extra]


def _declared(was: Table, unit: Coin) -> list[Condition]:
    """What the dice of the declared attack say of the unit; while they are not all told, it may be lost or not."""
    return [_told_by(fight, unit) for fight in all_fights(was) if unit.id in (fight.piece, fight.other)]


def _told_by(fight: Ruling, unit: Coin) -> Condition:
    if fight.rule != FOUGHT:
        return fact(False, fight.rule, f"{unit} is gone, but {fight.why}")
    why = f"{unit} was in a fight: {fight.why}"
    if "lost" not in fight.extra:
        return measured(UNTOLD, FOUGHT, why)
    return fact(fight.extra["lost"] == unit.id, FOUGHT, why)


def _attackers(table: Table, coin: Coin) -> list[Coin]:
    """The units that may attack a coin now, wherever they stand."""
    return [unit for unit in table.coins.units if unit.is_enemy(coin.owner) and _in_its_attack(table, unit)]


def _in_its_attack(table: Table, unit: Coin) -> bool:
    return all(each.holds for each in may_attack(table, unit))


def _barred(was: Table, coin: Coin, attackers: Sequence[Coin], what: str) -> Condition | None:
    """Why those in reach of a coin that is gone could not attack it: turn, phase, or an attack spent; None if nobody
    is in reach."""
    bars = [[one for one in (*may_attack(was, unit), _is_rested(was, unit)) if not one.holds] for unit in attackers]
    found = [(unit, told) for unit, told in zip(attackers, bars, strict=True) if told]
    if not found:
        return None
    unit, told = min(found, key=lambda one: len(one[1]))
    return fact(False, told[0].rule, f"{coin} is gone; {unit} could {what}, but {told[0].why}")


def _reaching(was: Table, coin: Coin, goals: AbstractSet[str], taker: str | None = None) -> list[Coin]:
    """Enemies (of the owner `taker`, if given) that could attack a coin if it were their turn and they were fresh."""
    free = _rested(replace(was, state=replace(was.state, active=None, phase=None)))
    units = (unit for unit in free.coins.units if unit.is_enemy(coin.owner) and taker in (None, unit.owner))
    return [unit for unit in units if any(r.other in goals and r.verdict != "no" for r in target_rulings(free, unit))]


def _is_rested(table: Table, unit: Coin) -> Condition:
    return fact(not table.has_attacked(unit), "OMMS-2", f"{unit} has attacked this turn")


def _undeclared(was: Table, fights: Sequence[Ruling]) -> list[Ruling]:
    """The fights that nobody declared: declared attackers have had their attack, and their targets have answered it."""
    declared = [fight for fight in all_fights(was) if fight.rule == FOUGHT]
    spent = {fight.piece for fight in declared}
    answered = {(fight.other, fight.piece) for fight in declared}
    return [each for each in fights if each.piece not in spent and (each.piece, each.other) not in answered]


def _rested(table: Table) -> Table:
    """The table on which nobody has attacked yet."""
    pieces = {name: {**known, "fired": False, "attacked": False} for name, known in table.state.pieces.items()}
    counters = {name: told for name, told in table.state.counters.items() if name != LOSSES}
    return replace(table, state=replace(table.state, pieces=pieces, counters=counters))


def likeliest(rulings: Iterable[Ruling], rule: str, why: str, why_not: str) -> Condition:
    """The condition that one of these attacks was made.

    Two attacks that are possible, each too close to call, leave no doubt together: no single distance turns both.
    """
    asked = tuple(rulings)
    found = [ruling for ruling in asked if ruling.verdict != "no"]
    holding = {frozenset((r.piece, r.other)): r for r in found if r.margin_mm >= -ROUNDING_MM}
    sure = next((ruling for ruling in found if ruling.verdict == "yes"), None)
    if sure is not None or len(holding) > 1:
        return fact(True, rule, f"{why}: {(sure or next(iter(holding.values()))).why}")
    return _doubtful(found, rule, why) if found else _missed(asked, why_not)


def _missed(rulings: Sequence[Ruling], why_not: str) -> Condition:
    """That none of these attacks was possible: by how much the nearest missed, where a distance tells it (C3.4)."""
    measured_ = (ruling for ruling in rulings if Margin(ruling.margin_mm, ruling.sigma_mm) != REFUSED)
    best = max(measured_, key=lambda ruling: ruling.margin_mm, default=None)
    if best is None:
        return fact(False, "OMMS-5.2", why_not)
    return refused(Margin(best.margin_mm, best.sigma_mm), best.rule, f"{why_not}: {best.why}")


def _doubtful(found: Sequence[Ruling], rule: str, why: str) -> Condition:
    """The nearest of attacks that are all too close to call."""
    best = max(found, key=lambda ruling: ruling.margin_mm)
    margin = Margin(best.margin_mm, best.sigma_mm)
    return Condition(margin.margin_mm >= -ROUNDING_MM, "close", margin, rule, f"{why}, if at all: {best.why}")
