"""Verdicts on a grid: the deciding distance is how far a piece is from counting as somewhere else (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from rules.games.pocket.units import Unit
from rules.margin import CLOSE_SIGMAS, Margin

# What nobody knows is neither yes nor no until a person says; the verdict's own error tells so.
UNTOLD = Margin(0.0, 1.0)


def certain(holds: bool) -> Margin:
    """A verdict that hangs on no distance."""
    return Margin(1.0 if holds else -1.0)


def weighed(holds: Callable[..., bool], *units: Unit) -> Margin:
    """The margin of a condition on units: close if a location or owner that is too close to call would change it."""
    nominal = holds(*units)
    readings = product(*(tuple(_readings(unit)) for unit in units)) if any(unit.others for unit in units) else ()
    deciding = min((unit.sure for unit in units), key=lambda margin: margin.margin_mm - CLOSE_SIGMAS * margin.sigma_mm)
    sign = 1.0 if nominal else -1.0
    if any(holds(*reading) != nominal for reading in readings):
        return Margin(sign * max(deciding.margin_mm, 0.0), deciding.sigma_mm)
    least_mm = CLOSE_SIGMAS * deciding.sigma_mm
    return Margin(sign * max(deciding.margin_mm, least_mm + _BEYOND_MM), deciding.sigma_mm)


# A condition that no doubt can change holds by more than its error: a little beyond the band in which it would be
# close, so that the decimals of a ruling file cannot put it back there.
_BEYOND_MM = 1e-3


def _readings(unit: Unit) -> Iterator[Unit]:
    """The unit as it is read, and as it may be as well."""
    yield unit
    for location, owner in unit.others:
        yield replace(unit, location=location, owner=owner)
