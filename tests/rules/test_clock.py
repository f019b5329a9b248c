"""The clock of the side that moves: what is left, and one call when it is over."""

import pytest
from shapely import Point

from rules.clock import called, seconds_left
from rules.course.history import effective
from rules.game import Game
from rules.match import Event, apply, match_header, replay, start, undo
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.turn import advance, with_counters

SETUP = Setup("toy", (700, 500), (Player("Ann", "red"), Player("Bob", "blue", "far")))


def begun_at(state, scene, setup, kind, fields):
    after = advance(state, scene, setup, kind, fields)
    return with_counters(after, {"began_s": fields["time_s"]}) if kind == "phase" else after


def ten_seconds(state, time_s):
    began_s = state.counters.get("began_s")
    return None if began_s is None else max(0.0, began_s + 10.0 - time_s)


PLAIN = Game("toy", "Toy", ("move",), lambda *_: (), lambda *_: ())
TIMED = Game("toy", "Toy", ("move",), lambda *_: (), lambda *_: (), advance=begun_at, clock=ten_seconds)


def begun(game=TIMED):
    coin = Piece("a", "coin", "gbp-5p", (100.0, 100.0), Point(100, 100).buffer(9), owner="red")
    return start(SETUP, Scene((700.0, 500.0), (coin,)), game=game)


def passed_on(match, time_s, who):
    return apply(match, Event(time_s, 1, None, "phase", {"phase": "move", "active": who}))


def calls(match):
    return [(event.time_s, event.fields["text"]) for event in match.events if event.kind == "clock"]


def test_no_clock_runs_where_a_game_has_none_or_nobody_has_begun():
    assert seconds_left(begun(PLAIN), 5.0) is None
    assert seconds_left(begun(), 5.0) is None
    assert called(begun(), 500.0).events == begun().events


@pytest.mark.parametrize(("time_s", "left_s"), [(2.0, 10.0), (11.5, 0.5), (12.0, 0.0), (99.0, 0.0)])
def test_what_is_left(time_s, left_s):
    assert seconds_left(passed_on(begun(), 2.0, "Ann"), time_s) == left_s


def test_the_end_is_called_once_for_each_side():
    match = passed_on(begun(), 2.0, "Ann")
    for time_s in (5.0, 11.9, 12.1, 12.2, 13.0):
        match = called(match, time_s)
    assert calls(match) == [(12.1, "the time of Ann is over")]
    match = called(passed_on(match, 14.0, "Bob"), 24.0)
    assert calls(match)[1:] == [(24.0, "the time of Bob is over")]


def test_a_call_changes_nothing_and_undo_passes_over_it():
    match = passed_on(begun(), 2.0, "Ann")
    match = called(apply(match, Event(3.0, 1, "Ann", "move", {"piece": "a", "to_mm": [150, 100]})), 12.0)
    back = undo(match, 13.0)
    assert back.scene["a"].position_mm == (100.0, 100.0)
    assert "clock" in [event.kind for event in effective(back.events)]


def test_the_clock_is_in_the_log():
    match = called(passed_on(begun(), 2.0, "Ann"), 12.5)
    assert replay(match_header(SETUP), match.events, game=TIMED) == match
