"""What stops a shot: houses, hills and woods on the line from man to man (OMOG-3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import shapely
from shapely import LineString, Point, Polygon

from rules.games.omog.limit import SAME_MM, inches, within
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import Land, Terrain
from rules.geometry.depth import depth_mm, entry_of
from rules.geometry.edge import over_edge, shifted
from rules.geometry.templates import TOUCH_MM
from rules.margin import CLOSE_SIGMAS, Margin, pair_sigma_mm

# The interiors of a line and an area meet (DE-9IM): a touch is no crossing.
_CROSSES = "T********"


@dataclass(frozen=True)
class Hindrance:
    """A thing on or near the line of fire.

    margin  of seeing past it: negative by as much as the line would have to move
    where   the place on the line where it is stopped
    """

    thing: Terrain
    margin: Margin
    why: str
    where: Point


@lru_cache(maxsize=16384)
def line_of_fire(shooter: Soldier, target: Soldier) -> LineString:
    """The segment from centre to centre."""
    line: LineString = shapely.linestrings((shooter.position_mm, target.position_mm))
    return line


def crosses(line: LineString, area: Polygon) -> bool:
    """Whether the segment enters the area's interior; a cut thinner than `TOUCH_MM` is but a touch (C4.2)."""
    return _cut_mm(line, area) > TOUCH_MM


def _cut_mm(line: LineString, area: Polygon) -> float:
    """How deep the segment runs in the area; 0 for one that enters it nowhere."""
    if line.length == 0 or not area.intersects(line) or not line.relate_pattern(area, _CROSSES):
        return 0.0
    return depth_mm(line, area)


@lru_cache(maxsize=65536)
def stands_on(soldier: Soldier, thing: Terrain) -> bool:
    """Whether he stands in or on the thing."""
    return soldier.piece.on == thing.id or thing.holds(soldier.position_mm)


@lru_cache(maxsize=4096)
def footing_mm(soldier: Soldier, land: Land) -> float:
    """The level of what he stands on: his own elevation, or the top of the hill under him."""
    hills = (hill.top_mm for hill in land.of_meaning("hill") if stands_on(soldier, hill))
    return max([soldier.piece.elevation_mm, *hills])


def is_on_roof(soldier: Soldier, house: Terrain) -> bool:
    """Whether he stands on a house, not in it: nearer to its top than to its floor."""
    floor_mm = house.piece.elevation_mm
    above_mm = soldier.piece.elevation_mm - floor_mm
    return stands_on(soldier, house) and 0 < house.top_mm - floor_mm <= 2 * above_mm


def hindrances(shooter: Soldier, target: Soldier, land: Land) -> tuple[Hindrance, ...]:
    """All that stops the shot, or nearly does."""
    if shooter.position_mm == target.position_mm:
        return ()
    found = [_hindrance(thing, shooter, target, land) for thing in _between(*_in_order(shooter, target), land)]
    return tuple(one for one in found if one is not None)


def _in_order(one: Soldier, other: Soldier) -> tuple[Soldier, Soldier]:
    """Two men the same way round whoever shoots: what lies between them is looked for once."""
    return (one, other) if one.id <= other.id else (other, one)


@lru_cache(maxsize=16384)
def _between(a: Soldier, b: Soldier, land: Land) -> tuple[Terrain, ...]:
    """The things that the line from one to the other meets, errors counted."""
    line = line_of_fire(a, b)
    near = near_line(land.of_meaning("house", "hill", "wood"), a, b)
    return tuple(thing for thing in near if thing.area.dwithin(line, CLOSE_SIGMAS * _sigma_mm(thing, a, b)))


def near_line(things: Iterable[Terrain], a: Soldier, b: Soldier) -> list[Terrain]:
    """The things that the line of fire may meet, errors counted: most are told to be far by the circle around them."""
    (ax, ay), (bx, by) = a.position_mm, b.position_mm
    dx, dy = bx - ax, by - ay
    length2, own_mm = dx * dx + dy * dy, CLOSE_SIGMAS * (a.piece.sigma_mm + b.piece.sigma_mm) + SAME_MM
    found = []
    for thing in things:
        x, y, radius_mm = thing.around
        share = min(max(((x - ax) * dx + (y - ay) * dy) / length2, 0.0), 1.0) if length2 else 0.0
        near_mm = radius_mm + own_mm + CLOSE_SIGMAS * thing.piece.sigma_mm
        if (ax + share * dx - x) ** 2 + (ay + share * dy - y) ** 2 <= near_mm * near_mm:
            found.append(thing)
    return found


def _sigma_mm(thing: Terrain, a: Soldier, b: Soldier) -> float:
    """The error of a distance between the thing and the line from one man to the other (C3.2)."""
    return pair_sigma_mm(a.piece.sigma_mm, b.piece.sigma_mm, thing.piece.sigma_mm)


def is_seen(shooter: Soldier, target: Soldier, land: Land) -> bool:
    """Whether nothing stops the shot, by the nominal places."""
    return all(stop.margin.margin_mm >= 0 for stop in hindrances(shooter, target, land))


def _hindrance(thing: Terrain, shooter: Soldier, target: Soldier, land: Land) -> Hindrance | None:
    line, sigma_mm = line_of_fire(shooter, target), _sigma_mm(thing, *_in_order(shooter, target))
    inside = [stands_on(man, thing) for man in (shooter, target)]
    if thing.meaning == "wood" and any(inside):
        return None if all(inside) else _deep_in_wood(thing, shooter, target, sigma_mm, shooter_inside=inside[0])
    if _is_shot_from(thing, shooter, target, land):
        return None
    margin = Margin(_gap_mm(thing, *_in_order(shooter, target)), sigma_mm)
    if margin.margin_mm >= 0 and not _may_hide(thing, shooter, target, land, CLOSE_SIGMAS * sigma_mm):
        return None
    verb = "stands in the way" if margin.margin_mm < 0 else "nearly stands in the way"
    where = entry_of(line, thing.area, thing.rings) or shooter.point
    return Hindrance(thing, margin, f"{thing.name} {verb}", where)


def _is_shot_from(thing: Terrain, shooter: Soldier, target: Soldier, land: Land) -> bool:
    """Whether one of the two stands in or on the thing or, for a hill, at least as high."""
    if any(stands_on(man, thing) for man in (shooter, target)):
        return True
    return thing.meaning == "hill" and any(footing_mm(man, land) >= thing.top_mm for man in (shooter, target))


def _may_hide(thing: Terrain, shooter: Soldier, target: Soldier, land: Land, by_mm: float) -> bool:
    """Whether it would stand in the way of a line so far aside; who is only near it may stand in it (`elsewhere`)."""
    lines = shifted(shooter.position_mm, target.position_mm, by_mm)
    pairs = ((shooter.at(here), target.at(there)) for here, there in lines)
    return any(crosses(line_of_fire(*men), thing.area) and not _is_shot_from(thing, *men, land) for men in pairs)


def _deep_in_wood(
    thing: Terrain, shooter: Soldier, target: Soldier, sigma_mm: float, *, shooter_inside: bool
) -> Hindrance:
    length_mm = _in_wood_mm(thing, *((shooter, target) if shooter_inside else (target, shooter)))
    line = line_of_fire(shooter, target)
    edge = shapely.line_interpolate_point(line, length_mm if shooter_inside else line.length - length_mm)
    margin = within(length_mm, tables().distance.wood_depth_in * INCH_MM, sigma_mm)
    who = "the shooter" if shooter_inside else "the target"
    return Hindrance(thing, margin, f"{who} is {inches(length_mm)} deep in {thing.name}", edge)


@lru_cache(maxsize=16384)
def _in_wood_mm(wood: Terrain, inside: Soldier, outside: Soldier) -> float:
    """How far the line between them runs in the wood until it leaves it for the first time; the same whoever shoots."""
    parts = shapely.get_parts(line_of_fire(inside, outside) & wood.area)
    return float(min(parts, key=lambda part: float(part.distance(inside.point)), default=LineString()).length)


@lru_cache(maxsize=16384)
def _gap_mm(thing: Terrain, a: Soldier, b: Soldier) -> float:
    """The clearance of the line from one man to the other."""
    return clearance_mm(line_of_fire(a, b), thing.area)


def clearance_mm(line: LineString, area: Polygon) -> float:
    """The gap between segment and area; if the segment crosses it, minus how far it must shift to clear it."""
    cut_mm = _cut_mm(line, area)
    return -cut_mm if cut_mm > TOUCH_MM else float(line.distance(area))


@lru_cache(maxsize=4096)
def elsewhere(man: Soldier, land: Land) -> tuple[tuple[Soldier, Margin], ...]:
    """The man a hair over each edge that is too near him to tell on which side he stands, with the way to it."""
    found = []
    for thing in land.of_meaning("house", "hill", "wood"):
        sigma_mm = pair_sigma_mm(man.piece.sigma_mm, thing.piece.sigma_mm)
        if sigma_mm == 0 or man.piece.on == thing.id:
            continue
        if thing.area.exterior.dwithin(man.point, CLOSE_SIGMAS * sigma_mm):
            beyond, gap_mm = over_edge(man.position_mm, thing.area)
            found.append((man.at(beyond), Margin(gap_mm, sigma_mm)))
    return tuple(found)
