"""Setting up: units begin within two hexes of their own side, scouts anywhere (OMNI-5.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rules.game import Ruling
from rules.games.omniwar.board import Board
from rules.games.omniwar.units import Table, Unit
from rules.geometry.hexes import Hex
from rules.margin import Verdict

# OMNI-5.1: how many hexes deep the deployment is.
DEPTH_HEXES = 2
_TOWARDS = {"near": (0.0, 1.0), "far": (0.0, -1.0), "left": (1.0, 0.0), "right": (-1.0, 0.0)}


def deployment(seen: Table) -> Iterator[Ruling]:
    """One `settle` feature for each unit before the first move: whether it stands where units begin."""
    if seen.state.turn > 1 or seen.state.phase not in (None, "move"):
        return
    for unit in seen.units:
        if unit.is_known and unit.carrier is None and not unit.has_moved:
            fault = deployment_fault(seen, unit)
            verdict: Verdict = "no" if fault else "yes"
            why = f"{unit.name} {fault or 'stands where units may begin'}"
            yield Ruling("settle", unit.id, verdict, "OMNI-5.1", why, extra={"cell": list(unit.cell)})


def deployment_fault(seen: Table, unit: Unit) -> str | None:
    """Why the unit may not begin there; None if it may. Without a player of its colour, any hex will do."""
    if unit.cell not in seen.board:
        return "is off the board"
    player = seen.setup.player_of_colour(unit.owner)
    if player is None or (unit.kind is not None and unit.kind.has("Scout")):
        return None
    if is_within(seen.board, unit.cell, player.side, DEPTH_HEXES):
        return None
    return f"stands more than {DEPTH_HEXES} hexes from the {player.side} side"


def is_within(board: Board, cell: Hex, side: str, hexes: int) -> bool:
    """Whether the hex is one of the first `hexes` from that side of the table.

    Rows lie pitch * sqrt(3) / 2 apart where the grid has straight rows along the side; where every second file is
    shifted by half a hex, a file's first hexes count, up to half a pitch further in.
    """
    ux, uy = _TOWARDS[side]
    depths_mm = board.kept(("depths", side), lambda: _depths_mm(board, ux, uy))
    step_mm = _row_step_mm(board, math.degrees(math.atan2(uy, ux)))
    return depths_mm[cell] < hexes * step_mm - step_mm / 100


def _depths_mm(board: Board, ux: float, uy: float) -> dict[Hex, float]:
    """How much further in each hex's centre is than that of the outermost one."""
    along_mm = {cell: ux * x + uy * y for cell in board.ground for x, y in [board.grid.centre(cell)]}
    least_mm = min(along_mm.values())
    return {cell: depth_mm - least_mm for cell, depth_mm in along_mm.items()}


def _row_step_mm(board: Board, inward_deg: float) -> float:
    """Between one row and the next, seen from the side: the whole pitch where a neighbour lies straight inward."""
    side_deg = board.grid.turn_deg + (0.0 if board.grid.top == "pointy" else 30.0)
    off_deg = abs((inward_deg - side_deg + 30.0) % 60.0 - 30.0)
    return board.grid.pitch_mm * (1.0 if off_deg < 15.0 else math.sqrt(3.0) / 2)
