"""What the state cannot mean is told in one line, with the key at fault."""

from __future__ import annotations

import pytest

from rules.games.omog import GAME
from rules.state import State
from tests.rules.games.omog.builders import a_man, a_setup, known_of, ruled


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("roles", 3), ("keywords", "bayonet"), ("keywords", [1]), ("roster", ["elite"]), ("weapon", []), ("team", {}),
        ("radius_mm", 0), ("radius_mm", "wide"), ("moved", "no"), ("charging", [1]), ("elite", "yes"), ("crew", -1),
        ("crew", 2.5), ("shells", "three"), ("canister", True), ("fired_turn", []), ("from_mm", [1]),
        ("from_mm", "here"),
    ],
)  # fmt: skip
def test_a_figure(key, value):
    with pytest.raises(ValueError, match=rf"^state: pieces\.g\.{key}.*: [^\n]+$"):
        ruled(a_man("g", 100, 100, arm="gun"), a_man("b", 300, 100, "blue"), state=known_of(g={key: value}))


@pytest.mark.parametrize(
    ("key", "value"),
    [("position_mm", [1]), ("position_mm", "mill"), ("radius_mm", -1), ("held_turns", "two"), ("held_by", 3)],
)
def test_an_objective(key, value):
    rows = [{"name": "mill", "position_mm": [300, 300], "radius_mm": 50, key: value}]
    with pytest.raises(ValueError, match=rf"^state: objectives\.0\.{key}.*: [^\n]+$"):
        ruled(a_man("r", 100, 100), state=State(counters={"objectives": rows}))


def test_an_objective_is_held_by_a_colour():
    state = State(counters={"objectives": [{"position_mm": [300, 300], "held_by": "Ann", "held_turns": 2}]})
    with pytest.raises(ValueError, match=r"^state: objectives\.0\.held_by: armies go by colour; write red$"):
        GAME.check_state(state, a_setup())
