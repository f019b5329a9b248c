"""Whether a new coin may lie where it was put (OMMS-4, 5.5, 6.2, 6.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.games.omms.bases import has_lost_base
from rules.games.omms.coins import FORTIFICATION, SETTLEMENT, SHIP, TANK, Coin
from rules.games.omms.condition import Condition, decide, fact, measured, refused
from rules.games.omms.harbour import inside
from rules.games.omms.judge_capture import taken
from rules.games.omms.settle import FOUNDABLE, gaps, has_food, named, on_usable_road, places_of, site, stands_in
from rules.games.omms.target_rulings import PHASE as ATTACK
from rules.games.omms.whose_turn import in_turn
from rules.margin import UNTOLD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.games.omms.table import Table
    from rules.margin import Margin

# The phase in which cards are played and what they buy is put down.
CARDS = "cards"
# The rule by which a settlement is founded or fortified.
FOUNDED = "OMMS-4.1"
_VERDICTS = ("yes", "close", "no")


def place_conditions(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """All that putting down a coin must fulfil; too close to call while what it may replace lies under it."""
    under = _half_replaced(was, now, coin)
    if under is None:
        return _at_once(was, now, coin)
    done = _at_once(was, now.without(under.id), coin)
    return [*done, measured(UNTOLD, done[-1].rule, f"{coin} may take the place of {under} once that is gone")]


def _half_replaced(was: Table, now: Table, coin: Coin) -> Coin | None:
    """The settlement that still lies under a new settlement coin, if the new one may replace it or is of its owner.

    None without a phase: then two scenes are all that is known, and nothing says that the old coin will be taken away.
    """
    lying = (base for base in now.coins.bases if base.id in was.coins and base.is_within(base.radius_mm, coin))
    under = next(lying, None) if coin.is_base and was.state.phase is not None else None
    if under is None or under.owner == coin.owner:
        return under
    return under if may_replace(was, now.without(under.id), coin) else None


def may_replace(was: Table, now: Table, coin: Coin) -> bool:
    """Whether a coin may have taken the place of a settlement that is gone."""
    return replaced(was, now, coin) is not None and decide(_at_once(was, now, coin))[0] != "no"


def _at_once(was: Table, now: Table, coin: Coin) -> list[Condition]:
    whose = in_turn(was, coin)
    if _is_captured(was, now, coin):
        return [whose, *_captured(was, now, coin)]
    if coin.role == FORTIFICATION and _is_first(was, coin):
        return [whose, *_first_base(was, now, coin)]
    by_role = {SETTLEMENT: _founded, FORTIFICATION: _fortified}
    return [whose, _in_phase(was, coin), *by_role.get(coin.role, _raised)(was, now, coin)]


def phase_of_placing(was: Table, now: Table, coin: Coin) -> str:
    """The phase in which a coin may be put down: that of attacks for what a taker puts in a settlement's place."""
    under = _half_replaced(was, now, coin)
    return ATTACK if _is_captured(was, now if under is None else now.without(under.id), coin) else CARDS


def replaced(was: Table, now: Table, coin: Coin) -> Coin | None:
    """The settlement coin that lay under the middle of a new one and is gone."""
    gone = (base for base in was.coins.bases if base.id not in now.coins)
    return next((base for base in gone if base.is_within(base.radius_mm, coin)), None)


def _in_phase(table: Table, coin: Coin) -> Condition:
    """That cards may be played now: they buy all that is put down (OMMS-2)."""
    phase = table.state.phase
    why = f"{coin} came in the phase '{phase}': units and settlements are bought in the phase of cards"
    return fact(phase in (None, CARDS), "OMMS-2", why)


def _is_captured(was: Table, now: Table, coin: Coin) -> bool:
    """Whether a penny lies in the place of another player's settlement that is gone."""
    old = replaced(was, now, coin) if coin.role == SETTLEMENT else None
    return old is not None and old.owner != coin.owner


def _captured(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """The penny that a taker puts down in place of another player's settlement."""
    old = replaced(was, now, coin)
    assert old is not None  # as `_is_captured` says
    return [*taken(was, now, old, coin.owner), fact(True, "OMMS-5.5", f"{coin} takes the place of {old}")]


def _founded(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """A new settlement under a unit of its owner, in a place that fulfils the rule."""
    covers = {unit: unit.cover(coin) for unit in was.coins.units if unit.owner == coin.owner}
    founders = [unit for unit, cover in covers.items() if cover.verdict != "no"]
    places = [(unit, place) for unit in founders for place in places_of(was, unit)]
    if not founders:
        return [_missed(covers.values(), FOUNDED, f"no unit of {coin.owner} stands where {coin} was put")]
    if not places:
        near = (inside(place, unit) for unit in founders for place in was.country.places)
        return [_missed(near, FOUNDED, f"{founders[0]} stands in no place of the map")]
    others = [base for base in now.coins.bases if base.id != coin.id]
    return _likeliest(
        [
            _under(unit, coin),
            *site(was, unit, place),
            *gaps(coin, others),
            fact(True, FOUNDED, f"{coin} is founded in {place.name or 'a place of the map'}"),
        ]
        for unit, place in places
    )


def _missed(near: Iterable[Margin], rule: str, why: str) -> Condition:
    """The refusal of a coin that lies at no place where it may, with the margin of the nearest such place, if any."""
    return refused(max(near, key=lambda margin: margin.margin_mm, default=None), rule, why)


def _likeliest(asked: Iterable[list[Condition]]) -> list[Condition]:
    """What must hold in the place of the map that will do, if any: a suburb's point may lie in a city's outline."""
    return min(asked, key=lambda conditions: (_VERDICTS.index(decide(conditions)[0]), _failing(conditions)))


def _failing(conditions: list[Condition]) -> int:
    return sum(not condition.holds for condition in conditions)


def _under(unit: Coin, coin: Coin) -> Condition:
    """That a unit stands where a settlement is founded."""
    margin = unit.cover(coin)
    where = "hardly by half" if margin.margin_mm >= 0 else "not quite by half"
    return measured(margin, FOUNDED, f"{unit} lies {where} where {coin} was put")


def _fortified(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """A fortification in place of an own, occupied penny."""
    old = replaced(was, now, coin)
    if old is None or old.owner != coin.owner or old.role != SETTLEMENT:
        return [fact(False, FOUNDED, f"{coin} replaces no settlement of {coin.owner}")]
    occupied = fact(bool(was.coins.garrison(old)), FOUNDED, f"nobody stands in {old}, which {coin} replaces")
    return [occupied, has_food(was, coin), fact(True, FOUNDED, f"{coin} fortifies {old}")]


def _is_first(was: Table, coin: Coin) -> bool:
    """Whether a player had nothing on the table yet."""
    return not any(other.is_friend(coin.owner) for other in was.coins.all)


def _first_base(was: Table, now: Table, coin: Coin) -> list[Condition]:
    """The two-pence with which a player starts, before turn 2."""
    places = places_of(was, coin)
    if not places:
        near = (inside(place, coin) for place in was.country.places)
        return [_missed(near, "OMMS-6.3", f"{coin} lies in no place of the map")]
    late = f"{coin.owner} has nothing left; bases are put down before turn 2, not in turn {was.state.turn}"
    others = [base for base in now.coins.bases if base.id != coin.id]
    lost = f"the base of {coin.owner}, who has nothing left, was taken: {coin} is not his first"
    asked = (
        [
            fact(was.state.turn <= 1, "OMMS-6.3", late),
            fact(not has_lost_base(was, coin.owner), "OMMS-6.3", lost),
            fact(place.cls in FOUNDABLE, "OMMS-6.3", f"{named(place)} is too small for a base"),
            fact(on_usable_road(was, place), "OMMS-6.3", f"no usable road runs through {named(place)}"),
            stands_in(place, coin),
            *gaps(coin, others),
            fact(True, "OMMS-6.3", f"{coin} is the first base of {coin.owner}"),
        ]
        for place in places
    )
    return [replace(condition, rule="OMMS-6.3") for condition in _likeliest(asked)]  # by which a match knows a base


def _raised(_was: Table, now: Table, coin: Coin) -> list[Condition]:
    """A unit is put into a settlement of its owner, a ship into harbour."""
    if coin.role == SHIP:
        berth = now.berth_of(coin)
        if berth is None:
            return [fact(False, "OMMS-9", _put(coin, "in harbour", there=False))]
        return [measured(berth[1], "OMMS-9", _put(coin, "in harbour", berth[1].margin_mm >= 0))]
    homes = [base for base in now.coins.bases if base.is_friend(coin.owner)]
    best = max((coin.cover(base) for base in homes), key=lambda margin: margin.margin_mm, default=None)
    rule = "OMMS-9" if coin.role == TANK else "OMMS-6.2"
    if best is None:
        return [fact(False, rule, f"{coin.owner} has no settlement to put {coin} in")]
    return [measured(best, rule, _put(coin, f"in a settlement of {coin.owner}", best.margin_mm >= 0))]


def _put(coin: Coin, where: str, there: bool) -> str:
    return f"{coin} is put {where}" if there else f"{coin} is not put {where}"
