"""All rulings of OmniWar for a scene: on hexes, or free on the table where the state has no grid (OMNI-4.3)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.game import Ruling
from rules.games.omniwar.attack import PHASE as ATTACK
from rules.games.omniwar.board import board_of, has_board
from rules.games.omniwar.forces import economy
from rules.games.omniwar.mobility import PHASE as MOVE
from rules.games.omniwar.open_reach import open_reaches
from rules.games.omniwar.open_setting_up import open_deployment
from rules.games.omniwar.open_table import open_table
from rules.games.omniwar.open_targets import open_sights, open_targets
from rules.games.omniwar.reach import blocked, reaches
from rules.games.omniwar.setting_up import deployment
from rules.games.omniwar.table import table
from rules.games.omniwar.targets import sights, targets
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """Every ruling for the scene, or one piece's."""
    found = _on_hexes(scene, setup, state) if has_board(state) else _by_measure(scene, setup, state)
    return tuple(ruling for ruling in found if piece in (None, ruling.piece))


def _on_hexes(scene: Scene, setup: Setup, state: State) -> Iterator[Ruling]:
    seen = table(scene, setup, state, board_of(scene, setup, state))
    for part in (reaches, blocked, sights, targets, deployment):
        yield from part(seen)
    yield from economy(scene, setup, state)


def _by_measure(scene: Scene, setup: Setup, state: State) -> Iterator[Ruling]:
    """Free on the open table (OMNI-4.3)."""
    seen = open_table(scene, setup, state)
    if state.phase in (None, MOVE):
        yield from open_reaches(seen)
    if state.phase in (None, ATTACK):
        yield from open_sights(seen)
    yield from open_targets(seen)
    yield from open_deployment(seen)
    yield from economy(scene, setup, state)
