"""Who is still in the game, and who has won (note 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omms.bases import BASES
from rules.games.omms.economy import settlement_points
from rules.games.omms.told import whole
from rules.turn import keeps_turns

if TYPE_CHECKING:
    from rules.games.omms.table import Table


def is_out(table: Table, owner: str) -> bool:
    """Whether a player has neither settlement nor unit left; until turn 2 his first base may be still to come."""
    coins = table.coins
    if keeps_turns(table.state) and table.state.turn <= 1 and table.counter(BASES, owner) is None:
        return False
    return not any(coin.is_friend(owner) for coin in (*coins.bases, *coins.units))


def winner(table: Table) -> str | None:
    """The colour of the player who has won by the house rule `win`, None while nobody has, or if several would.

    last    the last player with a settlement or unit; needs two or more to begin with
    points  the first with `win_points` settlement points
    bases   the first to have taken `win_bases` bases, by the counter `bases_taken`
    """
    how = table.house("win")
    if how == "points":
        wanted = whole(table.house("win_points"), "rules.win_points")
        there = [owner for owner in table.colours if settlement_points(table, owner) >= wanted]
    elif how == "bases":
        wanted = whole(table.house("win_bases"), "rules.win_bases")
        there = [owner for owner in table.colours if (table.number("bases_taken", owner) or 0) >= wanted]
    else:
        there = [owner for owner in table.colours if not is_out(table, owner)] if len(table.colours) > 1 else []
    return there[0] if len(there) == 1 else None
