"""The geometry of moves: where so many moves of a base may end, and a shortest way to a place (OSMCG-2.1)."""

from __future__ import annotations

import math
from functools import lru_cache

import shapely
from shapely import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.games.osmcg.ground import Base, Mover, Near
from rules.geometry.edge import inset_mm
from rules.geometry.levels import areal
from rules.geometry.reach import CORNER_SAGITTA_MM, SPECK_MM2, TOUCH_ROOM_MM, Ground, Walk, ground_for
from rules.geometry.templates import disc
from rules.scene import Point2

# How far the rim of what spreads from a region may be off (`Walk.spread`).
_RIM_ERROR_MM = 0.05


@lru_cache(maxsize=2048)
def moved(moves: int, near: Near) -> Ground:
    """Where so many moves may end. Kept between scenes: what a move did not touch is not computed again."""
    mover = near.mover
    if not mover.passes_bases:
        return _free(_walk(moves * mover.step_mm, near).region, near)
    # Cut at the table's edge: a way that began a hair beyond it would know no edge at all.
    region: Ground = areal(disc(mover.at, TOUCH_ROOM_MM) & ground_for(mover.at, near.bounds))
    for _ in range(moves):  # every single move must end clear of all bases
        region = _free(_spread(region, moves, near), near)
    return region


def way_to(goal: Point2, budget_mm: float, near: Near, lean_mm: float) -> LineString | None:
    """A shortest way to a place within the budget, or None.

    lean_mm   a place so little inside what the base leans on counts as the nearest place beside it
    """
    paths = _walk(budget_mm, near)
    way = paths.way_to(goal)
    if way is not None or paths.region.is_empty:
        return way
    beside = shapely.shortest_line(paths.region, Point(goal))
    x, y = beside.coords[0][:2]
    return paths.way_to((x, y)) if beside.length <= lean_mm else None


def past_landings_mm(goal: Point2, moves: int, near: Near) -> float:
    """How far the goal lies inside what the last move reaches, mm; negative outside. It begins where the move before
    it may end.

    The table's edge, and what stands beside the goal, are asked about separately.
    """
    landings = moved(moves - 1, near)
    if landings.is_empty:
        return -math.inf
    beside = [] if near.mover.flying else [*_taken_by_bases(near), *_taken_by_barriers(near)]
    return inset_mm(_spread(landings, moves, near), Point(goal), _RIM_ERROR_MM, [*beside, near.bounds])


def no_room_at(at: Point2, radius_mm: float, own_radius_mm: float) -> Polygon:
    """Where the centre of a base cannot be, because of another's base; they may touch."""
    return disc(at, max(0.0, radius_mm + own_radius_mm - TOUCH_ROOM_MM), CORNER_SAGITTA_MM)


def _walk(budget_mm: float, near: Near) -> Walk:
    """All paths of the mover within a budget, among what stops it."""
    mover = near.mover
    walls = () if mover.flying else near.barriers
    walls += tuple(base.oval for base in near.bases if base.stops and base.oval is not None)
    bases = tuple((base.at, base.radius_mm) for base in near.bases if base.stops and base.oval is None)
    return Walk(mover.at, budget_mm, walls, mover.radius_mm, near.bounds, bases)


def _spread(region: Ground, moves: int, near: Near) -> BaseGeometry:
    """All points one move away from some point of the region, itself within so many moves less one."""
    step_mm = near.mover.step_mm
    if near.mover.flying:
        return shapely.buffer(region, step_mm, quad_segs=64).intersection(near.bounds)
    return _walk(moves * step_mm, near).spread(region, step_mm)


def _free(region: BaseGeometry, near: Near) -> Ground:
    """The region without the places where the base would lie on another or on a barrier."""
    taken = [*_taken_by_bases(near), *_taken_by_barriers(near)]
    left = shapely.difference(region, shapely.union_all(taken)) if taken else region
    parts = [part for part in shapely.get_parts(left) if isinstance(part, Polygon) and part.area > SPECK_MM2]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts) if parts else Polygon()


def _taken_by_bases(near: Near) -> list[BaseGeometry]:
    """A path keeps clear of what stops it anyway, unless the mover already leans on it."""
    mover = near.mover
    others = [base for base in near.bases if mover.passes_bases or _overlap(base, mover)]
    return [_no_room(base, mover.radius_mm) for base in others]


def _no_room(base: Base, own_radius_mm: float) -> BaseGeometry:
    if base.oval is None:
        return no_room_at(base.at, base.radius_mm, own_radius_mm)
    return _grown(base.oval, max(0.0, own_radius_mm - TOUCH_ROOM_MM))


def _overlap(base: Base, mover: Mover) -> bool:
    if base.oval is not None:
        return bool(base.oval.distance(Point(mover.at)) < mover.radius_mm)
    return math.dist(base.at, mover.at) < base.radius_mm + mover.radius_mm


def _taken_by_barriers(near: Near) -> list[BaseGeometry]:
    mover, here = near.mover, Point(near.mover.at)
    leaned_on = [one for one in near.barriers if mover.passes_bases or one.distance(here) < mover.radius_mm]
    return [_grown(one, mover.radius_mm - TOUCH_ROOM_MM) for one in leaned_on]


@lru_cache(maxsize=512)
def _grown(footprint: Polygon, by_mm: float) -> BaseGeometry:
    return footprint.buffer(by_mm, quad_segs=32)
