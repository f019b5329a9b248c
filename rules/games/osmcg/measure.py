"""How ranges are measured: from edge to edge, or from centre to centre by the house rule (OSMCG-3.2)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rules.games.osmcg.tables import on_paper
from rules.margin import Margin, at_most

if TYPE_CHECKING:
    from rules.games.osmcg.units import Unit


def measure_mm(a: Unit, b: Unit, *, edges: bool) -> float:
    """The distance that a range is held against."""
    return a.gap_mm(b) if edges else math.dist(a.at, b.at)


def within_margin(a: Unit, b: Unit, limit_mm: float, *, edges: bool) -> Margin:
    """The margin of being no farther apart than `limit_mm`."""
    return at_most(on_paper(measure_mm(a, b, edges=edges), limit_mm), limit_mm, a.sigma_to_mm(b))
