"""Where units may step, and what stops them (POCKET-2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import shapely
from shapely import LineString

from rules.game import Mark, Ruling, ruling_from
from rules.games.pocket.battlefield import Location
from rules.games.pocket.doubt import certain, weighed
from rules.games.pocket.steps import MOVING_PHASES, legal_ends, step_fault
from rules.games.pocket.table import Table
from rules.games.pocket.units import Unit, unknown_in
from rules.geometry.squares import Cell
from rules.margin import UNTOLD, Margin
from rules.scene import UNKNOWN
from rules.state import State


def reaches(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit and moving phase."""
    for unit in seen.units:
        for phase in seen.phases(*_phases_of(unit, seen.state)):
            yield _reach(seen, unit, phase)


def _phases_of(unit: Unit, state: State) -> tuple[str, ...]:
    """The phases to rule on: with none told, cavalry has two; any other phase moves nobody, and says so."""
    if state.phase is not None:
        return (state.phase,)
    return MOVING_PHASES if unit.troop is not None and unit.troop.mounted else ("movement",)


def _reach(seen: Table, unit: Unit, phase: str) -> Ruling:
    if unit.troop is None:
        why = f"{unit.id} is of unknown kind; say what it is"
        mark = Mark("doubt", unit.piece.footprint, "?")
        extra = _extra(unit, phase, ())
        return ruling_from(UNTOLD, kind="reach", piece=unit.id, rule="C5.2", why=why, extra=extra, marks=(mark,))
    if seen.state.of(unit.id).get("moved"):
        why = f"{unit.name} has moved already"
        extra = _extra(unit, phase, ())
        return ruling_from(certain(False), kind="reach", piece=unit.id, rule="C4.9", why=why, extra=extra)
    return _steps(seen, unit, phase)


def _extra(unit: Unit, phase: str, ends: Sequence[Location]) -> dict[str, Any]:
    return {"phase": phase, "cells": [list(end.cell) for end in ends], "cell": list(unit.cell)}


def _steps(seen: Table, unit: Unit, phase: str) -> Ruling:
    """Where a known unit that has not moved may step."""
    ends = legal_ends(seen.field, unit, phase, seen.shut)
    region = shapely.union_all([seen.field.outline(end) for end in ends]) if ends else None
    places = ", ".join(end.name for end in ends)
    return ruling_from(
        _sureness(seen, unit, phase, ends),
        kind="reach",
        piece=unit.id,
        rule="POCKET-2.1",
        why=f"{unit.name} may step to {places}" if ends else f"{unit.name} has no legal step in the {phase} phase",
        geometry=region,
        extra=_extra(unit, phase, ends),
        marks=(Mark("reach", region),) if region is not None else (),
    )


def _sureness(seen: Table, unit: Unit, phase: str, ends: Sequence[Location]) -> Margin:
    """The margin of those steps, or of there being none."""
    if ends and unit.owner == UNKNOWN:  # its steps are those of anybody, but whose they are a person must say (C5.2)
        return UNTOLD
    others = _in_doubt_beside(seen, unit)
    firm = [one for one in seen.standing if one not in others]

    def holds(here: Unit, *beside: Unit) -> bool:
        """Whether these would be its steps, too, and somebody's; where there are none nobody need be asked."""
        is_told = here.owner != UNKNOWN or not ends
        return is_told and legal_ends(seen.field, here, phase, unknown_in([*firm, *beside])) == ends

    margin = weighed(holds, unit, beside=others)
    return margin if ends else Margin(-margin.margin_mm, margin.sigma_mm)


def _in_doubt_beside(seen: Table, unit: Unit) -> list[Unit]:
    """The other units that may shut a location next to this one: their place or owner is too close to call."""
    beside = {end.cell for end in seen.field.neighbours(unit.cell)}
    return [one for one in seen.standing if one is not unit and one.others and one.may_be_in & beside]


def blocked(seen: Table) -> Iterator[Ruling]:
    """One feature for each location next to a unit that ground or an unknown piece shuts for its step."""
    if not seen.phases(*MOVING_PHASES):
        return
    for unit in seen.units:
        for end in seen.field.neighbours(unit.cell) if unit.is_known else ():
            fault = step_fault(unit.troop, unit.location, end, "movement", seen.shut)
            if fault is not None:
                yield _blocked_at(seen, unit, end, fault)


def _is_shut(unit: Unit, end: Location, shut: Mapping[Cell, Unit]) -> bool:
    return step_fault(unit.troop, unit.location, end, "movement", shut) is not None


def _blocked_at(seen: Table, unit: Unit, end: Location, fault: tuple[str, str]) -> Ruling:
    rule, reason = fault
    guilty = seen.shut[end.cell].id if end.cell in seen.shut else end.card.id
    side = LineString([unit.location.card.position_mm, end.card.position_mm]).interpolate(0.5, normalized=True)
    others = [one for one in seen.standing if one.cell == end.cell and not one.is_known]
    margin = weighed(lambda u, *them: _is_shut(u, end, unknown_in(them)), unit, *others)
    return ruling_from(
        margin,
        kind="blocked",
        piece=unit.id,
        other=guilty,
        rule=rule,
        why=f"{unit.name}: {reason}",
        geometry=side,
        extra={"cell": list(end.cell), "phase": seen.state.phase or "movement"},
        marks=(Mark("blocked", side),),
    )
