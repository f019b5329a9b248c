"""Pocket Wargame: coins on a battlefield of cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules import turn
from rules.game import Game
from rules.games.pocket.judge import judge
from rules.games.pocket.options import check
from rules.games.pocket.rulings import rulings
from rules.games.pocket.tables import VARIANTS
from rules.games.pocket.turns import advance, first_player
from rules.games.pocket.units import owners
from rules.setup import Setup
from rules.state import State


def _next_phase(setup: Setup, state: State) -> dict[str, Any]:
    """Who plays first does so in each phase (POCKET-4.1)."""
    first = first_player(setup, state)
    players = sorted(setup.players, key=lambda player: player is not first)
    return turn.next_phase(replace(GAME, next_phase=None), replace(setup, players=tuple(players)), state)


GAME = Game(
    "pocket",
    "Pocket Wargame: coins on a battlefield of cards",
    ("cavalry", "ranged", "movement", "melee", "end"),
    rulings,
    judge,
    house={"terrain": VARIANTS},
    advance=advance,
    phase_by_phase=True,
    next_phase=_next_phase,
    check=check,
    by_player=("first",),
    owners=owners,
    faces=True,
    returns=True,
    kinds=frozenset(("coin", "card", "die")),
)
