"""`reach` and `blocked` rulings of units (OMMS-3, note 9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import shapely
from shapely import GeometryCollection, MultiLineString, MultiPolygon, Point
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling, ruling_from
from rules.games.omms.coins import SCOUT, SHIP, TANK, Coin
from rules.games.omms.condition import Condition, decide, measured
from rules.games.omms.edge import off_table, over_edge
from rules.games.omms.footing import footing, touching
from rules.games.omms.ground_reach import Rover, offroad_reach, rover, sea_reach
from rules.games.omms.harbour import at_sea
from rules.games.omms.lying import if_otherwise
from rules.games.omms.road_reach import Block, RoadReach, mover, reach_of, road_reach
from rules.games.omms.room import land_doubts, room_doubts
from rules.games.omms.shore import shore_doubts
from rules.geometry.cuts import as_multi_line
from rules.margin import CERTAIN, REFUSED, ROUNDING_MM, Margin, turned
from rules.sentences import listed

if TYPE_CHECKING:
    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadPoint

GOES_OFF_ROAD = (SCOUT, TANK)
PHASE = "move"


def move_rulings(table: Table, unit: Coin) -> tuple[Ruling, ...]:
    """Where a unit may go, and what stops it."""
    if table.has_moved(unit):
        return (_has_moved(unit),)
    if unit.role == SHIP:
        return (_sea_ruling(table, unit),)
    reach, *blocks = _as_measured(table, unit)
    return (_in_doubt(table, unit, reach), *blocks)


def _in_doubt(table: Table, unit: Coin, reach: Ruling) -> Ruling:
    """The reach; close if the unit has another with a coin that it lies on read anew, or its ship's harbour (C3.4)."""
    under = {unit.id, *(ship.id for ship in (table.coins.ship_of(unit),) if ship is not None)}
    pairs = {pair: table.otherwise[pair] for pair in table.otherwise if pair & under}
    if not pairs:
        return reach
    found = Condition(_may_go(reach), reach.verdict, Margin(reach.margin_mm, reach.sigma_mm), reach.rule, reach.why)
    told = if_otherwise(table, found, ((pair, _may_go(_as_measured(anew, unit)[0])) for pair, anew in pairs.items()))
    if told is found:
        return reach
    margin = told.margin
    return replace(
        reach, verdict="close", rule=told.rule, why=told.why, margin_mm=margin.margin_mm, sigma_mm=margin.sigma_mm
    )


def _may_go(reach: Ruling) -> bool:
    """Whether a unit can go anywhere as it was measured, too close to call or not."""
    return reach.verdict == "yes" or (reach.verdict == "close" and reach.margin_mm >= -ROUNDING_MM)


def _as_measured(table: Table, unit: Coin) -> tuple[Ruling, ...]:
    """The rulings without the doubt on what the unit lies."""
    ship = table.afloat(unit)
    if ship is not None:
        return (_nowhere(unit, "OMMS-1.3", at_sea(unit, ship)),)
    over_ground = rover(table, unit) if unit.role in GOES_OFF_ROAD else None
    ground = None if over_ground is None else offroad_reach(table, over_ground)
    reach = road_reach(table, unit)
    off = touching(table, unit)
    point = reach.point if reach else None
    room = room_doubts(table, unit, point, over_ground)
    shore = () if over_ground is None else land_doubts(table, unit, point, over_ground)
    edge = _from_edge(table, unit, reach)
    return _land_rulings(Ways(unit, reach, ground, off, edge, _may_yet_go(table, unit, reach), room, shore))


def _from_edge(table: Table, unit: Coin, reach: RoadReach | None) -> Margin | None:
    """How far along its road a unit is on the table, below 0 off it; None beyond 3 sigma of the edge."""
    beyond = () if reach is None else (one.margin for one in over_edge(table, unit, reach.point))
    nearest = min(beyond, key=lambda margin: margin.margin_mm, default=None)
    if reach is None or nearest is None:
        return None
    return Margin(nearest.margin_mm if reach.on_table else -nearest.margin_mm, nearest.sigma_mm)


def _missed(table: Table, unit: Coin, reach: RoadReach | None) -> RoadPoint | None:
    """The road point that a unit with no way by road misses by less than 3 sigma: beside its coin, or on the table."""
    if reach is None:
        return footing(table, unit)
    beyond = () if reach.on_table else over_edge(table, unit, reach.point)
    return next((one.point for one in beyond), None)


def _may_yet_go(table: Table, unit: Coin, reach: RoadReach | None) -> bool:
    """Whether a unit with no way by road would have a place to stop if it stood at the road point that it misses."""
    missed = _missed(table, unit, reach)
    if missed is None:
        return False
    there = reach_of(table.country, mover(table, unit, missed, table.length_mm))
    return bool(there.homes) or not there.lines.is_empty


@dataclass(frozen=True)
class Ways:
    """All that a unit's move rulings are made of; parts that did not change are the same objects as before.

    off_road  the margin of standing on a road
    edge      how far on the table it stands, where 3 sigma may take it over the edge
    missed    whether it could go from a road point that it, or its settlement's coin, misses by less than 3 sigma
    room      the margins of which one, moved by 3 sigma, gives it a place to stop or leaves it none
    shore     those of its distance from the shore that do the same
    """

    unit: Coin
    reach: RoadReach | None
    ground: MultiPolygon | None
    off_road: Margin
    edge: Margin | None
    missed: bool
    room: tuple[Margin, ...]
    shore: tuple[Margin, ...]


def _has_moved(unit: Coin) -> Ruling:
    return _nowhere(unit, "OMMS-3.5", f"{unit} has had its move this turn")


def _nowhere(unit: Coin, rule: str, why: str) -> Ruling:
    extra = {"settlements": [], "phase": PHASE}
    return ruling_from(REFUSED, kind="reach", piece=unit.id, rule=rule, why=why, extra=extra)


def region(lines: MultiLineString, ground: MultiPolygon | None) -> BaseGeometry | None:
    """Roads and ground as one region: road inside the ground is not repeated; None if there is nothing."""
    if ground is None or ground.is_empty:
        return None if lines.is_empty else lines
    outside = as_multi_line(shapely.line_merge(shapely.difference(lines, ground)))
    return ground if outside.is_empty else GeometryCollection([outside, ground])


@lru_cache(maxsize=512)
def _land_rulings(ways: Ways) -> tuple[Ruling, ...]:
    blocks = ways.reach.blocks if ways.reach else ()
    return (_land_ruling(ways), *(_blocked(ways.unit, block) for block in blocks))


def _land_ruling(ways: Ways) -> Ruling:
    unit, reach = ways.unit, ways.reach
    where = region(reach.lines if reach else MultiLineString(), ways.ground)
    homes = reach.homes if reach else ()
    # On the wrong side of the shore it goes nowhere, however near the road may be.
    goes = _goes(ways, where is not None or bool(homes) or (ways.missed and not ways.shore))
    verdict, deciding = decide([*_on_road(ways), goes])
    margin = deciding.margin
    return Ruling(
        kind="reach",
        piece=unit.id,
        verdict=verdict,
        rule=_rule(ways),
        why=goes.why if verdict == "yes" else deciding.why,
        margin_mm=margin.margin_mm,
        sigma_mm=margin.sigma_mm,
        geometry=where,
        extra={"settlements": [home.id for home in homes], "phase": PHASE},
        marks=_marks(where, homes),
    )


def _goes(ways: Ways, anywhere: bool) -> Condition:
    """That there is room for it to stop anywhere."""
    margin, why = turned(CERTAIN if anywhere else REFUSED, (*ways.room, *ways.shore)), _sentence(ways)
    if ways.shore and margin.verdict == "close":
        why = f"{ways.unit} stands {'hardly' if anywhere else 'not quite'} on dry land"
    elif margin.verdict == "close":
        why = f"{why}, but it is too close to call"
    return measured(margin, "OMMS-3.5", why)


def _rule(ways: Ways) -> str:
    if ways.ground is not None:
        return "OMMS-3.4"
    return "OMMS-3.3" if ways.reach and ways.reach.double is not None else "OMMS-3.1"


def _on_road(ways: Ways) -> list[Condition]:
    """That a unit which needs roads stands on one."""
    if ways.shore or (ways.ground is not None and not ways.ground.is_empty):
        return []
    if ways.reach is not None and not ways.reach.on_table:
        return [_hardly_off(ways.unit, ways.edge) if ways.edge is not None and ways.missed else off_table(ways.unit)]
    hardly = ", but hardly so" if ways.missed else ""
    where = f"on no usable road{hardly}" if ways.off_road.margin_mm < 0 else "at the very edge of the road"
    on_road = measured(ways.off_road, "OMMS-1.3", f"{ways.unit} stands {where}")
    very_edge = f"{ways.unit} stands at the very edge of the table"
    return [on_road] if ways.edge is None else [on_road, measured(ways.edge, "C4.7", very_edge)]


def _hardly_off(unit: Coin, edge: Margin) -> Condition:
    return measured(edge, "C4.7", f"{off_table(unit).why}, but hardly so")


def _sentence(ways: Ways) -> str:
    reach, found = ways.reach, []
    if reach is not None and not reach.lines.is_empty:
        moves = "two moves along the motorway" if reach.double is not None else "the roads"
        found.append(f"{reach.lines.length:.0f} mm of road by {moves}")
    if ways.ground is not None and not ways.ground.is_empty:
        found.append(f"{ways.ground.area / 100:.0f} square cm off road")
    if reach is not None and reach.homes:
        what = "settlement" if len(reach.homes) == 1 else "settlements"
        found.append(f"the {what} {listed(home.id for home in reach.homes)}")
    blockers = dict.fromkeys(str(block.coin) for block in (reach.blocks if reach else ()))
    stopped = f"; {listed(blockers)} stand{'s' if len(blockers) == 1 else ''} in the way" if blockers else ""
    return f"{ways.unit} can reach {listed(found)}{stopped}"


def _marks(where: BaseGeometry | None, homes: tuple[Coin, ...]) -> tuple[Mark, ...]:
    shown = (Mark("reach", where),) if where is not None else ()
    return shown + tuple(Mark("reach", home.disc) for home in homes)


def _blocked(unit: Coin, block: Block) -> Ruling:
    known = "" if block.coin.is_known else "; nobody has said what it is"
    margin, at = Margin(block.depth_mm, block.coin.sigma_mm), Point(block.at_mm)
    cannot = "may be unable to" if margin.verdict == "close" else "cannot"
    why = f"{unit} {cannot} pass {block.coin} on {block.road}{known}"
    return ruling_from(
        margin,
        kind="blocked",
        piece=unit.id,
        rule="OMMS-3.6",
        why=why,
        other=block.coin.id,
        geometry=at,
        extra={"phase": PHASE},
        marks=(Mark("blocked", at, block.coin.id),),
    )


def _floats(table: Table, asked: Rover) -> bool:
    """Whether a ship has water to stop on."""
    return not all(where.is_empty for where in sea_reach(table, asked))


def _sea_ruling(table: Table, ship: Coin) -> Ruling:
    asked = rover(table, ship)
    water, rivers = sea_reach(table, asked)
    where = region(rivers, water)
    flips = shore_doubts(table, asked, lambda moved: _floats(table, moved))
    margin = turned(CERTAIN if where is not None else REFUSED, flips)
    rivers_too = f" and {rivers.length:.0f} mm of river" if rivers.length else ""
    why = f"{ship} can reach {water.area / 100:.0f} square cm of water{rivers_too}"
    if flips:
        why = f"{ship} is {'not quite' if where is None else 'hardly'} afloat"
    elif where is None:
        why = f"{ship} is not afloat or has no room to move"
    extra = {"settlements": [], "phase": PHASE}
    marks = () if where is None else (Mark("reach", where),)
    return ruling_from(
        margin, kind="reach", piece=ship.id, rule="OMMS-9", why=why, geometry=where, extra=extra, marks=marks
    )
