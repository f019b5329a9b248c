"""OSMCG: what the events of a match tell in numbers and names."""

from __future__ import annotations

import pytest

from rules.match import Event, apply, start
from rules.state import State
from tests.rules.games.osmcg.builders import a_scene, a_setup, base

SCENE = a_scene(base("a", 100, 100), base("b", 200, 200, "blue"))


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("play", {"book": "Ann", "mana": "2"}), ("score", {"book": "Ann", "vp": None}),
        ("score", {"book": "An", "vp": 3}),
        ("stack", {"push": "bolt"}), ("attack", {"piece": "a", "other": "b", "damage": "3"}),
        ("attack", {"piece": "a", "other": "b", "damage": 1, "cleave": 3}),
    ],
)  # fmt: skip
def test_what_an_event_cannot_mean_is_told_in_one_line(kind: str, told: dict) -> None:
    match = start(a_setup(), SCENE, State(counters={"players": {"Ann": {"mana": 3}}}))
    with pytest.raises(ValueError, match=r"^event.*: [^\n]+$"):
        apply(match, Event(1.0, 1, "Ann", kind, told))


def test_a_book_may_be_told_by_its_player_s_colour() -> None:
    match = apply(start(a_setup(), SCENE), Event(1.0, 1, "Ann", "score", {"book": "red", "vp": 3}))
    assert match.state.counters["players"] == {"Ann": {"vp": 3}}
