"""Phases that are put back or only name an ally, and books that nobody keeps (OSMCG-5)."""

from __future__ import annotations

from dataclasses import replace

from rules.games.osmcg.turns import advance
from rules.match import Event, apply, start
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


def test_the_other_side_s_turn_that_is_entered_by_mistake_gives_no_action_points_back() -> None:
    """Bob's turn, put back to Ann's activation, gave her points again; on to Bob again his mana came twice."""
    pieces = {"a": {"ap_spent": 2}, "b": {"statuses": {"stun": 3}}}
    known = State(
        phase="activation", active="Ann", pieces=pieces, counters={"players": {"Bob": {"mana": 1, "regen": 2}}}
    )
    match = start(a_setup(), SCENE, known)
    for active, phase, stun, mana in (("Bob", "upkeep", 2, 3), ("Ann", "activation", 3, 1), ("Bob", "upkeep", 2, 3)):
        match = apply(match, Event(1.0, 1, None, "phase", {"phase": phase, "active": active}))
        assert match.state.of("a")["ap_spent"] == 2 and match.state.of("b")["statuses"] == {"stun": stun}
        assert match.state.counters["players"]["Bob"]["mana"] == mana


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
