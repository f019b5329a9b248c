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


def test_an_attack_in_another_phase_is_no_attack() -> None:
    """In `main-1` it spent an action point and wounded."""
    scene = a_scene(base("a", 100, 100), base("b", 125, 100, "blue"))
    match = start(a_setup(), scene, State(phase="main-1", active="Ann", pieces={"b": {"hp": 3}}))
    after = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "b"}))
    assert after.state == match.state
    assert after.events[-1].fields["why"] == "a attacks in the activation phase"
    told = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "b", "damage": 1}))
    assert told.state.of("b")["wounds"] == 1  # players know best


def test_nobody_strikes_or_is_struck_who_never_was_on_the_table() -> None:
    match = start(a_setup(), SCENE, State(phase="activation", active="Ann"))
    with pytest.raises(ValueError, match="there is no piece 'zz' on the table"):
        apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "zz", "other": "b", "damage": 1}))
    after = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "a", "other": "zz", "damage": 1}))
    assert "zz" not in after.state.pieces
