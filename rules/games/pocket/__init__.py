"""Pocket Wargame: coins on a battlefield of cards."""

from rules.game import Game, Ruling
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def _rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    return ()


def _judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    return ()


GAME = Game(
    "pocket",
    "Pocket Wargame: coins on a battlefield of cards",
    ("cavalry", "ranged", "movement", "melee", "end"),
    _rulings,
    _judge,
)
