"""Whether a coin may be gone: destroyed, besieged, taken, replaced (OMMS-4.1, 5, 7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omms.coins import Coin
from rules.games.omms.condition import Condition, fact
from rules.games.omms.siege import sieges
from rules.games.omms.target_rulings import target_rulings

if TYPE_CHECKING:
    from rules.games.omms.table import Table


def remove_conditions(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """Why a coin may be gone: the first reason that holds, or that there is none."""
    reasons = _unit_reasons(was, now, coin) if coin.is_unit else _base_reasons(was, now, coin)
    return [next((reason for reason in reasons if reason.holds), reasons[-1])]


def _unit_reasons(was: Table, now: Table, unit: Coin) -> list[Condition]:
    ship = was.coins.ship_of(unit)
    sunk = ship is not None and ship.id not in now.coins
    return [
        fact(sunk, "OMMS-9", f"{unit} sank with its ship"),
        *_fights(was, unit),
        _starved(was, unit),
        fact(False, "OMMS-5.2", f"{unit} is gone, but nothing could have destroyed it where it stood"),
    ]


def _fights(was: Table, unit: Coin) -> list[Condition]:
    """The attacks in which a unit could have been lost, as defender or as attacker."""
    enemies = [enemy for enemy in was.coins.units if enemy.is_enemy(unit.owner)]
    attacks = [ruling for enemy in enemies for ruling in target_rulings(was, enemy) if ruling.other == unit.id]
    own = [ruling for ruling in target_rulings(was, unit) if "odds" in ruling.extra]
    fought = [ruling for ruling in (*attacks, *own) if ruling.verdict == "yes"]
    return [fact(True, "OMMS-5.4", f"{unit} was lost in a fight: {ruling.why}") for ruling in fought[:1]]


def _starved(was: Table, unit: Coin) -> Condition:
    seat = was.coins.seat_of(unit)
    if seat is None or len(was.coins.garrison(seat)) < 2:
        return fact(False, "OMMS-7.2", f"{unit} is in no besieged settlement with others")
    siege = sieges(was.country.roads, [seat], was.coins.units, was.breadth_mm)[0]
    return fact(siege.besieged, "OMMS-7.2", f"{unit} was lost in the siege of {seat}")


def _base_reasons(was: Table, now: Table, base: Coin) -> list[Condition]:
    new = [coin for coin in now.coins.bases if coin.id not in was.coins and base.is_within(base.radius_mm, coin)]
    takers = [unit for unit in was.coins.units if unit.is_enemy(base.owner) and base.is_within(was.breadth_mm, unit)]
    return [
        fact(bool(new), "OMMS-5.5", f"{new[0] if new else base} takes the place of {base}"),
        fact(bool(takers), "OMMS-5.5", f"{base} was taken by {takers[0] if takers else 'nobody'}"),
        fact(False, "OMMS-5.5", f"{base} is gone, but no enemy was near enough to take it"),
    ]
