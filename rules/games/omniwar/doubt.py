"""Verdicts on hexes: the deciding distance is how far a piece is from counting as in another hex (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rules.games.omniwar.table import HexUnit, Table
from rules.geometry.hexes import Hex
from rules.margin import BEYOND_MM, CLOSE_SIGMAS, Margin


def weighed(holds: Callable[..., bool], *units: HexUnit) -> Margin:
    """The margin of a condition on units: close if it would change with one of them in a hex too close to call."""
    nominal = holds(*units)
    turning = [
        units[place].sure for place, reading in _readings(units) if units[place].others and holds(*reading) != nominal
    ]
    return _decided(nominal, turning, units)


def weighed_change(holds: Callable[[Table, Table], bool], seen: Table, then: Table, *units: HexUnit) -> Margin:
    """The margin of a condition on a change: close if one unit of the table, before or after, may turn it.

    units  those that it is about, whose places it hangs on if nothing turns it
    """
    nominal = holds(seen, then)
    turning = [margin for tables, margin in _tables(seen, then) if holds(*tables) != nominal]
    return _decided(nominal, turning, units)


def _decided(holds: bool, turning: Sequence[Margin], units: Sequence[HexUnit]) -> Margin:
    sign = 1.0 if holds else -1.0
    if turning:
        deciding = min(turning, key=lambda margin: margin.margin_mm)
        return Margin(sign * deciding.margin_mm, deciding.sigma_mm)
    least = min((unit.sure for unit in units), key=lambda margin: margin.margin_mm - CLOSE_SIGMAS * margin.sigma_mm)
    return Margin(sign * max(least.margin_mm, CLOSE_SIGMAS * least.sigma_mm + BEYOND_MM), least.sigma_mm)


def _readings(units: Sequence[HexUnit]) -> Iterator[tuple[int, tuple[HexUnit, ...]]]:
    """The units as they may be read as well, one of them in another hex each time, with its place among them."""
    for place, unit in enumerate(units):
        for cell in unit.others:
            yield place, (*units[:place], replace(unit, cell=cell), *units[place + 1 :])


def _tables(seen: Table, then: Table) -> Iterator[tuple[tuple[Table, Table], Margin]]:
    """Both tables with one known unit in another hex that it may be in; who stood still stands the same in both."""
    stayed = {unit.id for unit in seen.units if _stands_as(unit, then)}
    for unit in seen.units:
        for cell in unit.others if unit.is_known else ():
            other = _with_unit(seen, unit.id, cell)
            yield (other, _with_unit(then, unit.id, cell) if unit.id in stayed else then), unit.sure
    for unit in then.units:
        for cell in unit.others if unit.is_known and unit.id not in stayed else ():
            yield (seen, _with_unit(then, unit.id, cell)), unit.sure


def _stands_as(unit: HexUnit, table: Table) -> bool:
    other = table.by_id.get(unit.id)
    return other is not None and other.piece.position_mm == unit.piece.position_mm


def _with_unit(table: Table, unit_id: str, cell: Hex) -> Table:
    return replace(table, units=tuple(replace(u, cell=cell) if u.id == unit_id else u for u in table.units))
