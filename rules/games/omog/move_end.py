"""Where a judged move ends: in reach, with room for the base, on the table (OMOG-2.3, 2.5, C4.7, C4.8)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import shapely
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.decimals import set_apart
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.going import Going, going_of
from rules.games.omog.limit import SAME_MM, inches
from rules.games.omog.reach import (
    Obstacle,
    budget,
    is_mounting,
    moves_of,
    obstacles,
    range_mm,
    reach_area,
    reach_if,
    reach_without,
)
from rules.games.omog.soldier import Soldier
from rules.games.omog.terrain import WALLS
from rules.geometry.edge import inset_mm
from rules.geometry.ground import straight_cost
from rules.geometry.grown import grown_for
from rules.margin import CLOSE_SIGMAS, Margin, is_shared, pair_sigma_mm, turned
from rules.scene import Piece, Point2
from rules.sentences import listed
from rules.way_past import hangs_on

# How far a reach's border may be off where it follows an obstacle, and anywhere over mixed ground (docs/omog.md).
_BORDER_ERROR_MM, _MIXED_ERROR_MM = 0.05, 0.2
# What stands farther off cuts no border that could make an end too close to call.
_NEAR_MM = 100.0


class Reason(NamedTuple):
    """One condition of a move: its rule, what to say, by how much it holds, and the other thing that it is about."""

    rule: str
    why: str
    margin: Margin
    other: str | None = None


def comes_to(soldier: Soldier, at: Piece, then: Battlefield, now: Battlefield) -> list[Reason]:
    """Whether he can come there and has room; a way that fails only for want of room is no reason of its own."""
    way, room = _in_reach(soldier, at, then, now), room_at(at, now)
    shared = is_shared(way.margin, [reason.margin for reason in room], _BORDER_ERROR_MM)
    return room if shared else [way, *room]


def room_at(at: Piece, now: Battlefield) -> list[Reason]:
    """What stands, surely or perhaps, against his place in the scene after (C4.8)."""
    soldier = now.by_id.get(at.id)
    if soldier is None:
        return []
    reasons = (*_clear_of_bases(soldier, now), *_off_walls(soldier, now), *_on_his_ground(soldier, now))
    return [reason for reason in (*reasons, _on_table(soldier, now)) if reason.margin.verdict != "yes"]


def _clear_of_bases(soldier: Soldier, now: Battlefield) -> Iterator[Reason]:
    """His base overlaps no other base, lake or house."""
    for obstacle in obstacles(soldier, now):
        gap_mm = obstacle.area.distance(soldier.point) - soldier.radius_mm
        verb = "overlaps" if gap_mm < -SAME_MM else "keeps clear of"
        why = f"{soldier.name} {verb} {obstacle.name} by {set_apart(abs(gap_mm), 0.0, 1)} mm"
        yield Reason("OMOG-2.3", why, _margin(gap_mm, soldier, obstacle.sigma_mm), obstacle.id)


def _off_walls(soldier: Soldier, now: Battlefield) -> Iterator[Reason]:
    """Nobody ends inside a wall's footprint."""
    for wall in now.land.of_meaning(*WALLS):
        gap_mm = -inset_mm(wall.area, soldier.point)
        where = "ends in" if gap_mm < -SAME_MM else "ends beside"
        why, margin = f"{soldier.name} {where} {wall.name}", _margin(gap_mm, soldier, wall.piece.sigma_mm)
        yield Reason("OMOG-2.3", why, margin, wall.id)


def _on_his_ground(soldier: Soldier, now: Battlefield) -> Iterator[Reason]:
    """Guns enter neither swamp nor ford."""
    never = _never(going_of(soldier, now))
    if never.is_empty:
        return
    gap_mm = -inset_mm(never, soldier.point)
    nearest = min(now.land.of_meaning("swamp", "river"), key=lambda thing: thing.area.distance(soldier.point))
    where = "ends in" if gap_mm < -SAME_MM else "ends beside"
    why = f"{soldier.name} {where} {nearest.name}, where no gun is pushed"
    yield Reason("OMOG-2.1", why, _margin(gap_mm, soldier, nearest.piece.sigma_mm), nearest.id)


def _on_table(soldier: Soldier, now: Battlefield) -> Reason:
    inside_mm = inset_mm(now.land.bounds, soldier.point)
    where = "is over" if inside_mm < 0 else "stands at"
    return Reason("C4.7", f"{soldier.name} {where} the table's edge", _margin(inside_mm, soldier, 0.0))


def _margin(gap_mm: float, soldier: Soldier, sigma_mm: float) -> Margin:
    return Margin(0.0 if abs(gap_mm) < SAME_MM else gap_mm, pair_sigma_mm(soldier.piece.sigma_mm, sigma_mm))


@lru_cache(maxsize=64)
def _never(going: Going) -> BaseGeometry:
    """Ground that the arm never enters, where no other lies over it."""
    never: BaseGeometry = Polygon()
    for layer in going.layers:
        never = never | layer.area if math.isinf(layer.cost_per_mm) else never - layer.area
    return never


def _in_reach(soldier: Soldier, at: Piece, then: Battlefield, now: Battlefield) -> Reason:
    """Whether the end lies in his reach. The margin is the distance to the reach's border, or that by which one thing
    would have to stand elsewhere to turn the verdict."""
    best_mm = _way_to_border_mm(soldier, at, then, now)
    row = going_of(soldier, then).row
    word = "may end" if best_mm >= 0 else "cannot end"
    half = ", half of it for the horse" if is_mounting(soldier) else ""
    length = inches(math.dist(soldier.position_mm, at.position_mm))
    margin = Margin(best_mm, pair_sigma_mm(soldier.piece.sigma_mm, at.sigma_mm))
    taken = _taken_by(soldier, at, margin, then, now)
    if taken is not None:
        how = "stood there before" if _is_figure(taken, then) else "is in the way"
        near = "clear of it" if best_mm >= 0 else "too near"
        why = f"{soldier.name} {word} {length} away: {taken.name} {how}, {inches(abs(best_mm), 0.0)} {near}"
        return Reason("OMOG-2.3", why, margin, taken.id)
    why = (
        f"{soldier.name} {word} {length} away: {row.open_in:g} in on open ground, {row.road_in:g} in on a road, "
        f"in proportion{half}; {inches(abs(best_mm), 0.0)} {'to spare' if best_mm >= 0 else 'too far'}"
    )
    why += _in_between(soldier, at, then) if best_mm < 0 else ""
    doubts = _doubts(soldier, at.position_mm, best_mm >= 0, then)
    why += f"; it hangs on the place of {listed(doubts)}" if doubts else ""
    return Reason("OMOG-2.5", why, turned(margin, doubts.values()))


def _in_between(soldier: Soldier, at: Piece, field: Battlefield) -> str:
    """The end of a sentence on an end too far that is nearer than a move in the open: what lies on the straight way."""
    line = LineString((soldier.position_mm, at.position_mm))
    if line.length > going_of(soldier, field).open_mm / (1 + is_mounting(soldier)):
        return ""
    slow = field.land.of_meaning("wood", "swamp", "river", *WALLS)
    hills = (hill for hill in field.land.of_meaning("hill") if soldier.piece.elevation_mm < hill.top_mm)
    met = [thing.name for thing in (*slow, *hills) if line.intersects(thing.area)]
    met += [one.name for one in obstacles(soldier, field) if one.area.dwithin(line, soldier.radius_mm)]
    return f"; on the straight way: {', '.join(met)}" if met else ""


def _taken_by(soldier: Soldier, at: Piece, margin: Margin, then: Battlefield, now: Battlefield) -> Obstacle | None:
    """What alone bars the end, or nearly does, in the scene before, and is not asked about in the one after (C4.8)."""
    if margin.verdict == "yes":
        return None
    end, kept = Point(at.position_mm), {one.area for one in obstacles(now.by_id.get(at.id, soldier), now)}
    gone = [one for one in obstacles(soldier, then) if one.area not in kept]
    gaps_mm = {one: float(one.area.distance(end)) - soldier.radius_mm for one in gone}
    nearest = min(gaps_mm, key=lambda one: gaps_mm[one], default=None)
    if nearest is None or gaps_mm[nearest] > max(margin.margin_mm, 0.0) + _BORDER_ERROR_MM:
        return None
    move = moves_of((soldier,), then)[0]
    if not _is_figure(nearest, then):
        return nearest if soldier.point.distance(end) <= range_mm(move) + _BORDER_ERROR_MM else None
    return nearest if reach_without(move, nearest.id).dwithin(end, _BORDER_ERROR_MM) else None


def _is_figure(obstacle: Obstacle, field: Battlefield) -> bool:
    return any(figure.piece.id == obstacle.id for figure in field.figures)


def _way_to_border_mm(soldier: Soldier, at: Piece, then: Battlefield, now: Battlefield) -> float:
    """How far inside his reach the end lies, negative outside.

    A border that follows what `room_at` asks about is no border of the way. A straight way knows to the last bit what
    is left of the move, the drawn border does not.
    """
    area, end, kept = reach_area(soldier, then), Point(at.position_mm), now.by_id.get(at.id, soldier)
    near = (one.area for one in obstacles(kept, now) if one.area.dwithin(end, _NEAR_MM))
    bases = [grown_for(area, end, soldier.radius_mm) for area in near]
    walls = [wall.area for wall in now.land.of_meaning(*WALLS)]
    beside = [*bases, *walls, _never(going_of(kept, now)), now.land.bounds]
    border_mm = inset_mm(area, end, _BORDER_ERROR_MM, beside)
    straight_mm = _straight_margin_mm(soldier, at.position_mm, then)
    if straight_mm >= 0 and not 0 <= border_mm < straight_mm - _MIXED_ERROR_MM:
        return straight_mm
    if -math.inf < straight_mm < 0:
        return straight_mm
    return border_mm if math.isfinite(border_mm) else -math.dist(soldier.position_mm, at.position_mm)


def _straight_margin_mm(soldier: Soldier, to_mm: Point2, field: Battlefield) -> float:
    """How much farther he might go on the ground at the end of a straight way; minus infinity if it is barred, and
    where it is too far and not surely the cheapest."""
    line = LineString((soldier.position_mm, to_mm))
    for obstacle in obstacles(soldier, field):
        keep_mm = min(soldier.radius_mm, obstacle.area.distance(Point(soldier.position_mm)))
        if line.distance(obstacle.area) < keep_mm - SAME_MM:
            return -math.inf
    if any(line.intersects(wall.area) for wall in field.land.of_meaning(*WALLS)) or not field.land.bounds.covers(line):
        return -math.inf
    going = going_of(soldier, field)
    cost = straight_cost(soldier.position_mm, to_mm, going.layers, going.open_cost_per_mm)
    left_mm = (budget(soldier) - cost) / _cost_per_mm(going, to_mm)
    if abs(left_mm) < SAME_MM:
        return 0.0
    return left_mm if left_mm > 0 or _is_open(line, going, budget(soldier) * going.open_mm) else -math.inf


def _is_open(line: LineString, going: Going, open_mm: float) -> bool:
    """Whether a straight way runs over open ground only, from where no cheaper ground is near enough to come to."""
    start = Point(line.coords[0])
    return not any(
        layer.area.dwithin(start, open_mm)
        if layer.cost_per_mm < going.open_cost_per_mm
        else line.intersects(layer.area)
        for layer in going.layers
    )


def _cost_per_mm(going: Going, at_mm: Point2) -> float:
    """What a mm costs there: the uppermost ground counts."""
    held = (layer.cost_per_mm for layer in reversed(going.layers) if shapely.intersects_xy(layer.area, *at_mm))
    return next(held, going.open_cost_per_mm)


def _doubts(soldier: Soldier, to_mm: Point2, comes: bool, field: Battlefield) -> dict[str, Margin]:
    """The things, by id, whose place is too close to call as to whether they open or bar his way past them (C3.4)."""
    move, end, about = moves_of((soldier,), field)[0], Point(to_mm), obstacles(soldier, field)
    line, keep_mm = LineString((soldier.position_mm, to_mm)), soldier.radius_mm
    sigmas_mm = {one.id: pair_sigma_mm(soldier.piece.sigma_mm, one.sigma_mm) for one in about}
    bands_mm = {name: CLOSE_SIGMAS * sigma_mm for name, sigma_mm in sigmas_mm.items() if sigma_mm > 0}
    passed = [one for one in about if one.id in bands_mm and one.area.dwithin(line, keep_mm + bands_mm[one.id])]
    if not passed or soldier.point.distance(end) > range_mm(move) + _BORDER_ERROR_MM:
        return {}
    # Whether there is room beside a thing at the end is asked on its own.
    ending = {one.id for one in about if one.area.dwithin(end, keep_mm + bands_mm.get(one.id, 0.0))}
    open_to = {name: band_mm for name, band_mm in bands_mm.items() if name not in ending}
    turning = hangs_on(open_to, comes, lambda nearer_mm: reach_if(move, nearer_mm).dwithin(end, _BORDER_ERROR_MM))
    return {one.name: Margin(turning[one.id], sigmas_mm[one.id]) for one in about if one.id in turning}
