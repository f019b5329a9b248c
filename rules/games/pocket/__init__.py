"""Pocket Wargame: coins on a battlefield of cards."""

from __future__ import annotations

from rules.game import Game
from rules.games.pocket.judge import judge
from rules.games.pocket.options import check
from rules.games.pocket.rulings import rulings
from rules.games.pocket.tables import VARIANTS
from rules.games.pocket.turns import advance
from rules.games.pocket.units import owners

GAME = Game(
    "pocket",
    "Pocket Wargame: coins on a battlefield of cards",
    ("cavalry", "ranged", "movement", "melee", "end"),
    rulings,
    judge,
    house={"terrain": VARIANTS},
    advance=advance,
    phase_by_phase=True,
    check=check,
    by_player=("first",),
    owners=owners,
    faces=True,
)
