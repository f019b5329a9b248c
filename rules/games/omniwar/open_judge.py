"""Judging what happened between two scenes without hexes (C4.8, C4.9, OMNI-4.3)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from rules.course.changes import Change, changes, has_moved
from rules.course.judged import Fault
from rules.decimals import set_apart
from rules.game import Ruling
from rules.games.omniwar.judged import (
    UNKNOWN_FAULT,
    Gone,
    as_if_not_fired,
    as_if_rested,
    carrying,
    either,
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
from rules.games.omniwar.mobility import may_stack, with_room_for
from rules.games.omniwar.open_losses import loss_margin
from rules.games.omniwar.open_reach import farthest_mm
from rules.games.omniwar.open_setting_up import depth_margin, ground_margin, table_margin
from rules.games.omniwar.open_table import OpenTable, open_table
from rules.games.omniwar.open_targets import Reason, attack_reason, decided
from rules.games.omniwar.open_way import Way, coming, leaving
from rules.games.omniwar.setting_up import too_late
from rules.games.omniwar.units import Unit, is_active
from rules.geometry.templates import covers
from rules.margin import CERTAIN, REFUSED, Margin, pair_sigma_mm
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# Bases this little into one another still only touch: rounding of footprints.
_SAME_MM = 0.01


def judge_openly(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, was placed or was removed."""
    seen, then = open_table(before, setup, state), open_table(after, setup, state)
    return tuple(_judged(change, seen, then) for change in changes(before, after))


def _judged(change: Change, seen: OpenTable, then: OpenTable) -> Ruling:
    start, end = seen.by_id.get(change.piece.id), then.by_id.get(change.piece.id)
    if start is None and end is None:
        return judged(change, None, CERTAIN, "stands for no unit and is free to move", extra={"spends": False})
    if not all(unit is None or unit.is_known for unit in (start, end)):
        return judged(change, UNKNOWN_FAULT, REFUSED, "")
    if start is None and end is not None:
        return _decided(change, _placing(end, seen, then), "begins there", "OMNI-5.1")
    if start is not None and end is None:
        return (
            _removed(change, start, seen, then) if change.after is None else judged(change, UNKNOWN_FAULT, REFUSED, "")
        )
    assert start is not None and end is not None
    return _moved(change, start, end, seen, then)


def _decided(change: Change, reasons: list[Reason], why: str, rule: str, extra: dict[str, Any] | None = None) -> Ruling:
    """The ruling by the reason that decides."""
    decides = decided(reasons)
    fault = (decides.rule, decides.why) if decides.margin.verdict != "yes" else None
    return judged(change, fault, decides.margin, why, rule, extra)


def _moved(change: Change, start: Unit, end: Unit, seen: OpenTable, then: OpenTable) -> Ruling:
    fault = owner_fault(start, seen.setup, seen.state)
    if fault is None and _is_carried_along(start, end, then):
        return judged(change, None, CERTAIN, "goes with its transport", "OMNI-2.2", {"spends": False})
    fault = fault or turn_fault(start, seen.state)
    if fault is not None:
        return judged(change, fault, REFUSED, "")
    boards = _boarded(start, end, seen, then)
    extra = {"boards": boards} if boards else {}
    reasons = coming(Way(start, end, seen), _room(end, seen, then, but=boards), _unmoved(seen, then))
    length_mm = math.dist(start.piece.position_mm, end.piece.position_mm)
    move_mm = start.line.move * seen.hex_mm
    along = ", along roads twice as far" if farthest_mm(seen, start, move_mm) > move_mm else ""
    aboard = f" and boards {boards}" if boards else ""
    why = f"moves {set_apart(length_mm, move_mm, 1)} mm{aboard}; it may go {move_mm:g} mm{along}"
    return _decided(change, reasons, why, "OMNI-4.3", extra)


def _room(end: Unit, seen: OpenTable, then: OpenTable, but: str | None) -> list[Reason]:
    """No base overlaps an enemy's or, unless friends may stack, a friend's who was there before it (C4.8)."""
    stacks = may_stack(seen.setup)
    found = []
    for other in (*then.standing, *then.unknown):
        friend = other.is_known and other.owner == end.owner
        if other.id in (end.id, but) or (friend and (stacks or not _came_first(other, end, seen))):
            continue
        gap_mm = other.base.distance(end.piece.point) - end.radius_mm
        sigma_mm = pair_sigma_mm(end.piece.sigma_mm, other.piece.sigma_mm)
        margin = Margin(max(gap_mm, 0.0) if gap_mm > -_SAME_MM else gap_mm, sigma_mm)
        found.append(Reason(margin, "OMNI-2.1" if other.is_known else "C5.2", f"ends on the base of {other.id}"))
    return found


def _came_first(friend: Unit, end: Unit, seen: OpenTable) -> bool:
    """Whether the friend stood there already; of two who came together the one with the lesser id did.

    Who lies on it came with it, be he carried by the rules or not.
    """
    before = seen.by_id.get(friend.id)
    if friend.piece.on == end.id:
        return False
    return friend.id < end.id or (before is not None and before.piece.position_mm == friend.piece.position_mm)


def _unmoved(seen: OpenTable, then: OpenTable) -> set[str]:
    """Who stands in the scene after where it stood before: the room at the end is asked for them once."""
    before = {one.id: one.piece for one in (*seen.units, *seen.strangers)}
    there = (*then.standing, *then.unknown)
    return {one.id for one in there if one.id in before and not has_moved(before[one.id], one.piece)}


def _is_carried_along(start: Unit, end: Unit, then: OpenTable) -> bool:
    carrier = then.by_id.get(start.carrier or "")
    return carrier is not None and covers(carrier.base, end.base)


def _boarded(start: Unit, end: Unit, seen: OpenTable, then: OpenTable) -> str | None:
    """The transport with room on whose base the unit now stands, if any; nobody may have come onto it before it."""
    others = [(before, other) for other in then.standing if other.id < end.id and (before := seen.by_id.get(other.id))]
    before_it = {one for before, other in others for one in _entered(before, other, seen, then)[:1]}
    return next((one for one in _entered(start, end, seen, then) if one not in before_it), None)


def _entered(start: Unit, end: Unit, seen: OpenTable, then: OpenTable) -> list[str]:
    """The transports with room on whose base a unit now stands that has moved."""
    if not start.is_known or not has_moved(start.piece, end.piece):
        return []
    open_ones = {one.id for one in with_room_for(start, seen.standing, seen.units)}
    return [one.id for one in then.standing if one.id in open_ones and covers(one.base, end.base)]


def _placing(unit: Unit, seen: OpenTable, then: OpenTable) -> list[Reason]:
    on_table = Reason(table_margin(then, unit), "C4.7", "is placed off the table")
    reasons = [on_table, *_room(unit, seen, then, but=None)]
    on_ground = ground_margin(then, unit)
    if on_ground is not CERTAIN:
        ground = then.ground_at(unit.piece.point)
        where = "where it may not be" if on_ground.margin_mm < 0 else "at the edge of where it may be"
        reasons.append(Reason(on_ground, "OMNI-2.1", f"is placed on {ground}, {where}"))
    if may_come_any_time(unit):
        return reasons
    late = late_fault(then.state)
    if late is not None:
        reasons.append(Reason(REFUSED, *late))
    depth = depth_margin(then, unit, seen.known)
    far = f"is set up too far from its own side{too_late(unit)}"
    return reasons if depth is None else [*reasons, Reason(depth, "OMNI-5.1", far)]


def _removed(change: Change, unit: Unit, seen: OpenTable, then: OpenTable) -> Ruling:
    """A unit goes when an enemy can have destroyed it, or over the edge of the table, which a person confirms."""
    if unit.wreck is not None:
        return lost_with(change, unit.wreck, seen.state)
    going = carrying(unit, seen.by_id, seen.by_id.keys() - then.by_id.keys())
    (destroyed, attackers), leaves = _destroyed(seen, then)[going.id], _leaving(going, seen)
    attackers = attackers if going is unit else []  # a transport's load goes as it does, and needs no attack
    gone = Gone(either([destroyed, leaves]), destroyed, leaves, attackers, "left the table; please confirm")
    return removed(change, gone, seen.state, partial(_why_there, unit, going, seen))


def _why_there(unit: Unit, going: Unit, seen: OpenTable) -> Fault:
    """Why the unit cannot be gone, if not as `going`, which may carry it."""
    return not_gone(_bar(going, seen), unit, seen.units, seen.setup, seen.state)


def _bar(unit: Unit, seen: OpenTable) -> Fault:
    """What forbids those in reach to destroy the unit, or the unit to leave; None if none could at any time."""
    free = replace(seen, state=freed(seen.state))
    enemies = (enemy for enemy in seen.known if enemy.owner != unit.owner)
    near = [enemy for enemy in enemies if attack_reason(free, as_if_rested(enemy), unit).margin.verdict != "no"]
    leaves = leaving(free, as_if_rested(unit)).verdict != "no"
    return loss_bar(near, seen.setup, seen.state) or (leave_bar(unit, seen.setup, seen.state) if leaves else None)


def _leaving(unit: Unit, seen: OpenTable) -> Margin:
    """The margin of its move reaching over the table's edge."""
    if turn_fault(unit, seen.state) is not None or not is_active(unit, seen.setup, seen.state):
        return REFUSED
    return leaving(seen, unit)


def _destroyed(seen: OpenTable, then: OpenTable) -> dict[str, tuple[Margin, list[str]]]:
    """For each unit gone in one scene, the margin of an enemy having destroyed it, and the ids of such enemies.

    Attacks are shared out first to the units that cannot have left the table.
    """
    bill = Bill(seen.setup, seen.state, seen.units)
    lost = (unit for unit in seen.known if unit.id not in then.by_id)
    found = {}
    for unit in sorted(lost, key=lambda one: _leaving(one, seen).verdict != "no"):
        margins = _attack_margins(unit, seen)
        able = [enemy for enemy, margin in margins.items() if margin.verdict != "no"]
        left = bill.takes(unit.id, able)
        counted = [margin for enemy, margin in margins.items() if not able or enemy.id in left]
        found[unit.id] = either(counted), left
    return found


def _attack_margins(unit: Unit, seen: OpenTable) -> dict[Unit, Margin]:
    """The margin of each attacker being able to destroy the unit, as if it had not attacked yet."""
    others = (one for one in seen.known if one.owner != unit.owner or one.line.has("Area"))
    fresh = (as_if_not_fired(one, unit, seen.setup, seen.state) for one in others)
    return {one: loss_margin(seen, one, unit) for one in fresh if one is not None}
