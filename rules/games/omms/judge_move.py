"""Whether a coin's move was legal (OMMS-3, note 9)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import MultiLineString, MultiPolygon, Point
from shapely.ops import nearest_points

from rules.games.omms.coins import SHIP, Coin
from rules.games.omms.condition import Condition, decide, fact, measured
from rules.games.omms.ground_reach import offroad_reach, sea_reach
from rules.games.omms.move_rulings import GOES_OFF_ROAD
from rules.games.omms.road_reach import Mover, RoadReach, mover, reach_of, road_reach
from rules.games.omms.sentences import listed
from rules.games.omms.turning import turning_margin
from rules.geometry.cuts import Cut, whole
from rules.margin import CLOSE_SIGMAS, Margin, all_of, any_of, at_least, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadPoint
    from rules.scene import Point2

# A mover with one distance moved by so many sigmas.
Moved = Callable[[float], Mover]
# Rounding of a position that was computed to lie at the very end of a reach.
ROUNDING_MM = 1e-6
# Note 9.
MOST_LOAD = 3
# Stands for the distance of what is not there.
FAR_MM = 1e3


def move_conditions(was: Table, now: Table, start: Coin, end: Coin) -> list[Condition]:
    """All that a move from `start` to `end` must fulfil; the way comes last."""
    if not start.is_unit:
        return [fact(False, "OMMS-2", f"{start} moved; settlements stay where they are")]
    carried = _carried(was, now, start, end)
    ways = [carried] if carried else [_way(was, start, end)]
    return [*may_move(was, start), *(_apart(end, other) for other in now.coins.blocking(end.owner)), *ways]


def may_move(table: Table, unit: Coin) -> list[Condition]:
    """Whose turn it is, and what of it (C4.9, OMMS-2)."""
    active = table.state.active
    player = table.setup.player_named(active) if active else None
    colour = player.colour if player else active
    phase = table.state.phase
    return [
        fact(active is None or unit.owner == colour, "C4.9", f"it is {active}'s turn, and {unit} is not {colour}"),
        fact(not table.has_moved(unit), "OMMS-3.5", f"{unit} has had its move this turn"),
        fact(phase in (None, "move"), "OMMS-2", f"units move in the move phase, not in the phase '{phase}'"),
    ]


def _apart(end: Coin, other: Coin) -> Condition:
    """A move may not end overlapping an enemy's coin; touching is no overlap."""
    margin = at_least(end.distance_mm(other), end.radius_mm + other.radius_mm - ROUNDING_MM, end.pair_sigma_mm(other))
    return measured(margin, "OMMS-3.5", f"{end} ends on {other}")


def _carried(was: Table, now: Table, start: Coin, end: Coin) -> Condition | None:
    """A unit that sails with its ship does not move itself."""
    ship = was.coins.ship_of(start)
    aboard = now.coins.ship_of(end)
    if ship is None or aboard is None or aboard.id != ship.id:
        return None
    return fact(True, "OMMS-9", f"{start} sails aboard {ship}")


def _way(table: Table, start: Coin, end: Coin) -> Condition:
    """The best of the ways that lead there: by road, into a settlement, over open ground, over water."""
    found = [_sailed(table, start, end)] if start.role == SHIP else list(_by_land(table, start, end))
    return min(found, key=lambda condition: ("yes", "close", "no").index(condition.verdict))


def _sailed(table: Table, start: Coin, end: Coin) -> Condition:
    water, rivers = sea_reach(table, start)
    margin = any_of([_inside(water, start, end), *_up_river(table, start, end, rivers)])
    return measured(margin, "OMMS-9", _ended(start, margin, "on water that it can reach", "out of its reach by water"))


def _up_river(table: Table, start: Coin, end: Coin, reach: MultiLineString) -> list[Margin]:
    """By how much a ship floats on a river, and can reach the point of it that is nearest; nothing without rivers."""
    rivers = shapely.union_all(list(table.country.rivers))
    if rivers.is_empty or reach.is_empty:
        return []
    berth = nearest_points(rivers, end.point)[0]
    away_mm, short_mm = reach.distance(berth), table.length_mm - start.point.distance(berth)
    way = Margin(short_mm if away_mm <= ROUNDING_MM else -away_mm, start.pair_sigma_mm(end))
    return [all_of([at_most(end.point.distance(berth), end.radius_mm, end.sigma_mm), way])]


def _ended(unit: Coin, margin: Margin, inside: str, outside: str) -> str:
    return f"{unit} ends {inside if margin.margin_mm >= 0 else outside}"


def _inside(where: MultiPolygon, start: Coin, end: Coin) -> Margin:
    """By how much a position is inside a region; far outside if there is none."""
    here, sigma_mm = Point(end.at_mm), start.pair_sigma_mm(end)
    if where.is_empty:
        return Margin(-start.distance_mm(end), sigma_mm)
    away_mm = where.distance(here)
    return Margin(where.boundary.distance(here) if away_mm <= ROUNDING_MM else -away_mm, sigma_mm)


def _by_land(table: Table, start: Coin, end: Coin) -> Sequence[Condition]:
    """The ways of a land unit, first the one whose failure says most."""
    point = table.standing(start)
    homes = [*_aboard(table, start, end), *_into_settlements(table, start, end)]
    ground = [_over_ground(table, start, end)] if start.role in GOES_OFF_ROAD else []
    road = [_by_road(table, start, end, point)]
    landed = table.country.roads.nearest(end.at_mm, end.radius_mm)
    return [*homes, *road, *ground] if landed is not None else [*homes, *ground, *road]


def _over_ground(table: Table, start: Coin, end: Coin) -> Condition:
    margin = _inside(offroad_reach(table, start), start, end)
    inside, outside = "on open ground within a card's breadth", "off road, where it cannot get over open ground"
    return measured(margin, "OMMS-3.4", _ended(start, margin, inside, outside))


def _into_settlements(table: Table, start: Coin, end: Coin) -> list[Condition]:
    """The friendly settlements that the coin now lies in, each by its way."""
    homes = [base for base in table.coins.bases if base.is_friend(start.owner) and end.cover(base).verdict != "no"]
    reach = road_reach(table, start)
    return [_into(start, end, home, reach) for home in homes] if reach else []


def _aboard(table: Table, start: Coin, end: Coin) -> list[Condition]:
    """A unit that ends on a friendly ship goes aboard by the port in whose harbour it lies (note 9)."""
    ship, reach = table.coins.ship_of(end), road_reach(table, start)
    if ship is None:
        return []
    load = sum(table.coins.ship_of(unit) == ship for unit in table.coins.units if unit.id != start.id)
    if load >= MOST_LOAD:
        return [fact(False, "OMMS-9", f"{ship} has {MOST_LOAD} units aboard already")]
    port = table.port_of(ship)
    if port is None or reach is None or port not in reach.homes:
        return [fact(False, "OMMS-9", f"{ship} is in no harbour that {start} can reach")]
    return [fact(True, "OMMS-9", f"{start} goes aboard {ship} in {port}")]


def _into(start: Coin, end: Coin, home: Coin, reach: RoadReach) -> Condition:
    if home not in reach.homes:
        return fact(False, "OMMS-3.2", f"no open road leads {start} into {home}{_barred(reach)}")
    return measured(end.cover(home), "OMMS-3.2", f"{start} ends in {home}")


def _barred(reach: RoadReach) -> str:
    coins = dict.fromkeys(str(block.coin) for block in reach.blocks)
    return f": {listed(coins)} stand{'s' if len(coins) == 1 else ''} in the way" if coins else ""


def _by_road(table: Table, start: Coin, end: Coin, point: RoadPoint | None) -> Condition:
    """Along roads to the road point at which the coin now stands."""
    landed = table.country.roads.nearest(end.at_mm, table.length_mm)
    if point is None:
        return fact(False, "OMMS-1.3", f"{start} stood on no usable road")
    if landed is None:
        return fact(False, "OMMS-3.2", f"{start} ends on no usable road")
    on_it = at_most(landed.distance_mm, end.radius_mm, end.sigma_mm)
    where = "at the very edge of the road" if on_it.margin_mm >= 0 else "on no usable road"
    asked = mover(table, start, point, table.length_mm)
    conditions = [
        measured(on_it, "OMMS-3.2", f"{start} ends {where}"),
        _along(table, asked, reach_of(table.country, asked), landed, end),
    ]
    verdict, deciding = decide(conditions)
    return replace(deciding if verdict != "yes" else conditions[-1], verdict=verdict)


def _along(table: Table, asked: Mover, reach: RoadReach, landed: RoadPoint, end: Coin) -> Condition:
    """Whether the road point at the end is one that the way reaches."""
    margin = Margin(_along_mm(asked, reach, landed, end), asked.unit.pair_sigma_mm(end))
    double = reach.double is not None and _away_mm(reach.part, landed.at_mm) > ROUNDING_MM
    why = _along_why(table, asked, reach, landed, margin)
    condition = measured(margin, "OMMS-3.3" if double else "OMMS-3.1", why)
    turn = _turn(table, asked, landed, end) if condition.verdict != "close" else None
    return condition if turn is None else replace(condition, verdict="close", margin=turn)


def _along_mm(asked: Mover, reach: RoadReach, landed: RoadPoint, end: Coin) -> float:
    """How far inside the limits of the way the end lies; negative outside.

    Outside, it is the distance of the road point from the way, or if that is less, by how much another road than one of
    the way is the nearest to the coin.
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
        return f"{unit} ends {gone_mm:.1f} mm away, farther than a card's length of {asked.radius_mm:.1f} mm"
    return f"no open road leads {unit} to {table.country.road_name(landed.segment)} there{_barred(reach)}"


def _turn(table: Table, asked: Mover, landed: RoadPoint, end: Coin) -> Margin | None:
    """The margin of a distance that would turn the verdict if moved by 3 sigma (C3.4): to the limit L, or a coin's."""
    holds = _gets_there(table, asked, landed, end)
    for sigma_mm, moved in _distances(asked, end):

        def turned(sigmas: float, moved: Moved = moved) -> bool:
            return _gets_there(table, moved(sigmas), landed, end) != holds

        for step in (-CLOSE_SIGMAS, CLOSE_SIGMAS) if sigma_mm else ():
            if turned(step):
                return turning_margin(turned, step, sigma_mm, holds)
    return None


def _gets_there(table: Table, asked: Mover, landed: RoadPoint, end: Coin) -> bool:
    return _along_mm(asked, reach_of(table.country, asked), landed, end) >= 0


def _distances(asked: Mover, end: Coin) -> Iterator[tuple[float, Moved]]:
    """Every distance that a way hangs on: its sigma, and the mover with it moved by so many of these."""
    sigma_mm = asked.unit.pair_sigma_mm(end)
    yield sigma_mm, lambda sigmas: replace(asked, radius_mm=asked.radius_mm + sigmas * sigma_mm)
    for index, coin in enumerate(asked.blockers):
        yield coin.sigma_mm, partial(_with_coin_grown, asked, index)


def _with_coin_grown(asked: Mover, index: int, sigmas: float) -> Mover:
    coins = list(asked.blockers)
    coins[index] = replace(coins[index], radius_mm=max(coins[index].radius_mm + sigmas * coins[index].sigma_mm, 0.0))
    return replace(asked, blockers=tuple(coins))
