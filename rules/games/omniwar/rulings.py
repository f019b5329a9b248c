"""All rulings of OmniWar for a scene: on hexes, or free on the table where the state has no grid (OMNI-4.3)."""

from __future__ import annotations

from rules.game import Ruling
from rules.games.omniwar.board import board_of, has_board
from rules.games.omniwar.forces import economy
from rules.games.omniwar.free import free_rulings
from rules.games.omniwar.reach import blocked, reaches
from rules.games.omniwar.setting_up import deployment
from rules.games.omniwar.targets import sights, targets
from rules.games.omniwar.units import table
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """Every ruling for the scene, or one piece's."""
    if not has_board(state):
        return tuple(ruling for ruling in free_rulings(scene, setup, state) if piece in (None, ruling.piece))
    seen = table(scene, setup, state, board_of(scene, setup, state))
    parts = (reaches, blocked, sights, targets, deployment)
    found = [ruling for part in parts for ruling in part(seen)]
    found.extend(economy(scene, setup, state))
    return tuple(ruling for ruling in found if piece in (None, ruling.piece))
