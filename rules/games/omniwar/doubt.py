"""Verdicts on hexes: the deciding distance is how far a piece is from counting as in another hex (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rules.games.omniwar.table import HexUnit
from rules.margin import BEYOND_MM, CLOSE_SIGMAS, Margin


def weighed(holds: Callable[..., bool], *units: HexUnit) -> Margin:
    """The margin of a condition on units: close if it would change with one of them in a hex too close to call."""
    nominal = holds(*units)
    sign = 1.0 if nominal else -1.0
    turning = [
        units[place].sure for place, reading in _readings(units) if units[place].others and holds(*reading) != nominal
    ]
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
