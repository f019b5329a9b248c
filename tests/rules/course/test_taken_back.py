"""What was put down against the rules may be taken off again, and is judged as new when it is put there once more."""

from dataclasses import replace

import pytest
from shapely import Point

from rules.files.setup_record import setup_record
from rules.games import game_named
from rules.match import Event, apply, observe, replay, start
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.cards import a_card, a_coin

PLAYERS = (Player("Ann", "red", "near"), Player("Ben", "blue", "far"))
CARDS = tuple(a_card((column, row), f"{2 + column + row}H") for column in (1, 2) for row in (1, 2, 3, 4))
SQUADS = {name: {"roster": "Army squad"} for name in "abn"}


def a_man(id_, owner, x, y, kind="soldier"):
    return Piece(id_, kind, "base" if kind == "base" else "foot", (x, y), Point(x, y).buffer(12.5), owner)


def men(kind="soldier"):
    return a_man("a", "red", 100, 100, kind), a_man("b", "blue", 100, 600, kind), a_man("n", "red", 350, 350, kind)


def begun(game, state, *pieces):
    setup = Setup(game=game, players=PLAYERS, table_size_mm=(700, 700), legend=dict(game_named(game).legend))
    return start(setup, Scene((700, 700), pieces), state)


COINS = a_coin("a", "gbp-1p", (1, 1)), a_coin("b", "gbp-1p", (1, 4), "far"), a_coin("n", "gbp-2p", (2, 2))
GAMES = [
    ("omog", State(2, "move-1", "Ann"), men()),
    ("omog", State(2, "fire", "Ann"), men()),
    ("osmcg", State(2, "activation", "Ann"), men("base")),
    ("omniwar", State(2, "move", "Ann", pieces=SQUADS), men()),
    ("pocket", State(2, "movement", "Ann"), (*CARDS, *COINS)),
]


@pytest.mark.parametrize(("game", "state", "pieces"), GAMES)
def test_what_was_put_down_against_the_rules_is_taken_back(game, state, pieces):
    """That was told as no, or counted the man among the losses; put there once more he was "put back", and legal."""
    before = pieces[:-1]
    match = begun(game, state, *before)
    for time_s, lying in enumerate((pieces, before, pieces), 1):
        match = observe(match, Scene((700, 700), tuple(lying)), float(time_s))
        if lying is before:
            assert match.state.counters == {} and dict(match.state.pieces) == dict(state.pieces)
    told = [(event.kind, event.fields["verdict"]) for event in match.events if "verdict" in event.fields]
    assert told == [("place", "no"), ("remove", "yes"), ("place", "no")]
    assert replay({"setup": setup_record(match.setup)}, match.events).state == match.state


def test_what_was_put_down_too_close_to_call_is_taken_back_in_that_turn_and_is_so_again():
    """Nobody "can have destroyed it", and put there once more it was legal."""
    a, b, _ = men()
    new = replace(a_man("n", "red", 350, 203), sigma_mm=3.0)
    match = begun("omniwar", State(1, "move", "Ann", pieces=SQUADS), a, b)
    for time_s, lying in enumerate(((a, b, new), (a, b), (a, b, new)), 1):
        match = observe(match, Scene((700, 700), lying), float(time_s))
    told = [event.fields["verdict"] for event in match.events if event.kind in ("place", "remove")]
    assert told == ["close", "yes", "close"]
    later = apply(match, Event(4.0, 1, "Ben", "phase", {"turn": 1, "phase": "move", "active": "Ben"}))
    assert observe(later, Scene((700, 700), (a, b)), 5.0).events[-1].fields["verdict"] == "no"


def test_a_creature_deployed_too_close_to_call_is_so_again():
    """Whether one without HP was lost only the players know: it had left the table, and was legal there once more."""
    a, b, _ = men("base")
    new = replace(a_man("n", "red", 175.8, 100, "base"), sigma_mm=3.0)
    match = begun("osmcg", State(2, "main-1", "Ann", pieces={"a": {"keywords": ["Hero"]}}), a, b)
    for time_s, lying in enumerate(((a, b, new), (a, b), (a, b, new)), 1):
        match = observe(match, Scene((700, 700), lying), float(time_s))
    told = [event.fields["verdict"] for event in match.events if event.kind in ("place", "remove")]
    assert told == ["close", "yes", "close"]
    assert replay({"setup": setup_record(match.setup)}, match.events).state == match.state


@pytest.mark.parametrize(("attacker", "other"), [("b", "n"), ("n", "b")])
def test_who_was_let_stay_and_fought_is_lost_as_anybody(attacker, other):
    """The unit that a declared attack destroyed was "taken back", and its points were nobody's."""
    a, b, _ = men()
    new, tanks = a_man("n", "red", 100, 520), {name: {"roster": "Tank"} for name in "abn"}
    match = begun("omniwar", State(1, "move", "Ann", pieces=tanks), a, b)
    match = observe(match, Scene((700, 700), (a, b, new)), 1.0)
    assert match.events[-1].fields["verdict"] == "no"
    match = apply(match, Event(2.0, 1, "Ben", "phase", {"turn": 1, "phase": "attack", "active": "Ben"}))
    match = apply(match, Event(3.0, 1, "Ben", "attack", {"piece": attacker, "other": other, "verdict": "yes"}))
    match = observe(match, Scene((700, 700), (a, b)), 4.0)
    assert match.events[-1].fields["rule"] == "OMNI-3.2" and "taken_back" not in match.events[-1].fields
    assert match.state.counters["lost"] == {"red": 46}


def test_a_casualty_who_was_put_elsewhere_and_taken_back_is_lost_again():
    a, b, _ = men()
    match = begun("omog", State(2, "fire", "Ann"), a, b)
    for time_s, lying in enumerate(([b], [a_man("a", "red", 350, 350), b], [b]), 1):
        match = observe(match, Scene((700, 700), tuple(lying)), float(time_s))
    assert match.state.counters["lost"] == {"red": 1}
    back = observe(match, Scene((700, 700), (a, b)), 9.0)
    assert back.events[-1].fields["verdict"] == "yes" and "lost" not in back.state.counters


@pytest.mark.parametrize("event", [("phase", {"turn": 4, "phase": "fire"}), ("correction", {"piece": "n", "set": {}})])
def test_who_stayed_or_was_put_right_is_taken_off_as_anybody(event):
    a, b, n = men()
    match = observe(begun("omog", State(2, "fire", "Ann"), a, b), Scene((700, 700), (a, b, n)), 1.0)
    kind, fields = event
    match = apply(match, Event(2.0, 2, "Ann", kind, {**fields, "active": "Ann"} if kind == "phase" else fields))
    fallen = observe(match, Scene((700, 700), (a, b)), 3.0)
    assert fallen.events[-1].fields["rule"] == "OMOG-3.5" and fallen.state.counters["lost"] == {"red": 1}
