"""The five games. Each is a record of pure functions over the same verbs; none knows another."""

from rules.game import Game
from rules.games.omms import GAME as OMMS
from rules.games.omniwar import GAME as OMNIWAR
from rules.games.omog import GAME as OMOG
from rules.games.osmcg import GAME as OSMCG
from rules.games.pocket import GAME as POCKET

GAMES: tuple[Game, ...] = (OMMS, OMOG, OSMCG, POCKET, OMNIWAR)


def game_named(name: str) -> Game:
    """The game of that name; KeyError for none."""
    return {game.name: game for game in GAMES}[name]
