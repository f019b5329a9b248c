"""Note 8 and OMMS-5.4: who wins a fight, and the game."""

from __future__ import annotations

import pytest

from rules.games.omms import GAME
from rules.games.omms.fight import outcome
from rules.games.omms.progress import advance
from rules.state import State

from .builders import a_coin, a_scene, a_setup

PLAYERS = [("Ann", "red", "near"), ("Ben", "blue", "far")]


def standing(*coins, house=None, state=None):
    found = GAME.rulings(a_scene(*coins), a_setup(players=PLAYERS, house=house), state or State(), None)
    return {r.extra["owner"]: (r.extra["out"], r.extra["wins"]) for r in found if r.kind == "economy"}


@pytest.mark.parametrize(
    ("attack", "defence", "how"), [([3, 5], [4], "win"), ([6], [6, 1], "tie"), ([2], [1, 3], "lose")]
)
def test_the_highest_dice_decide(attack, defence, how):
    assert outcome(attack, defence) == how


def test_without_dice_there_is_no_fight():
    with pytest.raises(ValueError, match="at least one die"):
        outcome([], [3])


def test_the_last_player_wins():
    ann, ben = a_coin("a", "scout", "red", (100, 100)), a_coin("b", "settlement", "blue", (300, 100))
    assert standing(ann, ben) == {"red": (False, False), "blue": (False, False)}
    assert standing(ann) == {"red": (False, True), "blue": (True, False)}


def test_settlement_points_win():
    coins = a_coin("a", "fortification", "red", (100, 100)), a_coin("b", "settlement", "blue", (300, 100))
    assert standing(*coins, house={"win": "points", "win_points": 2})["red"] == (False, True)
    assert standing(*coins, house={"win": "points", "win_points": 3})["red"] == (False, False)


def test_taken_bases_win():
    state = State(counters={"bases_taken": {"Ben": 1}})
    assert standing(a_coin("a", "scout", "red", (100, 100)), house={"win": "bases"}, state=state)["blue"][1]


def test_bought_dice_hold_for_one_turn():
    state = State(turn=1, phase="attack", active="Ann", counters={"extra_dice": {"red": 1}, "food": {"red": 3}})
    same = advance(state, a_scene(), a_setup(players=PLAYERS), "note", {})
    assert same.counters == state.counters
    fields = {"turn": 1, "phase": "draw", "active": "Ben"}
    assert advance(state, a_scene(), a_setup(players=PLAYERS), "phase", fields).counters == {"food": {"red": 3}}
