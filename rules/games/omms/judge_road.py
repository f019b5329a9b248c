"""Whether a move along roads was legal (OMMS-3.1 to 3.3), and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rules.decimals import limit_beside, set_apart
from rules.games.omms.condition import Condition, decide, fact, measured
from rules.games.omms.edge import off_table
from rules.games.omms.footing import readings
from rules.games.omms.harbour import at_sea
from rules.games.omms.judge_footing import if_elsewhere
from rules.games.omms.road_reach import ROUNDING_MM, Mover, RoadReach, mover, reach_of
from rules.games.omms.turning import turning_margin
from rules.geometry.cuts import Cut, whole
from rules.margin import CLOSE_SIGMAS, Margin, at_most
from rules.sentences import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadPoint
    from rules.scene import Point2

# A mover with one distance moved by so many sigmas.
Moved = Callable[[float], Mover]
# Stands for the distance of what is not there.
FAR_MM = 1e3


def by_road(table: Table, start: Coin, end: Coin, point: RoadPoint | None) -> Condition:
    """The condition that the coin came along roads to the road point at which it now stands."""
    landed = table.country.roads.nearest(end.at_mm, table.length_mm)
    if point is None:
        return _if_on_a_road(table, start, end)
    if landed is None:
        return fact(False, "OMMS-3.2", f"{start} ends on no usable road")
    on_it = at_most(landed.distance_mm, end.radius_mm, end.sigma_mm)
    where = "at the very edge of the road" if on_it.margin_mm >= 0 else "on no usable road"
    asked = mover(table, start, point, table.length_mm)
    along = _along(table, asked, reach_of(table.country, asked), landed, end)
    conditions = [
        measured(on_it, "OMMS-3.2", f"{start} ends {where}"),
        if_elsewhere(table, asked, landed, end, along),
    ]
    verdict, deciding = decide(conditions)
    return replace(deciding if verdict != "yes" else conditions[-1], verdict=verdict)


def _if_on_a_road(table: Table, start: Coin, end: Coin) -> Condition:
    """The refusal of a unit that stood on no road; close if it may have stood on one that leads there."""
    ship = table.afloat(start)
    if ship is not None:
        return fact(False, "OMMS-1.3", at_sea(start, ship))
    for reading in readings(table, start, None):
        if reading.point is not None and by_road(table, start, end, reading.point).holds:
            margin = Margin(-reading.margin.margin_mm, reading.margin.sigma_mm)
            return measured(margin, "OMMS-1.3", f"{start} stood on no usable road, but hardly so")
    return fact(False, "OMMS-1.3", f"{start} stood on no usable road")


def _along(table: Table, asked: Mover, reach: RoadReach, landed: RoadPoint, end: Coin) -> Condition:
    """Whether the road point at the end is one that the way reaches."""
    if not reach.on_table:
        return off_table(asked.unit)
    margin = Margin(_along_mm(asked, reach, landed, end), asked.unit.pair_sigma_mm(end))
    double = reach.double is not None and _away_mm(reach.part, landed.at_mm) > ROUNDING_MM
    why = _along_why(table, asked, reach, landed, margin)
    condition = measured(margin, "OMMS-3.3" if double else "OMMS-3.1", why)
    turn = _turn(table, asked, landed, end) if condition.verdict != "close" else None
    return condition if turn is None else replace(condition, verdict="close", margin=turn)


def _along_mm(asked: Mover, reach: RoadReach, landed: RoadPoint, end: Coin) -> float:
    """How far inside the limits of the way the end lies, mm; negative outside.

    Outside, it is the distance of the road point from the way; or, if that is less, by how much the roads of
    the way are farther from the coin than the nearest road.
    """
    ways = [reach.part] if reach.double is None else [reach.part, reach.double]
    inside = [way for way in ways if _away_mm(way, landed.at_mm) <= ROUNDING_MM]
    if not inside:
        off_mm = min(_beside_mm(way, end.at_mm) for way in ways)
        other_mm = off_mm - landed.distance_mm if off_mm <= end.radius_mm else FAR_MM
        return -min(other_mm, *(_away_mm(way, landed.at_mm) for way in ways))
    limits = [_from_end_mm(way, landed) for way in inside if way is reach.double]
    if inside[0] is reach.part:
        limits.append(asked.radius_mm - math.dist(asked.unit.at_mm, landed.at_mm))
    return max(0.0, *limits)


def _away_mm(way: Cut, at_mm: Point2) -> float:
    """The distance of a point from a way."""
    return float(way.distances_mm(np.array([at_mm])).min()) if len(way) else FAR_MM


def _beside_mm(way: Cut, at_mm: Point2) -> float:
    """The distance of a point from the nearest road beside it on which the way runs; the way's own ends are none."""
    at = np.array([at_mm])
    off, road = way.distances_mm(at), whole(way.network, way.segment).distances_mm(at)
    return float(off[off <= road + ROUNDING_MM].min(initial=FAR_MM))


def _from_end_mm(way: Cut, landed: RoadPoint) -> float:
    """The distance of a road point to the nearest place where a way stops for want of reach."""
    ends = np.concatenate([way.low_mm[~way.at_start & ~way.hole_low], way.high_mm[~way.at_end & ~way.hole_high]])
    return float(np.hypot(*(ends - np.array([landed.at_mm])).T).min()) if len(ends) else FAR_MM


def _along_why(table: Table, asked: Mover, reach: RoadReach, landed: RoadPoint, margin: Margin) -> str:
    unit = asked.unit
    gone_mm = math.dist(unit.at_mm, landed.at_mm)
    if margin.margin_mm >= 0:
        return f"{unit} goes {gone_mm:.1f} mm along {table.country.road_name(landed.segment)}"
    if gone_mm > asked.radius_mm and reach.double is None:
        far, limit = (told(gone_mm, asked.radius_mm, 1) for told in (set_apart, limit_beside))
        return f"{unit} ends {far} mm away, farther than a card's length of {limit} mm"
    return f"no open road leads {unit} to {table.country.road_name(landed.segment)} there{barred(reach)}"


def _turn(table: Table, asked: Mover, landed: RoadPoint, end: Coin) -> Margin | None:
    """The margin of a distance that would turn the verdict if moved by 3 sigma (C3.4): to the limit L, or a coin's."""
    holds = _gets_there(table, asked, landed, end)
    for sigma_mm, moved in _distances(asked, end):

        def turned(sigmas: float, moved: Moved = moved) -> bool:
            """Whether the answer is another one with the distance so many sigmas off."""
            return _gets_there(table, moved(sigmas), landed, end) != holds

        for step in (-CLOSE_SIGMAS, CLOSE_SIGMAS) if sigma_mm else ():
            if turned(step):
                return turning_margin(turned, step, sigma_mm, holds)
    return None


def _gets_there(table: Table, asked: Mover, landed: RoadPoint, end: Coin) -> bool:
    return _along_mm(asked, reach_of(table.country, asked), landed, end) >= 0


def _distances(asked: Mover, end: Coin) -> Iterator[tuple[float, Moved]]:
    """Every distance that a way hangs on: its sigma, and what gives the mover with it moved by so many sigmas."""
    sigma_mm = asked.unit.pair_sigma_mm(end)
    yield sigma_mm, lambda sigmas: replace(asked, radius_mm=asked.radius_mm + sigmas * sigma_mm)
    for index, coin in enumerate(asked.blockers):
        yield coin.sigma_mm, partial(_with_coin_grown, asked, index)


def _with_coin_grown(asked: Mover, index: int, sigmas: float) -> Mover:
    coins = list(asked.blockers)
    coins[index] = replace(coins[index], radius_mm=max(coins[index].radius_mm + sigmas * coins[index].sigma_mm, 0.0))
    return replace(asked, blockers=tuple(coins))


def barred(reach: RoadReach) -> str:
    """The end of a sentence that says which coins stand in the way; "" if none does."""
    coins = dict.fromkeys(str(block.coin) for block in reach.blocks)
    return f": {listed(coins)} stand{'s' if len(coins) == 1 else ''} in the way" if coins else ""
