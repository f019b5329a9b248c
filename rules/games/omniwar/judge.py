"""Judging what happened between two scenes of OmniWar (C4.8, C4.9)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rules.course.changes import Change, changes
from rules.course.judged import Fault
from rules.game import Ruling
from rules.games.omniwar.board import board_of, has_board
from rules.games.omniwar.doubt import placeless, weighed_change
from rules.games.omniwar.judged import (
    UNKNOWN_FAULT,
    Gone,
    as_if_not_fired,
    as_if_rested,
    carrying,
    freed,
    judged,
    late_fault,
    leave_bar,
    loss_bar,
    lost_with,
    may_come_any_time,
    not_gone,
    owner_fault,
    removed,
    turn_fault,
)
from rules.games.omniwar.losses import Bill
from rules.games.omniwar.mobility import may_enter, may_stack, standstill
from rules.games.omniwar.movement import can_leave, open_transports, prices
from rules.games.omniwar.open_judge import judge_openly
from rules.games.omniwar.setting_up import deployment_fault
from rules.games.omniwar.table import HexUnit, Table, table
from rules.games.omniwar.targets import attack_fault
from rules.games.omniwar.units import is_active
from rules.geometry.templates import covers
from rules.margin import CERTAIN, REFUSED, Margin
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, was placed or was removed."""
    if not has_board(state):
        return judge_openly(before, after, setup, state)
    seen = table(before, setup, state, board_of(before, setup, state))
    then = table(after, setup, state, board_of(before, setup, state))
    return tuple(_judged(change, seen, then) for change in changes(before, after))


def _judged(change: Change, seen: Table, then: Table) -> Ruling:
    if change.piece.id not in seen.by_id and change.piece.id not in then.by_id:
        return judged(change, None, CERTAIN, "stands for no unit and is free to move", extra={"spends": False})
    if change.kind == "placed":
        return _placed(change, seen, then)
    return _removed(change, seen, then) if change.kind == "removed" else _moved(change, seen, then)


def _moved(change: Change, seen: Table, then: Table) -> Ruling:
    start, end = seen.by_id.get(change.piece.id), then.by_id.get(change.piece.id)
    if start is None or end is None or not start.is_known:
        return judged(change, UNKNOWN_FAULT, REFUSED, "")
    fault = _move_fault(seen, then, start, end)
    margin = weighed_change(lambda s, t: _may_move(start.id, s, t), seen, then, start, end)
    turn = owner_fault(start, seen.setup, seen.state), standstill(start), turn_fault(start, seen.state)
    margin = placeless(margin, fault, *turn)
    extra: dict[str, Any] = {"from_cell": list(start.cell), "to_cell": list(end.cell)}
    if start.cell == end.cell or _is_carried_along(start, end, then):
        extra["spends"] = False
    elif fault is None:
        extra |= _boarding(seen, then, start, end)
    stays = start.cell == end.cell
    why = f"stays in hex {end.cell}" if stays else f"moves from hex {start.cell} to hex {end.cell}"
    why += f" and boards {extra['boards']}" if "boards" in extra else ""
    return judged(change, fault, margin, why, extra=extra)


def _may_move(unit_id: str, seen: Table, then: Table) -> bool:
    return _move_fault(seen, then, seen.by_id[unit_id], then.by_id[unit_id]) is None


def _move_fault(seen: Table, then: Table, start: HexUnit, end: HexUnit) -> Fault:
    """Why a unit may not go there: its way among the units as they stood before, its end as they stand now."""
    fault = owner_fault(start, seen.setup, seen.state)
    if fault is not None or _is_carried_along(start, end, then):
        return fault
    fault = standstill(start) if start.cell == end.cell else turn_fault(start, seen.state)
    if fault is not None or start.cell == end.cell:
        return fault
    boards = bool(_boarding(seen, then, start, end))
    return _end_fault(seen, start, end) or (None if boards else _crowd_fault(seen, then, end))


def _is_carried_along(start: HexUnit, end: HexUnit, then: Table) -> bool:
    carrier = then.by_id.get(start.carrier or "")
    return carrier is not None and carrier.cell == end.cell


def _end_fault(seen: Table, start: HexUnit, end: HexUnit) -> Fault:
    """Why the unit cannot come to the hex at all."""
    if end.cell not in seen.board:
        return "OMNI-1.1", f"ends in hex {end.cell}, which is off the board"
    if end.cell in prices(seen, start):
        return None
    if end.cell in seen.shut:
        return "C5.2", f"enters hex {end.cell}, where {seen.shut[end.cell]} is unknown"
    ground = seen.board.ground[end.cell]
    if not may_enter(start.line, ground):
        return "OMNI-2.1", f"enters hex {end.cell}, {ground}, where no {start.line.name} may go"
    if seen.enemies_in(end.cell, start.owner):
        return "OMNI-2.1", f"enters hex {end.cell}, where an enemy stands"
    return "OMNI-2.1", f"cannot come from hex {start.cell} to hex {end.cell} with move {start.line.move}"


def _crowd_fault(seen: Table, then: Table, end: HexUnit) -> Fault:
    """The fault of a unit that now shares its hex with an enemy, or with a friend who was there before it (C4.8).

    A piece that lies on it came with it, whether the rules let it carry that or not.
    """
    there = [unit for unit in then.in_cell.get(end.cell, ()) if unit.id != end.id]
    if any(unit.owner != end.owner for unit in there):
        return "OMNI-2.1", f"ends in hex {end.cell} with an enemy"
    if may_stack(seen.setup):
        return None
    first = next((unit.id for unit in there if unit.piece.on != end.id and _came_first(unit, end, seen)), None)
    return None if first is None else ("OMNI-2.1", f"ends in hex {end.cell}, where {first} stands")


def _came_first(friend: HexUnit, end: HexUnit, seen: Table) -> bool:
    """Whether the friend stood there already; of two who came together the one with the lesser id did."""
    before = seen.by_id.get(friend.id)
    stayed = before is not None and before.cell == end.cell and before.carrier is None
    return stayed or friend.id < end.id


def _boarding(seen: Table, then: Table, start: HexUnit, end: HexUnit) -> dict[str, Any]:
    """The transport, as `boards`, that the unit enters in its last hex: one with room that no unit enters before it."""
    transports = _entered(seen, start, end)
    before = {first for other in then.in_cell.get(end.cell, ()) if other.id < end.id for first in _first(seen, other)}
    entered = next((transport for transport in transports if transport not in before), None)
    return {} if entered is None else {"boards": entered}


def _entered(seen: Table, start: HexUnit, end: HexUnit) -> list[str]:
    """The transports with room in that hex, if the unit comes from elsewhere; it lies on one, if friends may stack."""
    if start.cell == end.cell:
        return []
    near = (seen.by_id[carrier] for carrier in open_transports(seen, start, prices(seen, start)))
    there = (carrier for carrier in near if carrier.cell == end.cell)
    return [carrier.id for carrier in there if not may_stack(seen.setup) or covers(carrier.base, end.base)]


def _first(seen: Table, other: HexUnit) -> list[str]:
    """The transport that another unit enters that came in the same scene."""
    before = seen.by_id.get(other.id)
    return [] if before is None or not before.is_known else _entered(seen, before, other)[:1]


def _placed(change: Change, seen: Table, then: Table) -> Ruling:
    unit = then.by_id[change.piece.id]
    if not unit.is_known:
        return judged(change, UNKNOWN_FAULT, REFUSED, "")
    fault = _placing_fault(unit, seen, then)
    margin = weighed_change(lambda s, t: _placing_fault(t.by_id[unit.id], s, t) is None, seen, then, unit)
    margin = placeless(margin, fault, late_fault(then.state))
    return judged(change, fault, margin, f"begins in hex {unit.cell}", "OMNI-5.1", {"to_cell": list(unit.cell)})


def _placing_fault(unit: HexUnit, seen: Table, then: Table) -> Fault:
    if unit.cell not in then.board:
        return "OMNI-1.1", f"is placed in hex {unit.cell}, which is off the board"
    if not may_enter(unit.line, then.board.ground[unit.cell]):
        return "OMNI-2.1", f"is placed on {then.board.ground[unit.cell]}, where it may not be"
    crowded = _crowd_fault(seen, then, unit)
    if crowded is not None:
        return crowded
    if may_come_any_time(unit):
        return None
    fault = deployment_fault(then, unit, [one for one in seen.units if one.is_known])
    return late_fault(then.state) or (("OMNI-5.1", fault) if fault else None)


def _removed(change: Change, seen: Table, then: Table) -> Ruling:
    """A unit goes when an enemy can have destroyed it, or over the edge of the board, which a person confirms."""
    unit = seen.by_id[change.piece.id]
    if not unit.is_known:
        return judged(change, UNKNOWN_FAULT, REFUSED, "")
    if unit.wreck is not None:
        return lost_with(change, unit.wreck, seen.state)
    missing = seen.by_id.keys() - then.by_id.keys()
    going = carrying(unit, seen.by_id, missing)
    ways = (lambda one, s: bool(_attackers(missing, s).get(one.id))), _may_leave
    destroyed, leaves, either = (_gone(going, seen, way) for way in (ways[:1], ways[1:], ways))
    attackers = _attackers(missing, seen).get(unit.id, [])
    gone = Gone(either, destroyed, leaves, attackers, "left the board; please confirm")
    return removed(change, gone, seen.state, partial(_why_there, unit, going, seen))


def _why_there(unit: HexUnit, going: HexUnit, seen: Table) -> Fault:
    """Why the unit cannot be gone, if not as `going`, which may carry it."""
    return not_gone(_bar(going, seen), unit, seen.units, seen.setup, seen.state)


def _bar(unit: HexUnit, seen: Table) -> Fault:
    """What forbids those in reach to destroy the unit, or the unit to leave; None if none could at any time."""
    free = replace(seen, state=freed(seen.state))
    enemies = (enemy for enemy in seen.units if enemy.is_known and enemy.owner != unit.owner)
    near = [enemy for enemy in enemies if attack_fault(free, as_if_rested(enemy), unit) is None]
    leaves = can_leave(free, as_if_rested(unit))
    return loss_bar(near, seen.setup, seen.state) or (leave_bar(unit, seen.setup, seen.state) if leaves else None)


def _gone(unit: HexUnit, seen: Table, ways: Sequence[Callable[[HexUnit, Table], bool]]) -> Margin:
    """The margin of its having gone one of these ways; also of one who may stand off the board."""
    return weighed_change(lambda s, _: any(way(s.by_id[unit.id], s) for way in ways), seen, seen, unit)


def _may_leave(unit: HexUnit, seen: Table) -> bool:
    """Whether its move reaches over the board's edge."""
    is_its_turn = turn_fault(unit, seen.state) is None and is_active(unit, seen.setup, seen.state)
    return is_its_turn and can_leave(seen, unit)


def _attackers(gone: Collection[str], seen: Table) -> dict[str, list[str]]:
    """Who can have destroyed each of those that are gone together; who may have left needs an attack last."""
    bill = Bill(seen.setup, seen.state, seen.units)
    lost = sorted((unit for unit in seen.units if unit.id in gone and unit.is_known), key=lambda u: _may_leave(u, seen))
    return {unit.id: bill.takes(unit.id, _able(unit, seen)) for unit in lost}


def _able(unit: HexUnit, seen: Table) -> list[HexUnit]:
    """The enemies who could destroy the unit if they had not attacked yet."""
    enemies = (enemy for enemy in seen.units if enemy.is_known and enemy.owner != unit.owner)
    fresh = (as_if_not_fired(enemy, unit, seen.setup, seen.state) for enemy in enemies)
    return [enemy for enemy in fresh if enemy is not None and attack_fault(seen, enemy, unit) is None]
