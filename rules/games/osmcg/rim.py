"""What hangs on whether a miniature stands inside an aura, a zone or a Tracker's inches, if that is too close to call
(OSMCG-3.2, C3.4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from rules.game import Ruling
from rules.games.osmcg.effects import Rim
from rules.games.osmcg.field import Field
from rules.margin import Margin

# What a ruling tells besides its verdict that an effect changes.
_NUMBERS = ("damage", "cleave_damage", "spd_in", "ap")


def in_doubt(found: Sequence[Ruling], field: Field, anew: Callable[[Field], Sequence[Ruling]]) -> tuple[Ruling, ...]:
    """The rulings on a field; close where one changes if a miniature at a rim stands on its other side.

    anew  gives the rulings on a field that is read so, in the same order
    """
    told = tuple(found)
    for rim, margin in field.rims.items():
        others = anew(replace(field, turned=rim))
        told = tuple(_turned(one, other, rim, margin, field) for one, other in zip(told, others, strict=True))
    return told


def _turned(ruling: Ruling, other: Ruling, rim: Rim, margin: Margin, field: Field) -> Ruling:
    holds = ruling.verdict == "yes"
    if ruling.verdict == "close" or holds == _holds(other):
        return _with_other_numbers(ruling, other, rim, margin, field) if holds else ruling
    kept = ruling if holds else other
    return replace(
        kept, verdict="close", margin_mm=math.copysign(margin.margin_mm, 1 if holds else -1), sigma_mm=margin.sigma_mm,
        rule="OSMCG-3.2", why=f"{ruling.why}; {_why(rim, margin, field)}",
    )  # fmt: skip


def _with_other_numbers(ruling: Ruling, other: Ruling, rim: Rim, margin: Margin, field: Field) -> Ruling:
    """The ruling; it says where a number that it tells hangs on the rim."""
    if all(ruling.extra.get(name) == other.extra.get(name) for name in _NUMBERS):
        return ruling
    return replace(ruling, why=f"{ruling.why}; other numbers if not: {_why(rim, margin, field)}")


def _holds(ruling: Ruling) -> bool:
    return ruling.verdict == "yes" or (ruling.verdict == "close" and ruling.margin_mm >= 0)


def _why(rim: Rim, margin: Margin, field: Field) -> str:
    source, unit = (field.by_id[name].name for name in (rim.source, rim.unit))
    if rim.source == rim.unit:
        how = "no ally is" if margin.margin_mm >= 0 else "an ally is"
        return f"{how} within the {rim.range_in:g} inches of {unit}'s Tracker, but that is too close to call"
    where = "inside" if margin.margin_mm >= 0 else "outside"
    return f"{unit} stands {where} the {rim.range_in:g} inches of {source}, but that is too close to call"
