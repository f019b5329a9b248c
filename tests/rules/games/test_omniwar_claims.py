"""OmniWar: whose figures are that nobody named, by where units begin (OMNI-5.1)."""

from dataclasses import replace

import pytest

from rules.games.omniwar.claims import claims
from rules.match import observe, start
from rules.scene import Scene
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.hexboards import a_disc, a_scene, a_state, a_unit

PLAYERS = (Player("Ann", "red", "near"), Player("Ben", "blue", "far"))
SETUP = Setup("omniwar", (700.0, 500.0), PLAYERS)


def figure(id_, cell, owner="unknown", **more):
    return replace(a_unit(id_, cell, owner, **more), kind="base", cls="base")


def on_hexes(*figures, roster="Tank", **more):
    """Figures on a board of seven rows, and a state in which each is of the roster."""
    return a_scene(*figures), a_state(a_disc(3), {one.id: {"roster": roster} for one in figures}, **more)


def test_a_base_within_two_hexes_of_one_players_side_is_his_and_one_between_is_nobodys():
    table, state = on_hexes(figure("a", (0, -2)), figure("b", (0, 3)), figure("c", (0, 0)), figure("d", (1, -1)))
    assert claims(table, SETUP, state) == {"a": "red", "b": "blue"}


@pytest.mark.parametrize(
    ("table", "state"),
    [
        on_hexes(figure("a", (0, -3)), roster="Scout team"),
        on_hexes(figure("a", (0, -3)), roster="nobody's"),
        on_hexes(figure("a", (0, -3)), turn=2),
        on_hexes(figure("a", (0, -3)), phase="attack"),
        on_hexes(figure("a", (0, -3), "blue")),
        on_hexes(replace(figure("a", (0, -3)), kind="coin")),
        on_hexes(figure("a", (0, -9))),
    ],
    ids=["scout", "no unit", "later", "after the moves", "known", "coin", "off the board"],
)
def test_a_scout_may_begin_anywhere_and_none_is_claimed_later_or_against_what_was_told(table, state):
    assert claims(table, SETUP, state) == {}


def test_where_two_players_share_a_side_the_place_does_not_tell():
    table, state = on_hexes(figure("a", (0, -3)), figure("b", (0, 3)))
    both = replace(SETUP, players=(*PLAYERS, Player("Cat", "green", "near")))
    assert claims(table, both, state) == {"b": "blue"}


@pytest.mark.parametrize(("scale", "expected"), [("inches", "red"), ("centimetres", None)])
def test_without_hexes_the_distance_tells_if_it_tells_one(scale, expected):
    one = replace(figure("a", (0, 0)), position_mm=(350.0, 202.0))
    setup = replace(SETUP, house={"scale": scale})
    told = claims(Scene((700.0, 500.0), (one,)), setup, State(pieces={"a": {"roster": "Tank"}}))
    assert told == ({"a": expected} if expected else {})


def test_a_claimed_base_may_move_and_stays_its_owners():
    table, state = on_hexes(figure("a", (0, -2)), figure("b", (0, 3)))
    begun = start(SETUP, table, state)
    assert [one.owner for one in begun.scene] == ["red", "blue"]
    assert not [one for one in begun.rulings if one.rule == "C5.2"]
    after = observe(begun, replace(table, pieces=(figure("a", (0, -1)), table["b"])), 5.0)
    assert (after.events[-1].fields["verdict"], after.scene["a"].owner) == ("yes", "red")
