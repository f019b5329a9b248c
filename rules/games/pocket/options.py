"""The options of a set-up, checked: what the legend makes of suits, jokers and single cards."""

from __future__ import annotations

from rules.files.tables import KeyFault
from rules.games.pocket.tables import SUITS, ground_named
from rules.legend import CARDS, is_terrain, meanings
from rules.setup import Setup

_KEYS = frozenset(
    [*SUITS.values(), *(f"{suit}-court" for suit in SUITS.values()), "jokers", *(card.lower() for card in CARDS)]
)


def check(setup: Setup) -> None:
    """`KeyFault` for what the legend says and Pocket Wargame cannot mean; household things mean nothing here."""
    for key, word in meanings(setup):
        if key.lower() in _KEYS:
            ground_named(word, key)
        elif not is_terrain(key):
            known = ", ".join(SUITS.values())
            raise KeyFault(
                ("legend", key), f"there is no such suit or card; write {known}, joker, or a card such as KS"
            )
