"""On Map Military Strategy: coins on a road map."""

from rules.game import Game, Ruling
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def _rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    return ()


def _judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    return ()


GAME = Game(
    "omms", "On Map Military Strategy: coins on a road map", ("draw", "cards", "move", "attack"), _rulings, _judge
)
