"""OMOG Oldstyle: toy soldiers on any table."""

from __future__ import annotations

from rules.game import Game
from rules.games.omog.battlefield import HOUSE_DEFAULTS, Battlefield
from rules.games.omog.clock import PHASES, left_s
from rules.games.omog.judge import judge, swaps
from rules.games.omog.options import check
from rules.games.omog.rulings import rulings
from rules.games.omog.standing import check_objectives
from rules.games.omog.tables import tables
from rules.games.omog.told import check_state
from rules.games.omog.turns import advance, next_phase
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def _check_table(scene: Scene, setup: Setup, state: State) -> None:
    """ValueError for an objective whose thing is not on the table."""
    check_objectives(Battlefield(scene, setup, state))


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
    swaps=swaps,
    clock=left_s,
    keeps_by_piece=True,
    check=check,
    check_state=check_state,
    check_table=_check_table,
    kinds=frozenset(("soldier", "terrain", "die")),
)
