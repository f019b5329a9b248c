"""A state as players write it: phases and players however they are spelt, and null for what nobody told."""

from __future__ import annotations

from typing import Any

import pytest

from rules.match import Event, Match, apply, start
from rules.state import State
from rules.turn import next_phase
from tests.rules.games.osmcg.builders import a_scene, a_setup, base

SCENE = a_scene(base("a", 300, 300), base("b", 325, 300, "blue"))


def happens(match: Match, kind: str, **fields: Any) -> Match:
    return apply(match, Event(1.0, match.state.turn, match.state.active, kind, fields))


def after_a_turn(match: Match) -> Match:
    for _ in range(12):
        match = happens(match, "phase", **next_phase(match.game, match.setup, match.state))
    return match


def test_a_phase_counts_however_it_is_spelt_and_a_player_by_colour() -> None:
    """`Main 2` after `Activation` was no phase: the exhausted stayed so, and `Upkeep` followed it."""
    match = start(a_setup(), SCENE, State(phase="Activation", active="red", pieces={"a": {"exhausted": True}}))
    assert next_phase(match.game, match.setup, match.state) == {"turn": 1, "phase": "main-2", "active": "Ann"}
    match = happens(match, "phase", turn=1, phase="Main 2", active="red")
    assert (match.state.phase, match.state.active, match.state.of("a")) == ("main-2", "Ann", {})


@pytest.mark.parametrize("key", ["mana", "mana_max", "regen", "vp", "hand", "deck", "discard", "tally"])
def test_null_in_a_book_is_nothing_told(key: str) -> None:
    """It ended the match in a traceback."""
    book = {"mana": 5, "regen": 1, "hand": 3, "deck": 3, "discard": 0, key: None}
    state = State(phase="activation", active="Ann", pieces={"b": {"hp": 1}}, counters={"players": {"Ann": book}})
    match = happens(start(a_setup(), SCENE, state), "play", book="Ann", mana=2, card="bolt")
    match = happens(happens(match, "score", book="Ann", vp=1), "attack", piece="a", other="b")
    assert after_a_turn(match).state.counters["players"]["Ann"]["vp"] == 1


@pytest.mark.parametrize("told", [{"post-1": None}, {"post-1": {"wounds": None}}])
def test_null_of_a_structure_is_nothing_told(told: Any) -> None:
    state = State(phase="activation", active="Ann", counters={"structures": told})
    match = happens(start(a_setup(mode="moba"), SCENE, state), "attack", piece="a", other="post-1", damage=3)
    assert match.state.counters["structures"] == {"post-1": {"wounds": 3}}
