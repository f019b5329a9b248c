"""Setting up without hexes: within two hexes' breadth of the own side (OMNI-4.3, 5.1)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.game import Ruling, ruling_from
from rules.games.omniwar.mobility import PHASE
from rules.games.omniwar.open_table import OpenTable
from rules.games.omniwar.setting_up import DEPTH_HEXES, is_deployed, is_setting_up
from rules.games.omniwar.units import Unit
from rules.margin import CERTAIN, Margin, at_most
from rules.scene import Point2


def open_deployment(seen: OpenTable) -> Iterator[Ruling]:
    """One `settle` feature for each unit before the first move: whether it stands where units begin."""
    for unit in seen.units if is_setting_up(seen.state) else ():
        if is_deployed(unit):
            margin = depth_margin(seen, unit) or CERTAIN
            far = f"stands {abs(margin.margin_mm):.0f} mm too far from its own side"
            why = f"{unit.name} {far if margin.margin_mm < 0 else 'stands where units may begin'}"
            yield ruling_from(margin, kind="settle", piece=unit.id, rule="OMNI-5.1", why=why, extra={"phase": PHASE})


def depth_margin(seen: OpenTable, unit: Unit) -> Margin | None:
    """The margin of standing near enough to the own side; None for scouts, and for armies of no player."""
    player = seen.setup.player_of_colour(unit.owner)
    if player is None or unit.line.has("Scout"):
        return None
    depth_mm = _depth_mm(unit.piece.position_mm, player.side, seen.scene.table_size_mm)
    return at_most(depth_mm, DEPTH_HEXES * seen.hex_mm, unit.piece.sigma_mm)


def _depth_mm(at: Point2, side: str, size_mm: tuple[float, float]) -> float:
    (x, y), (width, depth) = at, size_mm
    return {"near": y, "far": depth - y, "left": x, "right": width - x}[side]
