"""Whether a coin may be gone: destroyed, besieged, taken, replaced (OMMS-4.1, 5, 7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omms.coins import Coin
from rules.games.omms.condition import UNTOLD, Condition, fact, measured
from rules.games.omms.judge_capture import lost_in_a_fight, taken
from rules.games.omms.judge_place import phase_of_placing, place_conditions, replaced
from rules.games.omms.siege import sieges
from rules.games.omms.siege_clock import begin, is_due
from rules.games.omms.target_rulings import PHASE as ATTACK
from rules.margin import ROUNDING_MM

if TYPE_CHECKING:
    from rules.games.omms.table import Table


def remove_conditions(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """Why a coin may be gone: for a unit the likeliest reason, or that there is none; for a settlement all of it."""
    if not coin.is_unit:
        return _base_conditions(was, now, coin)
    starved = _starved(was, coin)
    too_many = _too_many(was, now, coin) if starved.verdict != "no" else None
    fallen = _fallen(was, now, coin)
    reasons = [*fallen, starved] if too_many is None else [too_many, *fallen]
    return [min(reasons, key=lambda reason: ("yes", "close", "no").index(reason.verdict))]


def phase_of_removal(was: Table, now: Table, coin: Coin) -> str:
    """The phase in which a coin may be lost: that of attacks, unless its owner replaces it."""
    new = _successor(was, now, coin) if coin.is_base else None
    return ATTACK if new is None else phase_of_placing(was, now, new)


def _fallen(was: Table, now: Table, unit: Coin) -> list[Condition]:
    """That a unit was lost in a fight, or with its ship."""
    ship = was.coins.ship_of(unit)
    if ship is not None and ship.id not in now.coins:
        return [fact(True, "OMMS-9", f"{unit} sank with its ship")]
    return lost_in_a_fight(was, unit)


def _starved(was: Table, unit: Coin) -> Condition:
    """That a unit was lost in a siege that is due."""
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


def _too_many(was: Table, now: Table, unit: Coin) -> Condition | None:
    """That more of a garrison are gone than the one that a siege kills, of whom nothing else took any (OMMS-7.2)."""
    seat = was.coins.seat_of(unit)
    garrison = was.coins.garrison(seat) if seat is not None else ()
    missing = (one for one in garrison if one.id not in now.coins)
    starved = [one for one in missing if one == unit or not _may_have_fallen(was, now, one)]
    if len(starved) < 2:
        return None
    return fact(False, "OMMS-7.2", f"{len(starved)} units are gone from {seat} without a fight, and a siege kills one")


def _may_have_fallen(was: Table, now: Table, unit: Coin) -> bool:
    return any(reason.verdict != "no" for reason in _fallen(was, now, unit))


def _base_conditions(was: Table, now: Table, base: Coin) -> list[Condition]:
    """That a settlement was taken; if another lies in its place, that it may lie there."""
    new = _successor(was, now, base)
    if new is None:
        return taken(was, now, base)
    if not new.is_known:
        return [measured(UNTOLD, "C5.2", f"nobody has said what {new} is, which takes the place of {base}")]
    return place_conditions(was, now, new)


def _successor(was: Table, now: Table, base: Coin) -> Coin | None:
    """A player's new settlement coin in the place of one that is gone."""
    new = (coin for coin in now.coins.bases if coin.id not in was.coins and not coin.is_neutral)
    return next((coin for coin in new if replaced(was, now, coin) == base), None)
