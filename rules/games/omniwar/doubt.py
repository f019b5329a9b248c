"""Verdicts on hexes: the deciding distance is how far a piece is from counting as in another hex (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from rules.games.omniwar.units import Unit
from rules.margin import CLOSE_SIGMAS, Margin

# A condition that no doubt can change holds by more than its error: a hair beyond the band in which it would be close.
_BEYOND_MM = 1e-6


def weighed(holds: Callable[..., bool], *units: Unit) -> Margin:
    """The margin of a condition on units: close if it would change with a hex that is too close to call."""
    nominal = holds(*units)
    deciding = min((unit.sure for unit in units), key=lambda margin: margin.margin_mm - CLOSE_SIGMAS * margin.sigma_mm)
    sign = 1.0 if nominal else -1.0
    readings = product(*(tuple(_readings(unit)) for unit in units)) if any(unit.others for unit in units) else ()
    if any(holds(*reading) != nominal for reading in readings):
        return Margin(sign * deciding.margin_mm, deciding.sigma_mm)
    least_mm = CLOSE_SIGMAS * deciding.sigma_mm + _BEYOND_MM
    return Margin(sign * max(deciding.margin_mm, least_mm), deciding.sigma_mm)


def _readings(unit: Unit) -> Iterator[Unit]:
    """The unit as it is read, and as it may be as well."""
    yield unit
    for cell in unit.others:
        yield replace(unit, cell=cell)
