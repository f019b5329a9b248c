"""Where a unit may found a settlement, and what is missing (OMMS-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.decimals import set_apart
from rules.games.omms.coins import SETTLEMENT, Coin
from rules.games.omms.condition import Condition, fact, measured
from rules.games.omms.economy import economy
from rules.games.omms.harbour import inside, lies_on
from rules.margin import CLOSE_SIGMAS, ROUNDING_MM, Margin, at_least
from rules.scene import COIN_DIAMETER_MM
from rules.sentences import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.games.omms.table import Table
    from rules.map import Place

# OMMS-4.1
FOUNDABLE = ("city", "town", "village", "major-suburb")
GAP_MM = COIN_DIAMETER_MM["gbp-10p"]
PENNY_RADIUS_MM = COIN_DIAMETER_MM["gbp-1p"] / 2


def places_of(table: Table, unit: Coin) -> tuple[Place, ...]:
    """The places of the map that a unit stands in, or by 3 sigma might."""
    band_mm = CLOSE_SIGMAS * unit.sigma_mm
    return tuple(place for place in table.country.places if lies_on(place, unit, band_mm))


def stands_in(place: Place, unit: Coin) -> Condition:
    """That a unit stands in a place: its centre in the outline, or its coin on the point."""
    margin = inside(place, unit)
    edge = "at the very edge of" if margin.margin_mm >= -ROUNDING_MM else "just outside"
    return measured(margin, "OMMS-4.1", f"{unit} stands {edge} {named(place)}")


def named(place: Place) -> str:
    """What a sentence calls a place."""
    return place.name or "this place"


def may_settle(table: Table, unit: Coin, place: Place) -> list[Condition]:
    """What a new settlement under a unit needs, in the order of the rule."""
    return [*site(table, unit, place), *gaps(unit, table.coins.bases)]


def site(table: Table, unit: Coin, place: Place) -> list[Condition]:
    """What it needs besides the gap to others."""
    name = named(place)
    return [
        fact(place.cls in FOUNDABLE, "OMMS-4.1", f"{name} is a {place.cls.replace('-', ' ')}, too small to settle"),
        fact(on_usable_road(table, place), "OMMS-4.1", f"no usable road runs through {name}"),
        stands_in(place, unit),
        has_food(table, unit),
    ]


def on_usable_road(table: Table, place: Place) -> bool:
    """Whether a usable road passes through a place, or within a penny's radius of its point."""
    reach_mm = ROUNDING_MM + (PENNY_RADIUS_MM if place.geometry.geom_type == "Point" else 0.0)
    roads = table.country.roads
    return bool(len(roads) and len(roads.tree.query(place.geometry, predicate="dwithin", distance=reach_mm)))


def has_food(table: Table, unit: Coin) -> Condition:
    """Whether the unit's owner has a free food token."""
    stock = economy(table, unit.owner)
    why = f"{unit.owner} has no free food token: {stock.food} for {counted(stock.food_needed, 'settlement point')}"
    return fact(stock.free_food >= 1, "OMMS-4.1", why)


def gaps(new: Coin, bases: Iterable[Coin]) -> list[Condition]:
    """The gap to each of the other settlements, the one that lacks most first: of several it is the one that is told,
    whatever their order in the scene."""
    return sorted((_gap(new, base) for base in bases), key=lambda condition: condition.margin.margin_mm)


def _gap(new: Coin, base: Coin) -> Condition:
    """The gap between a new settlement, or the penny that a unit would found under it, and another one's coin."""
    radius_mm = new.radius_mm if new.is_base else PENNY_RADIUS_MM
    between_mm = new.distance_mm(base) - radius_mm - base.radius_mm
    margin: Margin = at_least(between_mm, GAP_MM, new.pair_sigma_mm(base))
    if new.distance_mm(base) < base.radius_mm:
        return measured(margin, "OMMS-4.1", f"{base} stands there already")
    far = set_apart(max(between_mm, 0.0), GAP_MM, 1)
    return measured(margin, "OMMS-4.1", f"{base} is only {far} mm away, a 10p must fit between")


def may_fortify(table: Table, unit: Coin) -> list[Condition] | None:
    """What a fortification of the settlement that a unit is in needs; None for a unit in none."""
    seat = table.coins.seat_of(unit)
    if seat is None or seat.role != SETTLEMENT:
        return None
    return [has_food(table, unit)]
