"""All rulings of Pocket Wargame for a scene."""

from __future__ import annotations

from rules.game import Ruling
from rules.games.pocket.melee import engaged, melees
from rules.games.pocket.reach import blocked, reaches
from rules.games.pocket.standing import cohesion, deployment, locations
from rules.games.pocket.table import table
from rules.games.pocket.targets import targets
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """Every ruling for the scene, or one piece's."""
    seen = table(scene, setup, state)
    parts = (locations, cohesion, deployment, reaches, blocked, targets, engaged, melees)
    return tuple(ruling for part in parts for ruling in part(seen) if piece in (None, ruling.piece))
