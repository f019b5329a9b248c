"""Where a soldier may end his move: mixed ground, obstacles, walls to climb (OMOG-2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.game import RegionRuling, Ruling
from rules.games.omog.battlefield import Battlefield, plain
from rules.games.omog.clock import move_phase
from rules.games.omog.crew import men_of, strength
from rules.games.omog.going import Going, cost_per_mm, going_of
from rules.games.omog.mounting import mount_margin, no_place_to_mount
from rules.games.omog.shut_in import Beside, Hanging, hangs_on_one
from rules.games.omog.soldier import Figure, Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import WALLS, Land, Terrain
from rules.games.omog.vicinity import Room, may_meet
from rules.geometry.ground import mixed_region
from rules.geometry.grown import grown_by, room_mm
from rules.geometry.levels import Ground
from rules.geometry.reach import reachable_region
from rules.geometry.region import Drawn, Region
from rules.margin import Margin, pair_sigma_mm
from rules.scene import UNKNOWN, Point2

# A blocker whose clearance comes this near to the reach is what cuts it.
_CUTS_MM = 0.1
_MOUNTING = ("mounting", "dismounting")


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A thing in the way of a base: its id, words for a person, its footprint and error. One object for each thing."""

    id: str
    name: str
    area: Polygon
    sigma_mm: float
    is_known: bool


def obstacles(soldier: Soldier, field: Battlefield) -> list[Obstacle]:
    """What his base keeps clear of: lakes, houses he is not in, unknown things, other bases (OMOG-2.5, C5.2)."""
    return _obstacles(soldier, field.land, field.figures)


def _obstacles(soldier: Soldier, land: Land, figures: Iterable[Figure]) -> list[Obstacle]:
    things = [
        _thing(thing)
        for thing in land.of_meaning("lake", "house", UNKNOWN)
        if thing.meaning != "house" or not thing.holds(soldier.position_mm)
    ]
    return [*things, *(_base(figure) for figure in figures if figure.piece.id != soldier.id)]


@lru_cache(maxsize=1024)
def _thing(thing: Terrain) -> Obstacle:
    return Obstacle(thing.id, thing.name, thing.area, thing.piece.sigma_mm, thing.meaning != UNKNOWN)


@lru_cache(maxsize=4096)
def _base(figure: Figure) -> Obstacle:
    piece, is_known = figure.piece, figure.soldier is not None or figure.piece.is_known
    return Obstacle(piece.id, f"the base of {piece.owner} {piece.id}", figure.base.area, piece.sigma_mm, is_known)


def why_no_move(soldier: Soldier, field: Battlefield) -> tuple[str, str] | None:
    """The rule and the sentence that keep him where he is, if any."""
    if soldier.known.get("moved"):
        return "C4.9", f"{soldier.name} has moved already this turn"
    pushing = push_margin(soldier, field)
    if pushing is not None and pushing.margin_mm < 0:
        men, needed = men_of(strength(soldier, field).men), tables().gun.push_crew
        return "OMOG-4.4", f"{soldier.name} has {men} and is pushed by {needed} or more"
    held = no_place_to_mount(soldier.position_mm, field.land) if is_mounting(soldier) else None
    return None if held is None else ("OMOG-2.4", f"{soldier.name} cannot mount or dismount in {held.name}")


def push_margin(soldier: Soldier, field: Battlefield) -> Margin | None:
    """The margin of a gun's having men enough to push it; None beyond doubt, and for whoever is no gun."""
    needed = tables().gun.push_crew
    return strength(soldier, field).margin(lambda men: men >= needed) if soldier.arm == "gun" else None


class Doubt(NamedTuple):
    """What is too close to call of whether a soldier may move at all: the rule, a sentence, and by how much he may."""

    rule: str
    why: str
    margin: Margin


def doubt_of(soldier: Soldier, field: Battlefield) -> Doubt | None:
    """A gun's crew, or the ground on which a man gets on or off his horse, where it is too close to call."""
    if is_mounting(soldier):
        why, margin = "it is too close to call whether he stands where he may", mount_margin(soldier.piece, field.land)
        return Doubt("OMOG-2.4", why, margin) if margin.verdict == "close" else None
    pushing = push_margin(soldier, field)
    if pushing is None or pushing.verdict != "close":
        return None
    return Doubt("OMOG-4.4", "it is too close to call who serves the gun", pushing)


def why_no_move_surely(soldier: Soldier, field: Battlefield) -> tuple[str, str] | None:
    """The rule and the sentence that keep him where he is beyond doubt, if any."""
    refused, doubt = why_no_move(soldier, field), doubt_of(soldier, field)
    return None if refused is not None and doubt is not None and refused[0] == doubt.rule else refused


def is_mounting(soldier: Soldier) -> bool:
    """Whether he mounts or dismounts in this move, which costs half of it (OMOG-2.4)."""
    return any(soldier.known.get(key) for key in _MOUNTING)


def budget(soldier: Soldier) -> float:
    """The share of a move that he has for moving."""
    return 1.0 - tables().turn.mounting_share if is_mounting(soldier) else 1.0


@dataclass(frozen=True)
class Move:
    """A soldier's move with all that may matter to it. Equal for equal surroundings: answers can be kept.

    near  the other figures, neutral ones aside, whose bases his own may touch on the way
    """

    soldier: Soldier
    going: Going
    near: tuple[Figure, ...]


def moves_of(soldiers: Sequence[Soldier], field: Battlefield) -> tuple[Move, ...]:
    """Their moves from where they stand."""
    goings = [going_of(soldier, field) for soldier in soldiers]
    rooms = [_room(soldier, going) for soldier, going in zip(soldiers, goings, strict=True)]
    near = may_meet(rooms, field.figures)
    return tuple(Move(*one) for one in zip(soldiers, goings, near, strict=True))


@lru_cache(maxsize=4096)
def _room(soldier: Soldier, going: Going) -> Room:
    """His room on this ground, kept: most men stay where they are."""
    return Room(soldier, _region_of(Move(soldier, going, ())))


def reach_area(soldier: Soldier, field: Battlefield) -> BaseGeometry:
    """All points where his base's centre may be after the move; the table's edge cuts it (C4.7)."""
    return _region_of(moves_of((soldier,), field)[0]).area


@dataclass(frozen=True, eq=False)
class Range:
    """How far a soldier may come, whoever stands about: no move of his is longer than `range_mm`; the ground other than
    open and the walls that lie so near."""

    range_mm: float
    layers: tuple[Ground, ...]
    walls: tuple[Polygon, ...]


@lru_cache(maxsize=4096)
def _range(soldier: Soldier, going: Going) -> Range:
    share, here = budget(soldier), soldier.point
    # Only over open ground can other ground be come to, and only then can its lower cost carry farther.
    met = any(layer.area.dwithin(here, share * going.open_mm) for layer in going.layers)
    layers = going.layers if met else ()
    range_mm = max([share * going.open_mm, *(share / layer.cost_per_mm for layer in layers)])
    near = tuple(layer for layer in layers if layer.area.dwithin(here, range_mm))
    walls = (wall.area for wall in going.land.of_meaning(*WALLS))
    return Range(range_mm, near, tuple(wall for wall in walls if wall.dwithin(here, range_mm)))


def reach_if(move: Move, nearer_mm: Mapping[str, float]) -> BaseGeometry:
    """What the move would reach if these obstacles stood so much nearer to every way (farther for less than 0)."""
    return _region_of(move, nearer_mm).area


def reach_without(move: Move, figure_id: str) -> BaseGeometry:
    """What the move would reach if that figure did not stand there."""
    return _region_of(replace(move, near=tuple(one for one in move.near if one.piece.id != figure_id))).area


def range_mm(move: Move) -> float:
    """No move of his is longer."""
    return _range(move.soldier, move.going).range_mm


def _region_of(move: Move, nearer_mm: Mapping[str, float] = MappingProxyType({})) -> Region:
    soldier, going = move.soldier, move.going
    about, share = _range(soldier, going), budget(soldier)
    shut, climb_mm = _shut(move, about.range_mm, nearer_mm), going.climb_mm * share
    bounds = going.land.bounds
    return _region(soldier.position_mm, about.layers, going.row.open_in, shut, about.walls, climb_mm, bounds, share)


def _shut(move: Move, range_mm: float, nearer_mm: Mapping[str, float]) -> tuple[BaseGeometry, ...]:
    """Where his base's centre may not be, as far as he may come there."""
    soldier, here = move.soldier, move.soldier.point
    keep_mm = soldier.radius_mm
    bars = _obstacles(soldier, move.going.land, move.near)
    gaps_mm = shapely.distance(np.array([one.area for one in bars], object), here).tolist()
    near = ((one, gap_mm) for one, gap_mm in zip(bars, gaps_mm, strict=True) if gap_mm <= range_mm + keep_mm)
    grown = [_grown(one, room_mm(gap_mm, keep_mm + nearer_mm.get(one.id, 0.0))) for one, gap_mm in near]
    # A base in which his centre stands already, misread or crowded, does not shut him in.
    return tuple(compress(grown, (~shapely.contains(np.array(grown, object), here)).tolist()))


@lru_cache(maxsize=8192)
def _grown(obstacle: Obstacle, by_mm: float) -> BaseGeometry:
    """Found by the thing: to tell equal polygons takes as long as half of a reach's other book-keeping."""
    return grown_by(obstacle.area, by_mm)


@lru_cache(maxsize=1024)
def _region(
    start: Point2,
    layers: tuple[Ground, ...],
    open_in: float,
    shut: tuple[BaseGeometry, ...],
    walls: tuple[Polygon, ...],
    climb_mm: float,
    bounds: Polygon,
    share: float,
) -> Region:
    """Kept by what it depends on, so that a move elsewhere computes nothing again."""
    around = _around(start, layers, open_in, (*shut, *walls), bounds, share)
    here = Point(start)
    if climb_mm <= 0 or not any(wall.dwithin(here, climb_mm) for wall in walls):
        return around
    # Every allowance is at least the climb's, so a path this short costs at most one move on any ground.
    never = (layer.area for layer in layers if math.isinf(layer.cost_per_mm))
    over = _free(start, climb_mm, (*shut, *never), bounds)
    return Drawn(shapely.union(around.area, over) - shapely.union_all(list(walls)))


def _around(
    start: Point2,
    layers: tuple[Ground, ...],
    open_in: float,
    shut: tuple[BaseGeometry, ...],
    bounds: Polygon,
    share: float,
) -> Region:
    if not layers:
        return Drawn(_free(start, share * open_in * INCH_MM, shut, bounds))
    return mixed_region(start, layers, cost_per_mm(open_in), shut, bounds, share)


def _free(start: Point2, length_mm: float, shut: tuple[BaseGeometry, ...], bounds: Polygon) -> BaseGeometry:
    parts = [part for part in shapely.get_parts(list(shut)) if isinstance(part, Polygon) and part.area > 0]
    return reachable_region(start, length_mm, parts, 0.0, bounds)


def reaches(field: Battlefield) -> tuple[Ruling, ...]:
    """One `reach` for each soldier, without geometry for one who may not move; then one `blocked` for each soldier and
    thing that cuts his reach, where it does."""
    phases = {owner: move_phase(owner, field) for owner in {soldier.owner for soldier in field.subjects}}
    stays = {soldier: why for soldier in field.subjects if (why := why_no_move_surely(soldier, field)) is not None}
    moves = moves_of([soldier for soldier in field.subjects if soldier not in stays], field)
    told = {move.soldier: _told(move, phases[move.soldier.owner], field) for move in moves}
    told |= {soldier: _staying(soldier, why, phases[soldier.owner]) for soldier, why in stays.items()}
    found = [told[soldier] for soldier in field.subjects]
    return (*(rulings[0] for rulings in found), *(one for rulings in found for one in rulings[1:]))


def _staying(soldier: Soldier, why: tuple[str, str], phase: str) -> tuple[Ruling, ...]:
    return (plain("reach", soldier.id, *why, yes=False, extra={"phase": phase}),)


def _told(move: Move, phase: str, field: Battlefield) -> tuple[Ruling, ...]:
    """His `reach`, and a `blocked` for each thing that cuts it where he may move."""
    doubt = doubt_of(move.soldier, field)
    reach, *blocks = _ruled(move, phase)
    if doubt is None:
        return (reach, *blocks)
    return (_unsure(reach, doubt), *(blocks if why_no_move(move.soldier, field) is None else ()))


def _unsure(reach: Ruling, doubt: Doubt) -> Ruling:
    """The reach of a soldier of whom it is too close to call whether he may move at all."""
    margin, why = doubt.margin, f"{reach.why}; {doubt.why}"
    return replace(
        reach, verdict="close", margin_mm=margin.margin_mm, sigma_mm=margin.sigma_mm, rule=doubt.rule, why=why
    )


@lru_cache(maxsize=2048)
def _ruled(move: Move, phase: str) -> tuple[Ruling, ...]:
    """His `reach`, and a `blocked` for each thing that cuts it; kept between scenes."""
    soldier, row, region = move.soldier, move.going.row, _region_of(move)
    bars = _obstacles(soldier, move.going.land, move.near)
    hanging = _hanging(soldier, bars, shut=region.is_empty)
    if region.is_empty:
        shut_in = f"{soldier.name} has no place to end a move in"
        return (_hung(plain("reach", soldier.id, "OMOG-2.5", shut_in, yes=False, extra={"phase": phase}), hanging),)
    why = f"{soldier.name} may end here: {row.open_in:g} in on open ground, {row.road_in:g} in on a road, in proportion"
    why += ", half of it for the horse" if is_mounting(soldier) else ""
    reach = RegionRuling(
        "reach", soldier.id, "yes", "OMOG-2.5", why, None, row.open_in * INCH_MM * budget(soldier),
        soldier.piece.sigma_mm, extra={"phase": phase}, draw=lambda: region.area,
    )  # fmt: skip
    cuts = region.near([one.area for one in bars], soldier.radius_mm + _CUTS_MM).tolist()
    return (_hung(reach, hanging), *(_blocked(one, soldier, phase) for one in compress(bars, cuts)))


def _hanging(soldier: Soldier, bars: Sequence[Obstacle], *, shut: bool) -> Hanging | None:
    """The thing beside him on whose place it hangs whether he can leave his own."""
    sigma_mm = soldier.piece.sigma_mm
    things = [Beside(one.name, one.area, pair_sigma_mm(sigma_mm, one.sigma_mm)) for one in bars]
    return hangs_on_one(soldier.point, soldier.radius_mm, things, shut=shut)


def _hung(reach: Ruling, hanging: Hanging | None) -> Ruling:
    """The reach; too close to call if 3 sigma of one thing would shut him in, or let him out (C3.4)."""
    if hanging is None:
        return reach
    margin, why = hanging.margin, f"{reach.why}; it hangs on the place of {hanging.name}"
    return replace(reach, verdict="close", margin_mm=margin.margin_mm, sigma_mm=margin.sigma_mm, why=why)


@lru_cache(maxsize=8192)
def _blocked(obstacle: Obstacle, soldier: Soldier, phase: str) -> Ruling:
    where = shapely.get_point(shapely.shortest_line(obstacle.area, soldier.point), 0)
    why = f"{soldier.name} must keep clear of {obstacle.name} by his base's radius, {soldier.radius_mm:.1f} mm"
    rule = "OMOG-2.3" if obstacle.is_known else "C5.2"
    return plain("blocked", soldier.id, rule, why, yes=True, other=obstacle.id, geometry=where, extra={"phase": phase})
