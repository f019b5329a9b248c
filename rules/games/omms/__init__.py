"""On Map Military Strategy: coins on a road map."""

from rules.game import Game
from rules.games.omms.coins import LEGEND
from rules.games.omms.counters import BY_PLAYER, check_counters
from rules.games.omms.judge import judge
from rules.games.omms.named import check_named
from rules.games.omms.occupied import refusal
from rules.games.omms.options import check
from rules.games.omms.progress import advance
from rules.games.omms.rulings import rulings
from rules.games.omms.table import HOUSE, Table
from rules.games.omms.winning import is_out
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

__all__ = ["GAME"]


def _is_out(scene: Scene, setup: Setup, state: State, player: str) -> bool:
    """Whether a player has nothing left (note 8)."""
    named = setup.player_named(player)
    return named is not None and is_out(Table(scene, setup, state), named.colour)


GAME = Game(
    "omms",
    "On Map Military Strategy: coins on a road map",
    ("draw", "cards", "move", "attack"),
    rulings,
    judge,
    HOUSE,
    LEGEND,
    advance,
    refusal=refusal,
    is_out=_is_out,
    check=check,
    by_player=BY_PLAYER,
    check_state=check_counters,
    check_table=check_named,
    keeps_by_piece=True,
    kinds=frozenset(("coin", "card", "die", "match")),
)
