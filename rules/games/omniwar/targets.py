"""What units see, and whom they may attack with which chance (OMNI-3.1 to 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shapely import LineString

from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.attack import (
    attack_fault,
    defense_of,
    destroy_chance,
    is_in_dense,
    number_needed,
    sight_blocked,
)
from rules.games.omniwar.doubt import weighed
from rules.games.omniwar.units import Table, Unit, is_active
from rules.geometry.hexes import distance

PHASE = "attack"


def sights(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit that can attack at a distance: the hexes that it sees, whatever the range."""
    if not seen.rules_on(PHASE):
        return
    for unit in seen.units:
        if unit.is_known and unit.kind is not None and unit.kind.range and unit.cell in seen.board:
            if unit not in unit.answers:
                unit.answers[unit] = (None, True), _sight(seen, unit)
            yield unit.answers[unit][1]


def _sight(seen: Table, unit: Unit) -> Ruling:
    indirect = unit.kind is not None and unit.kind.has("Indirect")
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
    """One feature for each unit and each of its enemies on the board."""
    known = [unit for unit in seen.units if unit.is_known and unit.cell in seen.board]
    for attacker in known:
        if not _is_asked(seen, attacker):
            continue
        for target in known:
            if target.owner != attacker.owner:
                yield _kept_target(seen, attacker, target)


def _is_asked(seen: Table, attacker: Unit) -> bool:
    """Attacks belong to the attack phase; a waiting unit of the other side may fire in any (OMNI-3.3)."""
    return seen.rules_on(PHASE) or not is_active(attacker, seen.setup, seen.state)


def _kept_target(seen: Table, attacker: Unit, target: Unit) -> Ruling:
    """The feature of the pair; it hangs on the two and the turn only, so that others' moves leave it as it was."""
    if attacker.kind is not None and attacker.kind.has("Area"):
        return _target(seen, attacker, target)
    turn = (seen.state.phase, is_active(attacker, seen.setup, seen.state))
    kept = attacker.answers.get(target)
    if kept is None or kept[0] != turn:
        kept = turn, _target(seen, attacker, target)
        attacker.answers[target] = kept
    return kept[1]


def _target(seen: Table, attacker: Unit, target: Unit) -> Ruling:
    fault = attack_fault(seen, attacker, target)
    margin = weighed(lambda a, t: attack_fault(seen, a, t) is None, attacker, target)
    extra = _extra(seen, attacker, target)
    rule, reason = fault or ("OMNI-3.2", _sentence(seen, extra))
    marks = (Mark("target", target.piece.footprint, extra["odds"]["win"]),) if margin.verdict != "no" else ()
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


def _extra(seen: Table, attacker: Unit, target: Unit) -> dict[str, Any]:
    assert attacker.kind is not None  # only known units are asked
    needs = number_needed(attacker.kind.offense, defense_of(target, seen.board))
    win = destroy_chance(needs, is_in_dense(target, seen.board))
    extra: dict[str, Any] = {
        "phase": PHASE if seen.state.phase is None else seen.state.phase,
        "distance": distance(attacker.cell, target.cell),
        "range": attacker.kind.range,
        "needs": needs,
        "odds": {"win": str(win), "tie": str(1 - win), "lose": "0"},
        "dense": is_in_dense(target, seen.board),
        "attacks": max(0, attacker.kind.attacks - attacker.times_fired),
    }
    if not is_active(attacker, seen.setup, seen.state):
        extra["waiting"] = True
    return {**extra, **_area(seen, attacker, target), **_hidden_by(seen, attacker, target)}


def _area(seen: Table, attacker: Unit, target: Unit) -> dict[str, Any]:
    """All whom an area attack on the target's hex hits, own units too, each with its own roll (OMNI-3.3)."""
    if attacker.kind is None or not attacker.kind.has("Area"):
        return {}
    return {"hits": sorted(unit.id for unit in seen.in_cell.get(target.cell, ()))}


def _hidden_by(seen: Table, attacker: Unit, target: Unit) -> dict[str, Any]:
    stretch = sight_blocked(attacker, target, seen.board)
    return {} if stretch is None else {"hidden_by": [list(cell) for cell in stretch]}


def _sentence(seen: Table, extra: dict[str, Any]) -> str:
    cover = ", never on 4 to 6 into dense ground" if extra["dense"] else ""
    return f"{extra['needs']} or less destroys{cover}; {extra['distance']} of {extra['range']} hexes"
