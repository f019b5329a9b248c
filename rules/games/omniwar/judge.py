"""Judging what happened between two scenes of OmniWar (C4.8, C4.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shapely import LineString

from rules.changes import Change, changes
from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.attack import attack_fault
from rules.games.omniwar.board import board_of, has_board
from rules.games.omniwar.doubt import weighed
from rules.games.omniwar.free import free_reach, hex_mm, open_table
from rules.games.omniwar.movement import can_leave, ends, may_enter, open_transports, prices, standstill
from rules.games.omniwar.setting_up import deployment_fault
from rules.games.omniwar.units import Table, Unit, is_active, table
from rules.margin import Margin, at_most
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# Why not, with the rule that says so; None where there is nothing to say against it.
Fault = tuple[str, str] | None
_UNKNOWN: Fault = ("C5.2", "is of unknown kind or owner; say what and whose it is")
# An unknown piece is neither legal nor illegal until a person says what it is; the verdict's own error says so.
_DOUBT = Margin(0.0, 1.0)


def judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, was placed or was removed."""
    if not has_board(state):
        return tuple(_freely(change, before, setup, state) for change in changes(before, after))
    seen = table(before, setup, state, board_of(before, setup, state))
    then = table(after, setup, state, board_of(before, setup, state))
    return tuple(_judged(change, seen, then) for change in changes(before, after))


def _ruling(
    change: Change,
    fault: Fault,
    margin: Margin,
    why: str,
    rule: str = "OMNI-2.1",
    extra: Mapping[str, Any] | None = None,
) -> Ruling:
    points = [piece.position_mm for piece in (change.before, change.after) if piece is not None]
    line = LineString(points) if len(points) > 1 else change.piece.point
    role = {"yes": "move-yes", "no": "move-no", "close": "move-close"}[margin.verdict]
    return ruling_from(
        margin,
        kind="judge",
        piece=change.piece.id,
        rule=fault[0] if fault else rule,
        why=f"{change.piece.id} {fault[1] if fault else why}",
        geometry=line,
        extra={**change.extra, "phase": "move", **(extra or {})},
        marks=(Mark(role, line),),
    )


def _certain(legal: bool) -> Margin:
    """A verdict that hangs on no distance."""
    return Margin(1.0 if legal else -1.0)


def _judged(change: Change, seen: Table, then: Table) -> Ruling:
    if change.piece.id not in seen.by_id and change.piece.id not in then.by_id:
        return _ruling(change, None, _certain(True), "is no unit", extra={"spends": False})
    if change.kind == "placed":
        return _placed(change, seen, then)
    return _removed(change, seen) if change.kind == "removed" else _moved(change, seen, then)


def _moved(change: Change, seen: Table, then: Table) -> Ruling:
    start, end = seen.by_id.get(change.piece.id), then.by_id.get(change.piece.id)
    if start is None or end is None or not start.is_known:
        return _ruling(change, _UNKNOWN, _DOUBT, "")
    fault = _move_fault(seen, then, start, end)
    margin = weighed(lambda a, b: _move_fault(seen, then, a, b) is None, start, end)
    extra: dict[str, Any] = {"from_cell": list(start.cell), "to_cell": list(end.cell)}
    if start.cell == end.cell or _is_carried_along(start, end, then):
        extra["spends"] = False
    elif fault is None:
        extra |= _boarding(seen, start, end)
    stays = start.cell == end.cell
    why = f"stays in hex {end.cell}" if stays else f"moves from hex {start.cell} to hex {end.cell}"
    return _ruling(change, fault, margin, why, extra=extra)


def _move_fault(seen: Table, then: Table, start: Unit, end: Unit) -> Fault:
    """Why a unit may not go there: its way among the units as they stood before, its end as they stand now."""
    if not is_active(start, seen.setup, seen.state):
        return "C4.9", f"belongs to {start.owner}; it is {seen.state.active}'s turn"
    if _is_carried_along(start, end, then):
        return None
    still = standstill(seen, start)
    if still is not None or start.cell == end.cell:
        return still
    if not seen.rules_on("move"):
        return "OMNI-5.1", "moved in the attack phase"
    return _end_fault(seen, start, end) or _crowd_fault(seen, then, start, end)


def _is_carried_along(start: Unit, end: Unit, then: Table) -> bool:
    carrier = then.by_id.get(start.carrier or "")
    return carrier is not None and carrier.cell == end.cell


def _end_fault(seen: Table, start: Unit, end: Unit) -> Fault:
    if end.cell not in seen.board:
        return "OMNI-1.1", f"ends in hex {end.cell}, which is off the board"
    come_to = prices(seen, start)
    if end.cell in ends(seen, start, come_to) or _boarding(seen, start, end):
        return None
    if end.cell in come_to:
        return "OMNI-2.1", f"ends in hex {end.cell}, where another unit stands"
    return _way_fault(seen, start, end)


def _way_fault(seen: Table, start: Unit, end: Unit) -> Fault:
    """Why the unit cannot come to the hex at all."""
    assert start.kind is not None  # only known units are asked
    if end.cell in seen.shut:
        return "C5.2", f"enters hex {end.cell}, where {seen.shut[end.cell]} is unknown"
    ground = seen.board.ground[end.cell]
    if not may_enter(start.kind, ground):
        return "OMNI-2.1", f"enters hex {end.cell}, {ground}, which a {start.kind.name} may not"
    if seen.enemies_in(end.cell, start.owner):
        return "OMNI-2.1", f"ends in hex {end.cell} with an enemy"
    return "OMNI-2.1", f"cannot come from hex {start.cell} to hex {end.cell} with move {start.kind.move}"


def _crowd_fault(seen: Table, then: Table, start: Unit, end: Unit) -> Fault:
    """Whether it now shares the hex with somebody who came there in the same turn."""
    there = [unit for unit in then.in_cell.get(end.cell, ()) if unit.id != start.id]
    if any(unit.owner != start.owner for unit in there):
        return "OMNI-2.1", f"ends in hex {end.cell} with an enemy"
    stacks = seen.setup.house.get("stacking", "no") == "yes" or _boarding(seen, start, end)
    if there and not stacks and start.id > there[0].id:
        return "OMNI-2.1", f"ends in hex {end.cell}, where {there[0].id} stands"
    return None


def _boarding(seen: Table, start: Unit, end: Unit) -> dict[str, Any]:
    """The transport in that hex that the unit enters, if there is one with room."""
    transports = (seen.by_id[carrier] for carrier in open_transports(seen, start, prices(seen, start)))
    entered = next((transport.id for transport in transports if transport.cell == end.cell), None)
    return {} if entered is None else {"boards": entered}


def _placed(change: Change, seen: Table, then: Table) -> Ruling:
    unit = then.by_id[change.piece.id]
    if not unit.is_known:
        return _ruling(change, _UNKNOWN, _DOUBT, "")
    fault = _placing_fault(unit, then)
    margin = weighed(lambda u: _placing_fault(u, then) is None, unit)
    return _ruling(change, fault, margin, f"begins in hex {unit.cell}", "OMNI-5.1", {"to_cell": list(unit.cell)})


def _placing_fault(unit: Unit, then: Table) -> Fault:
    assert unit.kind is not None  # only known units are asked
    if unit.cell not in then.board:
        return "OMNI-1.1", f"is placed in hex {unit.cell}, which is off the board"
    if not may_enter(unit.kind, then.board.ground[unit.cell]):
        return "OMNI-2.1", f"is placed on {then.board.ground[unit.cell]}, where it may not be"
    if then.enemies_in(unit.cell, unit.owner):
        return "OMNI-2.1", f"is placed in hex {unit.cell} with an enemy"
    if unit.kind.has("Teleport") or unit.kind.has("Drop troops"):
        return None
    if then.state.turn > 1:
        return "OMNI-5.1", "is new; units are set up before the first turn only"
    fault = deployment_fault(then, unit)
    return ("OMNI-5.1", fault) if fault else None


def _removed(change: Change, seen: Table) -> Ruling:
    """A unit goes when an enemy can have destroyed it, or over the edge of the board, which a person confirms."""
    unit = seen.by_id[change.piece.id]
    if not unit.is_known:
        return _ruling(change, _UNKNOWN, _DOUBT, "")
    if _may_be_destroyed(unit, seen):
        return _ruling(change, None, _certain(True), "was destroyed", "OMNI-3.2", {"destroyed": True})
    if seen.rules_on("move") and is_active(unit, seen.setup, seen.state) and can_leave(seen, unit):
        return _ruling(change, None, _certain(True), "left the board; please confirm", "OMNI-2.2", {"confirm": True})
    fault = ("OMNI-2.2", "was removed, though nobody can destroy it and it cannot leave the board")
    return _ruling(change, fault, _certain(False), "")


def _may_be_destroyed(unit: Unit, seen: Table) -> bool:
    enemies = [enemy for enemy in seen.units if enemy.is_known and enemy.owner != unit.owner]
    return any(_may_have_destroyed(enemy, unit, seen) for enemy in enemies if enemy.cell in seen.board)


def _may_have_destroyed(enemy: Unit, unit: Unit, seen: Table) -> bool:
    """Whether the enemy may have attacked just now, even if that was its last attack of the turn (OMNI-3.3)."""
    if is_active(enemy, seen.setup, seen.state) and not seen.rules_on("attack"):
        return False
    known = {key: value for key, value in enemy.known.items() if key != "fired"}
    return attack_fault(seen, replace(enemy, known=known), unit) is None


def _freely(change: Change, before: Scene, setup: Setup, state: State) -> Ruling:
    """A move on the open table: at most as far as Move allows, and where the unit may go (OMNI-4.3)."""
    seen = open_table(before, setup, state)
    kind = {piece.id: kind for piece, kind in seen.units}.get(change.piece.id)
    if change.before is None or change.after is None or kind is None:
        return _ruling(change, None, _certain(True), f"was {change.kind}", "OMNI-4.3", {"spends": False})
    active = setup.player_named(state.active) if state.active is not None else None
    if state.active is not None and change.before.owner != (active.colour if active else state.active):
        return _ruling(change, ("C4.9", f"belongs to {change.before.owner}"), _certain(False), "")
    if state.of(change.piece.id).get("moved"):
        return _ruling(change, ("C4.9", "has moved already"), _certain(False), "")
    short_mm = free_reach(seen, change.before, kind).distance(change.after.point)
    margin = at_most(change.before.point.distance(change.after.point), kind.move * hex_mm(setup), change.after.sigma_mm)
    if short_mm > 0:
        margin = Margin(min(margin.margin_mm, -short_mm), margin.sigma_mm)
    fault = None if margin.verdict != "no" else ("OMNI-4.3", f"ends {short_mm:.0f} mm beyond its reach")
    return _ruling(change, fault, margin, "moves within its reach", "OMNI-4.3")
