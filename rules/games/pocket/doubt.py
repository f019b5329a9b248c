"""Verdicts on a grid: the deciding distance is how far a piece is from counting as somewhere else (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rules.games.pocket.battlefield import Location
from rules.games.pocket.table import Table
from rules.games.pocket.units import Unit
from rules.margin import Margin, read_anew


def certain(holds: bool) -> Margin:
    """A verdict that hangs on no distance."""
    return Margin(1.0 if holds else -1.0)


def weighed(holds: Callable[..., bool], *units: Unit, beside: Sequence[Unit] = ()) -> Margin:
    """The margin of a condition on units: close if it would change with one location or owner too close to call.

    beside  other units that `holds` is given too; how sure their places are counts only where they turn the condition
    """
    asked = (*units, *beside)
    readings = ((holds(*reading), margin) for reading, margin in _readings(asked))
    return read_anew(holds(*asked), readings, (unit.sure for unit in units))


def weighed_change(holds: Callable[[Table, Table], bool], seen: Table, then: Table, *units: Unit) -> Margin:
    """The margin of a condition on a change: close if another reading of one unit, before or after, would turn it.

    units  those that it is about; if nothing turns it, its margin is how sure their places and owners are
    """
    readings = ((holds(*tables), margin) for tables, margin in _tables(seen, then))
    return read_anew(holds(seen, then), readings, (unit.sure for unit in units))


def _readings(units: Sequence[Unit]) -> Iterator[tuple[tuple[Unit, ...], Margin]]:
    """Each variation of the units with another place or owner that one of them may have, and the margin of that."""
    for place, unit in enumerate(units):
        for location, owner, margin in unit.others:
            other = replace(unit, location=location, owner=owner)
            yield (*units[:place], other, *units[place + 1 :]), margin


def _tables(seen: Table, then: Table) -> Iterator[tuple[tuple[Table, Table], Margin]]:
    """Both tables with one unit as it may be as well; who lay still lies the same in both."""
    for unit in seen.standing:
        stayed = _lies_as(unit, then)
        for location, owner, margin in unit.others:
            other = _with_unit(seen, unit.id, location, owner)
            yield (other, _with_unit(then, unit.id, location, owner) if stayed else then), margin
    for unit in then.standing:
        for location, owner, margin in () if _lies_as(unit, seen) else unit.others:
            yield (seen, _with_unit(then, unit.id, location, owner)), margin


def _lies_as(unit: Unit, table: Table) -> bool:
    return any(other.id == unit.id and other.piece.position_mm == unit.piece.position_mm for other in table.standing)


def _with_unit(table: Table, unit_id: str, location: Location, owner: str) -> Table:
    def varied(units: Sequence[Unit]) -> tuple[Unit, ...]:
        return tuple(replace(one, location=location, owner=owner) if one.id == unit_id else one for one in units)

    return replace(table, units=varied(table.units), strangers=varied(table.strangers))
