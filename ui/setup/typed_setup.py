"""The set-up that a typed log begins with, checked as a set-up file is; a saved match opens whatever its own says."""

from __future__ import annotations

from itertools import combinations

from rules.game import Game
from rules.misspelt import refuse_house_rule
from rules.setup import COLOURS, Setup
from ui.setup.setup_file import SIDES


def refuse_misspelt(setup: Setup, game: Game, where: str) -> None:
    """ValueError for players, house rules and a legend that nobody can mean; `where` names the set-up in it."""
    try:
        _refuse_players(setup)
        for key, value in setup.house.items():
            refuse_house_rule(game, key, value)
        if game.check is not None:
            game.check(setup)
    except ValueError as fault:
        raise ValueError(f"{where}: {fault}") from None


def _refuse_players(setup: Setup) -> None:
    for player in setup.players:
        for key, told, known in (("colour", player.colour, COLOURS), ("side", player.side, SIDES)):
            if told not in known:
                raise ValueError(f"player {player.name}: {key}: {told!r} is none of {', '.join(known)}")
    for one, other in combinations(setup.players, 2):
        if one.name == other.name or one.colour == other.colour:
            raise ValueError(f"player: {one.name} and {other.name} need different names and colours; change one")
