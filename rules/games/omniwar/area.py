"""Whom an area attack may hit: all in its target's hex, or under a disc as broad as one (OMNI-3.3, 4.3)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.games.omniwar.board import board_of, has_board
from rules.games.omniwar.open_losses import beside_margin
from rules.games.omniwar.open_table import OpenTable, open_table
from rules.games.omniwar.table import Table, table
from rules.games.omniwar.units import Unit
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def may_hit(scene: Scene, setup: Setup, state: State, attacker: str, target: str | None) -> list[str]:
    """The ids of all whom the attack may hit, its own army's too; none if it is not at an area, or nobody knows where.

    Who may lie there, or elsewhere within 3 sigma, may be hit.
    """
    if has_board(state):
        on_hexes = table(scene, setup, state, board_of(scene, setup, state))
        return _in_hex(on_hexes, target) if target and _is_at_area(on_hexes.units, attacker, target) else []
    openly = open_table(scene, setup, state)
    return _under_disc(openly, target) if target and _is_at_area(openly.units, attacker, target) else []


def _is_at_area(units: Iterable[Unit], attacker: str, target: str) -> bool:
    there = {unit.id: unit for unit in units}
    known = attacker in there and there[attacker].is_known
    return known and there[attacker].line.has("Area") and target in there


def _in_hex(seen: Table, target: str) -> list[str]:
    cells = set(seen.by_id[target].may_be_in)
    return sorted(unit.id for unit in seen.units if cells & set(unit.may_be_in))


def _under_disc(seen: OpenTable, target: str) -> list[str]:
    at = seen.by_id[target]
    return sorted(unit.id for unit in seen.standing if beside_margin(seen, at, unit).verdict != "no")
