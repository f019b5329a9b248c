"""OSMCG: miniatures, free measurement."""

from rules.game import Game, Ruling
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def _rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    return ()


def _judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    return ()


GAME = Game(
    "osmcg",
    "OSMCG: miniatures, free measurement",
    ("upkeep", "draw", "main-1", "activation", "main-2", "end"),
    _rulings,
    _judge,
)
