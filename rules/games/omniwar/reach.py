"""Where units may end their move, and what stops them (OMNI-2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shapely import Point

from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.doubt import weighed
from rules.games.omniwar.mobility import PHASE, standstill, still, stranger
from rules.games.omniwar.movement import can_leave, ends, open_transports, prices, stoppers
from rules.games.omniwar.table import HexUnit, Table
from rules.geometry.hexes import Hex
from rules.margin import all_of


def reaches(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit."""
    if seen.rules_on(PHASE):
        for unit in seen.units:
            yield _reach(seen, unit) if unit.is_known else stranger(unit)


def _reach(seen: Table, unit: HexUnit) -> Ruling:
    fault = standstill(unit)
    if fault is None and unit.cell not in seen.board:
        fault = "OMNI-1.1", "is off the board"
    return _open_reach(seen, unit) if fault is None else still(unit, fault)


def _open_reach(seen: Table, unit: HexUnit) -> Ruling:
    come_to = prices(seen, unit)
    cells = ends(seen, unit, come_to)
    margin = weighed(lambda u: ends(seen, u, prices(seen, u)) == cells, unit)
    region = seen.board.area(tuple(cells))
    return ruling_from(
        margin,
        kind="reach",
        piece=unit.id,
        rule="OMNI-2.1",
        why=_sentence(unit, cells),
        geometry=region,
        extra=_extra(seen, unit, come_to, cells),
        marks=(Mark("reach", region),),
    )


def _sentence(unit: HexUnit, cells: list[Hex]) -> str:
    others = len(cells) - 1
    return f"{unit.name} with move {unit.line.move} may go to {others or 'no'} other hex{'' if others == 1 else 'es'}"


def _extra(seen: Table, unit: HexUnit, come_to: dict[Hex, float], cells: list[Hex]) -> dict[str, Any]:
    extra: dict[str, Any] = {
        "phase": PHASE,
        "cell": list(unit.cell),
        "cells": [list(cell) for cell in cells],
        "costs": [come_to[cell] for cell in cells],
    }
    transports = open_transports(seen, unit, come_to)
    if transports:
        extra["transports"] = transports
    if can_leave(seen, unit):
        extra["may_leave"] = True
    return extra


def blocked(seen: Table) -> Iterator[Ruling]:
    """One feature for each enemy or unknown piece that a further step of a unit would run into."""
    if not seen.rules_on(PHASE):
        return
    for unit in seen.units:
        if unit.is_known and unit.cell in seen.board and standstill(unit) is None:
            for blocker, cell in stoppers(seen, unit, prices(seen, unit)):
                yield _blocked(seen, unit, blocker, cell)


def _blocked(seen: Table, unit: HexUnit, blocker: str, cell: Hex) -> Ruling:
    point = Point(seen.board.grid.centre(cell))
    known = blocker in seen.by_id and seen.by_id[blocker].is_known
    places = [seen.by_id[blocker].sure] if known else [stop.sure for stop in seen.stops if stop.id == blocker]
    rule, reason = ("OMNI-2.1", "is an enemy") if known else ("C5.2", "is unknown; say what and whose it is")
    margin = all_of([unit.sure, *places])
    cannot = "may be unable to" if margin.verdict == "close" else "cannot"
    return ruling_from(
        margin,
        kind="blocked",
        piece=unit.id,
        other=blocker,
        rule=rule,
        why=f"{unit.name} {cannot} enter hex {cell}: {blocker} {reason}",
        geometry=point,
        extra={"phase": PHASE, "cell": list(cell)},
        marks=(Mark("blocked", point),),
    )
