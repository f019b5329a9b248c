"""Verdicts on a grid: the deciding distance is how far a piece is from counting as somewhere else (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rules.games.pocket.units import Unit
from rules.margin import BEYOND_MM, CLOSE_SIGMAS, Margin

# What nobody knows is neither yes nor no until a person says; the verdict's own error tells so.
UNTOLD = Margin(0.0, 1.0)


def certain(holds: bool) -> Margin:
    """A verdict that hangs on no distance."""
    return Margin(1.0 if holds else -1.0)


def weighed(holds: Callable[..., bool], *units: Unit) -> Margin:
    """The margin of a condition on units: close if it would change with one location or owner too close to call."""
    nominal = holds(*units)
    sign = 1.0 if nominal else -1.0
    turning = [margin for reading, margin in _readings(units) if holds(*reading) != nominal]
    if turning:
        deciding = min(turning, key=lambda margin: margin.margin_mm)
        return Margin(sign * max(deciding.margin_mm, 0.0), deciding.sigma_mm)
    least = min((unit.sure for unit in units), key=lambda margin: margin.margin_mm - CLOSE_SIGMAS * margin.sigma_mm)
    return Margin(sign * max(least.margin_mm, CLOSE_SIGMAS * least.sigma_mm + BEYOND_MM), least.sigma_mm)


def _readings(units: Sequence[Unit]) -> Iterator[tuple[tuple[Unit, ...], Margin]]:
    """The units with one of them as it may be as well, and how far it is from that."""
    for place, unit in enumerate(units):
        for location, owner, margin in unit.others:
            other = replace(unit, location=location, owner=owner)
            yield (*units[:place], other, *units[place + 1 :]), margin
