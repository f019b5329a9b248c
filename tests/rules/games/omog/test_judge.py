"""Moves judged between two scenes."""

from __future__ import annotations

import math

import pytest
from shapely import Point, box

from rules.scene import Piece
from rules.state import State
from tests.rules.games.omog.builders import INCH, RADIUS, a_man, a_scene, a_thing, judged, known_of, only, ruled


def moved(inches, *things, state=None, arm="foot", sigma_mm=0.0, **known):
    """The ruling on a red soldier who went so many inches east from (300, 450)."""
    before = a_scene(a_man("r", 300, 450, arm=arm, sigma_mm=sigma_mm, **known), *things)
    after = a_scene(a_man("r", 300 + inches * INCH, 450, arm=arm, sigma_mm=sigma_mm, **known), *things)
    return judged(before, after, state)["r"]


@pytest.mark.parametrize(
    ("arm", "inches", "verdict"),
    [("foot", 4, "yes"), ("foot", 4.01, "no"), ("mounted", 6, "yes"), ("mounted", 6.01, "no"), ("foot", 0.5, "yes")],
)
def test_open_moves_to_the_hundredth(arm, inches, verdict):
    ruling = moved(inches, arm=arm)
    assert ruling.verdict == verdict
    assert ruling.margin_mm == pytest.approx(((4 if arm == "foot" else 6) - inches) * INCH, abs=0.05)
    assert ruling.extra["from_mm"] == [300, 450]


@pytest.mark.parametrize(
    "things", [(), (a_man("b", 350, 500, "blue"),), (a_thing("w", "paper", box(700, 1, 800, 500), colour="brown"),)]
)
def test_open_moves_without_error_are_told_to_the_last_bit(things):
    """C3.2: with s = 0 there is no `close`, and the border that is drawn, a hundredth off, decides nothing."""
    for over_mm, verdict in ((0.0, "yes"), (0.01, "no"), (-0.01, "yes")):
        ruling = moved(4 + over_mm / INCH, *things)
        assert (ruling.verdict, round(ruling.margin_mm, 6)) == (verdict, -over_mm)


def test_close_and_who_stayed():
    assert moved(4.01, sigma_mm=0.3).verdict == "close"
    assert moved(4.2, sigma_mm=0.3).verdict == "no"
    scene = a_scene(a_man("r", 300, 450))
    assert judged(scene, a_scene(a_man("r", 300.9, 450))) == {}
    noisy = a_scene(a_man("r", 300, 450, sigma_mm=0.5))
    assert judged(noisy, a_scene(a_man("r", 302, 450, sigma_mm=0.5))) == {}


def test_a_base_on_another_by_a_hair_hangs_on_one_distance():
    foe = a_man("b", 300 + 3 * INCH, 450, "blue")
    ruling = moved((3 * INCH - 2 * RADIUS + 0.5) / INCH, foe, sigma_mm=0.3)
    assert (ruling.verdict, ruling.rule) == ("close", "OMOG-2.3")
    assert ruling.margin_mm == pytest.approx(-0.5, abs=0.01)


def test_mixed_and_barred_ways():
    wood = a_thing("w", "napkin", box(350, 0, 400, 900))
    spent = 50 / (4 * INCH) + 25 / (2 * INCH)
    assert spent < 1
    assert moved(75 / INCH, wood).verdict == "yes"
    assert moved(80 / INCH, wood).verdict == "no"
    lake = a_thing("l", "plate", box(330, 300, 350, 600))
    assert moved(3, lake).verdict == "no"
    road = a_thing("p", "paper", box(0, 440, 1200, 460), colour="brown")
    assert moved(6, road).verdict == "yes"
    assert moved(6.05, road).verdict == "no"


@pytest.mark.parametrize(
    ("arm", "thing", "to_x_mm", "rule"),
    [
        ("foot", a_thing("p", "pencils", box(350, 0, 360, 900), height_mm=10), 349.8, "OMOG-2.3"),
        ("gun", a_thing("v", "paper", box(350, 0, 400, 900), colour="blue"), 349.8, "OMOG-2.1"),
        ("foot", a_thing("m", "mug", box(350, 0, 400, 900)), 349.8 - RADIUS, "OMOG-2.3"),
    ],
)
@pytest.mark.parametrize(("sigma_mm", "verdict"), [(0.0, "yes"), (0.1, "close"), (0.03, "yes")])
def test_a_border_at_the_end_counts_however_much_of_the_move_is_left(arm, thing, to_x_mm, rule, sigma_mm, verdict):
    crew = [a_man(f"c{number}", 280, 400 + 30 * number) for number in range(4)] if arm == "gun" else []
    ruling = moved((to_x_mm - 300) / INCH, thing, *crew, arm=arm, sigma_mm=sigma_mm)
    assert ruling.verdict == verdict
    if verdict == "close":
        assert (ruling.rule, ruling.margin_mm) == (rule, pytest.approx(0.2, abs=0.01))


@pytest.mark.parametrize(("from_edge_mm", "verdict"), [(0.2, "close"), (0.4, "yes"), (-0.2, "close"), (-0.4, "no")])
def test_the_edge_of_the_table(from_edge_mm, verdict):
    before = a_scene(a_man("r", 1150, 450, sigma_mm=0.1))
    ruling = judged(before, a_scene(a_man("r", 1200 - from_edge_mm, 450, sigma_mm=0.1)))["r"]
    assert ruling.verdict == verdict
    if verdict == "close":
        assert (ruling.rule, ruling.margin_mm) == ("C4.7", pytest.approx(from_edge_mm, abs=0.01))


@pytest.mark.parametrize(("sigma_mm", "verdict"), [(0.3, "yes"), (0.5, "close")])
def test_what_is_left_in_a_wood_is_told_in_mm_of_wood(sigma_mm, verdict):
    wood = a_thing("w", "napkin", box(320, 0, 600, 900))
    left_mm = 1.5
    ruling = moved((20 + (1 - 20 / (4 * INCH)) * 2 * INCH - left_mm) / INCH, wood, sigma_mm=sigma_mm)
    assert (ruling.verdict, ruling.margin_mm) == (verdict, pytest.approx(left_mm, abs=1e-6))


@pytest.mark.parametrize(
    ("gap_mm", "sigma_mm", "verdict"),
    [(0.1, 0.2, "close"), (-0.1, 0.2, "close"), (0.1, 0.0, "yes"), (-0.1, 0.0, "no"), (0.7, 0.2, "yes")],
)
def test_a_way_between_two_bases_hangs_on_either(gap_mm, sigma_mm, verdict):
    """They stand so much farther apart, on each side, than his base needs; a way about them is too long."""
    beside_mm = 2 * RADIUS + gap_mm
    foes = [a_man(f"b{turn}", 350, 450 + turn * beside_mm, "blue", sigma_mm=sigma_mm) for turn in (-1, 1)]
    ruling = moved(100 / INCH, *foes, sigma_mm=sigma_mm)
    assert ruling.verdict == verdict
    if verdict == "close":
        assert abs(ruling.margin_mm) == pytest.approx(0.2, abs=0.02)
        assert "hangs on the place of the base of blue b-1 and the base of blue b1" in ruling.why


def test_bases_touch_and_do_not_overlap():
    foe = a_man("b", 300 + 3 * INCH, 450, "blue")
    assert moved(3 - 2 * RADIUS / INCH, foe).verdict == "yes"
    ruling = moved(3 - 2 * RADIUS / INCH + 0.1, foe)
    assert (ruling.verdict, ruling.rule) == ("no", "OMOG-2.3")
    before = a_scene(a_man("r", 300, 450), a_man("c", 300, 600))
    after = a_scene(a_man("r", 350, 450), a_man("c", 350 + RADIUS, 520))
    assert judged(before, after)["c"].verdict == "yes"
    overlapping = a_scene(a_man("r", 350, 500), a_man("c", 350 + RADIUS, 520))
    verdicts = judged(before, overlapping)
    assert {ruling.rule for ruling in verdicts.values()} == {"OMOG-2.3"}


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        (State(active="Ben"), "C4.9"),
        (known_of(r={"moved": True}), "C4.9"),
        (State(phase="fire"), "OMOG-6"),
        (State(counters={"clock_started_s": -120.0}), "OMOG-6"),
        (known_of(r={"team": "A"}, c={"team": "B"}), "OMOG-2.6"),
        (known_of(c={"team": "B"}), "OMOG-2.6"),
    ],
)
def test_who_may_not_move(state, rule):
    ruling = moved(1, a_man("c", 100, 450), state=state)
    assert (ruling.verdict, ruling.rule) == ("no", rule)


def test_the_engaged_stay_in_the_melee_phase_only():
    foe = a_man("b", 300 - 2 * RADIUS, 450, "blue")
    stays = moved(1, foe, state=State(phase="melee"))
    assert (stays.verdict, stays.rule) == ("no", "OMOG-5.1")
    assert moved(1, foe, state=State(phase="move-1", active="Ann")).verdict == "yes"


@pytest.mark.parametrize(
    ("arm", "known", "inches", "verdict"),
    [
        ("mounted", {"charging": True}, 4.1, "yes"),
        ("mounted", {"charging": True}, 4.0, "no"),
        ("mounted", {"charging": True, "charged": True}, 5, "no"),
        ("foot", {"charging": True, "bayonet": True}, 2.0, "yes"),
        ("foot", {"charging": True, "bayonet": True}, 1.9, "no"),
    ],
)
def test_charges(arm, known, inches, verdict):
    """The enemy stands so many inches away at the start and is touched at the end."""
    foe = a_man("b", 300 + inches * INCH, 450, "blue")
    ruling = moved(inches - 2 * RADIUS / INCH, foe, arm=arm, state=known_of(r=known))
    assert ruling.verdict == verdict
    if verdict == "no":
        assert ruling.rule == "OMOG-5.2"


def test_nobody_charged_at_a_man_who_was_put_down_in_the_same_look():
    before, after, foe = (
        a_man("r", 300, 450),
        a_man("r", 300 + INCH, 450),
        a_man("b", 300 + INCH + 2 * RADIUS, 450, "blue"),
    )
    state = known_of(r={"charging": True, "bayonet": True})
    assert judged(a_scene(before), a_scene(after, foe), state)["r"].verdict == "yes"


def test_placed_removed_and_dismounted():
    rider, foot = a_man("r", 300, 450, arm="mounted"), a_man("d", 305, 450)
    changed = judged(a_scene(rider), a_scene(foot))
    assert {(one.extra["event"], one.verdict, one.rule) for one in changed.values()} == {
        ("removed", "yes", "OMOG-2.4"),
        ("placed", "yes", "OMOG-2.4"),
    }
    river = a_thing("w", "paper", box(200, 400, 400, 500), colour="blue")
    assert {one.verdict for one in judged(a_scene(rider, river), a_scene(foot, river)).values()} == {"no"}
    new = judged(a_scene(), a_scene(foot))["d"]
    assert (new.verdict, new.extra["event"]) == ("no", "placed")
    assert judged(a_scene(foot), a_scene())["d"].verdict == "yes"
    assert judged(a_scene(foot), a_scene(), State(phase="move-1"))["d"].verdict == "no"


@pytest.mark.parametrize(
    ("things", "state", "rule"),
    [
        ([a_man("x", 315, 450)], None, "OMOG-2.3"),
        ([a_thing("l", "plate", box(302, 400, 400, 500))], None, "OMOG-2.3"),
        ([], State(active="Ben"), "C4.9"),
        ([], known_of(r={"moved": True}), "C4.9"),
    ],
)
def test_getting_off_a_horse_is_a_move(things, state, rule):
    rider, foot = a_man("r", 300, 450, arm="mounted"), a_man("d", 305, 450)
    changed = judged(a_scene(rider, *things), a_scene(foot, *things), state).values()
    assert {(one.verdict, one.rule) for one in changed} == {("no", rule)}


def test_who_falls_in_the_fire_leaves_nobody_behind():
    changed = judged(a_scene(a_man("r", 300, 450, arm="mounted")), a_scene(a_man("d", 305, 450)), State(phase="fire"))
    assert {name: (one.verdict, one.rule) for name, one in changed.items()} == {
        "r": ("yes", "OMOG-3.5"),
        "d": ("no", "OMOG-6"),
    }


@pytest.mark.parametrize(("over", "verdict"), [("bridge", "yes"), ("road", "no")])
def test_a_bridge_is_road_for_who_dismounts_and_a_road_does_not_cross_a_river(over, verdict):
    river = a_thing("v", "paper", box(200, 400, 400, 500), colour="blue")
    strip = a_thing("s", "paper", box(280, 300, 320, 600), colour="brown" if over == "road" else "white")
    rider, foot = a_man("r", 300, 450, arm="mounted"), a_man("d", 305, 450)
    changed = judged(a_scene(rider, river, strip), a_scene(foot, river, strip)).values()
    assert {one.verdict for one in changed} == {verdict}


def test_strangers_and_terrain():
    before = a_scene(a_man("q", 300, 450, "unknown"), a_thing("m", "mug", box(0, 0, 40, 40)))
    after = a_scene(a_man("q", 350, 450, "unknown"), a_thing("m", "mug", box(50, 0, 90, 40)))
    rulings = judged(before, after)
    assert {name: (one.verdict, one.rule) for name, one in rulings.items()} == {
        "q": ("no", "C5.2"),
        "m": ("no", "OMOG-1.2"),
    }


@pytest.mark.parametrize(("owner", "told"), [("red", "is no figure"), ("none", "belongs to nobody")])
def test_a_coin_has_no_part_and_is_told_as_what_it_is(owner, told):
    before, after = (
        a_scene(Piece("c", "coin", "gbp-2p", (x, 100.0), Point(x, 100).buffer(12), owner)) for x in (100.0, 200.0)
    )
    one = judged(before, after)["c"]
    assert (one.verdict, told in one.why) == ("yes", True)


def test_who_ends_where_a_friend_stood_before_is_told_so():
    """The way is that of the scene before, where the friend's base bars it (C4.8, OMOG-2.3)."""
    before = a_scene(a_man("a", 240, 250), a_man("b", 280, 250))
    after = a_scene(a_man("a", 280, 250), a_man("b", 320, 250))
    found = judged(before, after)
    assert (found["a"].verdict, found["a"].rule, found["a"].other) == ("no", "OMOG-2.3", "b")
    assert "the base of red b stood there before" in found["a"].why
    assert found["b"].verdict == "yes"


def test_who_goes_too_far_is_told_so_wherever_a_friend_stood():
    before = a_scene(a_man("a", 240, 250), a_man("b", 400, 250))
    after = a_scene(a_man("a", 400, 250), a_man("b", 440, 250))
    assert "4 in on open ground" in judged(before, after)["a"].why


def test_who_ends_in_a_house_is_told_that_it_is_in_the_way():
    house = a_thing("h", "mug", box(270, 220, 350, 300), height_mm=90)
    found = judged(a_scene(a_man("a", 240, 250), house), a_scene(a_man("a", 290, 250), house))["a"]
    assert (found.verdict, found.other) == ("no", "h")
    assert "the house h is in the way" in found.why


def test_a_refusal_that_hangs_on_no_distance_says_so():
    """Its margin had been the way that he went, or an inch (C3.2: -1 mm and no error)."""
    rider, foe = a_man("r", 300, 450, arm="mounted", sigma_mm=0.2), a_man("e", 420, 450, "blue")
    for words, rule in (({"charging": True, "charged": True}, "OMOG-5.2"), ({"moved": True}, "C4.9")):
        end = a_man("r", 395, 450, arm="mounted", sigma_mm=0.2)
        one = judged(a_scene(rider, foe), a_scene(end, foe), known_of(r=words))["r"]
        assert (one.verdict, one.rule, one.margin_mm, one.sigma_mm) == ("no", rule, -1.0, 0.0)


@pytest.mark.parametrize(
    ("start_mm", "end_mm", "words", "told"),
    [
        (369.3, 400, {"charging": True, "bayonet": True}, "charges blue foot e from 1.996 in away"),
        (250, 351.7, {}, "0.004 in too far"),
        (360, 400.04, {}, "overlaps the base of blue e by 0.04 mm"),
    ],
)
def test_what_is_too_little_or_too_far_by_a_hair_is_told_so(start_mm, end_mm, words, told):
    foe = a_man("e", 420, 450, "blue", radius=10)
    before, after = (a_scene(a_man("f", x, 450, radius=10), foe) for x in (start_mm, end_mm))
    one = judged(before, after, known_of(f=words))["f"]
    assert one.verdict == "no"
    assert told in one.why


@pytest.mark.parametrize(
    ("x", "verdict", "margin_mm"), [(289, "yes", None), (289.7, "close", 0.3), (290.3, "close", -0.3), (291, "no", -1)]
)
def test_who_hardly_stands_beside_a_ford_may_perhaps_get_off_his_horse(x, verdict, margin_mm):
    river = a_thing("w", "paper", box(290, 400, 310, 500), colour="blue", sigma_mm=0.2)
    rider, foot = a_man("r", x, 450, arm="mounted", sigma_mm=0.2), a_man("f", 265, 450, sigma_mm=0.2)
    told = only(ruled(rider, river, state=known_of(r={"dismounting": True})), "reach", "r")
    rides = a_man("r", 265, 450, arm="mounted", sigma_mm=0.2)
    moves = judged(a_scene(rider, river), a_scene(rides, river), known_of(r={"dismounting": True}))["r"]
    for one in (told, moves, *judged(a_scene(rider, river), a_scene(foot, river)).values()):
        assert one.verdict == verdict
        assert margin_mm is None or one.margin_mm == pytest.approx(margin_mm)


@pytest.mark.parametrize(("farther_mm", "inches"), [(1.0, -1), (2.0, -1), (2.2, -1), (1.0, 1), (2.2, 1)])
def test_which_team_is_nearer_to_a_man_alone_may_be_too_close_to_call(farther_mm, inches):
    """Away from the one team is toward the other, and a firm no hung on 1 mm with 0.7 in doubt."""
    east = a_man("e", 400, 450, sigma_mm=0.5)
    west = a_man("w", 200 - farther_mm, 450, sigma_mm=0.5)
    teams = known_of(r={"team": "C"}, e={"team": "A"}, w={"team": "B"})
    ruling = moved(inches, east, west, state=teams, sigma_mm=0.5)
    close = farther_mm < 3 * math.hypot(0.5, 0.5)
    assert ruling.verdict == ("close" if close else "yes" if inches > 0 else "no")
    if close:
        assert (ruling.rule, abs(ruling.margin_mm)) == ("OMOG-2.6", pytest.approx(farther_mm))
        assert ruling.why.endswith("; whether w is nearer is too close to call")
