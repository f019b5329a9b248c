"""Cards put where their signs say, along a way in which no sides hold them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detect.card.card_hints import Hint
from vision.detect.card.card_hold import held
from vision.detect.card.deck_print import moved, printed_aside
from vision.detect.card.hint_groups import shows_both_ends, start_of
from vision.detect.card.strays import Card
from vision.shape.rectangle import RectangleFit

Array = NDArray[np.float64]

# Indices at both ends tell a middle to 0.4 mm, wherever the deck prints them (345 drawn cards that lie flat: p95 1.1,
# at most 2.0). Where more than so much of a side is missing and the fit lies so far from there, the opposite side is
# none of its own: white cards on white show edges of shadow and of print alone.
_MISSING, _OFF_MM = 0.5, 1.3


def by_signs(cards: list[Card], least: list[float]) -> list[Card]:
    """The cards, where sides do not hold them as their signs say, from where their deck prints indices.

    least  how much of a side must show to hold each
    """
    shift_mm = printed_aside(cards)
    return [
        (group, _by_hints(moved(group, shift_mm), fit, side)) for (group, fit), side in zip(cards, least, strict=True)
    ]


def _by_hints(group: list[Hint], fit: RectangleFit, least: float) -> RectangleFit:
    """The same card, along a way in which neither of its sides shows where its hints say: a fit slides along the one
    side that does show, onto the edge of the card above it. So, too, where that is not its own: none of its edges tells
    then how straight it lies."""
    cos, sin = np.cos(fit.angle_rad), np.sin(fit.angle_rad)
    ways = np.array([(cos, sin), (-sin, cos)])
    slid_mm = ways @ np.subtract(start_of(group, fit.size_mm)[:2], fit.centre_mm)
    is_off = _is_off(group, fit, slid_mm)
    back_mm = np.where(np.array(held(fit, least)) & ~is_off, 0.0, slid_mm)
    x, y = fit.centre_mm + back_mm @ ways
    return replace(fit, centre_mm=(float(x), float(y)), straight_mm=np.inf if is_off.any() else fit.straight_mm)


def _is_off(group: list[Hint], fit: RectangleFit, slid_mm: Array) -> NDArray[np.bool_]:
    """(2,) whether one side along each way shows and the indices at both ends say that it is not the card's."""
    if not shows_both_ends(group):
        return np.zeros(2, bool)
    least = np.array([min(fit.sides[:2]), min(fit.sides[2:])])
    return np.asarray((least < _MISSING) & (np.abs(slid_mm) > _OFF_MM))
