"""Whose coins lie there: what would name them where nobody said it, and which parts they play where somebody did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.scene import COIN_DIAMETER_MM, UNKNOWN, Piece
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


def parts_in(currency: str | None, legend: Mapping[str, str]) -> dict[str, str]:
    """The parts that a game's `legend` gives to coins, played by those of `currency` in order of value, the least
    first.

    {} where no currency is told, or the game's own. Without them a table of euros would move nothing, nobody knew why.
    """
    parts = {key: part for key, part in legend.items() if key in COIN_DIAMETER_MM}
    own = [cls for cls in COIN_DIAMETER_MM if currency is not None and cls.startswith(f"{currency}-")]
    return {} if parts.keys() & set(own) else dict(zip(own, parts.values(), strict=False))


def has_no_part(piece: Piece, own: Mapping[str, str], legend: Mapping[str, str]) -> bool:
    """Whether coins play their parts by class, as the game's `own` legend says, and the set-up's gives that coin none.

    Other games name a unit by its id, colour or state as well: there a class that the legend lacks says nothing.
    """
    is_by_class = not own.keys().isdisjoint(COIN_DIAMETER_MM)
    return is_by_class and piece.cls in COIN_DIAMETER_MM and piece.cls not in {**own, **legend}
