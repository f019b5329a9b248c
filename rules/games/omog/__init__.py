"""OMOG Oldstyle: toy soldiers on any table."""

from rules.game import Game, Ruling
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def _rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    return ()


def _judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    return ()


GAME = Game("omog", "OMOG Oldstyle: toy soldiers on any table", ("move-1", "move-2", "fire", "melee"), _rulings, _judge)
