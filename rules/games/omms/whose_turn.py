"""Whose turn and which phase it is (C4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omms.condition import Condition, fact

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table

ATTACK = "attack"


def in_turn(table: Table, coin: Coin) -> Condition:
    """That a coin is the active player's, if the state names one, by name or by colour."""
    active = table.state.active
    player = table.setup.player_named(active) if active else None
    colour = player.colour if player else active
    return fact(active is None or coin.owner == colour, "C4.9", f"it is {active}'s turn, and {coin} is not {colour}")


def may_attack(table: Table, unit: Coin) -> list[Condition]:
    """That it is the owner's turn and the phase of attacks (C4.9, OMMS-2)."""
    phase = table.state.phase
    why = f"units attack in the attack phase, not in the phase '{phase}'"
    return [in_turn(table, unit), fact(phase in (None, ATTACK), "OMMS-2", why)]
