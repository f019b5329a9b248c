"""Indices that make a card beside the one on which they are printed: those of decks that have one in each corner, and
those that were read at a wrong turn."""

from __future__ import annotations

import numpy as np
from shapely import Polygon, union_all

from models.pieces import INDEX_FROM_CORNER_MM
from vision.detect.card.card_hints import NAMED, Hint, unread
from vision.shape.rectangle import RectangleFit

# A card and where its sides are.
Card = tuple[list[Hint], RectangleFit]

# So much more of its edge must show for a card to be of another size or in another place than the expected one. One of
# another size shows three sides of that at most, less than the second share.
CLEARLY, PLAINLY = 0.08, 0.85
# An index lies in the corner of a card when it is this near to where indices are; those of odd decks lie 6 mm off.
_IN_CORNER_MM = 9.0
# A card whose middle is so far from another's lies elsewhere.
_ELSEWHERE_MM = 3.0
# A side that runs so near to a card may be that card's.
_ALONG_MM = 2.0


def without_strays(cards: list[Card]) -> list[Card]:
    """The cards, without those made from an index that is printed in a corner of another card with plain sides.

    Such an index says nothing new where that card shows other indices; where it shows its middle alone, the index is
    one more sign of it.
    """
    strays = {number: _own_card(card, cards) for number, card in enumerate(cards)}
    return [
        _with(card, [cards[stray][0] for stray, own in strays.items() if own is card])
        for number, card in enumerate(cards)
        if strays[number] is None
    ]


def _with(card: Card, strays: list[list[Hint]]) -> Card:
    group, fit = card
    if group[0].is_index or not strays:
        return card
    return [*unread([hint for stray in strays for hint in stray]), *group], fit


def _own_card(card: Card, cards: list[Card]) -> Card | None:
    """The card in whose corner a single index is printed that made this one; None where there is none."""
    group, fit = card
    # What shows an index does not show its back: that is bare table between cards.
    if not group[0].is_index or any(hint.cls != "BACK" for hint in group[1:]):
        return None
    margin = CLEARLY if group[0].log_prob >= NAMED else 0.0
    plainer = (other for other in cards if _is_plain(other) and other[1].support > fit.support + margin)
    return next((other for other in plainer if _is_printed_on(group[0], fit, other)), None)


def _is_plain(card: Card) -> bool:
    """Whether it shows its sides plainly, or both its ends and its middle: printed borders hide sides."""
    group, fit = card
    return fit.support >= PLAINLY or (len(group) > 2 and sum(hint.is_index for hint in group) > 1)


def _is_printed_on(index: Hint, fit: RectangleFit, other: Card) -> bool:
    """Whether the index of that card elsewhere is printed on the other one."""
    group, at = other
    is_elsewhere = np.hypot(*np.subtract(fit.centre_mm, at.centre_mm)) > _ELSEWHERE_MM
    return bool(is_elsewhere) and _may_show(group, index) and _is_in_corner(index, at)


def _may_show(group: list[Hint], index: Hint) -> bool:
    """Whether a card with these signs may show that index as well: the same, or one of both is not to be trusted, as
    a joker's is not, for which the reader takes indices that it sees askew."""
    first = group[0]
    is_doubtful = "JOKER" in (first.cls, index.cls) or min(first.log_prob, index.log_prob) < NAMED
    return not first.is_index or first.cls == index.cls or is_doubtful


def _is_in_corner(index: Hint, fit: RectangleFit) -> bool:
    away = np.subtract(index.at_mm, fit.centre_mm)
    along = np.array([np.cos(fit.angle_rad), np.sin(fit.angle_rad)])
    own = np.abs([away @ along, away @ np.array([-along[1], along[0]])])
    half_mm = np.array(fit.size_mm) / 2
    expected = half_mm - np.array(INDEX_FROM_CORNER_MM)[::-1]
    return bool((own < half_mm).all() and np.hypot(*(own - expected)) < _IN_CORNER_MM)


def owed_share(fit: RectangleFit, cards: list[Card]) -> float:
    """How much of a rectangle's outline runs along cards that show an index and their sides plainly."""
    beside = [
        Polygon(other.corners()).buffer(_ALONG_MM)
        for group, other in cards
        if other is not fit and group[0].is_index and other.support >= PLAINLY
    ]
    outline = Polygon(fit.corners()).exterior
    return float(outline.intersection(union_all(beside)).length / outline.length) if beside else 0.0
