"""What the table looked like before it was covered: what lies over pieces stays so while other things are agreed on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from shapely import MultiPolygon
from shapely.geometry.base import BaseGeometry

from vision.motion.change import ChangeGate


@dataclass(frozen=True, eq=False)
class Uncovered:
    """The table as it was agreed before a hand came to rest on it, or something was laid over it.

    over_mm  where they hide it; empty while all that is left of them lies beside the pieces
    """

    gate: ChangeGate
    over_mm: BaseGeometry = field(default_factory=MultiPolygon)


def still_uncovered(
    was: Uncovered | None, agreed: ChangeGate, cover_mm: BaseGeometry, *, is_over: bool, is_beside: bool
) -> Uncovered | None:
    """What to remember of the table as it was before it was covered; None once nothing covers it.

    agreed     the table as it was agreed last
    cover_mm   what came over it since then
    is_over    whether a piece is hidden now
    is_beside  whether something as large as a hand lies there that was not there before; known by its going, until
               something else comes
    """
    if cover_mm.is_empty:
        if is_over or was is None:
            return was
        return Uncovered(was.gate) if is_beside else None
    if was is None or (is_beside and was.over_mm.is_empty):
        was = Uncovered(agreed)
    return replace(was, over_mm=was.over_mm.union(cover_mm))
