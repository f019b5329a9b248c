"""Movement on hexes: what a step costs, where a move may end, and what stops it (OMNI-2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.games.omniwar.board import DENSE, Board
from rules.games.omniwar.mobility import may_enter, may_stack, with_room_for
from rules.games.omniwar.roster import UnitType
from rules.games.omniwar.table import HexUnit, Table
from rules.geometry.hexes import Exits, Hex, costs, costs_with_turns, neighbour


def ground_cost(board: Board, kind: UnitType, cell: Hex, side: int) -> float | None:
    """What the step through that side costs on its ground, whoever stands there; None where the unit cannot go."""
    goal = neighbour(cell, side)
    if goal not in board or not may_enter(kind, board.ground[goal]):
        return None
    if kind.is_flyer or not kind.is_vehicle:
        return 1.0
    if board.follows_road(cell, side):
        return 0.5
    return 2.0 if board.ground[goal] == DENSE else 1.0


def ground_exits(board: Board, kind: UnitType, cell: Hex) -> tuple[tuple[int, Hex, float], ...]:
    """The steps that the ground allows the unit from a hex, with their prices."""

    def work_out() -> tuple[tuple[int, Hex, float], ...]:
        """Side, hex behind it and price of each step."""
        prices = ((side, neighbour(cell, side), ground_cost(board, kind, cell, side)) for side in range(6))
        return tuple((side, goal, price) for side, goal, price in prices if price is not None)

    return board.kept(("exits", kind.abilities, cell), work_out)


def exits(seen: Table, unit: HexUnit) -> Exits:
    """The steps open to the unit among the others: enemies stop all but flyers, unknown pieces stop everybody."""
    kind = unit.line
    stopping = seen.shut.keys() if kind.is_flyer else seen.held_against(unit.owner)

    def steps(cell: Hex) -> list[tuple[int, Hex, float]]:
        """Side, hex behind it and price of each step from a hex that nobody stops."""
        return [step for step in ground_exits(seen.board, kind, cell) if step[1] not in stopping]

    return steps


def prices(seen: Table, unit: HexUnit) -> dict[Hex, float]:
    """Every hex that the unit can come to in its move, with the least movement that it takes; its own hex is one."""
    if unit not in seen.prices:
        seen.prices[unit] = _prices(seen, unit)
    return seen.prices[unit]


def _prices(seen: Table, unit: HexUnit) -> dict[Hex, float]:
    if not unit.line.turns_badly:
        return costs(unit.cell, exits(seen, unit), unit.line.move)
    facing = None if unit.piece.facing_deg is None else seen.board.grid.facing(unit.piece.facing_deg)
    return costs_with_turns(unit.cell, facing, exits(seen, unit), unit.line.move)


def ends(seen: Table, unit: HexUnit, come_to: Mapping[Hex, float]) -> list[Hex]:
    """Where the move may end: its own hex, or one without enemies and, unless friends may stack, without friends."""
    return sorted(cell for cell in come_to if cell == unit.cell or _is_free(seen, unit, cell))


def _is_free(seen: Table, unit: HexUnit, cell: Hex) -> bool:
    there = [other for other in seen.in_cell.get(cell, ()) if other.id != unit.id]
    if any(other.owner != unit.owner for other in there):
        return False
    return not there or may_stack(seen.setup)


def open_transports(seen: Table, unit: HexUnit, come_to: Iterable[Hex]) -> list[str]:
    """Friendly transports with room that the unit can come to and ride in; troops only, one in each."""
    near = [other for cell in come_to for other in seen.in_cell.get(cell, ())]
    return sorted(other.id for other in with_room_for(unit, near, seen.units))


def stoppers(seen: Table, unit: HexUnit, come_to: Mapping[Hex, float]) -> list[tuple[str, Hex]]:
    """The enemies and unknown pieces that a further step would run into, with their hexes."""
    kind = unit.line
    met: dict[Hex, str] = {}
    for cell, paid in come_to.items():
        for _, goal, price in ground_exits(seen.board, kind, cell):
            blocker = _stopper(seen, unit, goal)
            if blocker and paid + price <= kind.move:
                met[goal] = blocker
    return sorted((blocker, cell) for cell, blocker in met.items())


def _stopper(seen: Table, unit: HexUnit, cell: Hex) -> str | None:
    if cell in seen.shut:
        return seen.shut[cell]
    enemies = seen.enemies_in(cell, unit.owner)
    return enemies[0].id if enemies else None


def can_leave(seen: Table, unit: HexUnit) -> bool:
    """Whether the move is long enough for a step over the board's edge (OMNI-2.2)."""
    if unit.has_moved:
        return False
    return any(cell in seen.board.edge and paid + 1 <= unit.line.move for cell, paid in prices(seen, unit).items())
