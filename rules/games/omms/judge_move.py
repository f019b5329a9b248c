"""Whether a coin's move was legal (OMMS-3, note 9)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import shapely
from shapely import MultiLineString, MultiPolygon, Point
from shapely.ops import nearest_points

from rules.course.changes import has_moved
from rules.decimals import limit_beside, set_apart
from rules.games.omms.coins import SHIP, Coin
from rules.games.omms.condition import Condition, decide, fact, measured
from rules.games.omms.ground_reach import Rover, offroad_reach, rover, sea_reach
from rules.games.omms.judge_home import aboard, into_settlements
from rules.games.omms.judge_road import by_road
from rules.games.omms.loads import ship_without
from rules.games.omms.move_rulings import GOES_OFF_ROAD
from rules.games.omms.road_reach import ROUNDING_MM
from rules.games.omms.shore import shore_doubts
from rules.games.omms.way_doubt import doubts
from rules.games.omms.whose_turn import in_turn
from rules.margin import UNTOLD, Margin, all_of, any_of, at_least, at_most, beyond_doubt, is_shared, turned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rules.games.omms.table import Table

# The rule of ships and their loads.
AT_SEA = "OMMS-9"
# Ways whose ground leaves out where the coin would overlap an enemy's; that edge is drawn so exactly.
OFF_THE_ROADS = ("OMMS-3.4", AT_SEA)
_ARC_ERROR_MM = 2e-3


def move_conditions(was: Table, now: Table, start: Coin, end: Coin) -> list[Condition]:
    """All conditions that a move from `start` to `end` must fulfil; that of the way comes last.

    Too close to call while a ship may follow the unit that was aboard of it.
    """
    if not start.is_unit:
        return [fact(False, "OMMS-2", f"{start} moved; settlements stay where they are")]
    room = sorted((_apart(end, other) for other in now.coins.blocking(end.owner)), key=_room_mm)
    ship = sails_with(was, now, start, end)
    if ship is not None:
        return [*_may_sail(was, start), *room, _sails_along(was, now, start, ship)]
    ways = [_sailed(was, start, end)] if start.role == SHIP else _by_land(was, now, start, end)
    fails_for_room = any(_fails_for_room(way, room) for way in ways)
    told = [*may_move(was, start), *room, *([] if fails_for_room else [_best(ways)])]
    ship = _may_follow(was, now, start, end) if decide(told)[0] == "no" else None
    if ship is None:
        return told
    return [*_may_sail(was, start), *room, measured(UNTOLD, AT_SEA, f"{start} sails aboard {ship} once that follows")]


def awaits_ship(found: Condition) -> bool:
    """Whether a move is too close to call because the unit's ship may follow it."""
    return (found.margin, found.rule) == (UNTOLD, AT_SEA)


def _sails_along(was: Table, now: Table, start: Coin, ship: Coin) -> Condition:
    """That the ship of a unit that sails aboard may sail where they lie now, if it does in the same look: else the unit
    is out of its place with it, and is put back as it is."""
    has_sailed = ship.id in now.coins and has_moved(was.scene[ship.id], now.scene[ship.id])
    if has_sailed and decide(move_conditions(was, now, ship, now.coins[ship.id]))[0] == "no":
        return fact(False, AT_SEA, f"{start} sails aboard {ship}, which may not sail there")
    return fact(True, AT_SEA, f"{start} sails aboard {ship}")


def _may_follow(was: Table, now: Table, start: Coin, end: Coin) -> Coin | None:
    """The ship that a unit was aboard of and that may yet sail to where the unit lies now; None if it may not.

    Without a phase two scenes are all that is known, and nobody says that more is to come.
    """
    ship = was.coins.ship_of(start)
    if was.state.phase is None or ship is None or ship.id not in now.coins or was.has_moved(ship):
        return None
    if has_moved(was.scene[ship.id], now.scene[ship.id]):
        return None
    short_mm = -_sailed(was, ship, replace(ship, at_mm=end.at_mm)).margin.margin_mm
    return ship if short_mm <= ship.radius_mm else None


def _fails_for_room(way: Condition, room: Sequence[Condition]) -> bool:
    """Whether a way off the roads ends too soon only because there is no room at its end: that is one distance."""
    return way.rule in OFF_THE_ROADS and is_shared(way.margin, [gap.margin for gap in room], _ARC_ERROR_MM)


def may_move(table: Table, unit: Coin) -> list[Condition]:
    """That it is the owner's turn and the phase of moves, and that the unit has not moved yet (C4.9, OMMS-2)."""
    turn, phase = _may_sail(table, unit)
    return [turn, fact(not table.has_moved(unit), "OMMS-3.5", f"{unit} has had its move this turn"), phase]


def _may_sail(table: Table, unit: Coin) -> list[Condition]:
    """The same of a unit that sails with its ship, which has moved or may move itself besides."""
    phase = table.state.phase
    why = f"{unit} moved in the phase '{phase}': units move in the move phase"
    moves = fact(phase in (None, "move"), "OMMS-2", why)
    return [in_turn(table, unit), moves]


def _apart(end: Coin, other: Coin) -> Condition:
    """A move may not end overlapping an enemy's coin; touching is no overlap."""
    margin = at_least(end.distance_mm(other), end.radius_mm + other.radius_mm - ROUNDING_MM, end.pair_sigma_mm(other))
    return measured(margin, "OMMS-3.5", f"{end} ends on {other}")


def _room_mm(room: Condition) -> float:
    """By how much a coin leaves a unit room: the deepest decides, in whatever order the coins are listed."""
    return room.margin.margin_mm


def sails_with(was: Table, now: Table, start: Coin, end: Coin) -> Coin | None:
    """The ship that a unit was aboard of and is still, or that sailed on before it: it does not move itself; None if it
    does."""
    ship, aboard = was.coins.ship_of(start) or _sailed_on(was, start), now.coins.ship_of(end)
    return ship if ship is not None and aboard is not None and aboard.id == ship.id else None


def _sailed_on(was: Table, unit: Coin) -> Coin | None:
    ship = ship_without(was.state, unit.id)
    return was.coins[ship] if ship is not None and ship in was.coins else None


def _best(ways: Sequence[Condition]) -> Condition:
    """The way that makes a move legal, or fails least."""
    best = min(ways, key=lambda way: (("yes", "close", "no").index(way.verdict), not way.holds))
    holding = [way for way in ways if way.holds]
    if best.verdict == "close" and len(holding) > 1:  # no one distance turns both
        told = min(holding, key=lambda way: (way.rule != "OMMS-3.4", way.rule == "OMMS-1.3"))
        return replace(told, verdict="yes", margin=beyond_doubt(Margin(0.0, told.margin.sigma_mm)))
    return best


def _sailed(table: Table, start: Coin, end: Coin) -> Condition:
    margin = _hanging(table, rover(table, start), end, partial(_afloat, table, end))
    far = _too_far(start, end, table.length_mm, "a card's length")
    outside = far or "out of its reach by water"
    return measured(margin, AT_SEA, _ended(start, margin, "on water that it can reach", outside))


def _hanging(table: Table, asked: Rover, end: Coin, inside: Callable[[Rover], Margin]) -> Margin:
    """By how much a unit ends inside its reach: too close to call if one distance would open or bar its way (C3.4)."""

    def comes(moved: Rover) -> bool:
        return inside(moved).margin_mm >= -ROUNDING_MM

    flips = [*doubts(asked, asked.unit.pair_sigma_mm(end), comes), *shore_doubts(table, asked, comes)]
    return turned(inside(asked), flips)


def _afloat(table: Table, end: Coin, asked: Rover) -> Margin:
    """By how much a ship ends on water, or a river, that it can reach."""
    water, rivers = sea_reach(table, asked)
    return any_of([_inside(water, asked.unit, end), *_up_river(table, asked, end, rivers)])


def _up_river(table: Table, asked: Rover, end: Coin, reach: MultiLineString) -> list[Margin]:
    """By how much a ship floats on a river, and can reach the point of it that is nearest; nothing without rivers."""
    rivers = shapely.union_all(list(table.country.rivers))
    if rivers.is_empty or reach.is_empty:
        return []
    berth = nearest_points(rivers, end.point)[0]
    away_mm, short_mm = reach.distance(berth), asked.radius_mm - asked.unit.point.distance(berth)
    way = Margin(short_mm if away_mm <= ROUNDING_MM else -away_mm, asked.unit.pair_sigma_mm(end))
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


def _by_land(was: Table, now: Table, start: Coin, end: Coin) -> Sequence[Condition]:
    """The ways of a land unit, first the one whose failure says most."""
    point = was.standing(start)
    homes = [*aboard(was, now, start, end), *into_settlements(was, start, end)]
    ground = [_over_ground(was, start, end)] if start.role in GOES_OFF_ROAD and was.afloat(start) is None else []
    road = [by_road(was, start, end, point)]
    landed = was.country.roads.nearest(end.at_mm, end.radius_mm)
    return [*homes, *road, *ground] if landed is not None else [*homes, *ground, *road]


def _on_ground(table: Table, end: Coin, asked: Rover) -> Margin:
    """By how much a unit ends on open ground that it can reach."""
    return _inside(offroad_reach(table, asked), asked.unit, end)


def _over_ground(table: Table, start: Coin, end: Coin) -> Condition:
    margin = _hanging(table, rover(table, start), end, partial(_on_ground, table, end))
    inside, outside = "on open ground within a card's breadth", "off road, where it cannot get over open ground"
    far = _too_far(start, end, table.breadth_mm, "a card's breadth")
    return measured(margin, "OMMS-3.4", _ended(start, margin, inside, f"off road, {far}" if far else outside))


def _too_far(start: Coin, end: Coin, limit_mm: float, side: str) -> str:
    """That the end is farther off than any way leads; nothing if it is not."""
    far_mm = start.distance_mm(end)
    if far_mm <= limit_mm + ROUNDING_MM:
        return ""
    far, limit = (told(far_mm, limit_mm, 1) for told in (set_apart, limit_beside))
    return f"{far} mm away, farther than {side} of {limit} mm"
