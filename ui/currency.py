"""What would name a table's coins where nobody said whose they are."""

from __future__ import annotations

from collections.abc import Iterable

from rules.scene import UNKNOWN, Piece
from rules.setup import Setup

# So many coins without a name, and so many of all, are worth a line: dimes alone have size and metal of five pence.
_UNNAMED, _UNNAMED_SHARE = 3, 0.3


def currency_wanted(pieces: Iterable[Piece], setup: Setup | None) -> str:
    """A line for a table of which many coins have no name; "" where few are, or the set-up tells the currency."""
    coins = [piece for piece in pieces if piece.kind == "coin"]
    unnamed = sum(coin.cls == UNKNOWN for coin in coins)
    told = setup is not None and setup.currency is not None
    if told or unnamed < max(_UNNAMED, _UNNAMED_SHARE * len(coins)):
        return ""
    cure = 'if all are of one currency, say so in the set-up: currency = "gbp", "eur" or "usd" under [table]'
    return f"{unnamed} of {len(coins)} coins have no name; {cure}"
