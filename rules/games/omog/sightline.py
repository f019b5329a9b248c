"""What stops a shot: houses, hills and woods on the line from man to man (OMOG-3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import shapely
from shapely import LineString, Point

from rules.games.omog.between import Met, between, in_order, look_between, met_in_doubt
from rules.games.omog.footing import footing_mm, stands_on
from rules.games.omog.limit import inches, within
from rules.games.omog.line import crosses, line_of_fire, lines_of_fire
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import Land, Terrain
from rules.geometry.edge import swept
from rules.margin import CLOSE_SIGMAS, UNTOLD, Margin, pair_sigma_mm
from rules.scene import UNKNOWN
from rules.unnamed import untold


@dataclass(frozen=True)
class Hindrance:
    """A thing on or near the line of fire.

    margin  of seeing past it; negative: the line of fire would have to move so far
    where   the place on the line where it is stopped
    rule    C5.2 for a thing that nobody named
    """

    thing: Terrain
    margin: Margin
    why: str
    where: Point
    rule: str = "OMOG-3.4"


def hindrances(shooter: Soldier, target: Soldier, land: Land) -> tuple[Hindrance, ...]:
    """All that stops the shot, or nearly does."""
    if shooter.position_mm == target.position_mm:
        return ()
    first, second = in_order(shooter, target)
    way = 0 if first is shooter else 1
    found = [
        _hindrance(met, met.thing.meaning, shooter, target, land, met.entries[way])
        for met in between(first, second, land)
    ]
    return (*(one for one in found if one is not None), *_unnamed(shooter, target, land))


def look_along(pairs: Sequence[tuple[Soldier, Soldier]], land: Land) -> None:
    """Draw the lines of fire of many, shooter and target each, and look along them at once: one by one costs more."""
    lines_of_fire(pairs)
    look_between(pairs, land)


def is_seen(shooter: Soldier, target: Soldier, land: Land) -> bool:
    """Whether nothing stops the shot, by the nominal places."""
    return all(stop.margin.margin_mm >= 0 for stop in hindrances(shooter, target, land))


def _unnamed(shooter: Soldier, target: Soldier, land: Land) -> Iterator[Hindrance]:
    """Things that nobody has named and that might be something that stops the shot (C5.2)."""
    line = line_of_fire(shooter, target)
    for thing in land.of_meaning(UNKNOWN):
        sigma_mm = pair_sigma_mm(shooter.piece.sigma_mm, target.piece.sigma_mm, thing.piece.sigma_mm)
        if thing.hides and thing.area.dwithin(line, CLOSE_SIGMAS * sigma_mm):
            met = met_in_doubt(thing, shooter, target, sigma_mm)
            stops = [_hindrance(met, hides, shooter, target, land, met.entries[0]) for hides in thing.hides]
            stop = next((one for one in stops if one is not None and one.margin.verdict != "yes"), None)
            if stop is not None:
                yield Hindrance(thing, UNTOLD, untold(thing.id), stop.where, "C5.2")


def _hindrance(
    met: Met, meaning: str, shooter: Soldier, target: Soldier, land: Land, entry: Point | None
) -> Hindrance | None:
    """What the thing is to the shot, taken for what it means."""
    thing = met.thing
    inside = [stands_on(man, thing, land) for man in (shooter, target)]
    if meaning == "wood" and any(inside):
        return None if all(inside) else _deep_in_wood(met, shooter, target, shooter_inside=inside[0])
    if _is_shot_from(thing, meaning, shooter, target, land):
        return None
    margin = Margin(met.clear_mm, met.sigma_mm)
    if margin.margin_mm >= 0 and not _may_hide(met, meaning, shooter, target, land):
        return None
    verb = "stands in the way" if margin.margin_mm < 0 else "nearly stands in the way"
    return Hindrance(thing, margin, f"{thing.name} {verb}", entry or shooter.point)


def _is_shot_from(thing: Terrain, meaning: str, shooter: Soldier, target: Soldier, land: Land) -> bool:
    """Whether one of the two stands in or on the thing or, for a hill, at least as high."""
    if any(stands_on(man, thing, land) for man in (shooter, target)):
        return True
    return meaning == "hill" and any(footing_mm(man, land) >= thing.top_mm for man in (shooter, target))


def _may_hide(met: Met, meaning: str, shooter: Soldier, target: Soldier, land: Land) -> bool:
    """Whether it would stand in the way of a line some way aside; who is only near it may stand in it (`elsewhere`)."""
    thing = met.thing
    ways = swept(shooter.position_mm, target.position_mm, met.clear_mm, CLOSE_SIGMAS * met.sigma_mm)
    hidden = (way for way in ways if crosses(LineString(way), thing.area))
    return any(not _is_shot_from(thing, meaning, shooter.at(here), target.at(there), land) for here, there in hidden)


def _deep_in_wood(met: Met, shooter: Soldier, target: Soldier, *, shooter_inside: bool) -> Hindrance:
    thing = met.thing
    length_mm = _in_wood_mm(thing, *((shooter, target) if shooter_inside else (target, shooter)))
    line = line_of_fire(shooter, target)
    edge = shapely.line_interpolate_point(line, length_mm if shooter_inside else line.length - length_mm)
    margin = within(length_mm, tables().distance.wood_depth_in * INCH_MM, met.sigma_mm)
    who = "the shooter" if shooter_inside else "the target"
    return Hindrance(thing, margin, f"{who} is {inches(length_mm)} deep in {thing.name}", edge)


@lru_cache(maxsize=16384)
def _in_wood_mm(wood: Terrain, inside: Soldier, outside: Soldier) -> float:
    """How far the line between them runs in the wood until it leaves it for the first time; the same whoever shoots."""
    parts = shapely.get_parts(line_of_fire(inside, outside) & wood.area)
    return float(min(parts, key=lambda part: float(part.distance(inside.point)), default=LineString()).length)
