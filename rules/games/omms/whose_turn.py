"""Whose turn it is (C4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omms.condition import Condition, fact

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table


def in_turn(table: Table, coin: Coin) -> Condition:
    """That a coin is the active player's, if the state names one, by name or by colour."""
    active = table.state.active
    player = table.setup.player_named(active) if active else None
    colour = player.colour if player else active
    return fact(active is None or coin.owner == colour, "C4.9", f"it is {active}'s turn, and {coin} is not {colour}")
