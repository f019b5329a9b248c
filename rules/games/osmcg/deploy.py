"""Where miniatures may enter: strips along the edges, and the ground round Hero and Summoners (OSMCG-1.1, 2.3)."""

from __future__ import annotations

import shapely
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from rules.game import Mark, Ruling
from rules.games.osmcg.field import Field
from rules.games.osmcg.options import new_base_mm
from rules.games.osmcg.tables import inch_mm, tables
from rules.games.osmcg.units import Unit
from rules.games.osmcg.ways import no_room_at
from rules.geometry.reach import TOUCH_ROOM_MM
from rules.geometry.templates import disc
from rules.margin import CLOSE_SIGMAS
from rules.scene import Point2
from rules.setup import Player

SIDES = ("near", "far", "left", "right")


def strip(player: Player, field: Field) -> Polygon:
    """The player's share of the 6 inch strip along the edge: allies share it whole, rivals on one edge divide it."""
    if player.side not in SIDES:
        raise ValueError(f"[[player]] {player.name}: side {player.side!r} is none of {', '.join(SIDES)}")
    beside = [other for other in field.setup.players if other.side == player.side]
    shared = field.setup.house.get("mode", "duel") == "moba"
    share, place = (1, 0) if shared else (len(beside), [other.name for other in beside].index(player.name))
    width, depth = field.scene.table_size_mm
    deep = inch_mm(tables().distance.deployment_in)
    low, high = place / share, (place + 1) / share
    if player.side in ("near", "far"):
        y = 0.0 if player.side == "near" else depth - deep
        return box(low * width, y, high * width, y + deep)
    x = 0.0 if player.side == "left" else width - deep
    return box(x, low * depth, x + deep, high * depth)


def deployments(field: Field) -> tuple[Ruling, ...]:
    """One `deploy` for each player's strip, and one for each Hero and Summoner."""
    radius_mm = new_base_mm(field.setup)
    strips = [_strip(player, field) for player in field.setup.players] if field.subject is None else []
    sources = [unit for unit in field.subjects if is_source(unit)]
    return (*strips, *(_around(unit, radius_mm, field) for unit in sources))


def is_source(unit: Unit) -> bool:
    """Whether creatures are deployed round it."""
    return unit.is_hero or unit.has("summoner")


def room(source: Unit, radius_mm: float, field: Field) -> BaseGeometry:
    """Where the centre of a new base may be: near the source, on no base and no barrier, touching no enemy."""
    taken = [_taken(unit, radius_mm + _clear_mm(unit, source)) for unit in field.figures]
    taken += [piece.footprint.buffer(radius_mm, quad_segs=32) for piece in field.barriers]
    near = around(source, inch_mm(tables().distance.summon_in) + radius_mm).intersection(field.bounds)
    return near.difference(shapely.union_all(taken))


def around(source: Unit, by_mm: float) -> BaseGeometry:
    """All that is so near to the base's edge."""
    if source.oval is None:
        return disc(source.at, source.radius_mm + by_mm)
    return source.oval.buffer(by_mm, quad_segs=64)


def _taken(unit: Unit, by_mm: float) -> BaseGeometry:
    """Where the centre of a new base cannot be, mm: it has to keep `by_mm` from the unit's edge."""
    if unit.oval is None:
        return no_room_at(unit.at, unit.radius_mm, by_mm)
    return unit.oval.buffer(max(0.0, by_mm - TOUCH_ROOM_MM), quad_segs=32)


def _clear_mm(unit: Unit, source: Unit) -> float:
    """How far a new base keeps from another: an enemy's it does not touch, within his own error (OSMCG-2.2)."""
    if unit.team == source.team:
        return 0.0
    return max(tables().distance.touch_mm, CLOSE_SIGMAS * unit.piece.sigma_mm)


def _strip(player: Player, field: Field) -> Ruling:
    ground = strip(player, field)
    why = f"{player.name} deploys the Hero in the strip along the {player.side} edge"
    extra = {"owner": player.colour, "player": player.name, "phase": "main-1"}
    return Ruling(
        "deploy", None, "yes", "OSMCG-1.1", why, player.name, geometry=ground, extra=extra,
        marks=(Mark("reach", ground),),
    )  # fmt: skip


def _around(source: Unit, radius_mm: float, field: Field) -> Ruling:
    ground = room(source, radius_mm, field)
    open_ = not ground.is_empty
    why = f"a creature of {source.team} may be deployed within 2 inches of {source.name}, touching no enemy"
    return Ruling(
        "deploy", source.id, "yes" if open_ else "no", "OSMCG-2.3", why, None, geometry=ground if open_ else None,
        extra={"phase": "main-1", "radius_mm": radius_mm}, marks=(Mark("reach", ground),) if open_ else (),
    )  # fmt: skip


def lies_in(ground: Polygon, at: Point2, radius_mm: float) -> float:
    """By how many mm a base lies inside the ground; negative when it sticks out."""
    outside = ground.exterior.distance(shapely.Point(at))
    return (outside if ground.contains(shapely.Point(at)) else -outside) - radius_mm
