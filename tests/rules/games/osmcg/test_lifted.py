"""OSMCG: a miniature that is lifted off the table and put back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.match import Event, apply, observe, start
from rules.setup import Player
from rules.state import State
from tests.rules.games.osmcg.builders import a_scene, a_setup, base


@pytest.mark.parametrize(
    ("to_mm", "verdict", "known"),
    [((100.0, 100.0), "yes", {"wounds": 3, "ap_spent": 1}), ((160.0, 100.0), "no", {"deployed": True})],
)
def test_who_is_lifted_and_put_back_is_as_before(to_mm: tuple, verdict: str, known: dict) -> None:
    begun = State(phase="activation", active="Ann", pieces={"a": {"hp": 5, "wounds": 3, "ap_spent": 1}})
    match = start(a_setup(), a_scene(base("a", 100, 100), base("b", 400, 400, "blue")), begun)
    gone = observe(match, replace(match.scene, pieces=match.scene.pieces[1:]), 1.0)
    match = observe(gone, replace(match.scene, pieces=(base("a", *to_mm), *gone.scene.pieces)), 2.0)
    assert match.events[-1].fields["verdict"] == verdict
    assert match.state.of("a") == {"hp": 5, **known}


def test_who_is_put_back_in_another_turn_may_act_again() -> None:
    begun = State(phase="activation", active="Ann", pieces={"b": {"hp": 5, "wounds": 3, "ap_spent": 1}})
    match = start(a_setup(), a_scene(base("b", 100, 100, "blue")), begun)
    gone = observe(match, replace(match.scene, pieces=()), 1.0)
    gone = apply(gone, Event(2.0, 1, "Ann", "phase", {"phase": "activation", "active": "Bob"}))
    assert observe(gone, match.scene, 3.0).state.of("b") == {"hp": 5, "wounds": 3}


def passed(match, *steps):
    for turn, phase, active in steps:
        match = apply(match, Event(match.scene.time_s + 1, turn, active, "phase", {"phase": phase, "active": active}))
    return match


KNOWN = {"hero": True, "hp": 5, "until_next_turn": ["+1 ATK"], "statuses": {"root": 2}, "cooldowns": {"bolt": 2}}


@pytest.mark.parametrize(
    ("wounds", "back"),
    [(1, {"hp": 5, "wounds": 1, "statuses": {"root": 1}, "cooldowns": {"bolt": 1}}), (5, {"hp": 5})],
)
def test_who_is_off_the_table_at_his_upkeep_has_had_it(wounds: int, back: dict) -> None:
    """Nothing ticked for who was only lifted; what held until his next turn came back with a Hero who had fallen."""
    begun = State(1, "main-2", "Ann", pieces={"h": {**KNOWN, "wounds": wounds}})
    match = start(a_setup(), a_scene(base("h", 300, 60), base("e", 300, 500, "blue")), begun)
    gone = observe(match, replace(match.scene, pieces=match.scene.pieces[1:]), 1.0)
    later = passed(gone, (1, "end", "Ann"), (1, "upkeep", "Bob"), (2, "upkeep", "Ann"))
    assert observe(later, match.scene, 9.0).state.of("h") == {"hero": True, **back}


@pytest.mark.parametrize("colour", ["red", "green"])
def test_who_shares_a_turn_is_put_back_until_that_comes_again(colour: str) -> None:
    """The mate of who is named was put back for ever: a free move in each of his turns."""
    players = (Player("Ann", "red", "near"), Player("Cat", "green", "near"), Player("Bob", "blue", "far"))
    there = [base("h", 300, 300, colour), base("e", 600, 600, "blue")]
    state = State(1, "activation", "Ann", pieces={"h": {"hp": 5, "spd_in": 4}})
    match = start(a_setup(players, mode="moba"), a_scene(*there), state)
    match = observe(match, a_scene(base("h", 300, 700, colour), there[1]), 1.0)
    told = []
    for step in ((1, "activation", "Ann"), (1, "activation", "Bob"), (2, "activation", "Ann")):
        match = passed(match, step)
        told.append(observe(match, a_scene(*there), 9.0).events[-1].fields["rule"])
    assert told[:2] == ["C4.8", "C4.8"] and told[2] != "C4.8"
