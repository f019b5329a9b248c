"""Coins on places of the map, and ships in harbour (note 9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shapely import Point

from rules.margin import CLOSE_SIGMAS, REFUSED, ROUNDING_MM, Margin, all_of, any_of, at_most
from rules.scene import COIN_DIAMETER_MM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.games.omms.coins import Coin, Coins
    from rules.map import Place


# A guard, the largest of those who found a settlement, may stand in a place so far from its point (OMMS-4.1).
FOUNDER_RADIUS_MM = COIN_DIAMETER_MM["gbp-10p"] / 2


def in_port(places: Sequence[Place], base: Coin) -> Margin:
    """By how much a settlement coin lies where a unit that stood in a port of the map may have founded it."""
    founder = replace(base, radius_mm=max(base.radius_mm, FOUNDER_RADIUS_MM))
    ports = (place for place in places if place.port and lies_on(place, founder, CLOSE_SIGMAS * base.sigma_mm))
    return any_of([inside(place, founder) for place in ports] or [REFUSED])


def at_sea(unit: Coin, ship: Coin) -> str:
    """Why a unit aboard of a ship that is in no harbour goes nowhere but with it."""
    near_mm = 2 * ship.radius_mm
    return f"{unit} is aboard {ship}, which is in no harbour: it lands within {near_mm:.1f} mm of a port"


def lies_on(place: Place, coin: Coin, band_mm: float = 0.0) -> bool:
    """Whether a coin lies on a place: its centre in the place's outline, or the place's point under the coin.

    band_mm  by which it may miss
    """
    reach_mm = ROUNDING_MM + band_mm + (coin.radius_mm if isinstance(place.geometry, Point) else 0.0)
    return bool(place.geometry.dwithin(coin.point, reach_mm))


def inside(place: Place, coin: Coin) -> Margin:
    """By how much a coin lies on a place."""
    away_mm = place.geometry.distance(coin.point)
    if isinstance(place.geometry, Point):
        return at_most(away_mm, coin.radius_mm, coin.sigma_mm)
    return Margin(-away_mm if away_mm else place.geometry.boundary.distance(coin.point), coin.sigma_mm)


def berths(places: Sequence[Place], coins: Coins, ship: Coin) -> list[tuple[Coin, Margin]]:
    """The friendly ports whose coin is within one diameter of a ship, centre to centre, or by 3 sigma might be."""
    reach_mm = 2 * ship.radius_mm
    near = (coin for coin in coins.near(ship, reach_mm) if coin.is_base and coin.is_friend(ship.owner))
    moored = ((base, at_most(ship.distance_mm(base), reach_mm, ship.pair_sigma_mm(base))) for base in near)
    found = ((base, all_of([by, in_port(places, base)])) for base, by in moored if by.verdict != "no")
    return [(base, margin) for base, margin in found if margin.verdict != "no"]
