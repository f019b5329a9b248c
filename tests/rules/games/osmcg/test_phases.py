"""Phases that are put back or only name an ally, and books that nobody keeps (OSMCG-5)."""

from __future__ import annotations

from dataclasses import replace

from rules.games.osmcg.turns import advance
from rules.setup import Player
from rules.state import State
from tests.rules.games.osmcg.builders import a_scene, a_setup, base

SCENE = a_scene(base("a", 100, 100), base("b", 200, 200, "blue"))


def enter(state: State, phase: str, active: str = "Ann", turn: int = 1) -> State:
    return advance(state, SCENE, a_setup(), "phase", {"turn": turn, "phase": phase, "active": active})


def test_a_phase_that_is_put_back_does_nothing() -> None:
    """A step on by mistake, put back by a `phase` event: missions scored in the middle of the turn, structures rose."""
    counters = {"missions": ["Invasion"], "structures": {"post-1": {"wounds": 8, "returns_in": 2}}}
    state = State(turn=3, phase="end", active="Ann", counters={**counters, "players": {"Ann": {"mana": 1, "regen": 2}}})
    beyond = a_scene(*(base(f"a{n}", 100 + 50 * n, 500) for n in range(3)))
    for turn, phase in ((3, "main-2"), (2, "upkeep")):
        fields = {"turn": turn, "phase": phase, "active": "Ann"}
        after = advance(state, beyond, a_setup(), "phase", fields)
        assert after == replace(state, turn=turn, phase=phase)
    assert advance(state, beyond, a_setup(), "phase", {"turn": 3, "phase": "upkeep", "active": "Bob"}) != state


def test_naming_the_ally_who_acts_next_begins_no_phase() -> None:
    players = (Player("Ann", "red", "near"), Player("Cid", "green", "near"), Player("Bob", "blue", "far"))
    state = State(
        phase="upkeep", active="Ann", pieces={"a": {"statuses": {"stun": 2}, "ap_spent": 1}},
        counters={"players": {"Ann": {"mana": 1, "regen": 2}}},
    )  # fmt: skip
    fields = {"turn": 1, "phase": "upkeep", "active": "Cid"}
    assert advance(state, SCENE, a_setup(players, mode="moba"), "phase", fields) == replace(state, active="Cid")


def test_mana_of_a_player_for_whom_nobody_keeps_it_is_not_counted() -> None:
    """A kill opened Ann's book; from her next upkeep on she had 0 mana, and her cards were refused."""
    state = State(phase="activation", active="Ann", pieces={"a": {"keywords": ["Mana Frenzy"]}, "b": {"hp": 1}})
    state = advance(state, SCENE, a_setup(), "attack", {"piece": "a", "other": "b", "damage": 1})
    state = enter(enter(state, "upkeep", "Bob"), "upkeep", "Ann", 2)
    assert "mana" not in state.counters["players"]["Ann"]
    advance(state, SCENE, a_setup(), "play", {"book": "Ann", "mana": 3})
