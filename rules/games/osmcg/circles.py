"""Auras and zones: circles round a miniature that give something to those inside (OSMCG-3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.games.osmcg.books import Zone
from rules.games.osmcg.keywords import number_of, said
from rules.games.osmcg.measure import within_margin
from rules.games.osmcg.tables import inch_mm
from rules.games.osmcg.units import Unit
from rules.margin import Margin

# Keywords that hold a circle round their bearer.
_KINDS = ("aura", "zone")


@dataclass(frozen=True)
class Circle:
    """An aura or a zone: `case` says which, `effect` what it gives, as the card has it."""

    case: str
    source: Unit
    range_in: float
    effect: str

    @property
    def texts(self) -> list[str]:
        """The effects one by one: "+1 ATK, +1 SPD" are two."""
        return [text for part in self.effect.split(",") if (text := part.strip())]

    def holds(self, unit: Unit, *, edges: bool) -> Margin:
        """The margin of a unit being inside; the source itself is in the middle of it."""
        return within_margin(self.source, unit, inch_mm(self.range_in), edges=edges)


def circles_of(units: Sequence[Unit], zones: Iterable[Zone]) -> tuple[Circle, ...]:
    """All circles on the table: those of the cards and of spells. A zone whose source left the table is over."""
    by_id = {unit.id: unit for unit in units}
    cast = (Circle("zone", by_id[zone.source], zone.range_in, zone.effect) for zone in zones if zone.source in by_id)
    return (*(circle for unit in units for circle in _printed(unit)), *cast)


def _printed(unit: Unit) -> list[Circle]:
    """Those of a unit's own card, which may have several."""
    if not any(unit.has(kind) for kind in _KINDS):
        return []
    words = (said(word) for word in unit.card.words)
    return [
        Circle(kind, unit, number_of(parts[0]) or 0.0, ", ".join(parts[1:])) for kind, parts in words if kind in _KINDS
    ]
