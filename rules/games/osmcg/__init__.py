"""OSMCG: miniatures, free measurement."""

from __future__ import annotations

from rules.game import Game
from rules.games.osmcg.judge import judge
from rules.games.osmcg.rulings import rulings
from rules.games.osmcg.tables import MEASURES, MODES, tables
from rules.games.osmcg.turns import PHASES, advance

GAME = Game(
    "osmcg",
    "OSMCG: miniatures, free measurement",
    PHASES,
    rulings,
    judge,
    house={"mode": MODES, "ranged_measure": MEASURES, "deploy_radius_mm": tables().distance.new_base_mm},
    legend=tables().legend,
    advance=advance,
)
