"""Note 8 and OMMS-5.4: who wins a fight, and the game."""

from __future__ import annotations

import pytest
from shapely import box

from rules.games.omms import GAME
from rules.games.omms.fight import outcome
from rules.games.omms.progress import advance
from rules.match import Event, apply, observe, start
from rules.scene import Piece
from rules.state import State

from .builders import a_coin, a_road, a_scene, a_setup

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


def test_nobody_is_out_before_his_first_base_is_put_down():
    """The first player had won as soon as he put down his."""
    ann, begun = a_coin("a", "fortification", "red", (100, 100)), State(1, "cards", "Ann")
    assert standing(ann, state=begun) == {"red": (False, False), "blue": (False, False)}
    for state in (State(2, "cards", "Ann"), State(1, "cards", "Ann", counters={"bases": {"Ben": "b"}})):
        assert standing(ann, state=state) == {"red": (False, True), "blue": (True, False)}


@pytest.mark.parametrize(
    ("role", "owner", "out"),
    [("unknown", "blue", False), ("scout", "unknown", False), ("eur-1c", "unknown", True), ("unknown", "none", True)],
)
def test_nobody_is_out_while_a_coin_may_be_his(role, owner, out):
    """With the last coin of blue read as unknown red had won (C5.2)."""
    coins = a_coin("a", "scout", "red", (100, 100)), a_coin("x", role, owner, (300, 100))
    assert standing(*coins) == {"red": (False, out), "blue": (out, False)}


def test_who_had_the_points_first_has_won():
    """When another had as many later, nobody had won any more."""
    base, penny = a_coin("a", "fortification", "red", (100, 200)), a_coin("b", "settlement", "blue", (500, 200))
    setup = a_setup(a_road((0, 200), (700, 200)), players=PLAYERS, house={"win": "points", "win_points": 2})
    match = start(setup, a_scene(base, penny), State(2, "attack", "Ann"))
    match = apply(match, Event(1.0, 2, "Ben", "phase", {"turn": 2, "phase": "cards", "active": "Ben"}))
    later = observe(match, a_scene(base, a_coin("f", "fortification", "blue", (500, 200))), 2.0)
    assert later.state.counters["won"] == "Ann"
    assert {r.extra["owner"]: r.extra["wins"] for r in later.rulings if r.kind == "economy"} == {
        "red": True,
        "blue": False,
    }
    assert standing(base, penny, house=setup.house, state=State(counters={"won": "blue"}))["blue"][1]


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


# Declared attacks ----------------------------------------------------------------------------------------------------


def a_die(name, face, at):
    return Piece(name, "die", str(face), at, box(at[0] - 8, at[1] - 8, at[0] + 8, at[1] + 8))


def melee(*things, state):
    coins = a_coin("g", "invader", "red", (300, 200)), a_coin("e", "scout", "blue", (340, 200))
    found = GAME.rulings(a_scene(*coins, *things), a_setup(players=PLAYERS), state, None)
    return [r for r in found if r.kind == "melee"]


DECLARED = {"piece": "g", "other": "e"}


def test_no_melee_without_a_declared_attack():
    assert melee(a_die("d", 3, (50, 50)), state=State()) == []


@pytest.mark.parametrize(
    ("red", "blue", "how", "lost"),
    [((2, 5), (4,), "win", "e"), ((4, 1), (4,), "tie", None), ((1, 2), (6,), "lose", "g")],
)
def test_dice_on_the_table_settle_an_attack(red, blue, how, lost):
    dice = [a_die(f"r{i}", face, (50 + 30 * i, 40)) for i, face in enumerate(red)]
    dice += [a_die(f"b{i}", face, (50 + 30 * i, 470)) for i, face in enumerate(blue)]
    (found,) = melee(*dice, state=State(counters={"attack": DECLARED}))
    assert (found.verdict, found.extra["outcome"], found.extra["lost"]) == ("yes" if how == "win" else "no", how, lost)
    assert found.extra["steals"] is (how == "win")


def test_an_attack_waits_for_all_its_dice():
    (found,) = melee(a_die("r", 6, (50, 40)), state=State(counters={"attack": DECLARED}))
    assert found.verdict == "close" and "2 and blue scout e 1 dice; 1 and 0 are seen" in found.why


def test_typed_dice_go_before_those_on_the_table():
    state = State(counters={"attack": {**DECLARED, "attack_dice": [6, 1], "defence_dice": [5]}})
    (found,) = melee(a_die("r", 1, (50, 40)), state=state)
    assert found.extra["outcome"] == "win"


def test_a_match_keeps_the_declared_attack_until_the_turn_passes_on():
    setup, scene = a_setup(players=PLAYERS), a_scene()
    state = advance(State(turn=1, phase="attack", active="Ann"), scene, setup, "attack", DECLARED)
    assert state.counters["attack"] == DECLARED
    passed = advance(state, scene, setup, "phase", {"turn": 1, "phase": "draw", "active": "Ben"})
    assert "attack" not in passed.counters


@pytest.mark.parametrize(
    ("counters", "house", "says"),
    [
        ({"food": {"Ann": "many"}}, {}, "food of red: a whole number is wanted, not 'many'"),
        ({"food": 3}, {}, "food: a table of names is wanted, not 3"),
        ({"extra_dice": {"red": 1.5}}, {}, "extra_dice of red"),
        ({"sieges": {"s": {}}}, {}, "turn of s: a whole number is wanted, not None"),
        ({}, {"usable_roads": ["a", "lane"]}, "some of motorway, primary, a, b, minor"),
        ({}, {"win": "points", "win_points": "all"}, "win_points"),
    ],
)
def test_what_is_told_wrong_is_named_in_one_line(counters, house, says):
    coins = [
        a_coin("s", "settlement", "red", (300, 200)),
        a_coin("g", "guard", "red", (300, 200), on="s"),
        a_coin("e", "guard", "blue", (340, 200)),
    ]
    setup = a_setup(a_road((300, 200), (700, 200)), players=PLAYERS, house=house)
    with pytest.raises(ValueError, match=says) as fault:
        GAME.rulings(a_scene(*coins), setup, State(counters=counters), None)
    assert "\n" not in str(fault.value)
