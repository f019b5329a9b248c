"""Cards in one place: which of them is the card, and which a part of it or its print."""

from __future__ import annotations

from collections.abc import Sequence

from rules.scene import UNKNOWN
from vision.detection import Detection

# Of cards that cover one another so much one is none: where they say the same, where one says nothing, and where they
# differ. Where the table's scale is off by a fifth each index of a card tells one of its own, half over the other.
_ONE_NAME, _ONE_CARD, _ONE_PLACE = 0.4, 0.5, 0.85


def without_doubles(cards: list[Detection], whole: Sequence[bool]) -> list[Detection]:
    """Of cards in one place the one read best, the first of those that are not read; an unread one that a read one
    mostly covers is a part of it, and so is one that says the same, unless four indices of theirs show.

    cards  that of which most of the sides show first
    whole  which of them show both their indices
    """
    kept: list[tuple[Detection, bool]] = []
    told = [(card, both) for card, both in zip(cards, whole, strict=True) if not _is_print_of_a_back(card, cards)]
    for card, shows_both in sorted(told, key=lambda each: _read_last(each[0])):
        if not any(_share(card, other) >= _least_double(card, other, shows_both and both) for other, both in kept):
            kept.append((card, shows_both))
    return [card for card, _ in kept]


def _is_print_of_a_back(card: Detection, cards: list[Detection]) -> bool:
    """Whether a joker lies where a back is surer: as in `card_names`, its print passes for a joker's sign."""
    surer = (other for other in cards if other.cls == "BACK" and other.confidence > card.confidence)
    return card.cls == "JOKER" and any(_share(card, back) >= _ONE_CARD for back in surer)


def _share(card: Detection, other: Detection) -> float:
    """How much of a card another covers."""
    return float(card.footprint.intersection(other.footprint).area / card.footprint.area)


def _read_last(card: Detection) -> tuple[bool, bool, float]:
    """The order in which cards are believed: what is read best first."""
    return card.cls == UNKNOWN, card.cls == "BACK", 0.0 if card.cls == UNKNOWN else -card.confidence


def _least_double(card: Detection, other: Detection, both_whole: bool) -> float:
    """From what share on a card that another covers is that other one."""
    if card.cls in (UNKNOWN, "BACK"):
        return _ONE_CARD
    return _ONE_NAME if card.cls == other.cls and not both_whole else _ONE_PLACE
