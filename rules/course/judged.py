"""The ruling on one change between two scenes (C4.8)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from shapely import LineString

from rules.course.changes import Change
from rules.game import Mark, Ruling, ruling_from
from rules.margin import Margin

# Rule and reason why not; None where nothing speaks against it.
Fault = tuple[str, str] | None

_EMPTY: Mapping[str, Any] = MappingProxyType({})
_ROLES = MappingProxyType({"yes": "move-yes", "no": "move-no", "close": "move-close"})


def judged(
    change: Change, fault: Fault, margin: Margin, why: str, rule: str, extra: Mapping[str, Any] = _EMPTY
) -> Ruling:
    """The ruling with the way that the piece went; a fault tells rule and reason, whatever else was to be said."""
    points = [piece.position_mm for piece in (change.before, change.after) if piece is not None]
    way = LineString(points) if len(points) > 1 else change.piece.point
    rule, why = fault or (rule, why)
    return ruling_from(
        margin,
        kind="judge",
        piece=change.piece.id,
        rule=rule,
        why=f"{change.piece.id} {why}",
        geometry=way,
        extra={**change.extra, **extra},
        marks=(Mark(_ROLES[margin.verdict], way),),
    )
