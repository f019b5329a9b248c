"""Where units may end their move, and what stops them (OMNI-2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shapely import Point

from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.doubt import weighed
from rules.games.omniwar.movement import can_leave, ends, open_transports, prices, standstill, stoppers
from rules.games.omniwar.units import Table, Unit
from rules.geometry.hexes import Hex
from rules.margin import Margin

PHASE = "move"


def reaches(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit."""
    if seen.rules_on(PHASE):
        for unit in seen.units:
            yield _reach(seen, unit) if unit.is_known else _unknown(unit)


def _unknown(unit: Unit) -> Ruling:
    if unit.kind is None:
        why = f"{unit.id} is bound to no unit of the roster; bind it to one, or add [rules.roster] to the set-up"
    else:
        why = f"the owner of {unit.id} is unknown; say whose it is"
    extra = {"phase": PHASE, "cells": []}
    return Ruling(
        "reach", unit.id, "close", "C5.2", why, extra=extra, marks=(Mark("doubt", unit.piece.footprint, "?"),)
    )


def _reach(seen: Table, unit: Unit) -> Ruling:
    still = standstill(seen, unit)
    if still is not None:
        extra = {"phase": PHASE, "cells": [], "cell": list(unit.cell)}
        return Ruling("reach", unit.id, "no", still[0], f"{unit.name} {still[1]}", extra=extra)
    if unit.cell not in seen.board:
        extra = {"phase": PHASE, "cells": []}
        return Ruling("reach", unit.id, "no", "OMNI-1.1", f"{unit.name} is off the board", extra=extra)
    return _open_reach(seen, unit)


def _open_reach(seen: Table, unit: Unit) -> Ruling:
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


def _sentence(unit: Unit, cells: list[Hex]) -> str:
    assert unit.kind is not None  # only known units are asked
    others = len(cells) - 1
    return f"{unit.name} with move {unit.kind.move} may go to {others or 'no'} other hex{'' if others == 1 else 'es'}"


def _extra(seen: Table, unit: Unit, come_to: dict[Hex, float], cells: list[Hex]) -> dict[str, Any]:
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
        if unit.is_known and unit.cell in seen.board and standstill(seen, unit) is None:
            for blocker, cell in stoppers(seen, unit, prices(seen, unit)):
                yield _blocked(seen, unit, blocker, cell)


def _blocked(seen: Table, unit: Unit, blocker: str, cell: Hex) -> Ruling:
    point = Point(seen.board.grid.centre(cell))
    known = blocker in seen.by_id and seen.by_id[blocker].is_known
    rule, reason = ("OMNI-2.1", "is an enemy") if known else ("C5.2", "is unknown; say what and whose it is")
    return ruling_from(
        Margin(unit.sure.margin_mm, unit.sure.sigma_mm),
        kind="blocked",
        piece=unit.id,
        other=blocker,
        rule=rule,
        why=f"{unit.name} cannot enter hex {cell}: {blocker} {reason}",
        geometry=point,
        extra={"phase": PHASE, "cell": list(cell)},
        marks=(Mark("blocked", point),),
    )
