"""How far from where indices usually are a deck prints its own, by its cards that show all their sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detect.card.card_hints import Hint
from vision.detect.card.strays import PLAINLY, Card

Array = NDArray[np.float64]

# So many indices tell it; those that lie farther off are another card's.
_FEWEST, _OFF_MM = 4, 10.0


def printed_aside(cards: Sequence[Card]) -> Array:
    """(2,) mm, along the card as an index is read and across it, that middles guessed from indices lie aside; nothing
    where too few cards tell it."""
    aside_mm = [
        _turn(hint.angle_rad).T @ np.subtract(hint.centre_mm, fit.centre_mm)
        for group, fit in cards
        if fit.support >= PLAINLY
        for hint in group
        if hint.is_index
    ]
    near_mm = [each for each in aside_mm if np.hypot(*each) < _OFF_MM]
    return np.median(near_mm, axis=0) if len(near_mm) >= _FEWEST else np.zeros(2)


def moved(group: Sequence[Hint], shift_mm: Array) -> list[Hint]:
    """The hints of a card, the middle guessed from each index so far back."""
    return [replace(hint, centre_mm=_back(hint, shift_mm)) if hint.is_index else hint for hint in group]


def _back(hint: Hint, shift_mm: Array) -> tuple[float, float]:
    x, y = hint.centre_mm - _turn(hint.angle_rad) @ shift_mm
    return float(x), float(y)


def _turn(angle_rad: float) -> Array:
    """(2, 2) from along and across a direction to the table."""
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([[cos, -sin], [sin, cos]])
