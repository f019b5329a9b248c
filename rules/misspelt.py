"""What somebody typed that game and set-up do not have, most often a misspelling."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from rules.files.tables import KeyFault
from rules.setup import COLOURS, Setup
from rules.state import State

if TYPE_CHECKING:
    from rules.game import Game


def refuse_misspelt(state: State, setup: Setup, game: Game, where: str) -> None:
    """ValueError as `refuse_no_turn`, for the counter of somebody who does not play, and for what the game cannot mean;
    `where` names the state in it."""
    refuse_no_turn(state, setup, game, where)
    if game.check_state is not None:
        try:
            game.check_state(state, setup)
        except ValueError as fault:
            raise blamed(fault, where) from None
    for counter in game.by_player:
        _refuse_strangers(state.counters.get(counter), f"{where}: {counter}", setup)


def refuse_house_rule(game: Game, key: str, value: object, others: Collection[str] = ()) -> None:
    """KeyFault for a house rule that the game does not have, or that cannot be so.

    others  what `[rules]` may say besides
    """
    if key not in game.house:
        known = ", ".join(sorted({*game.house, *others}))
        raise KeyFault(("rules", key), f"{game.name} has no such house rule; it has {known}")
    allowed = game.house[key]
    if isinstance(allowed, tuple) and value not in allowed:
        raise KeyFault(("rules", key), f"{value!r} is none of {', '.join(map(str, allowed))}")


def refuse_no_turn(state: State, setup: Setup, game: Game, where: str) -> None:
    """ValueError for a phase that the game does not have, and for the turn of somebody who does not play: every later
    move would be in the wrong one."""
    if state.phase not in (None, *game.phases):
        raise ValueError(f"{where}: phase: {game.name} has no phase {state.phase!r}; it has {', '.join(game.phases)}")
    refuse_no_player(state.active, state, setup, where)


def refuse_no_player(active: str | None, state: State, setup: Setup, where: str) -> None:
    """ValueError for the turn of somebody who does not play, by name or colour, and of no team of the state."""
    names = [name for player in setup.players for name in (player.name, player.colour)]
    if names and active not in (None, *names, *(known.get("team") for known in state.pieces.values())):
        raise ValueError(f"{where}: active: there is no player {active!r} in the set-up; there are {_listed(setup)}")


def blamed(fault: ValueError, where: str) -> ValueError:
    """What the rules find wrong in a state, with where that stands in front; another fault as it is."""
    if not str(fault).startswith(("state: ", "state.", "the state's ")):
        return fault
    return ValueError(f"{where}: {str(fault).removeprefix('state: ').removeprefix('state.')}")


def _refuse_strangers(kept: object, where: str, setup: Setup) -> None:
    """ValueError for what a state counts for somebody who does not play, and for what it counts twice for a player."""
    names = [name for player in setup.players for name in (player.name, player.colour)] or COLOURS
    told = () if kept is None else kept if isinstance(kept, Mapping) else (kept,)
    for name in told:
        if name not in names:
            raise ValueError(f"{where}: there is no player {name!r}; there are {_listed(setup) or ', '.join(COLOURS)}")
    for player in setup.players:
        if player.name in told and player.colour in told and setup.player_named(player.colour) is None:
            raise ValueError(f"{where}: {player.name} and {player.colour} are one player; take one of the two out")


def _listed(setup: Setup) -> str:
    return ", ".join(player.name for player in setup.players)
