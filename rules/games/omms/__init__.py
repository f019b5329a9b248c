"""On Map Military Strategy: coins on a road map."""

from rules.game import Game
from rules.games.omms.coins import LEGEND
from rules.games.omms.counters import BY_PLAYER, check_counters
from rules.games.omms.judge import judge
from rules.games.omms.named import check_named
from rules.games.omms.options import check
from rules.games.omms.progress import advance
from rules.games.omms.rulings import rulings
from rules.games.omms.table import HOUSE

__all__ = ["GAME"]

GAME = Game(
    "omms",
    "On Map Military Strategy: coins on a road map",
    ("draw", "cards", "move", "attack"),
    rulings,
    judge,
    HOUSE,
    LEGEND,
    advance,
    check=check,
    by_player=BY_PLAYER,
    check_state=check_counters,
    check_table=check_named,
)
