"""Setting up: units begin within two hexes of their own side, scouts anywhere and first (OMNI-5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.game import Ruling, ruling_from
from rules.games.omniwar.board import Board
from rules.games.omniwar.doubt import weighed
from rules.games.omniwar.mobility import PHASE
from rules.games.omniwar.table import HexUnit, Table
from rules.games.omniwar.units import Unit
from rules.geometry.hexes import SIDES, Hex, Point2
from rules.state import State

# OMNI-5.1: how many hexes deep the deployment is.
DEPTH_HEXES = 2
_OUT = {"near": (0.0, -1.0), "far": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}
# A step within 41 degrees of straight out leads to the next row: one or two of the six do.
_STRAIGHT = 0.75


def deployment(seen: Table) -> Iterator[Ruling]:
    """One `settle` feature for each unit before the first move: whether it stands where units begin."""
    if not is_setting_up(seen.state):
        return
    for unit in seen.units:
        if is_deployed(unit):
            why = f"{unit.name} {deployment_fault(seen, unit) or 'stands where units may begin'}"
            yield ruling_from(
                weighed(lambda u: deployment_fault(seen, u) is None, unit),
                kind="settle",
                piece=unit.id,
                rule="OMNI-5.1",
                why=why,
                extra={"phase": PHASE, "cell": list(unit.cell)},
            )


def is_setting_up(state: State) -> bool:
    """Whether units may still be set up: before the first moves are over."""
    return state.turn <= 1 and state.phase in (None, PHASE)


def is_deployed(unit: Unit) -> bool:
    """Whether it still stands where it was set up."""
    return unit.is_known and unit.carrier is None and not unit.has_moved


def deployment_fault(seen: Table, unit: HexUnit, before: Iterable[Unit] = ()) -> str | None:
    """Why the unit may not begin there; None if it may. Without a player of its colour, any hex will do.

    before  the units that were set up before it, where that is known
    """
    if unit.cell not in seen.board:
        return "is off the board"
    player = seen.setup.player_of_colour(unit.owner)
    if player is None or is_first_scout(unit, before) or is_within(seen.board, unit.cell, player.side, DEPTH_HEXES):
        return None
    return f"stands more than {DEPTH_HEXES} hexes from the {player.side} side{too_late(unit)}"


def is_first_scout(unit: Unit, before: Iterable[Unit]) -> bool:
    """Whether it is a scout and nobody of its army but scouts was set up before it: it may stand anywhere."""
    return unit.line.has("Scout") and all(one.line.has("Scout") for one in before if one.owner == unit.owner)


def too_late(unit: Unit) -> str:
    """The end of a sentence on who stands too far out: what a scout should have done."""
    return "; scouts may, but are set up before all others of their army" if unit.line.has("Scout") else ""


def is_within(board: Board, cell: Hex, side: str, hexes: int) -> bool:
    """Whether the hex is one of the first `hexes` from that side of the board."""
    return board.kept(("rows", side), lambda: _rows(board, side))[cell] <= hexes


def _rows(board: Board, side: str) -> dict[Hex, int]:
    """How many hexes each is from the side, itself counted: the longest way straight out over the board."""
    ux, uy = _OUT[side]
    outward = sorted(board.ground, key=lambda cell: -_along(board.grid.centre(cell), (ux, uy)))
    exits = [step for step in SIDES if _along(_step_mm(board, step), (ux, uy)) > _STRAIGHT * board.grid.pitch_mm]
    rows: dict[Hex, int] = {}
    for q, r in outward:
        rows[q, r] = 1 + max((rows.get((q + dq, r + dr), 0) for dq, dr in exits), default=0)
    return rows


def _along(point: Point2, direction: Point2) -> float:
    return point[0] * direction[0] + point[1] * direction[1]


def _step_mm(board: Board, step: Hex) -> Point2:
    (x, y), (x0, y0) = board.grid.centre(step), board.grid.centre((0, 0))
    return x - x0, y - y0
