"""The hints of one card together: what they say of where it lies, which way up, and whether it is worth measuring."""

from __future__ import annotations

import numpy as np

from models.pieces import INDEX_FROM_CORNER_MM
from vision.detect.card.card_hints import Hint

# Two proposals are one card when their middles and directions are this near.
_SAME_MM, _SAME_RAD = 14.0, 0.35
# A card by one sign alone must have at least this heat; one of which no index shows straight sides as well.
SURE_HEAT = 0.5
# Where a deck lies a back has this heat at least, and is as likely as that.
FAINT_HEAT, _LIKELY_BACK = 0.3, float(np.log(0.9))
# So many cards that are read are a deck.
A_DECK = 4


def grouped(hints: list[Hint]) -> list[list[Hint]]:
    """Hints of one card together, the surest hint first; an index never joins one that says another card."""
    groups: list[list[Hint]] = []
    for hint in sorted(hints, key=lambda h: (not h.is_index, -h.heat)):
        home = next((group for group in groups if _joins(hint, group)), None)
        if home is None:
            groups.append([hint])
        else:
            home.append(hint)
    return groups


def _joins(hint: Hint, group: list[Hint]) -> bool:
    first = group[0]
    turn = abs((hint.angle_rad - first.angle_rad + np.pi / 2) % np.pi - np.pi / 2)
    near = np.hypot(hint.centre_mm[0] - first.centre_mm[0], hint.centre_mm[1] - first.centre_mm[1]) < _SAME_MM
    if not near or turn > _SAME_RAD:
        return False
    return not (hint.is_index and first.is_index) or hint.cls == first.cls


def start_of(group: list[Hint], size_mm: tuple[float, float]) -> tuple[float, float, float]:
    """Middle and direction that a card's hints tell: from one index to the other, if both ends show."""
    first = group[0]
    other = next((hint for hint in group[1:] if hint.is_index and _looks_back(hint, first)), None)
    if other is None:
        x, y = np.mean([hint.centre_mm for hint in group], axis=0)
        return float(x), float(y), first.angle_rad
    (ax, ay), (bx, by) = first.at_mm, other.at_mm
    slant_rad = np.arctan2(size_mm[1] - 2 * INDEX_FROM_CORNER_MM[0], size_mm[0] - 2 * INDEX_FROM_CORNER_MM[1])
    return (ax + bx) / 2, (ay + by) / 2, float(np.arctan2(by - ay, bx - ax) - slant_rad)


def _looks_back(hint: Hint, first: Hint) -> bool:
    """Whether an index is read from the other end of the card."""
    return first.is_index and bool(np.cos(hint.angle_rad - first.angle_rad) < 0)


def shows_back(group: list[Hint]) -> bool:
    """Whether a middle says that the card lies on its face."""
    return any(hint.cls == "BACK" for hint in group)


def shows_face(group: list[Hint]) -> bool:
    """Whether an index says that the card lies face up."""
    return group[0].is_index and not shows_back(group)


def shows_both_ends(group: list[Hint]) -> bool:
    """Whether an index shows at either end of the card."""
    return any(hint.is_index and _looks_back(hint, group[0]) for hint in group[1:])


def shows_two_signs(group: list[Hint]) -> bool:
    """Whether an index shows and the other one or the middle."""
    return len(group) > 1 and group[0].is_index


def are_of_a_deck(groups: list[list[Hint]]) -> bool:
    """Whether so many cards show two signs that a deck lies there."""
    return sum(map(shows_two_signs, groups)) >= A_DECK


def is_worth_measuring(group: list[Hint], least_heat: float) -> bool:
    """Whether the hints may be a card at all: an index, or a middle that the net is sure of, or as sure of a back."""
    return any(hint.is_index or hint.heat >= SURE_HEAT or _may_be_back(hint, least_heat) for hint in group)


def _may_be_back(hint: Hint, least_heat: float) -> bool:
    return hint.cls == "BACK" and hint.heat >= least_heat and hint.log_prob >= _LIKELY_BACK
