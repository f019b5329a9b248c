"""Whether a coin may be gone: destroyed, besieged, taken, replaced (OMMS-4.1, 5, 7.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.games.omms.coins import SETTLEMENT, Coin
from rules.games.omms.condition import Condition, fact, measured
from rules.games.omms.judge_capture import lost_in_a_fight, taken
from rules.games.omms.judge_place import CARDS, may_replace, phase_of_placing, place_conditions, replaced
from rules.games.omms.lifted import PUT_BACK, unlawful
from rules.games.omms.loads import ship_without
from rules.games.omms.losses import known_losses
from rules.games.omms.settle import has_food
from rules.games.omms.siege import sieges
from rules.games.omms.siege_clock import begin, has_killed, is_due
from rules.games.omms.supplanted import reinstated, supplanted_by
from rules.games.omms.target_rulings import PHASE as ATTACK
from rules.games.omms.whose_turn import in_turn
from rules.margin import ROUNDING_MM, UNTOLD

if TYPE_CHECKING:
    from rules.games.omms.table import Table

# The rule by which a siege kills.
STARVED = "OMMS-7.2"


def remove_conditions(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """Why a coin may be gone: for a unit the likeliest reason, or that there is none; for a settlement all of it."""
    if not coin.is_unit:
        return _base_conditions(was, now, coin)
    if coin.id in unlawful(was.state):
        return [_taken_back(coin)]
    starved = _starved(was, coin)
    spared = _too_many(was, now, coin) if starved.verdict != "no" else _has_killed(was, coin)
    fallen = _fallen(was, now, coin)
    reasons = [*fallen, starved] if spared is None else [spared, *fallen]
    return [min(reasons, key=lambda reason: ("yes", "close", "no").index(reason.verdict))]


def phase_of_removal(was: Table, now: Table, coin: Coin) -> str:
    """The phase in which a coin may be lost: that of attacks, unless its owner replaces it."""
    new = successor(was, now, coin) if coin.is_base else None
    if new is not None:
        return phase_of_placing(was.without(new.id), now, new)
    return CARDS if coin.is_base and _is_half_fortified(was, coin) else ATTACK


def may_be_fortified(was: Table, base: Coin) -> bool:
    """Whether a settlement may be lifted to make way for a fortification (OMMS-4.1)."""
    may = base.role == SETTLEMENT and was.state.phase in (None, CARDS) and bool(was.coins.garrison(base))
    return may and in_turn(was, base).holds and has_food(was, base).holds


def _fallen(was: Table, now: Table, unit: Coin) -> list[Condition]:
    """That a unit was lost in a fight, or with its ship."""
    ship, sunk = was.coins.ship_of(unit), ship_without(was.state, unit.id)
    if sunk is not None and sunk not in was.coins:
        return [fact(True, "OMMS-9", f"{unit} sank with its ship {sunk}")]
    if ship is not None and ship.id not in now.coins:
        return [_sunk(was, now, ship, unit)]
    if ship is not None and _may_sink(was, now, ship):
        return [measured(UNTOLD, "OMMS-9", f"{unit} is gone, and {ship} must be, too: they sink together")]
    return lost_in_a_fight(was, unit)


def _may_sink(was: Table, now: Table, ship: Coin) -> bool:
    """Whether a ship that is still there may go next.

    Without a phase two scenes are all that is known, and nobody says that more is to come.
    """
    return was.state.phase is not None and remove_conditions(was, now.without(ship.id), ship)[0].verdict != "no"


def _sunk(was: Table, now: Table, ship: Coin, unit: Coin) -> Condition:
    """That a unit sank with its ship, if that may be gone."""
    found = fact(True, "", "") if ship.id in known_losses(was.state) else remove_conditions(was, now, ship)[0]
    why = f"{unit} sank with its ship" if found.verdict == "yes" else f"{unit} is gone with its ship, and {found.why}"
    return replace(found, rule="OMMS-9", why=why)


def _starved(was: Table, unit: Coin) -> Condition:
    """That a unit was lost in a siege that is due."""
    seat = was.coins.seat_of(unit)
    inside = len(was.coins.garrison(seat)) if seat is not None else 0
    if seat is None or inside < 2:
        return fact(False, STARVED, f"{unit} is in no besieged settlement with others")
    if begin(was.state, seat.id) is not None and not is_due(was, seat.id, inside):
        return fact(False, STARVED, f"the siege of {seat} has not lasted a whole round, or kills at another time")
    siege = sieges(was.country.roads, [seat], was.coins.units, was.breadth_mm)[0]
    why = f"{unit} was lost in the siege of {seat}"
    if siege.close:
        return Condition(siege.margin.margin_mm >= -ROUNDING_MM, "close", siege.margin, STARVED, why)
    return fact(siege.besieged, STARVED, why)


def _has_killed(was: Table, unit: Coin) -> Condition | None:
    """That the siege in which a unit is has killed another in this round."""
    seat = was.coins.seat_of(unit)
    if seat is None or not has_killed(was.state, was.setup, seat.id):
        return None
    return fact(False, STARVED, f"the siege of {seat} has killed one unit in this round, and {unit} is another")


def _too_many(was: Table, now: Table, unit: Coin) -> Condition | None:
    """The refusal if two or more of a garrison are gone that no fight can explain: a siege kills one (OMMS-7.2)."""
    seat = was.coins.seat_of(unit)
    garrison = was.coins.garrison(seat) if seat is not None else ()
    missing = (one for one in garrison if one.id not in now.coins)
    starved = [one for one in missing if one == unit or not _may_have_fallen(was, now, one)]
    if len(starved) < 2:
        return None
    return fact(False, STARVED, f"{len(starved)} units are gone from {seat} without a fight, and a siege kills one")


def _may_have_fallen(was: Table, now: Table, unit: Coin) -> bool:
    return unit.id in known_losses(was.state) or any(reason.verdict != "no" for reason in _fallen(was, now, unit))


def _base_conditions(was: Table, now: Table, base: Coin) -> list[Condition]:
    """That a settlement was taken, or makes way for a fortification; if another lies in its place, that it may."""
    new = successor(was, now, base)
    if new is not None and reinstated(was, now, new) is not None:
        return [fact(True, PUT_BACK, f"{base} makes way for {new}, which is put back")]
    if new is None:
        return _gone_alone(was, now, base)
    if not new.is_known:
        return [measured(UNTOLD, "C5.2", f"nobody has said what {new} is, which takes the place of {base}")]
    return place_conditions(was.without(new.id), now, new)


def _gone_alone(was: Table, now: Table, base: Coin) -> list[Condition]:
    """That a settlement may be gone in whose place no other lies."""
    old = supplanted_by(was.state, base.id)
    if old is not None and in_turn(was, base).holds:
        return [measured(UNTOLD, PUT_BACK, f"{base} is lifted, and {old} must be put back in its place")]
    if base.id in unlawful(was.state):
        return [_taken_back(base)]
    if _is_half_fortified(was, base):
        return [measured(UNTOLD, "OMMS-4.1", f"{base} is lifted, and a fortification must take its place")]
    return taken(was, now, base)


def _taken_back(coin: Coin) -> Condition:
    return fact(True, PUT_BACK, f"{coin} is taken back: nobody could say that it may lie there")


def _is_half_fortified(was: Table, base: Coin) -> bool:
    """Without a phase two scenes are all that is known, and nobody says that more is to come."""
    return was.state.phase is not None and may_be_fortified(was, base)


def successor(was: Table, now: Table, base: Coin) -> Coin | None:
    """A player's settlement coin in the place of one that is gone: a new one, or one put on it before that may stay."""
    coins = [coin for coin in now.coins.bases if not coin.is_neutral and base.is_within(base.radius_mm, coin)]
    new = (coin for coin in coins if coin.id not in was.coins and replaced(was, now, coin) == base)
    return next(new, None) or next((coin for coin in coins if _may_stay(was, now, coin)), None)


def _may_stay(was: Table, now: Table, coin: Coin) -> bool:
    if coin.id not in was.coins:
        return False
    return reinstated(was, now, coin) is not None or may_replace(was.without(coin.id), now, coin)
