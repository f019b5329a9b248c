"""What hangs on whether a coin lies half on another, or in harbour, if that is too close to call (OMMS-1.3, C3.4)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from rules.games.omms.coins import SHIP
from rules.margin import Margin
from rules.sentences import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.games.omms.condition import Condition
    from rules.games.omms.table import Table

RULE = "OMMS-1.3"


def if_otherwise(table: Table, found: Condition, anew: Iterable[tuple[frozenset[str], bool]]) -> Condition:
    """The condition; close if it holds otherwise with a pair of coins read anew, by the margin of that pair.

    anew  the pairs (ids), each with whether the condition holds if that pair is read anew
    """
    if found.verdict == "close":
        return found
    turning = [pair for pair, holds in anew if holds != found.holds]
    if not turning:
        return found
    doubts = table.doubts
    pair = min(turning, key=lambda one: abs(doubts[one].margin_mm))
    margin = Margin(math.copysign(doubts[pair].margin_mm, 1 if found.holds else -1), doubts[pair].sigma_mm)
    return replace(found, verdict="close", margin=margin, rule=RULE, why=why(table, pair))


def why(table: Table, pair: frozenset[str]) -> str:
    """The sentence that says which coins are hardly half on each other, or in harbour, or hardly not."""
    holds = table.doubts[pair].margin_mm >= 0
    if pair not in table.coins.doubts:
        port, ship = sorted((table.coins[name] for name in pair), key=lambda coin: coin.role == SHIP)
        return f"{ship} lies {'hardly' if holds else 'not quite'} in the harbour of {port}"
    coins = [str(coin) for coin in table.coins.all if coin.id in pair]
    return f"{listed(coins)} {'lie' if holds else 'do not lie'} on each other by half, but only just"
