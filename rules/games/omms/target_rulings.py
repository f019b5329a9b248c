"""`target` rulings: what a unit may attack now, with the odds (OMMS-5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rules.decimals import limit_beside, set_apart
from rules.dice import odds
from rules.game import Mark, Ruling
from rules.games.omms.attack_sea import way_at_sea
from rules.games.omms.attack_way import Ask, Way, open_ways_on, ways
from rules.games.omms.coins import SHIP, Coin
from rules.games.omms.condition import Condition, decide, fact, measured, refused
from rules.games.omms.footing import doubted, footing, readings, touching
from rules.games.omms.lying import if_otherwise
from rules.games.omms.lying import why as doubt
from rules.games.omms.whose_turn import ATTACK, in_turn
from rules.margin import CLOSE_SIGMAS, ROUNDING_MM, Margin, at_most
from rules.sentences import listed

if TYPE_CHECKING:
    from rules.games.omms.table import Table

PHASE = ATTACK
_ITS_TURN = fact(True, "C4.9", "")


@dataclass(frozen=True)
class Attack:
    """One unit that could be asked to attack one enemy coin, with all that decides it.

    dice      how many attacker and defender throw; an empty settlement, or a coin that another defends, throws none
    first     the coins of the enemy's stack that defend it
    standing  the margin of the attacker standing on a road, None where that is no question
    way       whether a road leads to the target; None if the attacker is off the roads
    turn      the condition that it is the attacker's turn
    """

    unit: Coin
    enemy: Coin
    range_mm: float
    dice: tuple[int, int]
    first: tuple[Coin, ...] = ()
    aboard: tuple[Coin | None, Coin | None] = (None, None)
    attacked: bool = False
    standing: Margin | None = None
    way: Way | None = None
    turn: Condition = _ITS_TURN

    @property
    def range(self) -> Margin:
        """The margin of the target being within the breadth of a card."""
        return _range(self.unit, self.enemy, self.range_mm)


def _range(unit: Coin, enemy: Coin, range_mm: float) -> Margin:
    return at_most(unit.distance_mm(enemy), range_mm, unit.pair_sigma_mm(enemy))


def target_rulings(table: Table, unit: Coin) -> tuple[Ruling, ...]:
    """One ruling for each enemy coin that the unit could be asked about; an occupied settlement is none (OMMS-5.2)."""
    found = _as_measured(table, unit)
    if not table.otherwise:
        return found
    near = {coin.id for coin in table.coins.near(unit, table.length_mm)} | {unit.id}
    anew = {
        pair: {ruling.other: ruling for ruling in _as_measured(other, unit)}
        for pair, other in table.otherwise.items()
        if pair & near
    }
    return tuple(_in_doubt(table, ruling, anew) for ruling in found)


def _in_doubt(table: Table, ruling: Ruling, anew: Mapping[frozenset[str], Mapping[str | None, Ruling]]) -> Ruling:
    """The ruling; close if it changes where it is too close to call whether coins lie on each other (C3.4)."""
    found = Condition(
        may_be(ruling), ruling.verdict, Margin(ruling.margin_mm, ruling.sigma_mm), ruling.rule, ruling.why
    )
    others = {pair: rulings.get(ruling.other) for pair, rulings in anew.items()}
    told = if_otherwise(table, found, ((pair, one is not None and may_be(one)) for pair, one in others.items()))
    if told is found:
        return _with_other_dice(table, ruling, others)
    attack = next(one for one in (ruling, *others.values()) if one is not None and may_be(one))
    marks = tuple(replace(mark, role="doubt") for mark in attack.marks)
    return replace(
        ruling, verdict="close", rule=told.rule, why=told.why, margin_mm=told.margin.margin_mm,
        sigma_mm=told.margin.sigma_mm, extra=attack.extra, marks=marks,
    )  # fmt: skip


def _with_other_dice(table: Table, ruling: Ruling, others: Mapping[frozenset[str], Ruling | None]) -> Ruling:
    """The ruling on an attack that is possible; it says where the number of dice hangs on how two coins lie."""
    odds_ = ruling.extra.get("odds")
    turning = (pair for pair, one in others.items() if one is not None and one.extra.get("odds") != odds_)
    pair = next(turning, None) if ruling.verdict != "no" else None
    return ruling if pair is None else replace(ruling, why=f"{ruling.why}; other dice if not: {doubt(table, pair)}")


def may_be(ruling: Ruling) -> bool:
    """Whether an attack is possible as it was measured, too close to call or not."""
    return ruling.verdict == "yes" or (ruling.verdict == "close" and ruling.margin_mm >= -ROUNDING_MM)


def _as_measured(table: Table, unit: Coin) -> tuple[Ruling, ...]:
    """The rulings without the doubt which coins lie on each other.

    Who is out of range is told so by the two coins' own error, whatever error others on the table have.
    """
    enemies = table.targets_of(unit.owner)
    far_mm = table.breadth_mm + CLOSE_SIGMAS * (unit.sigma_mm + table.coins.most_sigma_mm)
    near = {coin for coin in table.coins.near(unit, far_mm) if _range(unit, coin, table.breadth_mm).verdict != "no"}
    found = _ways(table, unit, tuple(enemy for enemy in enemies if enemy in near))
    mine = table.attack_dice_of(unit)
    on_road = touching(table, unit) if unit.role != SHIP else None
    return tuple(
        _near_ruling(_attack(table, unit, enemy, found.get(enemy), on_road))
        if enemy in near
        else _far_ruling(unit, enemy, table.breadth_mm, (mine, table.defence_dice_of(enemy)))
        for enemy in enemies
    )


def _attack(table: Table, unit: Coin, enemy: Coin, way: Way | None, on_road: Margin | None) -> Attack:
    return Attack(
        unit,
        enemy,
        table.breadth_mm,
        (table.attack_dice_of(unit), table.defence_dice_of(enemy)),
        table.defenders_of(enemy),
        (table.coins.ship_of(unit), table.coins.ship_of(enemy)),
        table.has_attacked(unit),
        on_road,
        way,
        in_turn(table, unit),
    )


def _ways(table: Table, unit: Coin, enemies: tuple[Coin, ...]) -> Mapping[Coin, Way]:
    """Whether a way leads to each of the enemies in range; nothing for a unit off the roads."""
    if unit.role == SHIP:
        return {enemy: way_at_sea(table, unit, enemy) for enemy in enemies if enemy.role == SHIP}
    point = footing(table, unit)
    if point is None or not enemies:
        return {}
    near = table.coins.near(unit, table.length_mm + CLOSE_SIGMAS * (unit.sigma_mm + table.coins.most_sigma_mm))
    foes = [coin for coin in near if coin.blocks(unit.owner)]
    asks = [Ask(unit, point, table.length_mm, enemy, _others(table, foes, enemy)) for enemy in enemies]
    roads = table.country.roads
    others = [(one.point, one.margin) for one in readings(table, unit, point) if one.point is not None]
    open_ways_on(roads)([replace(ask, point=other) for ask in asks for other, _ in others])  # all in one pass
    found = zip(enemies, asks, ways(roads, asks), strict=True)
    return {enemy: doubted(roads, way, ask, others) if others else way for enemy, ask, way in found}


def _others(table: Table, enemies: list[Coin], target: Coin) -> tuple[Coin, ...]:
    """The enemies whose discs can bar the way: all but the target's own stack and its settlement."""
    own = table.coins.stack_of(target)
    return tuple(coin for coin in enemies if coin not in own)


@lru_cache(maxsize=16384)
def _far_ruling(unit: Coin, enemy: Coin, range_mm: float, dice: tuple[int, int]) -> Ruling:
    """Out of range, whatever else."""
    attack = Attack(unit, enemy, range_mm, dice)
    margin = attack.range
    return Ruling(
        kind="target",
        piece=unit.id,
        verdict="no",
        rule="OMMS-5.2",
        why=_range_why(attack),
        other=enemy.id,
        margin_mm=margin.margin_mm,
        sigma_mm=margin.sigma_mm,
        geometry=enemy.point,
        extra=_extra(attack),
    )


def _extra(attack: Attack) -> dict[str, Any]:
    extra: dict[str, Any] = {"phase": PHASE, "distance_mm": attack.unit.distance_mm(attack.enemy)}
    if attack.dice[1]:
        extra["odds"] = odds(*attack.dice).document()
    return extra


@lru_cache(maxsize=4096)
def _near_ruling(attack: Attack) -> Ruling:
    in_range = measured(attack.range, "OMMS-5.2", _range_why(attack))
    conditions = [*_may(attack), in_range, *_way_conditions(attack)]
    verdict, deciding = decide(conditions)
    attacks = verdict == "yes"
    rule = deciding.rule if not attacks else "OMMS-5.5" if attack.enemy.is_base else "OMMS-5.2"
    why = _allowed(attack) if attacks else deciding.why
    return Ruling(
        kind="target",
        piece=attack.unit.id,
        verdict=verdict,
        rule=rule,
        why=why,
        other=attack.enemy.id,
        margin_mm=deciding.margin.margin_mm,
        sigma_mm=deciding.margin.sigma_mm,
        geometry=attack.enemy.point,
        extra=_extra(attack),
        marks=_marks(attack, verdict),
    )


def _range_why(attack: Attack) -> str:
    distance_mm = attack.unit.distance_mm(attack.enemy)
    far, limit = (told(distance_mm, attack.range_mm, 1) for told in (set_apart, limit_beside))
    at_sea = ", and only ships attack ships" if _is_at_sea(attack) else ""
    return f"{attack.enemy} is {far} mm from {attack.unit}; a card is {limit} mm broad{at_sea}"


def _is_at_sea(attack: Attack) -> bool:
    """Whether just one of the two is a ship."""
    return (attack.unit.role == SHIP) != (attack.enemy.role == SHIP)


def _may(attack: Attack) -> list[Condition]:
    """Who may attack whom, whatever the distance."""
    unit, enemy = attack.unit, attack.enemy
    ship, load = attack.aboard
    return [
        attack.turn,
        fact(ship is None, "OMMS-9", f"{unit} is aboard {ship}"),
        fact(load is None, "OMMS-9", f"{enemy} is aboard {load}"),
        fact(
            not _is_at_sea(attack),
            "OMMS-9",
            f"{unit} cannot attack {enemy}: only ships attack ships, and they attack nothing else",
        ),
        fact(enemy in attack.first or load is not None, "OMMS-5.3", _defended(attack)),
        fact(not attack.attacked, "OMMS-2", f"{unit} has attacked this turn"),
    ]


def _defended(attack: Attack) -> str:
    return f"{listed(attack.first)} defend{'s' if len(attack.first) == 1 else ''} for {attack.enemy}"


def _way_conditions(attack: Attack) -> list[Condition]:
    unit, enemy, way = attack.unit, attack.enemy, attack.way
    if way is None:
        return [refused(attack.standing, "OMMS-5.2", f"{unit} stands on no usable road")]
    conditions = []
    if attack.standing is not None:
        where = "at the very edge of the road" if attack.standing.margin_mm >= 0 else "on no usable road, but hardly so"
        conditions.append(measured(attack.standing, "OMMS-1.3", f"{unit} stands {where}"))
    guilty = f": {listed(way.guilty)} stand{'s' if len(way.guilty) == 1 else ''} in it" if way.guilty else ""
    why = f"the way from {unit} to {enemy} is narrow" if way.open else f"no open way from {unit} to {enemy}{guilty}"
    if way.turn is not None:
        return [*conditions, Condition(way.open, "close", way.turn, "OMMS-5.2", why)]
    return [*conditions, fact(True, "OMMS-5.2", why) if way.open else refused(way.short, "OMMS-5.2", why)]


def _allowed(attack: Attack) -> str:
    if not attack.dice[1]:
        return f"{attack.enemy} is empty and in range: {attack.unit} takes it at once"
    mine, theirs = attack.dice
    return f"{attack.unit} may attack {attack.enemy} with {mine} against {theirs} dice"


def _marks(attack: Attack, verdict: str) -> tuple[Mark, ...]:
    if verdict == "no":
        return ()
    label = f"{round(100 * odds(*attack.dice).win)} %" if attack.dice[1] else "take"
    return (Mark("target" if verdict == "yes" else "doubt", attack.enemy.disc, label),)
