"""A free-for-all is won by the last Hero, and who has none is out (rulebook 4.2, 4.3)."""

from dataclasses import replace

import pytest

from rules.games.osmcg import GAME
from rules.match import Event, apply, start
from rules.setup import Player
from rules.state import State
from rules.turn import coming_phase
from tests.rules.games.osmcg.builders import INCH, PLAYERS, a_scene, a_setup, base, judged, rulings

THREE = (*PLAYERS, Player("Cid", "green", "left"))
SETUP = a_setup(THREE, mode="ffa")
HEROES = {"a": {"hero": True, "hp": 5}, "b": {"hero": True, "hp": 5}, "c": {"hero": True, "hp": 5}}
A, B, C = base("a", 300, 60), base("b", 300, 550, "blue"), base("c", 60, 300, "green")


def state_of(turn=2, **changes):
    return State(turn=turn, phase="end", active="Ann", pieces={**HEROES, **changes})


def standing(scene, state):
    return {one.other: (one.extra["wins"], one.extra["out"]) for one in rulings("economy", scene, state, SETUP)}


def test_who_has_no_hero_is_out_and_has_no_turn():
    """His turn came all the same."""
    scene, state = a_scene(A, C), state_of()
    assert standing(scene, state) == {"Ann": (False, False), "Bob": (False, True), "Cid": (False, False)}
    assert coming_phase(GAME, scene, SETUP, state)["active"] == "Cid"
    assert coming_phase(GAME, a_scene(A, B, C), SETUP, state)["active"] == "Bob"
    fallen = state_of(b={"hero": True, "hp": 5, "wounds": 5})
    assert coming_phase(GAME, a_scene(A, B, C), SETUP, fallen)["active"] == "Cid"


def test_nobody_is_out_in_turn_1_or_without_heroes_at_all():
    assert coming_phase(GAME, a_scene(A, C), SETUP, state_of(turn=1))["active"] == "Bob"
    assert coming_phase(GAME, a_scene(A, C), SETUP, replace(state_of(), pieces={}))["active"] == "Bob"


def test_a_hero_of_whom_nobody_said_whose_it_is_may_be_anybody_s():
    """Ann had won (C5.2)."""
    scene = a_scene(A, replace(B, owner="unknown"))
    assert set(standing(scene, state_of()).values()) == {(False, False)}
    assert standing(a_scene(A), state_of())["Ann"] == (True, False)


@pytest.mark.parametrize(("mode", "turn", "verdict"), [("ffa", 2, "no"), ("ffa", 1, "yes"), ("duel", 2, "yes")])
def test_a_fallen_hero_does_not_come_back(mode, turn, verdict):
    state = replace(state_of(turn), phase="upkeep", active="Bob")
    back = base("b", 300, 24 * INCH - 60, "blue")
    assert judged(a_scene(A, C), A, C, back, state=state, setup=a_setup(THREE, mode=mode)).verdict == verdict


def test_who_was_first_to_win_a_duel_has_won_it():
    """Who came as far later had won, too."""
    setup, state = a_setup(mode="duel"), State(turn=2, phase="end", active="Ann")
    for book in ("Bob", "Ann"):
        state = GAME.advance(state, a_scene(A, B), setup, "score", {"book": book, "vp": 10})
    assert state.counters["won"] == "Bob"
    told = rulings("economy", a_scene(A), state, setup)
    found = {one.other: one.extra["wins"] for one in told if "wins" in one.extra}
    assert found == {"Ann": False, "Bob": True}
    untold = State(counters={"players": {"Ann": {"vp": 10}, "Bob": {"vp": 12}}})
    assert not any(one.extra.get("wins") for one in rulings("economy", a_scene(A), untold, setup))


def test_who_had_won_at_the_beginning_of_a_log_has_won_it():
    """Nobody had, once the other had as many points."""
    state = State(turn=2, phase="end", active="Ann", counters={"players": {"Ann": {"vp": 10}, "Bob": {"vp": 9}}})
    match = start(a_setup(mode="duel"), a_scene(A, B), state)
    match = apply(match, Event(1.0, 2, "Ann", "score", {"book": "Bob", "vp": 1}))
    told = (one for one in match.rulings if one.kind == "economy" and "wins" in one.extra)
    assert {one.other: one.extra["wins"] for one in told} == {"Ann": True, "Bob": False}
