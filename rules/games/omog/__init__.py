"""OMOG Oldstyle: toy soldiers on any table."""

from __future__ import annotations

from rules.game import Game
from rules.games.omog.battlefield import HOUSE_DEFAULTS
from rules.games.omog.clock import PHASES, left_s
from rules.games.omog.judge import judge
from rules.games.omog.options import check
from rules.games.omog.rulings import rulings
from rules.games.omog.tables import tables
from rules.games.omog.told import check_state
from rules.games.omog.turns import advance, next_phase

GAME = Game(
    "omog",
    "OMOG Oldstyle: toy soldiers on any table",
    PHASES,
    rulings,
    judge,
    house={
        "gun_push_in": HOUSE_DEFAULTS["gun_push_in"],
        "natural_one_misses": (True, False),
        "melee_tie": ("again", "both-stand"),
    },
    legend=tables().legend,
    advance=advance,
    next_phase=next_phase,
    clock=left_s,
    keeps_by_piece=True,
    check=check,
    check_state=check_state,
)
