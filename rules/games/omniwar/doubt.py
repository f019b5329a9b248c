"""Verdicts on hexes: the deciding distance is how far a piece is from counting as in another hex (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rules.course.judged import Fault
from rules.games.omniwar.table import HexUnit, Stop, Table
from rules.geometry.hexes import Hex
from rules.margin import REFUSED, Margin, read_anew


def weighed(holds: Callable[..., bool], *units: HexUnit) -> Margin:
    """The margin of a condition on units: close if it would change with one of them in a hex too close to call."""
    readings = ((holds(*reading), sure) for reading, sure in _readings(units))
    return read_anew(holds(*units), readings, (unit.sure for unit in units))


def weighed_change(holds: Callable[[Table, Table], bool], seen: Table, then: Table, *units: HexUnit) -> Margin:
    """The margin of a condition on a change: close if another place of one unit, before or after, would turn it.

    units  those that it is about; if nothing turns it, its margin is how surely these lie in their hexes
    """
    readings = ((holds(*tables), sure) for tables, sure in _tables(seen, then))
    return read_anew(holds(seen, then), readings, (unit.sure for unit in units))


def placeless(margin: Margin, fault: Fault, *faults: Fault) -> Margin:
    """The margin, or `REFUSED` if it is a no because of one of `faults`, which no distance decides."""
    return REFUSED if margin.verdict == "no" and fault is not None and fault in faults else margin


def _readings(units: Sequence[HexUnit]) -> Iterator[tuple[tuple[HexUnit, ...], Margin]]:
    """Each variation of the units with one of them in another hex that it may be in, and the margin of its own hex."""
    for place, unit in enumerate(units):
        for cell in unit.others:
            yield (*units[:place], replace(unit, cell=cell), *units[place + 1 :]), unit.sure


def _tables(seen: Table, then: Table) -> Iterator[tuple[tuple[Table, Table], Margin]]:
    """Both tables with one piece in another hex that it may be in; who stood still stands the same in both."""
    stayed = {unit.id for unit in seen.units if _stands_as(unit, then)}
    for unit in seen.units:
        for cell in unit.others if unit.is_known else ():
            other = _with_unit(seen, unit.id, cell)
            yield (other, _with_unit(then, unit.id, cell) if unit.id in stayed else then), unit.sure
    for unit in then.units:
        for cell in unit.others if unit.is_known and unit.id not in stayed else ():
            yield (seen, _with_unit(then, unit.id, cell)), unit.sure
    for stop in seen.stops:
        for cell in stop.others:
            yield (_with_stop(seen, stop, cell), then), stop.sure


def _stands_as(unit: HexUnit, table: Table) -> bool:
    other = table.by_id.get(unit.id)
    return other is not None and other.piece.position_mm == unit.piece.position_mm


def _with_unit(table: Table, unit_id: str, cell: Hex) -> Table:
    return replace(table, units=tuple(replace(u, cell=cell) if u.id == unit_id else u for u in table.units))


def _with_stop(table: Table, stop: Stop, cell: Hex) -> Table:
    """The table on which an unknown piece shuts another hex; ways are judged by the scene before, so there only."""
    others = {held: id_ for held, id_ in table.shut.items() if id_ != stop.id}
    others |= {other.cell: other.id for other in table.stops if other.id != stop.id}
    return replace(table, shut={**others, cell: stop.id})
