"""Whose turn comes next, and what a new turn clears."""

import pytest
from shapely import Point

from rules.games import game_named
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State
from rules.turn import advance, coming_phase, next_phase

SETUP = Setup(players=(Player("Ann", "red"), Player("Bob", "blue")))


def told(game, state, steps, setup=SETUP):
    seen = []
    for _ in range(steps):
        fields = next_phase(game_named(game), setup, state)
        state = State(**fields)
        seen.append((state.turn, state.phase, state.active))
    return seen


def test_each_player_plays_all_phases():
    assert told("omniwar", State(), 5) == [
        (1, "move", "Ann"),
        (1, "attack", "Ann"),
        (1, "move", "Bob"),
        (1, "attack", "Bob"),
        (2, "move", "Ann"),
    ]


def test_who_is_out_has_no_turn():
    """OMMS gave all his phases to a player who had neither settlement nor unit left (note 8)."""
    setup = Setup(players=(Player("Ann", "red"), Player("Bob", "blue"), Player("Cid", "green")))
    ann, cid = (Piece(i, "coin", "gbp-5p", (0, 0), Point(0, 0).buffer(9), o) for i, o in (("a", "red"), ("c", "green")))

    def coming(turn, *pieces):
        fields = coming_phase(game_named("omms"), Scene((1, 1), pieces), setup, State(turn, "attack", "Ann"))
        return fields["turn"], fields["phase"], fields["active"]

    assert coming(4, ann, cid) == (4, "draw", "Cid") and coming(4, ann) == (5, "draw", "Ann")
    assert coming(1, ann) == coming(1) == (1, "draw", "Bob") and coming(4) == (4, "draw", "Bob")


def test_pocket_goes_phase_by_phase():
    assert told("pocket", State(phase="cavalry", active="Ann"), 3) == [
        (1, "cavalry", "Bob"),
        (1, "ranged", "Ann"),
        (1, "ranged", "Bob"),
    ]


def test_one_nameless_side_without_players():
    assert told("omniwar", State(), 3, Setup()) == [(1, "move", None), (1, "attack", None), (2, "move", None)]


def a_state(active):
    return State(phase="move", active=active, pieces={"a": {"moved": True, "roster": "tank"}, "b": {"fired": True}})


def test_a_player_who_is_told_by_colour_has_his_own_turn():
    """The next phase was the first one of the turn again."""
    assert told("omniwar", State(2, "attack", "blue"), 1) == told("omniwar", State(2, "attack", "Bob"), 1)
    assert told("pocket", State(2, "ranged", "red"), 1) == [(2, "ranged", "Bob")]


@pytest.mark.parametrize(
    ("fields", "a", "b"),
    [
        ({"phase": "move", "active": "blue", "turn": 1}, {"moved": True, "roster": "tank"}, {}),
        ({"phase": "attack", "active": "Ann", "turn": 1}, {"moved": True, "roster": "tank"}, {"fired": True}),
        ({"phase": "move", "active": "Bob", "turn": 1}, {"moved": True, "roster": "tank"}, {}),
        ({"phase": "move", "active": "Ann", "turn": 2}, {"roster": "tank"}, {"fired": True}),
    ],
)
def test_a_turn_clears_its_own_player_s_pieces(fields, a, b):
    pieces = tuple(
        Piece(i, "coin", "gbp-5p", (0, 0), Point(0, 0).buffer(9), o) for i, o in (("a", "red"), ("b", "blue"))
    )
    state = advance(a_state("Ann"), Scene((1, 1), pieces), SETUP, "phase", fields)
    assert (dict(state.of("a")), dict(state.of("b"))) == (a, b)


def test_a_correction_goes_before_the_name_that_the_state_told_until_it_is_taken_back():
    """In OMOG and OSMCG it changed nothing."""
    scene, setup = Scene((100.0, 100.0)), Setup("omog", (100.0, 100.0))
    state = State(pieces={"a": {"roster": "lancer", "moved": True}})
    for said, there in (("armour", "armour"), ("elite", "elite"), (None, "lancer")):
        state = advance(state, scene, setup, "correction", {"piece": "a", "set": {"roster": said}})
        assert state.of("a")["roster"] == there
    assert state == State(pieces={"a": {"roster": "lancer", "moved": True}})


def test_what_the_state_tells_after_a_correction_stands_when_that_is_taken_back():
    """What it had told before the correction came back."""
    scene, setup = Scene((100.0, 100.0)), Setup("omog", (100.0, 100.0))
    state = State(pieces={"a": {"roster": "lancer"}})
    state = advance(state, scene, setup, "correction", {"piece": "a", "set": {"roster": "armour"}})
    state = advance(state, scene, setup, "state", {"pieces": {"a": {"roster": "elite"}}})
    state = advance(state, scene, setup, "correction", {"piece": "a", "set": {"roster": None}})
    assert state == State(pieces={"a": {"roster": "elite"}})
