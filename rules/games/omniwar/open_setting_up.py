"""Setting up without hexes: within two hexes' breadth of the own side (OMNI-4.3, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from rules.game import Ruling, ruling_from
from rules.games.omniwar.board import OPEN
from rules.games.omniwar.mobility import PHASE, may_enter
from rules.games.omniwar.open_table import OpenTable
from rules.games.omniwar.setting_up import DEPTH_HEXES, is_deployed, is_first_scout, is_setting_up
from rules.games.omniwar.units import Unit
from rules.geometry.edge import inset_mm
from rules.margin import CERTAIN, REFUSED, Margin, all_of, at_most, pair_sigma_mm
from rules.scene import Point2

# Whoever is placed off the table is told so, and nothing of the ground there.
_BESIDE_MM = 1e4


def open_deployment(seen: OpenTable) -> Iterator[Ruling]:
    """One `settle` feature for each unit before the first move: whether it stands where units begin."""
    for unit in seen.units if is_setting_up(seen.state) else ():
        if is_deployed(unit):
            depth = depth_margin(seen, unit) or CERTAIN
            margin = all_of([table_margin(seen, unit), depth])
            yield ruling_from(
                margin, kind="settle", piece=unit.id, rule="OMNI-5.1", why=f"{unit.name} {_where(margin, depth)}",
                extra={"phase": PHASE},
            )  # fmt: skip


def _where(margin: Margin, depth: Margin) -> str:
    """The end of a sentence on where it stands."""
    if margin.margin_mm >= 0:
        return "stands where units may begin"
    if depth.margin_mm >= 0:
        return "stands off the table"
    return f"stands {abs(depth.margin_mm):.0f} mm too far from its own side"


def table_margin(seen: OpenTable, unit: Unit) -> Margin:
    """The margin of its centre lying on the table (C4.7)."""
    return Margin(inset_mm(seen.bounds, unit.piece.point), unit.piece.sigma_mm)


def depth_margin(seen: OpenTable, unit: Unit, before: Iterable[Unit] = ()) -> Margin | None:
    """The margin of standing near enough to the own side; None for scouts, and for armies of no player.

    before  the units that were set up before it, where that is known
    """
    player = seen.setup.player_of_colour(unit.owner)
    if player is None or is_first_scout(unit, before):
        return None
    depth_mm = _depth_mm(unit.piece.position_mm, player.side, seen.scene.table_size_mm)
    return at_most(depth_mm, DEPTH_HEXES * seen.hex_mm, unit.piece.sigma_mm)


def _depth_mm(at: Point2, side: str, size_mm: tuple[float, float]) -> float:
    (x, y), (width, depth) = at, size_mm
    return {"near": y, "far": depth - y, "left": x, "right": width - x}[side]


def ground_margin(seen: OpenTable, unit: Unit) -> Margin:
    """The margin of its centre lying on ground where it may be."""
    here, kind = unit.piece.point, unit.line
    free: BaseGeometry = seen.bounds.buffer(_BESIDE_MM) if may_enter(kind, OPEN) else Polygon()
    for patch in seen.patches:
        free = free | patch.area if may_enter(kind, patch.ground) else free - patch.area
    near = min(seen.patches, key=lambda patch: patch.area.exterior.distance(here), default=None)
    if near is None or free.is_empty:
        return REFUSED if free.is_empty else CERTAIN
    return Margin(inset_mm(free, here), pair_sigma_mm(unit.piece.sigma_mm, near.sigma_mm))
