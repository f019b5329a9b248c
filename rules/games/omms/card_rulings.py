"""`settle` and `economy` rulings (OMMS-4.2, 6.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shapely import Point

from rules.game import Mark, Ruling, ruling_from
from rules.games.omms.bases import base_of
from rules.games.omms.cards import affordable, bought_with
from rules.games.omms.condition import decide, fact
from rules.games.omms.economy import Economy, economy
from rules.games.omms.settle import PENNY_RADIUS_MM, may_fortify, may_settle, places_of
from rules.games.omms.sides import things_of
from rules.games.omms.told import cards
from rules.games.omms.winning import is_out, winner
from rules.margin import beyond_doubt
from rules.sentences import counted

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
    from rules.map import Place

PHASE = "cards"
# Cards that lie on the table and are played by nobody: the ruler, the pile, and what was not read.
FACELESS = ("JOKER", "BACK", "unknown")


def settle_rulings(table: Table, unit: Coin) -> tuple[Ruling, ...]:
    """One ruling for each place of the map that the unit stands in."""
    return tuple(_settle(table, unit, place) for place in places_of(table, unit))


def _settle(table: Table, unit: Coin, place: Place) -> Ruling:
    needs = may_settle(table, unit, place)
    verdict, deciding = decide(needs)
    first = next((need for need in needs if not need.holds), deciding)
    name = place.name or "this place"
    why = f"{unit.owner} may found a settlement in {name} under {unit}" if verdict == "yes" else first.why
    fortify = may_fortify(table, unit)
    extra: dict[str, Any] = {"phase": PHASE, "owner": unit.owner}
    if fortify is not None:
        extra["fortify"] = decide(fortify)[0]
    penny = Point(unit.at_mm).buffer(PENNY_RADIUS_MM)
    marks = (Mark("settle", penny, name),) if verdict == "yes" else ()
    margin = beyond_doubt(first.margin) if verdict == "no" else deciding.margin
    return Ruling(
        kind="settle",
        piece=unit.id,
        verdict=verdict,
        rule="OMMS-4.1",
        why=why,
        other=place.name,
        margin_mm=margin.margin_mm,
        sigma_mm=margin.sigma_mm,
        geometry=Point(unit.at_mm),
        extra=extra,
        marks=marks,
    )


def economy_rulings(table: Table) -> tuple[Ruling, ...]:
    """One ruling for each player."""
    return tuple(_economy(table, economy(table, colour)) for colour in table.colours)


def _economy(table: Table, stock: Economy) -> Ruling:
    extra: dict[str, Any] = {
        "owner": stock.owner,
        "settlement_points": stock.settlement_points,
        "creation_total": stock.creation_total,
        "food_needed": stock.food_needed,
        "food": stock.food,
        "base": base_of(table, stock.owner),
        "out": is_out(table, stock.owner),
        "wins": winner(table) == stock.owner,
        "phase": PHASE,
    }
    extra |= _cards(table, stock)
    why = (
        f"{stock.owner} has {counted(stock.settlement_points, 'settlement point')} and so a Creation Total of "
        f"{stock.creation_total}, and {counted(stock.food, 'food token')} of which {stock.food_needed} "
        f"{'is' if stock.food_needed == 1 else 'are'} needed"
    )
    fed = fact(stock.free_food >= 0, "OMMS-6.4", why)
    return ruling_from(fed.margin, kind="economy", piece=None, rule=fed.rule, why=why, extra=extra)


def _cards(table: Table, stock: Economy) -> dict[str, Any]:
    """What a typed hand can buy, and what the cards do that are played: typed, or face up on the player's side."""
    found: dict[str, Any] = {}
    hand, played = (table.counter(name, stock.owner) for name in ("hands", "played"))
    if hand is not None:
        found["affordable"] = affordable(cards(hand, f"the state's hands of {stock.owner}"), stock.creation_total)
    if played is None:
        laid = [card.cls for card in things_of(table, stock.owner, "card") if card.cls not in FACELESS]
    else:
        laid = cards(played, f"the state's played of {stock.owner}")
    if laid:
        found["played"] = laid
        found["buys"] = bought_with(found["played"], stock.creation_total)
    return found
