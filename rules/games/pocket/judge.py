"""Judging what happened between two scenes of Pocket Wargame (C4.8, C4.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from rules.course.changes import Change, ChangeKind, changes
from rules.course.judged import Fault, judged
from rules.game import Ruling
from rules.games.pocket.battlefield import BESIDE
from rules.games.pocket.deployment import deployment_fault
from rules.games.pocket.doubt import certain, weighed, weighed_change
from rules.games.pocket.fallen import FALLEN
from rules.games.pocket.losses import at_worst, destroyed, falls_too, loss_fault
from rules.games.pocket.steps import MOVING_PHASES, step_fault
from rules.games.pocket.table import Table, table, table_on
from rules.games.pocket.units import Unit, is_active, is_stranger
from rules.margin import UNTOLD, Margin, pair_sigma_mm, turned
from rules.scene import UNKNOWN, Piece, Scene
from rules.setup import Setup
from rules.state import State

_FIXED: Fault = ("POCKET-1.1", "is a card of the battlefield, and the battlefield does not change")
# The phase that a change belongs to, where the state names none: all may step when the movement comes.
_PHASE: Mapping[ChangeKind, str] = MappingProxyType({"moved": "movement", "placed": "cavalry", "removed": "melee"})
_LATE: Fault = ("POCKET-5.1", "is new; units are deployed before the first turn only")
# Rules that forbid what no distance decides, but whose the unit is: turn and phase, and who can have destroyed it.
_UNMEASURED = ("C4.9", "POCKET-3.2", "POCKET-4.1")
_UNKNOWN: Fault = ("C5.2", "is of unknown kind or owner; say what and whose it is")


def judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, was placed or was removed."""
    seen = table(before, setup, state)
    then = table(after, setup, state)
    if seen.field.locations:  # a card that is hidden for a moment must not renumber the others
        then = table_on(seen.field, after, setup, state)
    return tuple(_in_phase(_judged(change, seen, then), change, state) for change in changes(before, after))


def _in_phase(ruling: Ruling, change: Change, state: State) -> Ruling:
    """The ruling with the phase that such a change belongs to (C4.9)."""
    return replace(ruling, extra={**ruling.extra, "phase": state.phase or _PHASE[change.kind]})


def _judged(change: Change, seen: Table, then: Table) -> Ruling:
    if change.piece.kind != "coin":
        return _thing(change, seen, then)
    if change.kind == "placed":
        return _placed(change, then)
    return _removed(change, seen, then) if change.kind == "removed" else _moved(change, seen, then)


def _ruling(
    change: Change, fault: Fault, margin: Margin, why: str, rule: str = "POCKET-2.1", **extra: object
) -> Ruling:
    if fault is not None and margin.verdict == "no" and (fault == _LATE or fault[0] in _UNMEASURED):
        margin = certain(False)
    return judged(change, fault, margin, why, rule, extra)


def _unit(piece: Piece, seen: Table) -> Unit | None:
    return next((unit for unit in seen.units if unit.id == piece.id), None)


def _moved(change: Change, seen: Table, then: Table) -> Ruling:
    start, end = _unit(change.piece, seen), _unit(change.piece, then)
    if start is None or end is None:
        return _across_the_edge(change, start, end, seen, then)
    stays = start.cell == end.cell
    fault = _move_fault(seen, start, end)
    margin = weighed_change(lambda s, t: _may_move(change.piece, s, t), seen, then, start, end)
    why = f"stays in {end.location.name}" if stays else f"steps from {start.location.name} to {end.location.name}"
    if fault is None and _needs_asking(start, seen):
        fault, margin = _UNKNOWN, UNTOLD
    if margin.verdict == "yes":
        margin = turned(margin, _perhaps_nobodys(start, seen))
    return _ruling(change, fault, margin, why, spends=not stays, from_cell=list(start.cell), to_cell=list(end.cell))


def _may_move(piece: Piece, seen: Table, then: Table) -> bool:
    start, end = _unit(piece, seen), _unit(piece, then)
    if start is None or end is None:
        return False
    return _may_lie(end, then) if start.cell == BESIDE else _move_fault(seen, start, end) is None


def _needs_asking(unit: Unit, seen: Table) -> bool:
    """Whether the verdict hangs on what nobody knows: the kind of the unit, or whose it is when players take turns."""
    return unit.troop is None or (unit.owner == UNKNOWN and seen.state.active is not None)


def _perhaps_nobodys(unit: Unit, seen: Table) -> list[Margin]:
    """By how much it is somebody's, where that is too close to call and would have to be asked."""
    readings = ((replace(unit, location=place, owner=owner), by) for place, owner, by in unit.others)
    return [by for reading, by in readings if reading.cell != BESIDE and _needs_asking(reading, seen)]


def _move_fault(seen: Table, start: Unit, end: Unit) -> Fault:
    """Why a unit may not go from the one location to the other; the scene before tells who stands where."""
    turn = _turn_fault(seen, start)
    if turn is not None or start.cell == end.cell:
        return turn
    target = seen.field.by_cell.get(end.cell, end.location)
    phases = MOVING_PHASES if seen.state.phase is None else (seen.state.phase,)
    faults = [step_fault(start.troop, start.location, target, phase, seen.shut) for phase in phases]
    if None in faults or faults[-1] is None:
        return None
    rule, why = faults[-1]
    return rule, f"cannot step there: {why}"


def _turn_fault(seen: Table, unit: Unit) -> Fault:
    if unit.owner != UNKNOWN and not is_active(unit, seen.setup, seen.state):
        return "C4.9", f"belongs to {unit.owner}; it is {seen.state.active}'s turn"
    if seen.state.of(unit.id).get("moved"):
        return "C4.9", "has moved already"
    return None


def _across_the_edge(change: Change, start: Unit | None, end: Unit | None, seen: Table, then: Table) -> Ruling:
    """A coin that came onto the cards from beside them is placed, one that went beside them is removed."""
    if start is not None:
        return _lost(change, start, seen, then)
    if end is not None:
        return _deployed(change, end, then)
    return _ruling(change, None, certain(True), "is a spare coin beside the cards", spends=False)


def _placed(change: Change, then: Table) -> Ruling:
    unit = _unit(change.piece, then)
    if unit is None:
        return _ruling(change, None, certain(True), "is a spare coin beside the cards")
    return _deployed(change, unit, then)


def _deployed(change: Change, unit: Unit, then: Table) -> Ruling:
    fault = _placing_fault(unit, then)
    margin = weighed(lambda u: _may_lie(u, then), unit)
    if fault is not None and fault[0] == "C5.2":
        margin = UNTOLD
    return _ruling(change, fault, margin, f"is deployed in {unit.location.name}", "POCKET-5.1")


def _may_lie(unit: Unit, then: Table) -> bool:
    """Whether a coin that was no unit before may lie there: in the deployment area, or spare beside the cards."""
    return unit.cell == BESIDE or _placing_fault(unit, then) is None


def _placing_fault(unit: Unit, then: Table) -> Fault:
    if then.state.turn > 1:
        return _LATE
    if unit.troop is None or not unit.is_known:
        return _UNKNOWN
    fault = deployment_fault(then.field, unit.troop, unit.owner, unit.location, then.setup)
    return ("POCKET-5.1", f"cannot begin there: {fault}") if fault else None


def _removed(change: Change, seen: Table, then: Table) -> Ruling:
    unit = _unit(change.piece, seen)
    if unit is None:
        return _ruling(change, None, certain(True), "was a spare coin beside the cards")
    return _lost(change, unit, seen, then)


def _lost(change: Change, unit: Unit, seen: Table, then: Table) -> Ruling:
    """A unit goes when damage can have destroyed it, together with the others that are gone."""
    gone = {one.id for one in seen.units} - {one.id for one in then.units}
    margin = weighed_change(lambda s, _: unit.id in destroyed(gone, s) or _is_spare(unit, s), seen, seen, unit)
    if margin.verdict == "yes" and unit.is_beside:  # nobody's toss is spent on it
        return _ruling(change, None, margin, "was a spare coin beside the cards", spends=False)
    went = "was removed" if change.kind == "removed" else "lies on no face-up card now"
    fault = ("POCKET-3.2", loss_fault(unit, seen, went)) if margin.verdict == "no" else None
    why = f"{'may have been' if margin.verdict == 'close' else 'was'} destroyed in {unit.location.name}"
    first = falls_too(unit, gone, seen) if margin.verdict == "yes" else None
    paid = destroyed(gone, seen).get(unit.id) or destroyed(gone, at_worst(seen)).get(unit.id)
    if fault is not None and paid is not None:  # whether it wavered a person must say
        fault, margin, why = None, UNTOLD, f"may have been destroyed in {unit.location.name}; {_unread(unit)}"
    elif fault is not None and not unit.is_known:
        fault, margin = _UNKNOWN, UNTOLD
    elif first is not None:
        margin, why = (
            UNTOLD,
            f"{why}, if {first.name} is, too: it wavers, and nobody is damaged a second time before it",
        )
    kept = {FALLEN: paid} if paid is not None and seen.state.phase is not None else {}
    return _ruling(change, fault, margin, why, "POCKET-3.2", spends=False, **kept)


def _is_spare(unit: Unit, seen: Table) -> bool:
    """Whether the unit lies beside the cards on that table: from there it may go at any time."""
    return any(one.id == unit.id and one.cell == BESIDE for one in seen.units)


def _unread(unit: Unit) -> str:
    """What a person must say, as the coins' faces decide it."""
    if unit.piece.face == UNKNOWN:
        return "whether it wavered, nobody saw"
    return "only a face that was read wrong in this phase speaks against it"


def _thing(change: Change, seen: Table, then: Table) -> Ruling:
    """Cards are the ground and stay where they are; other things may lie anywhere, if they are known."""
    if is_stranger(change.piece):
        return _ruling(change, _UNKNOWN, UNTOLD, "", spends=False)
    if change.piece.kind != "card" or change.piece.cls == "BACK":
        return _ruling(change, None, certain(True), "is no unit and no ground", "C4.8", spends=False)
    if change.before is not None and change.after is not None:
        return _shifted_card(change, seen)
    if change.kind == "placed" and not seen.field.locations:
        return _ruling(change, None, certain(True), "is dealt", "POCKET-1.1")
    return _ruling(change, _FIXED, certain(False), "")


def _shifted_card(change: Change, seen: Table) -> Ruling:
    """A card may be nudged; it has left its location when it lies nearer to the next one."""
    assert change.before is not None  # a card that was moved has both places
    assert change.after is not None
    x_mm, y_mm = (b - a for a, b in zip(change.before.position_mm, change.after.position_mm, strict=True))
    room_mm = min(seen.field.breadth_mm / 2 - abs(x_mm), seen.field.length_mm / 2 - abs(y_mm))
    margin = Margin(room_mm, pair_sigma_mm(change.before.sigma_mm, change.after.sigma_mm))
    return _ruling(change, _FIXED if margin.verdict == "no" else None, margin, "was nudged", "POCKET-1.1", spends=False)
