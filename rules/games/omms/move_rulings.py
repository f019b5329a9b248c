"""`reach` and `blocked` rulings of units (OMMS-3, note 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import shapely
from shapely import GeometryCollection, MultiLineString, MultiPolygon, Point
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling
from rules.games.omms.coins import SCOUT, SHIP, TANK, Coin
from rules.games.omms.condition import Condition, decide, fact, measured
from rules.games.omms.ground_reach import offroad_reach, sea_reach
from rules.games.omms.road_reach import Block, RoadReach, road_reach
from rules.games.omms.sentences import listed
from rules.geometry.cuts import as_multi_line
from rules.margin import Margin, at_most

if TYPE_CHECKING:
    from rules.games.omms.table import Table

GOES_OFF_ROAD = (SCOUT, TANK)
PHASE = "move"


def move_rulings(table: Table, unit: Coin) -> tuple[Ruling, ...]:
    """Where a unit may go, and what stops it."""
    if table.has_moved(unit):
        return (_has_moved(unit),)
    if unit.role == SHIP:
        return (_sea_ruling(table, unit),)
    reach = road_reach(table, unit)
    return (_land_ruling(table, unit, reach), *(_blocked(unit, block) for block in (reach.blocks if reach else ())))


def _has_moved(unit: Coin) -> Ruling:
    why = f"{unit} has had its move this turn"
    return Ruling("reach", unit.id, "no", "OMMS-3.5", why, extra={"settlements": [], "phase": PHASE})


def region(lines: MultiLineString, ground: MultiPolygon) -> BaseGeometry | None:
    """Roads and ground as one region: road inside the ground is not repeated; None if there is nothing."""
    if ground.is_empty:
        return None if lines.is_empty else lines
    outside = as_multi_line(shapely.line_merge(shapely.difference(lines, ground)))
    return ground if outside.is_empty else GeometryCollection([outside, ground])


def _land_ruling(table: Table, unit: Coin, reach: RoadReach | None) -> Ruling:
    ground = offroad_reach(table, unit) if unit.role in GOES_OFF_ROAD else MultiPolygon()
    where = region(reach.lines if reach else MultiLineString(), ground)
    homes = reach.homes if reach else ()
    conditions = [_on_road(table, unit, reach)] if ground.is_empty else []
    conditions.append(fact(where is not None or bool(homes), "OMMS-3.5", _sentence(unit, reach, ground)))
    verdict, deciding = decide(conditions)
    extra = {"settlements": [home.id for home in homes], "phase": PHASE}
    margin = deciding.margin
    return Ruling(
        "reach", unit.id, verdict, _rule(reach, ground), deciding.why if verdict != "yes" else conditions[-1].why,
        None, margin.margin_mm, margin.sigma_mm, where, extra, _marks(where, homes),
    )  # fmt: skip


def _rule(reach: RoadReach | None, ground: MultiPolygon) -> str:
    if not ground.is_empty:
        return "OMMS-3.4"
    return "OMMS-3.3" if reach and reach.double is not None else "OMMS-3.1"


def _on_road(table: Table, unit: Coin, reach: RoadReach | None) -> Condition:
    if reach is None:
        return measured(_off_by(table, unit), "OMMS-1.3", f"{unit} stands on no usable road")
    if table.coins.home_of(unit):
        return fact(True, "OMMS-1.3", f"{unit} stands in a settlement")
    margin = at_most(reach.point.distance_mm, unit.radius_mm, unit.sigma_mm)
    return measured(margin, "OMMS-1.3", f"{unit} stands at the very edge of the road")


def _off_by(table: Table, unit: Coin) -> Margin:
    """By how much the nearest usable road misses a unit's coin; looked for within L."""
    point = table.country.roads.nearest(unit.at_mm, table.length_mm)
    return at_most(point.distance_mm if point else table.length_mm, unit.radius_mm, unit.sigma_mm)


def _sentence(unit: Coin, reach: RoadReach | None, ground: MultiPolygon) -> str:
    ways = []
    if reach is not None and not reach.lines.is_empty:
        moves = "two moves along the motorway" if reach.double is not None else "the roads"
        ways.append(f"{reach.lines.length:.0f} mm of road by {moves}")
    if not ground.is_empty:
        ways.append(f"{ground.area / 100:.0f} square cm off road")
    if reach is not None and reach.homes:
        ways.append(f"the settlements {listed(home.id for home in reach.homes)}")
    blockers = dict.fromkeys(str(block.coin) for block in (reach.blocks if reach else ()))
    stopped = f"; {listed(blockers)} stand{'s' if len(blockers) == 1 else ''} in the way" if blockers else ""
    return f"{unit} can reach {listed(ways)}{stopped}"


def _marks(where: BaseGeometry | None, homes: tuple[Coin, ...]) -> tuple[Mark, ...]:
    shown = (Mark("reach", where),) if where is not None else ()
    return shown + tuple(Mark("reach", Point(home.at_mm).buffer(home.radius_mm)) for home in homes)


def _blocked(unit: Coin, block: Block) -> Ruling:
    known = "" if block.coin.is_known else "; nobody has said what it is"
    why = f"{unit} cannot pass {block.coin} on {block.road}{known}"
    margin = Margin(block.depth_mm, block.coin.sigma_mm)
    at = Point(block.at_mm)
    return Ruling(
        "blocked", unit.id, margin.verdict, "OMMS-3.6", why, block.coin.id, margin.margin_mm, margin.sigma_mm, at,
        {"phase": PHASE}, (Mark("blocked", at, block.coin.id),),
    )  # fmt: skip


def _sea_ruling(table: Table, ship: Coin) -> Ruling:
    water, rivers = sea_reach(table, ship)
    where = region(rivers, water)
    extra = {"settlements": [], "phase": PHASE}
    if where is None:
        return Ruling("reach", ship.id, "no", "OMMS-9", f"{ship} is not afloat or has no room to move", extra=extra)
    what = f"{water.area / 100:.0f} square cm of water" + (
        f" and {rivers.length:.0f} mm of river" if rivers.length else ""
    )
    why = f"{ship} can reach {what}"
    return Ruling("reach", ship.id, "yes", "OMMS-9", why, geometry=where, extra=extra, marks=(Mark("reach", where),))
