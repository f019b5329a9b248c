"""Each unit attacks once a turn, and a loss that nobody declared uses up an attack (OMMS-2)."""

from __future__ import annotations

import pytest

from rules.files.setup_record import setup_record
from rules.games.omms import GAME
from rules.games.omms.counters import check_counters
from rules.games.omms.losses import used_attacks
from rules.match import Event, apply, observe, replay, start, undo
from rules.setup import Setup
from rules.state import State

from .builders import a_coin, a_road, a_scene, a_setup

PLAYERS = [("Ann", "red", "near"), ("Ben", "blue", "far")]
LAND = a_setup(a_road((0, 200), (700, 200)), players=PLAYERS)
ATTACKING = State(1, "attack", "Ann")
# Two stacks left and right of the first attacker; the second attacker reaches the right one only.
LEFT, RIGHT = a_coin("l", "guard", "blue", (260, 200)), a_coin("r", "guard", "blue", (340, 200))
FIRST, SECOND = a_coin("a", "invader", "red", (300, 200)), a_coin("s", "invader", "red", (400, 200))
BELOW = a_coin("b", "scout", "blue", (341, 200))

LIFTED = {"p": {"class": "gbp-1p", "owner": "red", "at_mm": [600, 200], "sigma_mm": 0}}


def losing(match, *names):
    """The match after these are gone one after the other, and the verdicts."""
    for name in names:
        left = (piece for piece in match.scene if piece.id != name)
        match = observe(match, a_scene(*left), match.scene.time_s + 1)
    return match, [event.fields["verdict"] for event in match.events if event.kind == "remove"]


@pytest.mark.parametrize(
    ("attackers", "gone", "verdicts"),
    [
        ([FIRST], "rb", ["yes", "no"]),
        ([FIRST], "lr", ["yes", "no"]),
        ([FIRST, SECOND], "rl", ["yes", "yes"]),  # the second must have destroyed the right one
        ([FIRST, SECOND], "rb", ["yes", "yes"]),
        ([FIRST, SECOND], "rbl", ["yes", "yes", "no"]),
        ([SECOND], "lr", ["no", "yes"]),
    ],
)
def test_one_attack_explains_one_loss(attackers, gone, verdicts):
    match, told = losing(start(LAND, a_scene(*attackers, LEFT, RIGHT, BELOW), ATTACKING), *gone)
    assert told == verdicts
    assert replay({"setup": setup_record(LAND)}, match.events).state == match.state


@pytest.mark.parametrize(
    ("attackers", "gone", "verdicts"),
    [
        ([FIRST], "rb", ["yes", "no"]),  # before, both: each was asked alone
        ([FIRST], "lr", ["yes", "no"]),
        ([FIRST, SECOND], "lr", ["yes", "yes"]),
        ([FIRST, SECOND], "br", ["yes", "yes"]),  # before, the guard defended for the scout still
        ([FIRST, SECOND], "rbl", ["yes", "yes", "no"]),
    ],
)
@pytest.mark.parametrize(
    "state",
    [ATTACKING, State(active="Ann"), State(1, "attack", "Ann", counters={"lifted": LIFTED})],
)
def test_one_attack_explains_one_of_those_gone_together(attackers, gone, verdicts, state):
    there = [*attackers, LEFT, RIGHT, BELOW]
    left = [piece for piece in there if piece.id not in gone]
    told = {r.piece: r.verdict for r in GAME.judge(a_scene(*there), a_scene(*left), LAND, state)}
    assert sorted(told.values()) == sorted(verdicts)


@pytest.mark.parametrize("role", ["tank", "invader"])
@pytest.mark.parametrize(("others", "lost"), [([], 1), ([SECOND], 2)])
def test_one_attack_takes_the_attacker_or_the_defender(role, others, lost):
    attacker, defender = a_coin("a", role, "red", (300, 200)), a_coin("d", "scout", "blue", (340, 200))
    found = GAME.judge(a_scene(attacker, defender, *others), a_scene(*others), LAND, ATTACKING)
    assert [r.verdict for r in found].count("yes") == lost


def may_attack(match, unit="a"):
    return {r.other: r.verdict for r in match.rulings if r.kind == "target" and r.piece == unit}


def test_whose_attack_was_used_attacks_no_more_in_this_turn():
    match, _ = losing(start(LAND, a_scene(FIRST, LEFT, RIGHT), ATTACKING), "r")
    assert match.state.counters["losses"] == {"r": ["a"]} and may_attack(match) == {"l": "no"}
    back = undo(match, 5.0)
    assert "losses" not in back.state.counters and may_attack(back) == {"l": "yes", "r": "yes"}
    again = apply(match, Event(5.0, 2, "Ann", "phase", {"turn": 2, "phase": "attack", "active": "Ann"}))
    assert "losses" not in again.state.counters and may_attack(again) == {"l": "yes"}


@pytest.mark.parametrize("name", ["r", "r2"])
def test_who_is_put_back_was_not_lost(name):
    """A unit had to be bought, in the phase of cards; by a new name its loss and the attack stayed, too."""
    ready = State(1, "attack", "Ann", pieces={"r": {"moved": True}})
    match, _ = losing(start(LAND, a_scene(FIRST, LEFT, RIGHT), ready), "r")
    back = observe(match, a_scene(FIRST, LEFT, a_coin(name, "guard", "blue", (341, 200))), 5.0)
    assert (back.events[-1].fields["verdict"], back.events[-1].fields["rule"]) == ("yes", "C4.8")
    assert not back.state.counters and may_attack(back) == {"l": "yes", name: "yes"} and back.state.of(name)["moved"]
    assert replay({"setup": setup_record(LAND)}, back.events).state == back.state


def test_who_is_put_back_by_another_name_is_still_in_the_attack_that_was_declared():
    match = apply(start(LAND, a_scene(FIRST, LEFT, RIGHT), ATTACKING), Event(1, 1, "Ann", "attack", DECLARED))
    back = observe(losing(match, "r")[0], a_scene(FIRST, LEFT, a_coin("r2", "guard", "blue", (340, 200))), 5.0)
    assert back.state.counters["attack"] == {"piece": "a", "other": "r2"}


def test_a_unit_is_put_back_once_and_where_it_lay_only():
    twins = [a_coin(name, "guard", "blue", (340, 200)) for name in ("x", "y")]
    match, _ = losing(start(LAND, a_scene(FIRST, LEFT, RIGHT), ATTACKING), "r")
    assert [e.fields["verdict"] for e in observe(match, a_scene(FIRST, LEFT, *twins), 5.0).events[-2:]] == ["yes", "no"]
    away = a_coin("x", "guard", "blue", (370, 200))
    assert observe(match, a_scene(FIRST, LEFT, away), 5.0).events[-1].fields["verdict"] == "no"


def test_whose_attack_was_one_of_two_may_still_attack():
    match, _ = losing(start(LAND, a_scene(FIRST, SECOND, LEFT, RIGHT), ATTACKING), "r")
    assert match.state.counters["losses"] == {"r": ["a", "s"]} and may_attack(match)["l"] == "yes"


def test_a_declared_attack_is_known_without_its_loss():
    match = apply(start(LAND, a_scene(FIRST, LEFT, RIGHT), ATTACKING), Event(1, 1, "Ann", "attack", DECLARED))
    lost, told = losing(match, "r", "l")
    assert told == ["close", "no"] and "losses" not in lost.state.counters


DECLARED = {"piece": "a", "other": "r"}


@pytest.mark.parametrize(
    ("dice", "gone", "verdict"),
    [(([6, 6], [1, 1]), "l", "yes"), (([6, 6], [1, 1]), "a", "no"), (([1, 1], [6, 6]), "a", "yes"),
     (([5, 5], [5, 5]), "a", "no"), (([], []), "a", "close")],
)  # fmt: skip
def test_who_lost_may_be_taken_away_when_the_next_attack_is_declared(dice, gone, verdict):
    """The next one overwrote it: nothing could have destroyed the loser."""
    match = start(LAND, a_scene(FIRST, SECOND, LEFT, RIGHT), ATTACKING)
    first = {"piece": "a", "other": "l"}
    for told in (first, {**first, "attack_dice": dice[0], "defence_dice": dice[1]}, {"piece": "s", "other": "r"}):
        match = apply(match, Event(1, 1, "Ann", "attack", told))
    assert [r.piece for r in match.rulings if r.kind == "melee"] == ["s"]
    check_counters(match.state, LAND)
    assert losing(match, gone)[1] == [verdict]
    passed = apply(match, Event(5.0, 1, "Ben", "phase", {"turn": 1, "phase": "draw", "active": "Ben"}))
    assert "earlier_attacks" not in passed.state.counters


def test_nobody_destroys_his_own():
    own = {"piece": "a", "other": "s", "attack_dice": [6, 6], "defence_dice": [1]}
    state = State(1, "attack", "Ann", counters={"attack": own})
    (found,) = GAME.judge(a_scene(FIRST, SECOND), a_scene(FIRST), LAND, state)
    assert found.verdict == "no"


def test_attacked_is_forgotten_with_the_turn_as_fired_is():
    match = start(LAND, a_scene(FIRST, LEFT), State(1, "attack", "Ann", pieces={"a": {"attacked": True}}))
    assert may_attack(match) == {"l": "no"}
    again = apply(match, Event(5.0, 2, "Ann", "phase", {"turn": 2, "phase": "attack", "active": "Ann"}))
    assert may_attack(again) == {"l": "yes"}


def test_who_may_have_lost_his_own_attack_used_no_other_s():
    match, told = losing(start(LAND, a_scene(FIRST, LEFT, RIGHT), ATTACKING), "a")
    assert told == ["yes"] and "losses" not in match.state.counters


def test_without_turns_nobody_counts_attacks():
    match, told = losing(start(LAND, a_scene(FIRST, LEFT, RIGHT)), "r", "l")
    assert told == ["yes", "yes"] and "losses" not in match.state.counters


def test_who_has_used_his_attack_still_takes_what_is_empty():
    fort, penny = a_coin("f", "fortification", "blue", (260, 200)), a_coin("p", "settlement", "red", (260, 200))
    match, _ = losing(start(LAND, a_scene(FIRST, fort, RIGHT), ATTACKING), "r")
    found = {r.piece: r.verdict for r in GAME.judge(match.scene, a_scene(FIRST, penny), LAND, match.state)}
    assert found == {"f": "yes", "p": "yes"}


@pytest.mark.parametrize(
    ("losses", "used"),
    [
        ({}, ""),
        ({"x": ["a"]}, "a"),
        ({"x": ["a", "b"]}, ""),
        ({"x": ["a", "b"], "y": ["a"]}, "ab"),
        ({"x": ["a", "b"], "y": ["b", "c"]}, ""),
        ({"x": ["a", "b"], "y": ["b", "c"], "z": ["a", "c"]}, "abc"),
        ({"x": ["a"], "y": ["a"], "z": ["b", "c"]}, "a"),
    ],
)
def test_an_attack_is_used_if_nothing_spares_it(losses, used):
    assert used_attacks(State(counters={"losses": losses})) == frozenset(used)


def test_what_names_no_attackers_is_told():
    with pytest.raises(ValueError, match="losses of x: a list of ids of pieces is wanted, not 'a'"):
        check_counters(State(counters={"losses": {"x": "a"}}), Setup())
