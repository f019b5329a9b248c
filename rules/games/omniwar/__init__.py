"""OmniWar: hexes."""

from __future__ import annotations

from rules.game import Game
from rules.games.omniwar.board import cells
from rules.games.omniwar.carriers import check_carriers, check_state
from rules.games.omniwar.claims import claims
from rules.games.omniwar.judge import judge
from rules.games.omniwar.open_table import FIGURES, SCALES
from rules.games.omniwar.options import check
from rules.games.omniwar.rulings import rulings
from rules.games.omniwar.turns import advance
from rules.games.omniwar.units import units_for

GAME = Game(
    "omniwar",
    "OmniWar: hexes",
    ("move", "attack"),
    rulings,
    judge,
    house={"stacking": ("no", "yes"), "scale": SCALES, "figures": FIGURES, "roster": {}},
    legend={
        "box": "dense",
        "mug": "dense",
        "book": "dense",
        "pencils": "dense",
        "green paper": "dense",
        "green napkin": "dense",
        "blue paper": "water",
        "blue napkin": "water",
    },
    advance=advance,
    check=check,
    check_state=check_state,
    check_table=check_carriers,
    claims=claims,
    units=units_for,
    returns=True,
    cells=cells,
    kinds=frozenset(("coin", "card", "die", "soldier", "base", "terrain")),
)
