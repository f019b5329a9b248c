"""Lengths against the limits of OMOG's notes, and how they are told."""

from __future__ import annotations

from rules.decimals import set_apart
from rules.games.omog.tables import INCH_MM
from rules.margin import Margin, at_most

# Lengths this near to a limit are equal to it: rounding of coordinates, far below any measurement.
SAME_MM = 1e-6


def within(distance_mm: float, limit_mm: float, sigma_mm: float = 0.0) -> Margin:
    """The margin of `distance_mm <= limit_mm`; equal on paper is within."""
    equal = abs(distance_mm - limit_mm) < SAME_MM
    return at_most(limit_mm if equal else distance_mm, limit_mm, sigma_mm)


def inches(mm: float, limit_in: float | None = None) -> str:
    """A length for a sentence, in inches; with enough decimals to tell it from its limit, if there is one."""
    return f"{mm / INCH_MM:.2f} in" if limit_in is None else f"{set_apart(mm / INCH_MM, limit_in, 2)} in"
