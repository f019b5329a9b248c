"""Where a soldier may end his move: mixed ground, obstacles, walls to climb (OMOG-2)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import shapely
from shapely import MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling
from rules.games.omog.battlefield import Battlefield, Soldier, plain
from rules.games.omog.clock import move_phase
from rules.games.omog.crew import men_at
from rules.games.omog.tables import INCH_MM, Allowance, tables
from rules.games.omog.terrain import ROADS, WALLS
from rules.geometry.ground import mixed_reach
from rules.geometry.levels import Ground
from rules.geometry.reach import CORNER_SAGITTA_MM, TOUCH_ROOM_MM, reachable_region
from rules.geometry.templates import arc_steps
from rules.scene import UNKNOWN, Point2

# A blocker whose clearance comes this near to the reach is what cuts it.
_CUTS_MM = 0.1
_MOUNTING = ("mounting", "dismounting")


@dataclass(frozen=True)
class Obstacle:
    """A thing in the way of a base: its id, words for a person, its footprint and error."""

    id: str
    name: str
    area: Polygon
    sigma_mm: float
    is_known: bool


def allowance(soldier: Soldier, field: Battlefield) -> Allowance:
    """His arm's move; a gun's first four columns are a house rule."""
    row = tables().allowance[soldier.arm]
    if soldier.arm != "gun":
        return row
    road_in, open_in, uphill_road_in, uphill_in = field.house("gun_push_in")
    on_good_ground = {"road_in": road_in, "open_in": open_in, "uphill_road_in": uphill_road_in, "uphill_in": uphill_in}
    return row.model_copy(update=on_good_ground)


def cost_per_mm(allowance_in: float) -> float:
    """The share of a move that a mm costs; infinite for no allowance."""
    return 1 / (allowance_in * INCH_MM) if allowance_in else math.inf


def grounds(soldier: Soldier, field: Battlefield) -> tuple[Ground, ...]:
    """The ground other than open, the upper over the lower (OMOG-2.2, 2.3)."""
    row = allowance(soldier, field)
    hills = [hill.area for hill in field.of_meaning("hill") if soldier.piece.elevation_mm < hill.top_mm]
    up = shapely.union_all(hills)
    layers: list[tuple[BaseGeometry, float]] = [(area, row.uphill_in) for area in hills]
    layers += [(wood.area, row.wood_in) for wood in field.of_meaning("wood")]
    layers += [(swamp.area, row.swamp_in) for swamp in field.of_meaning("swamp")]
    layers += _roads(field, ROADS, up, row)
    layers += [(river.area, row.ford_in) for river in field.of_meaning("river")]
    layers += _roads(field, ("bridge",), up, row)
    return tuple(Ground(area, cost_per_mm(inches)) for area, inches in layers if area.area > 0)


def _roads(
    field: Battlefield, meanings: Iterable[str], up: BaseGeometry, row: Allowance
) -> list[tuple[BaseGeometry, float]]:
    roads = [road.area for road in field.of_meaning(*meanings)]
    return [(road, row.road_in) for road in roads] + [(road & up, row.uphill_road_in) for road in roads]


def obstacles(soldier: Soldier, field: Battlefield) -> list[Obstacle]:
    """What his base keeps clear of: lakes, houses he is not in, unknown things, other bases (OMOG-2.5, C5.2)."""
    shut = field.of_meaning("lake", "house", UNKNOWN)
    things = [
        Obstacle(thing.id, thing.name, thing.area, thing.piece.sigma_mm, thing.meaning != UNKNOWN)
        for thing in shut
        if thing.meaning != "house" or not thing.holds(soldier.position_mm)
    ]
    others = [other for other in field.figures if other.id != soldier.id]
    return things + [
        Obstacle(
            other.id, f"the base of {other.owner} {other.id}", field.base_of(other), other.sigma_mm, other.is_known
        )
        for other in others
    ]


def grown(obstacle: Polygon, soldier: Soldier) -> BaseGeometry:
    """Where his centre may not be because of an obstacle; one that he touches already only bars going nearer."""
    gap_mm = obstacle.distance(Point(soldier.position_mm))
    return _grown_by(obstacle, min(soldier.radius_mm, gap_mm) - TOUCH_ROOM_MM)


@lru_cache(maxsize=4096)
def _grown_by(obstacle: Polygon, by_mm: float) -> BaseGeometry:
    quarter = math.ceil(arc_steps(max(by_mm, 1.0), sagitta_mm=CORNER_SAGITTA_MM) / 4)
    return obstacle.buffer(by_mm, quad_segs=quarter).simplify(CORNER_SAGITTA_MM / 10)


def why_no_move(soldier: Soldier, field: Battlefield) -> tuple[str, str] | None:
    """The rule and the sentence that keep him where he is, if any."""
    if soldier.known.get("moved"):
        return "C4.9", f"{soldier.name} has moved already this turn"
    crew, needed = men_at(soldier, field), tables().gun.push_crew
    if soldier.arm == "gun" and crew < needed:
        return "OMOG-4.4", f"{soldier.name} has {crew} men and is pushed by {needed} or more"
    held = next(
        (thing for thing in field.of_meaning("swamp", "river", *WALLS) if _mounts_in(soldier, thing.area)), None
    )
    if held is not None:
        return "OMOG-2.4", f"{soldier.name} cannot mount or dismount in {held.name}"
    return None


def _mounts_in(soldier: Soldier, area: Polygon) -> bool:
    return is_mounting(soldier) and area.intersects(Point(soldier.position_mm))


def is_mounting(soldier: Soldier) -> bool:
    """Whether he mounts or dismounts in this move, which costs half of it (OMOG-2.4)."""
    return any(soldier.known.get(key) for key in _MOUNTING)


def budget(soldier: Soldier) -> float:
    """The share of a move that he has for moving."""
    return 1.0 - tables().turn.mounting_share if is_mounting(soldier) else 1.0


def reach_area(soldier: Soldier, field: Battlefield) -> BaseGeometry:
    """All points where his base's centre may be after the move; the table's edge cuts it (C4.7)."""
    row, share = allowance(soldier, field), budget(soldier)
    here, layers = Point(soldier.position_mm), grounds(soldier, field)
    open_mm = share * row.open_in * INCH_MM
    # Only over open ground can other ground be come to, and only then can its lower cost carry farther.
    first = [layer for layer in layers if layer.area.dwithin(here, open_mm)]
    range_mm = max([open_mm, *(share / layer.cost_per_mm for layer in layers if first)])
    near = tuple(layer for layer in layers if first and layer.area.dwithin(here, range_mm))
    near_mm = range_mm + soldier.radius_mm
    shut = [grown(one.area, soldier) for one in obstacles(soldier, field) if one.area.dwithin(here, near_mm)]
    walls = [wall.area for wall in field.of_meaning(*WALLS) if wall.area.dwithin(here, range_mm)]
    climb_mm = row.climb_in * INCH_MM * share
    return _area(soldier.position_mm, near, row.open_in, tuple(shut), tuple(walls), climb_mm, field.bounds, share)


@lru_cache(maxsize=1024)
def _area(
    start: Point2,
    layers: tuple[Ground, ...],
    open_in: float,
    shut: tuple[BaseGeometry, ...],
    walls: tuple[Polygon, ...],
    climb_mm: float,
    bounds: Polygon,
    share: float,
) -> BaseGeometry:
    """Kept by what it depends on, so that a move elsewhere computes nothing again."""
    around = _around(start, layers, open_in, (*shut, *walls), bounds, share)
    if not walls:
        return around
    over: BaseGeometry = MultiPolygon()
    if climb_mm > 0:
        # Every allowance is at least the climb's, so a path this short costs at most one move on any ground.
        over = _free(
            start, climb_mm, (*shut, *(layer.area for layer in layers if math.isinf(layer.cost_per_mm))), bounds
        )
    return shapely.union_all([around, over]) - shapely.union_all(list(walls))


def _around(
    start: Point2,
    layers: tuple[Ground, ...],
    open_in: float,
    shut: tuple[BaseGeometry, ...],
    bounds: Polygon,
    share: float,
) -> BaseGeometry:
    if not layers:
        return _free(start, share * open_in * INCH_MM, shut, bounds)
    return mixed_reach(start, layers, cost_per_mm(open_in), shut, bounds, share)


def _free(start: Point2, length_mm: float, shut: tuple[BaseGeometry, ...], bounds: Polygon) -> BaseGeometry:
    parts = [part for part in shapely.get_parts(list(shut)) if isinstance(part, Polygon) and part.area > 0]
    return reachable_region(start, length_mm, parts, 0.0, bounds)


def reaches(field: Battlefield) -> tuple[Ruling, ...]:
    """One `reach` for each soldier; without geometry for one who may not move."""
    return tuple(_reach(soldier, field) for soldier in field.subjects)


def _reach(soldier: Soldier, field: Battlefield) -> Ruling:
    phase = move_phase(soldier.owner, field)
    refused = why_no_move(soldier, field)
    if refused is not None:
        return plain("reach", soldier.id, *refused, yes=False, extra={"phase": phase})
    area, row = reach_area(soldier, field), allowance(soldier, field)
    why = f"{soldier.name} may end here: {row.open_in:g} in in the open, {row.road_in:g} in on a road, in proportion"
    return Ruling(
        "reach", soldier.id, "yes", "OMOG-2.5", why, None, row.open_in * INCH_MM * budget(soldier),
        soldier.piece.sigma_mm, area, {"phase": phase}, (Mark("reach", area),),
    )  # fmt: skip


def blocks(field: Battlefield) -> tuple[Ruling, ...]:
    """One `blocked` for each soldier and thing that cuts his reach, where it does."""
    return tuple(ruling for soldier in field.subjects for ruling in _blocks_of(soldier, field))


def _blocks_of(soldier: Soldier, field: Battlefield) -> list[Ruling]:
    if why_no_move(soldier, field) is not None:
        return []
    area, found = reach_area(soldier, field), []
    extra = {"phase": move_phase(soldier.owner, field)}
    here = Point(soldier.position_mm)
    shapely.prepare(area)
    for obstacle in obstacles(soldier, field):
        if not area.dwithin(obstacle.area, soldier.radius_mm + _CUTS_MM):
            continue
        where = Point(shapely.shortest_line(obstacle.area, here).coords[0])
        why = f"{soldier.name} must keep clear of {obstacle.name} by his base's radius, {soldier.radius_mm:.1f} mm"
        rule = "OMOG-2.3" if obstacle.is_known else "C5.2"
        found.append(plain("blocked", soldier.id, rule, why, yes=True, other=obstacle.id, geometry=where, extra=extra))
    return found
