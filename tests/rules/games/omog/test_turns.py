"""The match of OMOG: sides in turn, their two minutes, and what a turn uses up and gives back."""

from dataclasses import replace

import pytest

from rules.course.events import Event
from rules.course.fold import feature_of
from rules.games.omog import GAME
from rules.match import apply, observe, start
from rules.setup import Player
from rules.state import State
from rules.turn import next_phase

from .builders import INCH, a_man, a_scene, a_setup


def begun(*pieces, **known):
    return start(a_setup(), a_scene(*pieces), State(**known), GAME)


def passed_on(match, time_s):
    return apply(match, Event(time_s, match.state.turn, None, "phase", next_phase(GAME, match.setup, match.state)))


def clock(match):
    return [r.extra["time_left_s"] for r in match.rulings if r.kind == "economy" and "time_left_s" in r.extra]


def test_the_sides_move_in_turn_and_the_other_begins_the_next_turn():
    match, seen = begun(a_man("a", 100, 100)), []
    for time_s in range(9):
        match = passed_on(match, float(time_s))
        seen.append((match.state.turn, match.state.phase, match.state.active))
    assert seen == [
        (1, "move-1", "Ann"),
        (1, "move-2", "Ben"),
        (1, "fire", None),
        (1, "melee", None),
        (2, "move-1", "Ben"),
        (2, "move-2", "Ann"),
        (2, "fire", None),
        (2, "melee", None),
        (3, "move-1", "Ann"),
    ]


def test_three_players_all_move_in_every_turn():
    setup = replace(a_setup(), players=(*a_setup().players, Player("Cat", "green", "left")))
    moves = [next_phase(GAME, setup, State(turn, phase)) for turn in (1, 2) for phase in (None, "move-1")]
    assert [(move["phase"], move["active"]) for move in moves] == [
        ("move-1", "Ann"), ("move-2", None), ("move-1", "Ben"), ("move-2", None),
    ]  # fmt: skip


def test_every_move_has_two_minutes_of_its_own():
    match = passed_on(begun(a_man("a", 100, 100), a_man("b", 900, 800, "blue")), 10.0)
    in_time = observe(match, a_scene(a_man("a", 130, 100), a_man("b", 900, 800, "blue")), 129.9)
    assert in_time.events[-1].fields["verdict"] == "yes" and clock(in_time) == [pytest.approx(0.1)]
    late = observe(match, a_scene(a_man("a", 130, 100), a_man("b", 900, 800, "blue")), 130.1)
    assert (late.events[-1].fields["verdict"], late.events[-1].fields["rule"]) == ("no", "OMOG-6")
    other = passed_on(match, 131.0)
    assert clock(observe(other, a_scene(a_man("a", 100, 100), a_man("b", 870, 800, "blue")), 141.0)) == [110.0]
    assert clock(passed_on(other, 200.0)) == []


def test_a_side_that_begins_has_two_minutes_and_no_more():
    """The table was seen last before that: of 120 s it had 128 left."""
    match = passed_on(begun(a_man("a", 100, 100), a_man("b", 900, 800, "blue")), 8.0)
    assert clock(match) == [120.0]


def test_a_new_turn_rests_the_men_and_a_charge_is_made_once():
    known = {"a": {"moved": True, "fired": True, "charging": True, "team": "A"}}
    match = passed_on(begun(a_man("a", 100, 100), pieces=known, phase="melee"), 1.0)
    assert dict(match.state.of("a")) == {"team": "A", "charged": True}
    within = passed_on(begun(a_man("a", 100, 100), pieces=known, phase="move-1"), 1.0)
    assert dict(within.state.of("a")) == known["a"]


def test_a_shot_of_the_gun_takes_a_round():
    match = begun(a_man("g", 100, 100, arm="gun"), phase="fire")
    for weapon in ("shell", "shell", "canister", "canister"):
        match = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "g", "other": "b", "weapon": weapon}))
    assert match.state.of("g") == {"fired": True, "shells": 1, "canister": 0, "fired_turn": 1}


def test_a_gun_that_only_the_state_tells_takes_a_round_too():
    base = replace(a_man("g", 100, 100, arm="base"), kind="base")
    match = begun(base, phase="fire", pieces={"g": {"class": "gun"}})
    match = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "g", "other": "b", "weapon": "shell"}))
    assert match.state.of("g") == {"class": "gun", "fired": True, "shells": 2, "fired_turn": 1}


@pytest.mark.parametrize(
    ("men", "before", "after"),
    [
        ([("a", 300, "red")], ("red", 2), ("red", 3)),
        ([("a", 300, "blue")], ("red", 2), ("blue", 1)),
        ([("a", 300, "red"), ("b", 330, "blue")], ("red", 2), (None, 0)),
        ([("a", 600, "red")], ("red", 2), (None, 0)),
    ],
)
def test_an_objective_is_counted_when_the_turn_ends(men, before, after):
    mill = {"name": "mill", "position_mm": [300, 300], "radius_mm": 50, "held_by": before[0], "held_turns": before[1]}
    pieces = [a_man(name, x, 300, owner) for name, x, owner in men]
    match = begun(*pieces, phase="fire", counters={"objectives": [mill]})
    assert passed_on(match, 1.0).state.counters["objectives"] == [mill]  # the turn is not over
    rows = passed_on(passed_on(match, 1.0), 2.0).state.counters["objectives"]
    assert [(row["held_by"], row["held_turns"]) for row in rows] == [after]


@pytest.mark.parametrize(
    ("held", "phase", "won"), [(2, "move-1", False), (2, "fire", False), (2, "melee", True), (3, "move-1", True)]
)
def test_an_objective_is_won_when_its_third_turn_is_over(held, phase, won):
    mill = {"name": "mill", "position_mm": [300, 300], "held_by": "red", "held_turns": held}
    match = begun(a_man("a", 300, 310), turn=4, phase=phase, counters={"objectives": [mill]})
    (control,) = (ruling for ruling in match.rulings if ruling.kind == "control")
    assert (control.extra["held_turns"], control.extra["won"]) == (held + 1, won)


def test_a_turn_that_players_go_back_to_is_counted_once():
    """Back to turn 1 and on again the mill was held for three turns at the second one's end."""
    mill = {"name": "mill", "position_mm": [300, 300], "radius_mm": 50}
    match = begun(a_man("a", 300, 300), phase="melee", counters={"objectives": [mill]})
    told = []
    for turn, phase in ((2, "move-1"), (1, "melee"), (2, "move-1"), (2, "melee"), (3, "move-1")):
        match = apply(match, Event(1.0, turn, None, "phase", {"turn": turn, "phase": phase, "active": None}))
        (control,) = (ruling for ruling in match.rulings if ruling.kind == "control")
        told.append((match.state.counters["objectives"][0].get("held_turns"), control.extra["held_turns"]))
    assert told == [(1, 2), (None, 1), (1, 2), (1, 2), (2, 3)]


def test_who_moved_in_a_turn_moves_no_more_where_players_go_back_and_on_again():
    match = begun(a_man("a", 300, 300), turn=2, phase="move-1", active="Ben")
    match = apply(match, Event(1.0, 2, None, "phase", {"phase": "move-2", "active": "Ann"}))
    match = apply(match, Event(2.0, 2, "Ann", "move", {"piece": "a", "to_mm": [300, 320]}))
    for turn, phase, active in ((1, "melee", None), (2, "move-2", "Ann"), (3, "move-1", "Ann")):
        match = apply(match, Event(3.0, turn, None, "phase", {"phase": phase, "active": active}))
        assert (match.state.turn, match.state.of("a").get("moved")) == (turn, None if turn == 3 else True)


@pytest.mark.parametrize(("away_mm", "used"), [(90, "canister"), (300, "shells")])
def test_a_round_is_what_is_fired_that_far(away_mm, used):
    """Also where the attack does not say with what."""
    gun, foe = a_man("g", 300, 100, arm="gun"), a_man("b", 300, 100 + away_mm, "blue")
    match = begun(gun, foe, *(a_man(f"c{n}", 280 + 15 * n, 70) for n in range(3)), phase="fire")
    match = apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "g", "other": "b"}))
    assert set(match.state.of("g")) & {"canister", "shells"} == {used}


def test_whoever_is_removed_as_a_casualty_is_counted():
    match = begun(a_man("a", 100, 100), a_man("b", 300, 100, "blue"), a_man("c", 900, 800, "blue"), phase="fire")
    match = observe(match, a_scene(a_man("a", 100, 100), a_man("c", 900, 800, "blue")), 1.0)
    assert match.state.counters.get("lost") == {"blue": 1}
    tally = {r.other: (r.verdict, r.extra["lost"]) for r in match.rulings if r.kind == "economy" and "lost" in r.extra}
    assert tally == {"red": ("yes", 0), "blue": ("no", 1)}


@pytest.mark.parametrize(("x_mm", "won"), [(379, False), (360, True)])
def test_a_turn_too_close_to_call_wins_nothing_later(x_mm, won):
    mill = {"name": "mill", "position_mm": [300, 300], "radius_mm": 80, "held_by": "red", "held_turns": 1}
    match = begun(a_man("a", x_mm, 300, sigma_mm=1), phase="melee", turn=2, counters={"objectives": [mill]})
    match = observe(passed_on(match, 1.0), a_scene(a_man("a", 330, 300, sigma_mm=1)), 2.0)
    match = apply(match, Event(3.0, 3, None, "phase", {"turn": 3, "phase": "melee", "active": None}))
    (control,) = (ruling for ruling in match.rulings if ruling.kind == "control")
    assert (control.verdict, control.extra["held_turns"], control.extra["won"]) == ("yes", 3, won)


@pytest.mark.parametrize(("x_mm", "verdict"), [(302, "yes"), (400, "no")])
def test_who_is_back_on_the_table_is_not_lost(x_mm, verdict):
    here, there = a_man("a", 100, 100), a_man("b", 300, 100, "blue")
    match = begun(here, there, phase="fire", pieces={"b": {"fired": True}})
    for time_s in (1.0, 3.0):
        match = observe(observe(match, a_scene(here), time_s), a_scene(here, a_man("b", x_mm, 100, "blue")), time_s + 1)
        assert "lost" not in match.state.counters
        assert match.state.of("b") == {"fired": True}
    back = [event.fields["verdict"] for event in match.events if event.kind == "place"]
    assert back == [verdict, verdict]


@pytest.mark.parametrize(("inches", "verdict"), [(1.9, "yes"), (2.1, "no")])
def test_who_gets_off_his_horse_stays_the_man_and_has_half_a_move_left(inches, verdict):
    known = {"r": {"team": "A", "roster": "dragoon", "radius_mm": 20}}
    match = begun(a_man("r", 300, 450, arm="mounted"), phase="move-1", active="Ann", pieces=known)
    match = observe(match, a_scene(a_man("d", 305, 450)), 1.0)
    assert match.state.of("d") == {"team": "A", "roster": "dragoon", "mounting": True}
    moved = observe(match, a_scene(a_man("d", 305 + inches * INCH, 450)), 2.0)
    assert moved.events[-1].fields["verdict"] == verdict
    rested = passed_on(passed_on(passed_on(passed_on(match, 3.0), 4.0), 5.0), 6.0)
    assert rested.state.of("d") == {"team": "A", "roster": "dragoon"}


def test_a_clock_that_is_no_time_is_told():
    with pytest.raises(ValueError, match="clock_started_s: should be a time in seconds, not 'noon'"):
        begun(a_man("a", 100, 100), counters={"clock_started_s": "noon"})


def test_who_was_moved_in_the_other_side_s_turn_is_put_back_though_that_side_moves_twice_running():
    """Ben moves second in turn 1 and first in turn 2; Ann's man, moved in the one, was put back against the rules in
    the other."""
    match = begun(a_man("a", 100, 100), a_man("a2", 140, 100), phase="move-2", active="Ben")
    match = observe(match, a_scene(a_man("a", 130, 130), a_man("a2", 140, 100)), 1.0)
    assert match.events[-1].fields["verdict"] == "no"
    for time_s in (2.0, 3.0, 4.0):
        match = passed_on(match, time_s)
    assert (match.state.turn, match.state.active) == (2, "Ben")
    back = observe(match, a_scene(a_man("a", 100, 100), a_man("a2", 140, 100)), 5.0).events[-1].fields
    assert (back["verdict"], back["spends"]) == ("yes", False)


@pytest.mark.parametrize("moved_in", ["move-1", "move-2", "fire", "melee"])
def test_who_was_moved_against_the_rules_is_put_back_until_his_side_s_next_turn(moved_in):
    """Moved while nobody moves, or in the other's turn, he was "put back" in his own turn, and after it, as well."""
    match = begun(a_man("a", 100, 100), a_man("a2", 140, 100), phase="move-1", active="Ann")
    while match.state.phase != moved_in:
        match = passed_on(match, 1.0)
    match = observe(match, a_scene(a_man("a", 400, 130), a_man("a2", 140, 100)), 2.0)
    told = {}
    for _ in range(9):
        back = observe(match, a_scene(a_man("a", 100, 100), a_man("a2", 140, 100)), 3.0).events[-1].fields
        told[match.state.turn, match.state.phase] = back["rule"]
        match = passed_on(match, 2.0)
    put_back = {step for step, rule in told.items() if rule == "C4.8"}
    assert put_back == {step for step in told if step[0] == 1 or step == (2, "move-1")}


def typed(match, *deeds):
    for kind, told in deeds:
        fields = {"feature": feature_of(told, (1200.0, 900.0))} if kind == "place" else {"piece": told}
        match = apply(match, Event(5.0, match.state.turn, None, kind, fields))
    return match


RIDER, ON_FOOT = a_man("r", 300, 450, arm="mounted"), a_man("d", 305, 450)


@pytest.mark.parametrize(("turn", "lost"), [({"phase": "move-1", "active": "Ann"}, "no"), ({}, "yes")])
def test_a_rider_gets_off_in_two_steps(turn, lost):
    """A hand, and a typed log, do one after the other: the man on foot was new, and no rule brings soldiers in."""
    known = {"r": {"roster": "lancer"}}
    match = typed(begun(RIDER, a_man("e", 900, 450, "blue"), pieces=known, **turn), ("remove", "r"))
    assert match.events[-1].fields["verdict"] == lost
    match = typed(match, ("place", ON_FOOT))
    told = match.events[-1].fields
    assert (told["verdict"], told["rule"], told["replaces"]) == ("yes", "OMOG-2.4", "r")
    assert dict(match.state.of("d")) == {"roster": "lancer"} | ({"mounting": True} if turn else {})
    assert not match.state.of("r").get("taken_off") and not match.state.counters.get("lost")


@pytest.mark.parametrize(
    ("rule", "turn", "known", "foot"),
    [
        ("OMOG-6", {"phase": "fire"}, {}, ON_FOOT),
        ("OMOG-6", {"phase": "move-1", "active": "Ann"}, {}, a_man("d", 331, 450)),
        ("OMOG-6", {"phase": "move-1", "active": "Ann"}, {}, a_man("d", 305, 450, "blue")),
        ("C4.9", {"phase": "move-1", "active": "Ben"}, {}, ON_FOOT),
        ("C4.9", {"phase": "move-1", "active": "Ann"}, {"r": {"moved": True}}, ON_FOOT),
    ],
)
def test_who_gets_off_in_two_steps_does_so_by_the_rules(rule, turn, known, foot):
    match = typed(begun(RIDER, a_man("e", 900, 450, "blue"), pieces=known, **turn), ("remove", "r"), ("place", foot))
    assert (match.events[-1].fields["verdict"], match.events[-1].fields["rule"]) == ("no", rule)
