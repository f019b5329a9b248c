"""What is added to the die that shoots: cover, crest, height, a horse that moved (OMOG-3.2, 3.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import shapely
from shapely import LineString, Point, Polygon

from rules.games.omog.footing import footing_mm, is_on_roof, stood_on
from rules.games.omog.limit import SAME_MM
from rules.games.omog.line import clearance_mm, crosses, line_of_fire
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import HIDING, WALLS, Land, Terrain
from rules.margin import CLOSE_SIGMAS, Margin, pair_sigma_mm

# The things whose cover counts otherwise than the nominal places say: what a doubt would change.
Turned = frozenset[str]
AS_MEASURED: Turned = frozenset()


@dataclass(frozen=True)
class Modifier:
    """One line of OMOG-3.2: what is added to the die, and why."""

    die: int
    why: str


def modifiers(shooter: Soldier, target: Soldier, land: Land, turned: Turned) -> tuple[Modifier, ...]:
    """Everything that is added to the die, in the order of the note."""
    table = tables().modifier
    found = [*_ground(shooter, target, land, turned), *_walls(shooter, target, land, turned)]
    if target.known.get("leaning"):
        found.append(Modifier(table.leaning, f"{target.id} leans round cover"))
    if _is_above(shooter, target, land):
        found.append(Modifier(table.above, f"{shooter.id} shoots from above"))
    if shooter.arm == "mounted" and shooter.known.get("moved"):
        found.append(Modifier(table.mounted_moved, f"{shooter.id} shoots from a horse that moved"))
    return tuple(found)


def _ground(shooter: Soldier, target: Soldier, land: Land, turned: Turned) -> list[Modifier]:
    """What the target stands in or on, each kind once."""
    table, found = tables().modifier, dict[str, Modifier]()
    for thing in _under(target, land):
        if thing.meaning in found:
            continue
        if thing.meaning == "wood":
            found["wood"] = Modifier(table.wood, f"{target.id} is in {thing.name}")
        elif thing.meaning == "house" and not is_on_roof(target, thing, land):
            found["house"] = Modifier(table.house, f"{target.id} is in {thing.name}")
        elif thing.meaning == "hill" and _is_at_crest(shooter, target, thing) != (thing.id in turned):
            found["hill"] = Modifier(table.crest, f"{target.id} is on the crest of {thing.name}")
    return list(found.values())


@lru_cache(maxsize=4096)
def _under(target: Soldier, land: Land) -> tuple[Terrain, ...]:
    """The woods, houses and hills that he stands in or on: none for most, whoever shoots."""
    held = stood_on(target, land)
    return tuple(thing for thing in land.of_meaning(*HIDING) if thing in held)


def _walls(shooter: Soldier, target: Soldier, land: Land, turned: Turned) -> list[Modifier]:
    """The best of the walls that cover the target (OMOG-3.3)."""
    table, found = tables(), list[Modifier]()
    for wall, gap_mm in _walls_about(target, land):
        near = gap_mm <= _wall_cover_mm() + SAME_MM
        if (near and _covers(wall, shooter, target)) != (wall.id in turned):
            low = (wall.piece.height_mm or 0.0) <= table.distance.low_wall_mm
            die = table.modifier.low_wall if low else table.modifier.high_wall
            found.append(Modifier(die, f"{target.id} is behind {wall.name}, {'low' if low else 'chest-high'}"))
    return sorted(found, key=lambda modifier: modifier.die)[:1]


@lru_cache(maxsize=16384)
def _covers(wall: Terrain, shooter: Soldier, target: Soldier) -> bool:
    """Whether the line of fire crosses the wall within an inch of the target."""
    line = line_of_fire(shooter, target)
    if not crosses(line, wall.area):
        return False
    return bool((line & wall.area).distance(target.point) <= _wall_cover_mm() + SAME_MM)


def _wall_cover_mm() -> float:
    return tables().distance.wall_cover_in * INCH_MM


def _crest_mm() -> float:
    return tables().distance.crest_in * INCH_MM


def _is_at_crest(shooter: Soldier, target: Soldier, hill: Terrain) -> bool:
    """Whether the target stands within an inch of that side of the hill which the line of fire crosses."""
    return _crest_gap_mm(shooter, target, hill) <= _crest_mm() + SAME_MM


def _crest_gap_mm(shooter: Soldier, target: Soldier, hill: Terrain) -> float:
    """From the target to the nearest side of the hill that the line of fire crosses; infinite if it crosses none."""
    line = line_of_fire(shooter, target)
    if line.length == 0:
        return float("inf")
    crossed = hill.sides[shapely.intersects(hill.sides, line)]
    return float(shapely.distance(crossed, target.point).min(initial=float("inf")))


def _is_above(shooter: Soldier, target: Soldier, land: Land) -> bool:
    return _height_mm(shooter, land) > footing_mm(target, land)


@lru_cache(maxsize=4096)
def _height_mm(shooter: Soldier, land: Land) -> float:
    """The level from which he shoots, on a hill or a roof; minus infinity for who stands on neither."""
    held = _under(shooter, land)
    roofs = [thing.top_mm for thing in held if thing.meaning == "house" and is_on_roof(shooter, thing, land)]
    on_hill = any(thing.meaning == "hill" for thing in held)
    return max([footing_mm(shooter, land), *roofs]) if roofs or on_hill else -math.inf


def doubts(shooter: Soldier, target: Soldier, land: Land) -> Iterator[tuple[str, Margin]]:
    """The walls and hills of which it is too close to call whether they cover the target, with that margin."""
    own_mm = pair_sigma_mm(shooter.piece.sigma_mm, target.piece.sigma_mm)
    if shooter.position_mm == target.position_mm:
        return
    for wall, gap_mm in _walls_about(target, land):
        sigma_mm = pair_sigma_mm(own_mm, wall.piece.sigma_mm)
        if sigma_mm and gap_mm <= _wall_cover_mm() + CLOSE_SIGMAS * sigma_mm:
            line = line_of_fire(shooter, target)
            yield from _if_close(wall, Margin(_wall_margin_mm(wall.area, line, target.point), sigma_mm))
    for hill in (thing for thing in _under(target, land) if thing.meaning == "hill"):
        sigma_mm = pair_sigma_mm(own_mm, hill.piece.sigma_mm)
        if sigma_mm:
            yield from _if_close(hill, Margin(_crest_mm() - _crest_gap_mm(shooter, target, hill), sigma_mm))


@lru_cache(maxsize=4096)
def _walls_about(target: Soldier, land: Land) -> tuple[tuple[Terrain, float], ...]:
    """All walls, and how far from him they are: he stands still while others come into range."""
    walls = land.all_of(*WALLS)
    return tuple(zip(walls.each, shapely.distance(walls.areas, target.point).tolist(), strict=True))


def _if_close(thing: Terrain, margin: Margin) -> Iterator[tuple[str, Margin]]:
    if margin.verdict == "close":
        yield thing.id, margin


def _wall_margin_mm(wall: Polygon, line: LineString, here: Point) -> float:
    """How surely a wall covers: by how much the line crosses it, and how much nearer than an inch."""
    if not crosses(line, wall):
        return -float(line.distance(wall))
    return min(_wall_cover_mm() - float((line & wall).distance(here)), -clearance_mm(line, wall))
