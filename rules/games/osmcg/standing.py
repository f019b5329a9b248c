"""Who is in base contact, where terrain lies on terrain, and which auras reach whom (OSMCG-1.3, 2.2, 3.2)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from shapely import LineString, Polygon, STRtree, intersection
from shapely.geometry.base import BaseGeometry

from rules.decimals import set_apart
from rules.game import Mark, Ruling, ruling_from
from rules.games.osmcg.circles import Circle, circles_of
from rules.games.osmcg.deploy import around
from rules.games.osmcg.effects import alone
from rules.games.osmcg.field import Field
from rules.games.osmcg.measure import measure_mm
from rules.games.osmcg.tables import inch_mm
from rules.games.osmcg.units import Unit
from rules.geometry.templates import covers, disc
from rules.margin import Margin
from rules.scene import Piece


def engaged(field: Field) -> tuple[Ruling, ...]:
    """One `engaged` for each opposed pair in base contact (C4.11)."""
    order = [unit.id for unit in field.units]
    pairs = ((a, b) for a in field.units for b in field.engaged_with(a) if order.index(a.id) < order.index(b.id))
    return tuple(_engaged(a, b) for a, b in pairs)


def _engaged(a: Unit, b: Unit) -> Ruling:
    line = LineString((a.at, b.at))
    margin = Margin(a.contact_mm(b), a.sigma_to_mm(b))
    return Ruling(
        kind="engaged",
        piece=a.id,
        verdict="yes",
        rule="OSMCG-2.2",
        why=f"the bases of {a.name} and {b.name} touch",
        other=b.id,
        margin_mm=margin.margin_mm,
        sigma_mm=margin.sigma_mm,
        geometry=line,
        extra={"phase": "activation"},
        marks=(Mark("engaged", line),),
    )


def overlaps(field: Field) -> tuple[Ruling, ...]:
    """A warning for each two pieces of terrain that overlap (OSMCG-1.3)."""
    things = field.scene.of_kind("terrain")
    footprints = tuple(thing.footprint for thing in things)
    return tuple(_overlap(things[i], things[j], common) for i, j, common in _overlapping(footprints))


@lru_cache(maxsize=8)
def _overlapping(footprints: tuple[Polygon, ...]) -> tuple[tuple[int, int, BaseGeometry], ...]:
    """The indices of each pair of footprints that overlap by more than a touch, and their common part; kept, since
    terrain seldom changes."""
    ground = np.array(footprints, object)
    meeting = sorted(STRtree(ground).query(ground, "intersects").T.tolist())
    lying = [(i, j) for i, j in meeting if i < j and covers(ground[i], ground[j])]
    return tuple((i, j, intersection(ground[i], ground[j])) for i, j in lying)


def _overlap(a: Piece, b: Piece, common: BaseGeometry) -> Ruling:
    return Ruling(
        "overlap", a.id, "yes", "OSMCG-1.3", f"{a.cls} {a.id} and {b.cls} {b.id} overlap: move one of them", b.id,
        geometry=common, extra={"phase": "upkeep"}, marks=(Mark("doubt", common),),
    )  # fmt: skip


def auras(field: Field) -> tuple[Ruling, ...]:
    """One `template` for each aura or zone and each other unit: is it inside?"""
    circles = [one for one in circles_of(field.units, field.books.zones) if field.subject in (None, one.source.id)]
    return tuple(_inside(one, unit, field) for one in circles for unit in field.units if unit.id != one.source.id)


def check_zones(field: Field) -> None:
    """ValueError for a zone of the state whose source is no known miniature on the table."""
    for zone in field.books.zones:
        if zone.source not in field.by_id:
            raise ValueError(f"state: zones: its source {zone.source!r} is no known miniature on the table")


def trackers(field: Field) -> tuple[Ruling, ...]:
    """One `template` for each Tracker(X): is no ally within X inches?"""
    return tuple(_alone(unit, field) for unit in field.subjects if unit.has("tracker"))


def _alone(unit: Unit, field: Field) -> Ruling:
    margin, ally = alone(unit, field.units, edges=field.edges)
    range_in, effect = unit.card.number("tracker") or 0.0, ", ".join(unit.keywords["tracker"][1:])
    who = f"the nearest ally of {unit.name} is {ally.name}" if ally is not None else f"{unit.name} has no ally here"
    return ruling_from(
        margin, kind="template", piece=unit.id, other=None if ally is None else ally.id, rule="OSMCG-3.2",
        why=f"{who}; Tracker asks for none within {range_in:g} inches", geometry=_reached(unit, range_in, field),
        extra={"phase": "activation", "case": "tracker", "effect": effect},
    )  # fmt: skip


def _reached(unit: Unit, range_in: float, field: Field) -> BaseGeometry:
    """The ground within a range of a unit, by the house's measure."""
    return around(unit, inch_mm(range_in)) if field.edges else disc(unit.at, inch_mm(range_in))


def _inside(circle: Circle, unit: Unit, field: Field) -> Ruling:
    source, range_in = circle.source, circle.range_in
    away_in = measure_mm(source, unit, edges=field.edges) / inch_mm(1)
    far = set_apart(away_in, range_in, 2)
    why = f"the {circle.case} of {source.name} reaches {range_in:g} inches, {unit.name} is {far} inches away"
    return ruling_from(
        circle.holds(unit, edges=field.edges), kind="template", piece=source.id, other=unit.id, rule="OSMCG-3.2",
        why=why, geometry=_reached(source, range_in, field),
        extra={"phase": "activation", "case": circle.case, "effect": circle.effect},
    )  # fmt: skip
