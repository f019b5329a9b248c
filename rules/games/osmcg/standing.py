"""Who is in base contact, where terrain lies on terrain, and which auras reach whom (OSMCG-1.3, 2.2, 3.2)."""

from __future__ import annotations

import itertools

from shapely import LineString, intersection

from rules.game import Mark, Ruling, ruling_from
from rules.games.osmcg.field import Field
from rules.games.osmcg.measure import measure_mm, within_margin
from rules.games.osmcg.tables import inch_mm
from rules.games.osmcg.units import Unit
from rules.geometry.templates import covers, disc
from rules.margin import Margin


def engaged(field: Field) -> tuple[Ruling, ...]:
    """One `engaged` for each opposed pair in base contact (C4.11)."""
    order = [unit.id for unit in field.units]
    pairs = ((a, b) for a in field.units for b in field.engaged_with(a) if order.index(a.id) < order.index(b.id))
    return tuple(_engaged(a, b) for a, b in pairs)


def _engaged(a: Unit, b: Unit) -> Ruling:
    line = LineString((a.at, b.at))
    margin = Margin(a.touch_mm(b) - a.gap_mm(b), a.sigma_to_mm(b))
    return Ruling(
        "engaged", a.id, "yes", "OSMCG-2.2", f"the bases of {a.name} and {b.name} touch", b.id,
        margin.margin_mm, margin.sigma_mm, line, {"phase": "activation"}, (Mark("engaged", line),),
    )  # fmt: skip


def overlaps(field: Field) -> tuple[Ruling, ...]:
    """A warning for each two pieces of terrain that overlap (OSMCG-1.3)."""
    pairs = itertools.combinations(field.scene.of_kind("terrain"), 2)
    lying = [(a, b) for a, b in pairs if covers(a.footprint, b.footprint)]
    return tuple(
        Ruling(
            "overlap", a.id, "yes", "OSMCG-1.3", f"{a.cls} {a.id} and {b.cls} {b.id} overlap: move one of them", b.id,
            geometry=(common := intersection(a.footprint, b.footprint)), marks=(Mark("doubt", common),),
        )
        for a, b in lying
    )  # fmt: skip


def auras(field: Field) -> tuple[Ruling, ...]:
    """One `template` for each unit with an aura and each other unit: is it inside?"""
    sources = (unit for unit in field.subjects if unit.has("aura"))
    return tuple(_aura(source, other, field) for source in sources for other in field.units if other is not source)


def _aura(source: Unit, other: Unit, field: Field) -> Ruling:
    range_in = source.card.number("aura") or 0.0
    margin = within_margin(source, other, inch_mm(range_in), edges=field.cover.edges)
    edge_mm = inch_mm(range_in) + (source.radius_mm if field.cover.edges else 0.0)
    effect = ", ".join(source.keywords["aura"][1:])
    why = f"the aura of {source.name} reaches {range_in:g} inches, {other.name} is {_far(source, other, field)} away"
    return ruling_from(
        margin, kind="template", piece=source.id, other=other.id, rule="OSMCG-3.2", why=why,
        geometry=disc(source.at, edge_mm), extra={"case": "aura", "effect": effect},
    )  # fmt: skip


def _far(a: Unit, b: Unit, field: Field) -> str:
    return f"{measure_mm(a, b, edges=field.cover.edges) / inch_mm(1):.2f} inches"
