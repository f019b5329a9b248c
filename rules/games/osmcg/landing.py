"""Where a base may stand: on no other base, on no blocking terrain, its centre on the table (OSMCG-2.1, C4.7)."""

from __future__ import annotations

import shapely
from shapely import Point

from rules.games.osmcg.field import Field
from rules.games.osmcg.reason import Reason
from rules.games.osmcg.tables import on_paper
from rules.games.osmcg.units import Unit
from rules.margin import Margin, at_least, pair_sigma_mm
from rules.scene import Piece


def conflicts(unit: Unit, field: Field) -> list[Reason]:
    """What stands against the unit's place in this scene, surely or perhaps."""
    found = [_beside(unit, other) for other in field.figures if other.id != unit.id]
    found += [_off(unit, wall) for wall in field.barriers]
    found.append(_on_table(unit, field))
    return [reason for reason in found if reason.margin.verdict != "yes"]


def _beside(unit: Unit, other: Unit) -> Reason:
    gap_mm = on_paper(unit.gap_mm(other), 0.0)
    why = f"{unit.name} lies on {other.name}" if gap_mm < 0 else f"{unit.name} keeps clear of {other.name}"
    touches_mm = unit.contact_limit_mm(other) if other.is_known and other.team != unit.team else None
    return _room(gap_mm, unit.sigma_to_mm(other), why, other.id, touches_mm)


def _off(unit: Unit, wall: Piece) -> Reason:
    gap_mm = on_paper(_gap_mm(wall, unit), 0.0)
    why = f"{unit.name} lies on {wall.cls} {wall.id}" if gap_mm < 0 else f"{unit.name} keeps off {wall.cls} {wall.id}"
    return _room(gap_mm, pair_sigma_mm(unit.piece.sigma_mm, wall.sigma_mm), why, wall.id)


def _room(gap_mm: float, sigma_mm: float, why: str, other: str, touches_mm: float | None = None) -> Reason:
    """Opposed bases in contact are a gap of nothing with an error: that is no doubt about overlap (OSMCG-2.2)."""
    in_contact = touches_mm is not None and sigma_mm > 0 and abs(gap_mm) <= touches_mm
    return Reason("OSMCG-2.1", Margin(0.0) if in_contact else at_least(gap_mm, 0.0, sigma_mm), why, other)


def _gap_mm(wall: Piece, unit: Unit) -> float:
    """From the base's edge to the footprint; negative by how deep the farthest point of the rim lies in it."""
    if unit.oval is None:
        return _signed_mm(wall, unit) - unit.radius_mm
    apart_mm = float(wall.footprint.distance(unit.oval))
    inside = wall.footprint.intersection(unit.oval)
    depths_mm = [wall.footprint.exterior.distance(Point(at)) for at in shapely.get_coordinates(inside)]
    return apart_mm or -max(depths_mm, default=0.0)


def _signed_mm(wall: Piece, unit: Unit) -> float:
    """From the base's centre to the footprint; negative inside."""
    centre = Point(unit.at)
    inside = wall.footprint.contains(centre)
    return -wall.footprint.exterior.distance(centre) if inside else wall.footprint.distance(centre)


def _on_table(unit: Unit, field: Field) -> Reason:
    width, depth = field.scene.table_size_mm
    x, y = unit.at
    margin = Margin(min(x, width - x, y, depth - y), unit.piece.sigma_mm)
    return Reason("C4.7", margin, f"{unit.name} is over the table's edge")
