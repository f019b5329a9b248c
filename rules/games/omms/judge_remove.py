"""Whether a coin may be gone: destroyed, besieged, taken, replaced (OMMS-4.1, 5, 7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omms.coins import Coin
from rules.games.omms.condition import Condition, fact
from rules.games.omms.judge_capture import lost_in_a_fight, taken
from rules.games.omms.siege import sieges
from rules.games.omms.siege_clock import begin, is_due
from rules.margin import ROUNDING_MM

if TYPE_CHECKING:
    from rules.games.omms.table import Table


def remove_conditions(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """Why a coin may be gone: the likeliest reason, or that there is none."""
    reasons = _unit_reasons(was, now, coin) if coin.is_unit else _base_reasons(was, now, coin)
    return [min(reasons, key=lambda reason: ("yes", "close", "no").index(reason.verdict))]


def _unit_reasons(was: Table, now: Table, unit: Coin) -> list[Condition]:
    ship = was.coins.ship_of(unit)
    sunk = ship is not None and ship.id not in now.coins
    reasons = [*lost_in_a_fight(was, unit), _starved(was, unit)]
    return [fact(True, "OMMS-9", f"{unit} sank with its ship")] if sunk else reasons


def _starved(was: Table, unit: Coin) -> Condition:
    seat = was.coins.seat_of(unit)
    inside = len(was.coins.garrison(seat)) if seat is not None else 0
    if seat is None or inside < 2:
        return fact(False, "OMMS-7.2", f"{unit} is in no besieged settlement with others")
    if begin(was.state, seat.id) is not None and not is_due(was.state, seat.id, inside):
        return fact(False, "OMMS-7.2", f"the siege of {seat} has not lasted a whole round, or kills at another time")
    siege = sieges(was.country.roads, [seat], was.coins.units, was.breadth_mm)[0]
    why = f"{unit} was lost in the siege of {seat}"
    if siege.close:
        return Condition(siege.margin.margin_mm >= -ROUNDING_MM, "close", siege.margin, "OMMS-7.2", why)
    return fact(siege.besieged, "OMMS-7.2", why)


def _base_reasons(was: Table, now: Table, base: Coin) -> list[Condition]:
    new = [coin for coin in now.coins.bases if coin.id not in was.coins and base.is_within(base.radius_mm, coin)]
    if new:
        return [fact(True, "OMMS-5.5", f"{new[0]} takes the place of {base}")]
    return [taken(was, now, base)]
