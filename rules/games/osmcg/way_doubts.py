"""Whether a way past bases and walls hangs on where one of them stands (C3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from shapely import LineString
from shapely.geometry.base import BaseGeometry

from rules.games.osmcg.field import Field
from rules.games.osmcg.reach import shortest_way
from rules.games.osmcg.tables import tables
from rules.games.osmcg.units import Unit
from rules.games.osmcg.ways import way_to
from rules.margin import CLOSE_SIGMAS, Margin, pair_sigma_mm
from rules.scene import Point2
from rules.way_past import hangs_on


class Thing(NamedTuple):
    """What stops a unit: its id, words for a person, its footprint, and the error of a distance to it."""

    id: str
    name: str
    area: BaseGeometry
    sigma_mm: float


def way_doubts(unit: Unit, goal: Point2, budget_mm: float, comes: bool, field: Field) -> dict[str, Margin]:
    """The things, by id, whose place is too close to call as to whether they open or bar the unit's way past them.

    comes  whether the goal is within the budget with everything where it was measured
    """
    line, most_mm = LineString((unit.at, goal)), budget_mm + tables().distance.paper_mm
    if unit.has("flying") or line.length > budget_mm:
        return {}
    things = [thing for thing in _things(unit, budget_mm, field) if thing.sigma_mm > 0]
    if not any(thing.area.dwithin(line, _near_mm(unit, thing)) for thing in things):
        return {}

    def comes_if(nearer_mm: Mapping[str, float]) -> bool:
        return way_to(goal, most_mm, field.near_if(unit, budget_mm, nearer_mm), 0.0) is not None

    way = shortest_way(unit, goal, most_mm, field) if comes else None
    passed = [thing for thing in things if _may_turn(thing, unit, line, way, most_mm)]
    turning = hangs_on({thing.id: CLOSE_SIGMAS * thing.sigma_mm for thing in passed}, comes, comes_if)
    return {thing.name: Margin(turning[thing.id], thing.sigma_mm) for thing in passed if thing.id in turning}


def _may_turn(thing: Thing, unit: Unit, line: LineString, way: LineString | None, most_mm: float) -> bool:
    """Whether a thing may bar an open way, or lies where another way that is short enough would pass it."""
    start, end = line.boundary.geoms
    near_mm = _near_mm(unit, thing)
    # Whether there is room beside it at the end is asked on its own.
    if thing.area.dwithin(end, near_mm):
        return False
    if way is not None:
        return bool(thing.area.dwithin(way, near_mm))
    return bool(thing.area.distance(start) + thing.area.distance(end) <= most_mm + 2 * near_mm)


def _things(unit: Unit, budget_mm: float, field: Field) -> Iterator[Thing]:
    for other in field.figures_near(unit, budget_mm):
        if unit.is_stopped_by(other):
            yield Thing(other.id, other.name, other.shape, unit.sigma_to_mm(other))
    for wall in field.barriers_near(unit, budget_mm):
        sigma_mm = pair_sigma_mm(unit.piece.sigma_mm, wall.sigma_mm)
        yield Thing(wall.id, f"{wall.cls} {wall.id}", wall.footprint, sigma_mm)


def _near_mm(unit: Unit, thing: Thing) -> float:
    """From its base's centre: what is no farther may touch it."""
    return unit.radius_mm + CLOSE_SIGMAS * thing.sigma_mm
