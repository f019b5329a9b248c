"""Classes that no piece has. A misspelt one would be played as unknown, and nobody would be told."""

from __future__ import annotations

import re

from rules.legend import CARDS
from rules.scene import COIN_DIAMETER_MM, UNKNOWN, Kind

PIPS = tuple(map(str, range(1, 7)))
# A rank and a suit, as somebody might type them.
_LIKE_A_CARD = re.compile(r"([A-Z]|\d+)[SHDC]", re.IGNORECASE | re.ASCII)


def misspelt(kind: Kind, cls: str) -> str | None:
    """What is wrong with the class of a piece of that kind, and which are right; None for nothing.

    Any word that looks like no coin of a currency and like no card may be the name of a piece that somebody taught.
    """
    if kind == "die" and cls not in (*PIPS, UNKNOWN):
        return f"there is no die {cls!r}; it shows 1 to 6, or is {UNKNOWN}"
    if kind == "coin" and cls not in COIN_DIAMETER_MM and (coins := _of_currency(cls)):
        return f"there is no coin {cls!r}; there are {', '.join(coins)}"
    if kind == "card" and cls not in CARDS and _LIKE_A_CARD.fullmatch(cls):
        return f"there is no card {cls!r}; write A, 2 to 10, J, Q or K before S, H, D or C, or else JOKER or BACK"
    return None


def _of_currency(cls: str) -> list[str]:
    """The coins of the currency with which the class begins; none where it begins with no currency."""
    currency, hyphen, _ = cls.casefold().partition("-")
    return [coin for coin in COIN_DIAMETER_MM if hyphen and coin.startswith(f"{currency}-")]
