"""Whose miniatures are that nobody named: their places at the beginning tell."""

from dataclasses import replace

import pytest

from rules.games.osmcg.claims import claims
from rules.match import match_header, observe, replay, start
from rules.setup import Player
from tests.rules.games.osmcg.builders import INCH, PLAYERS, a_scene, a_setup, a_state, base


def nobodys(id_, x, y):
    return base(id_, x, y, owner="unknown")


def test_who_stands_in_a_players_strip_is_his():
    scene = a_scene(nobodys("a", 300, 5.9 * INCH), nobodys("b", 300, 18.1 * INCH), nobodys("c", 300, 6.1 * INCH))
    assert claims(scene, a_setup(), a_state()) == {"a": "red", "b": "blue"}


@pytest.mark.parametrize("state", [a_state(turn=2), a_state(pieces={"a": {"team": "blue"}})])
def test_nothing_is_claimed_later_nor_against_what_was_told(state):
    assert claims(a_scene(nobodys("a", 300, 50)), a_setup(), state) == {}


def test_whose_owner_is_known_and_who_stands_where_two_share_a_strip_are_not_claimed():
    both = a_setup((*PLAYERS, Player("Cat", "green", "near")), mode="moba")
    assert claims(a_scene(base("a", 300, 50, "blue")), a_setup(), a_state()) == {}
    assert claims(a_scene(nobodys("a", 300, 50)), both, a_state()) == {}


def test_the_claim_outlives_what_the_eyes_say_later_and_is_in_the_log():
    first = a_scene(nobodys("a", 300, 50), nobodys("b", 300, 560))
    begun = start(a_setup(), first)
    assert [piece.owner for piece in begun.scene] == ["red", "blue"]
    moved = replace(first, pieces=(nobodys("a", 300, 150), first["b"]))
    after = observe(begun, moved, 5.0)
    assert after.scene["a"].owner == "red"
    assert after.events[-1].fields["verdict"] == "yes"
    again = replay(match_header(a_setup()), begun.events)
    assert [piece.owner for piece in again.scene] == ["red", "blue"]
