"""Attacks that somebody declares at what is no target (C4.3, C5.2)."""

import pytest

from rules.course.fold import feature_of
from rules.match import Event, apply, start
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.cards import a_coin, a_scene
from tests.rules.games.hexboards import a_disc, a_state, a_unit
from tests.rules.games.hexboards import a_scene as a_mat

PLAYERS = (Player("Ann", "red", "near"), Player("Bob", "blue", "far"))
CARDS = {(1, 1): "2H", (2, 1): "3H", (1, 2): "4H"}


def declared(match, piece, other, **told):
    return apply(match, Event(1.0, 1, "Ann", "attack", {"piece": piece, "other": other, **told}))


@pytest.fixture
def shots():
    """Cavalry, a shooter and his friend near, an enemy far, a coin in the middle of its card."""
    coins = [
        a_coin("horse", "gbp-5p", (1, 1)),
        a_coin("bow", "gbp-20p", (1, 1), dx=20),
        a_coin("foe", "gbp-1p", (2, 1), "far"),
        a_coin("whose", "gbp-1p", (1, 2), off=0.0),
    ]
    scene, state = a_scene(CARDS, *coins), State(phase="ranged", active="Ann")
    return start(Setup("pocket", (800.0, 700.0), PLAYERS), scene, state)


@pytest.mark.parametrize(
    ("piece", "other", "rule", "why"),
    [
        ("bow", "bow", "C4.3", "bow cannot attack itself"),
        ("horse", "foe", "C4.3", "foe is no target of horse"),
        ("bow", "horse", "C4.3", "bow and horse are both red's: only enemies are attacked"),
        ("bow", "whose", "C5.2", "nobody has said what whose is or whose; say so first"),
    ],
)
def test_an_attack_at_what_is_no_target_is_none(shots, piece, other, rule, why):
    """It had no verdict, and counted as the unit's shot."""
    after = declared(shots, piece, other)
    assert [after.events[-1].fields[key] for key in ("verdict", "rule", "why")] == ["no", rule, why]
    assert after.state == shots.state


def test_one_whose_result_is_told_was_made_and_one_at_a_foe_stays(shots):
    assert "verdict" not in declared(shots, "bow", "foe").events[-1].fields
    assert "verdict" not in declared(shots, "horse", "foe", damage=1).events[-1].fields


def test_what_never_was_on_the_table_is_not_attacked(shots):
    """A misspelt `other` was attacked without a word."""
    with pytest.raises(ValueError, match=r"attack: there is no piece 'fo' on the table; mend 'other'"):
        declared(shots, "bow", "fo")
    gone = apply(shots, Event(1.0, 1, "Ann", "remove", {"piece": "foe"}))
    assert gone.events[-1].kind == "remove" and "verdict" not in declared(gone, "bow", "foe").events[-1].fields


def test_who_was_taken_off_before_the_phase_began_neither_attacks_nor_is_attacked(shots):
    """A dead unit shot in the next phase without a word; in its own it may have shot before it fell."""
    gone = apply(shots, Event(1.0, 1, "Ann", "remove", {"piece": "bow"}))
    assert "verdict" not in declared(gone, "bow", "foe").events[-1].fields
    later = apply(gone, Event(2.0, 1, "Bob", "phase", {"phase": "ranged", "active": "Bob"}))
    for pair in (("bow", "foe"), ("foe", "bow")):
        after = declared(later, *pair)
        assert after.events[-1].fields["why"] == "bow was taken off the table before this phase began"
        assert after.state == later.state
    assert "verdict" not in declared(later, "bow", "foe", damage=1).events[-1].fields


def test_who_was_put_back_against_the_rules_lies_there_and_fights(shots):
    """He "was taken off the table before this phase began", and his attack was refused."""
    scene = a_scene(CARDS, a_coin("horse", "gbp-5p", (1, 1)), a_coin("foe", "gbp-1p", (1, 1), "far"))
    match = start(shots.setup, scene, State(phase="cavalry", active="Ann"))
    match = apply(match, Event(1.0, 1, "Ann", "remove", {"piece": "horse"}))
    match = apply(match, Event(2.0, 1, "Ann", "phase", {"phase": "melee", "active": "Ann"}))
    back = {"feature": feature_of(scene["horse"], scene.table_size_mm), "verdict": "no"}
    match = apply(match, Event(3.0, 1, "Ann", "place", back))
    assert "verdict" not in declared(match, "horse", "foe").events[-1].fields


def test_who_fights_hand_to_hand_needs_to_be_no_target(shots):
    scene = a_scene(CARDS, a_coin("horse", "gbp-5p", (1, 1)), a_coin("foe", "gbp-1p", (1, 1), "far"))
    match = start(shots.setup, scene, State(phase="melee", active="Ann"))
    assert "verdict" not in declared(match, "horse", "foe").events[-1].fields


def test_a_friend_is_no_target_on_hexes_either():
    units = {"gun": "Tank", "squad": "Army squad", "foe": "Army squad"}
    state = a_state(a_disc(2), units, phase="attack", active="Ann")
    setup = Setup("omniwar", (700.0, 700.0), PLAYERS)
    match = start(setup, a_mat(a_unit("gun", (0, 0)), a_unit("squad", (1, 0)), a_unit("foe", (2, 0), "blue")), state)
    assert declared(match, "gun", "squad").events[-1].fields["rule"] == "C4.3"
