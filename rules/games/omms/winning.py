"""Who is still in the game, and who has won (note 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.games.omms.bases import BASES
from rules.games.omms.coins import OTHER, STRANGE
from rules.games.omms.economy import settlement_points
from rules.games.omms.told import player_name, whole
from rules.scene import UNKNOWN
from rules.turn import keeps_turns

if TYPE_CHECKING:
    from rules.games.omms.table import Table


# The ways to win in which it counts who was first.
FIRST_TO = ("points", "bases")
# The state's counter that keeps who was first, by name or colour, once the turn has passed on in which he was.
WON = "won"


def is_out(table: Table, owner: str) -> bool:
    """Whether a player has neither settlement nor unit left; until turn 2 his first base may be still to come.

    Nobody is while a coin lies there that may be his: what nobody has named is not guessed (C5.2).
    """
    coins = table.coins
    is_to_come = table.state.turn <= 1 and not table.tells(BASES, owner)
    if keeps_turns(table.state) and is_to_come:
        return False
    may_count = (coin for coin in coins.all if not coin.is_known and coin.role not in (OTHER, STRANGE))
    unnamed = any(coin.owner in (owner, UNKNOWN) for coin in may_count)
    return not unnamed and not any(coin.is_friend(owner) for coin in (*coins.bases, *coins.units))


def won_events(table: Table) -> dict[str, Any]:
    """The counter when the turn passes on: who was first is so though another comes as far later, or he falls back."""
    first = winner(table) if table.house("win") in FIRST_TO and WON not in table.state.counters else None
    return {} if first is None else {WON: player_name(table.setup, first)}


def winner(table: Table) -> str | None:
    """The colour of the player who has won by the house rule `win`, None while nobody has, or if several would.

    last    the last player with a settlement or unit; needs two or more to begin with
    points  the first with `win_points` settlement points
    bases   the first to have taken `win_bases` bases, by the counter `bases_taken`
    """
    how, first = table.house("win"), table.state.counters.get(WON)
    if how in FIRST_TO and isinstance(first, str):
        player = table.setup.player_named(first)
        return player.colour if player is not None else first
    if how == "points":
        wanted = whole(table.house("win_points"), "rules.win_points")
        there = [owner for owner in table.colours if settlement_points(table, owner) >= wanted]
    elif how == "bases":
        wanted = whole(table.house("win_bases"), "rules.win_bases")
        there = [owner for owner in table.colours if (table.number("bases_taken", owner) or 0) >= wanted]
    else:
        there = [owner for owner in table.colours if not is_out(table, owner)] if len(table.colours) > 1 else []
    return there[0] if len(there) == 1 else None
