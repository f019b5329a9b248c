"""What stands in a miniature's way within one action point, and which wall stops a shot (C4.3, C5.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling, ruling_from
from rules.games.osmcg.able import why_no_move
from rules.games.osmcg.field import Field
from rules.games.osmcg.ground import Cover
from rules.games.osmcg.tables import inch_mm
from rules.games.osmcg.units import Unit
from rules.margin import CLOSE_SIGMAS, Margin, pair_sigma_mm
from rules.scene import UNKNOWN, Piece


def blocks(field: Field) -> tuple[Ruling, ...]:
    """One `blocked` for each thing that stands in a unit's way within 1 AP, or within 3 sigma of that."""
    movers = [unit for unit in field.subjects if why_no_move(unit) is None]
    return tuple(ruling for unit in movers for ruling in _blocks(unit, field))


def _blocks(unit: Unit, field: Field) -> list[Ruling]:
    others = field.figures_near(unit, inch_mm(unit.spd_in) + _slack_mm(unit, [one.piece for one in field.figures]))
    by_bases = (_by_base(unit, other) for other in others if unit.is_stopped_by(other))
    return [*_by_things(unit, field.cover), *(one for one in by_bases if one.verdict != "no")]


def _slack_mm(unit: Unit, others: Sequence[Piece]) -> float:
    """How far beyond 1 AP one of the others may stand that may be within it."""
    return CLOSE_SIGMAS * pair_sigma_mm(unit.piece.sigma_mm, max((one.sigma_mm for one in others), default=0.0))


def shots(aimed: Iterable[Ruling], field: Field) -> tuple[Ruling, ...]:
    """One `blocked` for each of these targets that a wall hides, or may hide as what nobody has named."""
    hidden = (one for one in aimed if one.rule in ("OSMCG-3.1", "C5.2") and "blocked_by" in one.extra)
    return tuple(_shot(one, field) for one in hidden)


def _shot(target: Ruling, field: Field) -> Ruling:
    """Where the sight line meets the wall, and how far aside the wall would have to go."""
    assert target.piece is not None  # a target is always somebody's
    shooter, foe = field.by_id[target.piece], field.by_id[str(target.other)]
    wall_id = target.extra["blocked_by"]
    where = _first_point(shooter, foe, wall_id, field.cover)
    return Ruling(
        kind="blocked",
        piece=shooter.id,
        verdict="yes" if target.verdict == "no" else "close",
        rule=target.rule,
        why=target.why,
        other=wall_id,
        margin_mm=-target.margin_mm,
        sigma_mm=target.sigma_mm,
        geometry=where,
        extra={"phase": "activation", "target": foe.id},
        marks=(Mark("blocked", where),),
    )


@lru_cache(maxsize=4096)
def _first_point(shooter: Unit, foe: Unit, wall_id: str, cover: Cover) -> Point:
    """Where the line from the one to the other first meets the wall."""
    wall = next(wall for wall in cover.barriers if wall.id == wall_id)
    inside = LineString((shooter.at, foe.at)).intersection(wall.footprint)
    x, y = min(shapely.get_coordinates(inside).tolist(), key=lambda xy: math.dist(shooter.at, xy))
    return Point(x, y)


# Kept between scenes: what a move did not touch is not computed again.
@lru_cache(maxsize=4096)
def _by_base(unit: Unit, other: Unit) -> Ruling:
    return _blocked(unit, other.piece, other.shape, other.name, known=other.is_known)


@lru_cache(maxsize=1024)
def _by_things(unit: Unit, cover: Cover) -> tuple[Ruling, ...]:
    if unit.has("flying"):
        return ()
    far_mm = inch_mm(unit.spd_in) + unit.radius_mm + _slack_mm(unit, cover.barriers)
    found = (
        _blocked(unit, thing, thing.footprint, f"{thing.cls} {thing.id}", known=thing.cls != UNKNOWN)
        for thing in cover.barriers_within(unit.at, far_mm)
    )
    return tuple(one for one in found if one.verdict != "no")


def _blocked(unit: Unit, other: Piece, shape: BaseGeometry, name: str, *, known: bool) -> Ruling:
    nearest = Point(shapely.shortest_line(shape, Point(unit.at)).coords[0])
    room_mm = inch_mm(unit.spd_in) - (shape.distance(Point(unit.at)) - unit.radius_mm)
    margin = Margin(room_mm, pair_sigma_mm(unit.piece.sigma_mm, other.sigma_mm))
    stands = "may stand" if margin.verdict == "close" else "stands"
    return ruling_from(
        margin,
        kind="blocked",
        piece=unit.id,
        rule="OSMCG-2.1" if known else "C5.2",
        why=f"{name} {stands} in the way of {unit.name}",
        other=other.id,
        geometry=nearest,
        extra={"phase": "activation"},
        marks=(Mark("blocked", nearest),),
    )
