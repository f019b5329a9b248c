"""What units see on hexes, and whom they may attack with which chance (OMNI-3.1 to 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shapely import LineString

from rules.course.judged import Fault
from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.attack import (
    PHASE,
    attack_facts,
    attacker_fault,
    defense_fault,
    defense_of,
    hit_label,
    is_asked,
    target_fault,
    told,
)
from rules.games.omniwar.board import DENSE, WATER
from rules.games.omniwar.doubt import placeless, weighed
from rules.games.omniwar.table import HexUnit, Table
from rules.games.omniwar.units import is_active
from rules.geometry.hexes import Stretch, distance
from rules.margin import UNTOLD
from rules.unnamed import untold


def attack_fault(seen: Table, attacker: HexUnit, target: HexUnit) -> Fault:
    """Why the attack is not possible: the rule and the reason; None if it is."""
    off = next((unit for unit in (attacker, target) if unit.cell not in seen.board), None)
    if off is not None:
        return "OMNI-1.1", f"{off.name} is off the board"
    return (
        attacker_fault(attacker, seen.setup, seen.state)
        or target_fault(target)
        or _range_fault(seen, attacker, target)
        or defense_fault(attacker, _defense(seen, target))
    )


def _range_fault(seen: Table, attacker: HexUnit, target: HexUnit) -> Fault:
    steps = distance(attacker.cell, target.cell)
    if steps > attacker.line.range:
        return "OMNI-3.1", f"{steps} hexes away, range {attacker.line.range}"
    hidden_by = _hidden_by(seen, attacker, target)
    if hidden_by is not None:
        return "OMNI-3.1", f"no sight through dense {' and '.join(map(str, hidden_by))}"
    return None


def _hidden_by(seen: Table, attacker: HexUnit, target: HexUnit) -> Stretch | None:
    """The hex, or the two along whose side the line runs, that hides the target; None if it is seen or need not be."""
    return None if attacker.line.has("Indirect") else seen.board.hidden_by(attacker.cell, target.cell)


def _defense(seen: Table, target: HexUnit) -> int:
    return defense_of(target, in_water=seen.board.ground.get(target.cell) == WATER)


def sights(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit that can attack at a distance: the hexes that it sees, whatever the range."""
    if not seen.rules_on(PHASE):
        return
    for unit in seen.units:
        if unit.is_known and unit.line.range and unit.cell in seen.board:
            if unit not in unit.answers:
                unit.answers[unit] = (None, True), _sight(seen, unit)
            yield unit.answers[unit][1]


def _sight(seen: Table, unit: HexUnit) -> Ruling:
    indirect = unit.line.has("Indirect")
    cells = sorted(seen.board.ground) if indirect else list(seen.board.view(unit.cell))
    region = seen.board.area(tuple(cells))
    word = "needs no sight" if indirect else f"sees {len(cells)} hexes"
    return ruling_from(
        weighed(lambda u: indirect or u.cell == unit.cell, unit),
        kind="sight",
        piece=unit.id,
        rule="OMNI-3.1",
        why=f"{unit.name} {word}",
        geometry=region,
        extra={"phase": PHASE, "cell": list(unit.cell), "cells": [list(cell) for cell in cells]},
        marks=(Mark("sight", region),),
    )


def targets(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit and each of its enemies on the board, or so near it that it may be."""
    known = [unit for unit in seen.units if unit.is_known and any(cell in seen.board for cell in unit.may_be_in)]
    for attacker in known:
        if not is_asked(attacker, seen.setup, seen.state):
            continue
        for target in known:
            if target.owner != attacker.owner:
                yield _kept_target(seen, attacker, target)


def _kept_target(seen: Table, attacker: HexUnit, target: HexUnit) -> Ruling:
    """The feature of the pair; it hangs on the two and the turn only, so that others' moves leave it as it was."""
    if attacker.line.has("Area"):
        return _target(seen, attacker, target)
    turn = (seen.state.phase, is_active(attacker, seen.setup, seen.state))
    kept = attacker.answers.get(target)
    if kept is None or kept[0] != turn:
        kept = turn, _target(seen, attacker, target)
        attacker.answers[target] = kept
    return kept[1]


def _target(seen: Table, attacker: HexUnit, target: HexUnit) -> Ruling:
    fault = attack_fault(seen, attacker, target)
    margin = weighed(lambda a, t: attack_fault(seen, a, t) is None, attacker, target)
    margin = placeless(margin, fault, attacker_fault(attacker, seen.setup, seen.state), target_fault(target))
    unnamed = () if attacker.line.has("Indirect") else seen.board.perhaps_hidden_by(attacker.cell, target.cell)
    if fault is None and unnamed:
        fault, margin = ("C5.2", untold(*unnamed)), UNTOLD
    extra = _extra(seen, attacker, target)
    rule, reason = fault or ("OMNI-3.2", told(extra, f"{extra['distance']} of {extra['range']} hexes"))
    marks = (Mark("target", target.piece.footprint, hit_label(extra)),) if margin.verdict != "no" else ()
    return ruling_from(
        margin,
        kind="target",
        piece=attacker.id,
        other=target.id,
        rule=rule,
        why=f"{attacker.name} at {target.name}: {reason}",
        geometry=LineString([seen.board.grid.centre(attacker.cell), seen.board.grid.centre(target.cell)]),
        extra=extra,
        marks=marks,
    )


def _extra(seen: Table, attacker: HexUnit, target: HexUnit) -> dict[str, Any]:
    dense = seen.board.ground.get(target.cell) == DENSE
    extra = {
        **attack_facts(attacker, _defense(seen, target), seen.setup, seen.state, dense=dense),
        "distance": distance(attacker.cell, target.cell),
        "range": attacker.line.range,
    }
    if attacker.line.has("Area"):  # all whom the attack hits, own units too, each with its own roll (OMNI-3.3)
        extra["hits"] = sorted(unit.id for unit in seen.in_cell.get(target.cell, ()))
    stretch = _hidden_by(seen, attacker, target)
    return extra if stretch is None else {**extra, "hidden_by": [list(cell) for cell in stretch]}
