import pytest

from rules.course.events import Event
from rules.game import Ruling
from rules.state import State
from ui.telling.words import (
    class_name,
    clock_words,
    counted,
    event_title,
    event_verdict,
    event_why,
    margin_words,
    odds_words,
    time_words,
    turn_lines,
)


@pytest.mark.parametrize(
    ("cls", "name"),
    [("gbp-5p", "5p"), ("gbp-2", "£2"), ("eur-50c", "50c"), ("eur-1", "€1"), ("usd-25c", "25¢"), ("usd-1", "$1"),
     ("usd-1-silver", "$1-silver"), ("AS", "AS"), ("mug", "mug")],
)  # fmt: skip
def test_what_people_call_it(cls, name):
    assert class_name(cls) == name


def an_event(kind, **fields):
    return Event(65.25, 2, "Ann", kind, fields)


@pytest.mark.parametrize(
    ("event", "title"),
    [
        (an_event("move", piece="c1", **{"class": "gbp-5p"}, owner="red", verdict="no"),
         "red 5p (c1) moved: not legal"),
        (an_event("place", piece="c2", **{"class": "unknown"}, owner="unknown", verdict=None),
         "somebody's unknown piece (c2) was put down"),
        (an_event("siege", place="c3", change="begin"), "c3 is besieged"),
        (an_event("state", pieces={"a": {"toss": "heads", "moved": True}, "b": {}}),
         "told: a: toss heads, moved yes; b: nothing"),
        (an_event("state", counters={"food": {"Ann": 3}, "won": None}), "told: food (Ann 3); won no more"),
        (an_event("state", grid={}, phase="fire", active=None), "told: phase fire; active nobody; the grid"),
        (an_event("state", counters={"dice": [6, 5] * 60}), f"told: dice {'6 5 ' * 28}6 5..."),
        (an_event("state"), "told: nothing"),
        (an_event("play", book="Ann", card="Wolf", mana=2), "plays Wolf for 2 mana"),
        (an_event("play", book="Ben"), "Ben plays a card"),
        (an_event("stack", push={"card": "Bolt"}), "Bolt goes onto the stack"),
        (an_event("stack", **{"pass": True}), "passes"),
        (an_event("score", book="Ann", vp=1), "scores 1 victory point"),
        (an_event("rest", piece="c1", verdict="no"), "c1 rests: not legal"),
        (an_event("exhaust", piece="c1"), "c1 is exhausted"),
        (an_event("activated", piece="c1"), "c1 has been activated"),
        (an_event("siege", place="c3", change="end"), "the siege of c3 is over"),
        (an_event("phase", active="Ben", phase="move"), "turn 2: Ben, move"),
        (an_event("attack", piece="c1", other="c2"), "c1 attacks c2"),
        (an_event("attack", piece="c1"), "c1 attacks"),  # it was "c1 attacks None"
        (an_event("attack", other="c2"), "somebody attacks c2"),
        (an_event("correction", piece="c1", set={"class": "gbp-5p"}), "corrected c1: class gbp-5p"),
        (an_event("correction", piece="c1", set={"owner": None}), "corrected c1: owner as it was read"),
        (
            an_event("correction", piece="b1", set={"owner": "red"}, by="where it stands"),
            "b1: owner red, by where it stands",
        ),
        (an_event("dice", piece="d1", **{"class": "6"}), "d1 shows 6"),
        (an_event("camera", text="the camera was moved"), "the camera was moved"),
    ],
)  # fmt: skip
def test_what_happened(event, title):
    assert event_title(event) == title


def test_one_is_counted_as_one():
    """`play` wrote "1 events" and went on with "1 pieces"."""
    assert [counted(number, "event") for number in (0, 1, 2)] == ["0 events", "1 event", "2 events"]


def test_the_reason_and_its_rule():
    event = an_event("move", rule="OMMS-3.2", why="no road leads there", verdict="no")
    assert event_why(event) == "OMMS-3.2: no road leads there"
    assert event_verdict(event) == "no"
    assert event_verdict(an_event("siege", change="begin")) == "close"


def test_time_odds_and_margin():
    assert time_words(65.25) == "1:05.2"
    assert time_words(59.97) == "1:00.0"  # it was 0:60.0
    ruling = Ruling("target", "c1", "yes", "R", "w", margin_mm=3.14, sigma_mm=0.2, extra={"odds": {"win": "55/216"}})
    assert odds_words(ruling) == "win 25 % (55/216)"
    assert margin_words(ruling) == "margin 3.1 mm (± 0.6)"


@pytest.mark.parametrize(
    ("verdict", "margin_mm", "sigma_mm", "extra", "words"),
    [
        ("no", -3.14, 0.2, {"odds": {}}, "margin -3.1 mm (± 0.6)"),
        ("no", -3.14, 0.0, {}, "margin -3.1 mm"),
        ("no", -1.0, 0.0, {}, ""),  # the phase, the turn
        ("yes", 1.0, 0.0, {}, ""),
        ("no", -1.0, 0.1, {}, "margin -1.0 mm (± 0.3)"),
        ("no", -28.0, 0.0, {"distance": 4, "range": 1}, ""),
        ("no", -20.1, 0.2, {"cell": [8, 9]}, ""),  # more than two hexes from its side: it lacks more than 20 mm
        ("close", -0.1, 0.2, {"distance": 4, "range": 1}, "margin -0.1 mm (± 0.6)"),
    ],
)
def test_the_margin_is_told_where_a_distance_decides(verdict, margin_mm, sigma_mm, extra, words):
    assert margin_words(Ruling("target", "c1", verdict, "R", "w", None, margin_mm, sigma_mm, None, extra)) == words


@pytest.mark.parametrize(
    ("who", "left_s", "words"),
    [("Ann", 64.2, "Ann 1:05"), ("Ann", 0.1, "Ann 0:01"), ("Ann", 0.0, "Ann 0:00, time is over"),
     (None, 120.0, "clock 2:00"), ("Ann", None, "")],
)  # fmt: skip
def test_the_clock(who, left_s, words):
    assert clock_words(who, left_s) == words


def test_a_shot_hits_or_misses_and_ties_with_nobody():
    """Even odds of a shot were "win 50 %, tie 50 %, lose 0 %"."""
    odds = {"win": "1/2", "tie": "1/2", "lose": "0"}
    assert (
        odds_words(Ruling("target", "c1", "yes", "R", "w", extra={"odds": odds})) == "hit 50 % (1/2), miss 50 % (1/2)"
    )
    omog = {"hit": "1/2", "miss": "1/2", "win": "1/2", "tie": "0", "lose": "1/2"}
    assert (
        odds_words(Ruling("target", "s1", "yes", "R", "w", extra={"odds": omog})) == "hit 50 % (1/2), miss 50 % (1/2)"
    )


def test_a_long_name_gives_way_to_the_phase():
    """Cut in the middle, the line had read "Turn 1 · ...ack · Ann"."""
    lines = turn_lines(State(1, "attack", "Maximiliane von und zu Hohenstein"), None)
    assert lines[0] == "Turn 1 · attack · Maximiliane von und zu Hohenstein"
    assert lines[1:] == ("Turn 1 · attack · Maximilia…", "attack · Maximilia…", "attack · Maxim…", "attack")
    assert turn_lines(State(2, "move-1", "Ann"), 65.0) == ("Turn 2 · move-1 · Ann 1:05", "move-1 · Ann 1:05", "move-1")
    assert turn_lines(State(), None) == ("Turn 1",)
