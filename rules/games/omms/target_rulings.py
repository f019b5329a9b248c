"""`target` rulings: what a unit may attack now, with the odds (OMMS-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shapely import Point

from rules.dice import odds
from rules.game import Mark, Ruling
from rules.games.omms.attack_way import Ask, Way, ways
from rules.games.omms.coins import SHIP, Coin
from rules.games.omms.condition import Condition, decide, fact, measured
from rules.games.omms.ground_reach import sails_to
from rules.games.omms.sentences import listed
from rules.games.omms.strength import attack_dice, defence_dice, defenders
from rules.margin import Margin, at_most

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.games.omms.table import Table

PHASE = "attack"


def target_rulings(table: Table, unit: Coin) -> tuple[Ruling, ...]:
    """One ruling for each enemy coin that the unit could be asked about; an occupied settlement is none (OMMS-5.2)."""
    enemies = [coin for coin in table.coins.all if coin.is_enemy(unit.owner) and (coin.is_unit or coin.is_base)]
    asked = [enemy for enemy in enemies if enemy.is_unit or not table.coins.garrison(enemy)]
    found = _ways(table, unit, [enemy for enemy in asked if _range(table, unit, enemy).verdict != "no"])
    return tuple(_ruling(table, unit, enemy, found.get(enemy.id)) for enemy in asked)


def _range(table: Table, unit: Coin, enemy: Coin) -> Margin:
    return at_most(unit.distance_mm(enemy), table.breadth_mm, unit.pair_sigma_mm(enemy))


def _ways(table: Table, unit: Coin, enemies: list[Coin]) -> Mapping[str, Way]:
    """Whether a way leads to each of the enemies, by id; nothing for a unit off the roads."""
    if unit.role == SHIP:
        return {enemy.id: Way(sails_to(table, unit, enemy)) for enemy in enemies if enemy.role == SHIP}
    point = table.standing(unit)
    if point is None:
        return {}
    asks = [Ask(unit, point, table.length_mm, enemy, _others(table, unit, enemy)) for enemy in enemies]
    return dict(zip((enemy.id for enemy in enemies), ways(table.country.roads, asks), strict=True))


def _others(table: Table, unit: Coin, enemy: Coin) -> tuple[Coin, ...]:
    """The other enemies whose discs can bar the way: all but the target's own stack and its settlement."""
    own = table.coins.stack_of(enemy)
    reach_mm = table.length_mm
    return tuple(
        coin
        for coin in table.coins.blocking(unit.owner)
        if coin not in own and coin.distance_mm(unit) < reach_mm + coin.radius_mm + 3 * (coin.sigma_mm + unit.sigma_mm)
    )


def _ruling(table: Table, unit: Coin, enemy: Coin, way: Way | None) -> Ruling:
    conditions = [*_may(table, unit, enemy), measured(_range(table, unit, enemy), "OMMS-5.2", _range_why(unit, enemy))]
    if conditions[-1].verdict != "no":
        conditions += _way_conditions(table, unit, enemy, way)
    verdict, deciding = decide(conditions)
    extra: dict[str, Any] = {"phase": PHASE, "distance_mm": unit.distance_mm(enemy)}
    sentence, chances = _chances(table, unit, enemy)
    if chances is not None:
        extra["odds"] = chances
    return Ruling(
        "target", unit.id, verdict, _rule(enemy, deciding, verdict == "yes"),
        sentence if verdict == "yes" else deciding.why, enemy.id, deciding.margin.margin_mm, deciding.margin.sigma_mm,
        Point(enemy.at_mm), extra, _marks(enemy, verdict, chances),
    )  # fmt: skip


def _rule(enemy: Coin, deciding: Condition, attacks: bool) -> str:
    if not attacks:
        return deciding.rule
    return "OMMS-5.5" if enemy.is_base else "OMMS-5.2"


def _range_why(unit: Coin, enemy: Coin) -> str:
    return f"{enemy} is {unit.distance_mm(enemy):.1f} mm from {unit}, against the breadth of a card"


def _may(table: Table, unit: Coin, enemy: Coin) -> list[Condition]:
    """Who may attack whom, whatever the distance."""
    ship = table.coins.ship_of(unit)
    load = table.coins.ship_of(enemy)
    at_sea = (unit.role == SHIP) != (enemy.role == SHIP)
    first = defenders(table, enemy) if enemy.is_unit else (enemy,)
    return [
        fact(ship is None, "OMMS-9", f"{unit} is aboard {ship}"),
        fact(load is None, "OMMS-9", f"{enemy} is aboard {load}"),
        fact(not at_sea, "OMMS-9", "only ships attack ships, and they attack nothing else"),
        fact(enemy in first or load is not None, "OMMS-5.3", f"{listed(first)} defends {enemy}'s stack"),
        fact(not table.has_attacked(unit), "OMMS-2", f"{unit} has attacked this turn"),
    ]


def _way_conditions(table: Table, unit: Coin, enemy: Coin, way: Way | None) -> list[Condition]:
    if way is None:
        return [fact(False, "OMMS-5.2", f"{unit} stands on no usable road")]
    conditions = [] if unit.role == SHIP else _on_road(table, unit)
    why = f"no open way leads from {unit} to {enemy}" if not way.open else f"the way from {unit} to {enemy} is narrow"
    if way.turn is not None:
        return [*conditions, Condition(way.open, "close", way.turn, "OMMS-5.2", why)]
    return [*conditions, fact(way.open, "OMMS-5.2", why + _barred_by(table, unit, enemy, way))]


def _on_road(table: Table, unit: Coin) -> list[Condition]:
    point = table.standing(unit)
    if point is None or table.coins.home_of(unit):
        return []
    margin = at_most(point.distance_mm, unit.radius_mm, unit.sigma_mm)
    return [measured(margin, "OMMS-1.3", f"{unit} stands at the very edge of the road")] if margin.sigma_mm else []


def _barred_by(table: Table, unit: Coin, enemy: Coin, way: Way) -> str:
    """Who stands in the way: the other enemies without any one of which there would be a way."""
    point = table.standing(unit)
    if way.open or point is None or unit.role == SHIP:
        return ""
    others = _others(table, unit, enemy)
    asks = [Ask(unit, point, table.length_mm, enemy, tuple(o for o in others if o != other)) for other in others]
    guilty = [other for other, freed in zip(others, ways(table.country.roads, asks), strict=True) if freed.open]
    return f": {listed(guilty)} {'stands' if len(guilty) == 1 else 'stand'} in it" if guilty else ""


def _chances(table: Table, unit: Coin, enemy: Coin) -> tuple[str, dict[str, str] | None]:
    """The sentence of an attack that may be made, and its odds; none for an empty settlement."""
    if enemy.is_base:
        return f"{enemy} is empty and in range: {unit} takes it at once", None
    if enemy not in defenders(table, enemy):
        return f"{unit} may attack {enemy}", None
    attack, defence = attack_dice(table, unit), defence_dice(table, enemy)
    chances = odds(attack, defence)
    return f"{unit} may attack {enemy} with {attack} against {defence} dice", chances.document()


def _marks(enemy: Coin, verdict: str, chances: Mapping[str, str] | None) -> tuple[Mark, ...]:
    if verdict == "no":
        return ()
    label = f"{_percent(chances['win'])} %" if chances else "take"
    ring = Point(enemy.at_mm).buffer(enemy.radius_mm)
    return (Mark("target" if verdict == "yes" else "doubt", ring, label),)


def _percent(fraction: str) -> int:
    top, bottom = fraction.split("/")
    return round(100 * int(top) / int(bottom))
