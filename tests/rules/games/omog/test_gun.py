"""Shell, scatter, canister, hits and saves, worked out by hand and by sampling."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, box

from rules.games.omog.template import bursts
from rules.scene import Piece
from tests.rules.games.omog.builders import INCH, RADIUS, a_man, a_thing, known_of, only, ruled

GUN = (100.0, 450.0)
CREW = {"g": {"crew": 4}}


def fired(inches, *pieces, state=None):
    gun, target = a_man("g", *GUN, arm="gun"), a_man("b", 100 + inches * INCH, 450, "blue")
    return ruled(gun, target, *pieces, state=state or known_of(**CREW))


def templates(rulings, target="b"):
    return {one.extra["case"]: one for one in rulings if one.kind == "template" and one.other == target}


@pytest.mark.parametrize(
    ("inches", "told"),
    [
        (24.004, "24.004 in: beyond 24 in"),
        (5.9996, "5.9996 in: canister"),
        (6.0, "6.00 in: shell"),
        (7.5, "7.50 in: shell"),
    ],
)
def test_a_distance_is_told_on_its_side_of_the_limit(inches, told):
    one = only(fired(inches), "target", "g")
    assert one.why.endswith(told)


@pytest.mark.parametrize(
    ("inches", "verdict", "cases"),
    [
        (3, "yes", ["canister"]),
        (5.99, "yes", ["canister"]),
        (6, "yes", ["on", "left", "right", "beyond"]),
        (24, "yes", ["on", "left", "right", "beyond"]),
        (24.01, "no", []),
    ],
)
def test_ranges(inches, verdict, cases):
    rulings = fired(inches)
    assert only(rulings, "target", "g", "b").verdict == verdict
    assert list(templates(rulings)) == cases


def test_scatter_is_the_gunners():
    """Firing east: left is north, right is south, beyond is farther east."""
    laid = templates(fired(10))
    x = 100 + 10 * INCH
    places = {
        "on": (x, 450),
        "left": (x, 450 + 3 * INCH),
        "right": (x, 450 - 3 * INCH),
        "beyond": (x + 3.5 * INCH, 450),
    }
    for case, place in places.items():
        assert laid[case].extra["impact_mm"] == pytest.approx(place, abs=1e-3)
        assert laid[case].geometry.centroid.distance(Point(place)) < 1e-6
        assert laid[case].geometry.area == pytest.approx(math.pi * (1.5 * INCH) ** 2, rel=1e-3)


def test_the_burst_hits_friend_and_foe_by_more_than_a_touch():
    x = 100 + 10 * INCH
    friend = a_man("r", x, 450 + 1.5 * INCH + RADIUS - 0.5)
    beside = a_man("s", x, 450 - 1.5 * INCH - RADIUS - 0.01)
    assert templates(fired(10, friend, beside))["on"].extra["hit"] == ["b", "r"]


@pytest.mark.parametrize("inches", [4, 10])
def test_a_thing_that_nobody_named_is_not_hit(inches):
    """A coin on the target's place bars the way by C5.2, and was told as a man under the template."""
    at = 100 + inches * INCH, 450.0
    coin = Piece("c", "coin", "unknown", at, Point(at).buffer(RADIUS), "unknown")
    told = [one.extra for one in templates(fired(inches, coin)).values()]
    assert told and not any("c" in (*one["hit"], *one["hit_close"], *one["saves"]) for one in told)


def test_canister_is_a_triangle_from_the_muzzle():
    laid = templates(fired(4))["canister"]
    corners = {(100, 450), (100 + 6 * INCH, 450 - INCH), (100 + 6 * INCH, 450 + INCH)}
    found = {(round(x, 6), round(y, 6)) for x, y in laid.geometry.exterior.coords}
    assert found == {(round(x, 6), round(y, 6)) for x, y in corners}
    behind = a_man("c", 100 - RADIUS - 1, 450)
    inside = a_man("d", 100 + 5 * INCH, 450 + 20)
    assert templates(fired(4, behind, inside))["canister"].extra["hit"] == ["b", "d"]


@pytest.mark.parametrize(
    ("cls", "legend", "save"),
    [("mug", "house", 3), ("pencils", "wall", 4), ("napkin", "wood", 5), ("plate", "lake", None)],
)
def test_saves_behind_cover(cls, legend, save):
    """The man stands 30 mm beyond the burst, the cover between them."""
    x = 100 + 10 * INCH
    man = a_man("d", x + 45, 450, "blue")
    cover = a_thing("t", cls, box(x + 20, 420, x + 25, 480), height_mm=30)
    on = templates(fired(10, man, cover))["on"]
    assert on.extra["hit"] == ["b", "d"], legend
    assert on.extra["saves"] == ({"d": save} if save else {})


@pytest.mark.parametrize(
    ("over_mm", "sigma_mm", "saves", "close"),
    [(0.1, 0.2, {"d": 4}, ["d"]), (-0.1, 0.2, {}, ["d"]), (2, 0.2, {"d": 4}, []), (0.1, 0, {"d": 4}, [])],
)
def test_a_save_may_hang_on_cover_too_close_to_call(over_mm, sigma_mm, saves, close):
    """A wall reaches so far over the line from the burst to the man, 45 mm beyond it."""
    x = 100 + 10 * INCH
    man = a_man("d", x + 45, 450, "blue", sigma_mm=sigma_mm)
    wall = a_thing("t", "pencils", box(x + 20, 450 - over_mm, x + 25, 500), height_mm=30)
    told = templates(fired(10, man, wall))["on"]
    assert (told.extra["saves"], told.extra["saves_close"]) == (saves, close)
    assert ("whether cover saves d is too close to call" in told.why) == bool(close)


def test_cover_on_the_far_side_saves_nobody():
    x = 100 + 10 * INCH
    man = a_man("d", x + 20, 450, "blue")
    beyond = a_thing("t", "pencils", box(x + 35, 420, x + 40, 480), height_mm=30)
    assert templates(fired(10, man, beyond))["on"].extra["saves"] == {}


def test_a_hidden_target_is_not_shelled():
    house = a_thing("m", "mug", box(200, 440, 220, 460), height_mm=90)
    rulings = fired(10, house)
    assert only(rulings, "target", "g", "b").rule == "OMOG-3.4"
    assert templates(rulings) == {}


@pytest.mark.parametrize(
    ("known", "turn", "fires"),
    [
        ({"crew": 4}, 1, True),
        ({"crew": 2}, 1, True),
        ({"crew": 1}, 1, False),
        ({"crew": 2, "fired_turn": 3}, 4, False),
        ({"crew": 2, "fired_turn": 3}, 5, True),
        ({"crew": 3, "fired_turn": 3}, 4, True),
        ({"crew": 4, "moved": True}, 1, False),
        ({"crew": 4, "fired": True}, 1, False),
        ({"crew": 4, "shells": 0}, 1, False),
        ({"crew": 4, "canister": 0}, 1, True),
    ],
)
def test_who_serves_the_gun(known, turn, fires):
    from dataclasses import replace

    rulings = fired(10, state=replace(known_of(g=known), turn=turn))
    target = only(rulings, "target", "g", "b")
    assert (target.verdict == "yes") == fires
    assert target.rule == ("OMOG-4.1" if fires else "OMOG-4.4")
    assert {one.verdict for one in templates(rulings).values()} == {"yes" if fires else "no"}


@pytest.mark.parametrize(("spent", "fires"), [(2, True), (3, False)])
def test_who_used_his_own_weapon_does_not_serve_the_gun(spent, fires):
    """Four men stand at it; a crew that fires does not use its own weapons (OMOG-4.4), nor the other way round."""
    crew = [a_man(f"c{n}", 70, 410 + 26 * n) for n in range(4)]
    state = known_of(**{man.id: {"fired": True} for man in crew[:spent]})
    target = only(fired(10, *crew, state=state), "target", "g", "b")
    assert (target.verdict == "yes", target.extra["crew"]) == (fires, 4 - spent)
    assert fires or target.why.endswith("1 man and needs 2 to fire; who used his own weapon does not serve it")


@pytest.mark.parametrize("named", [["c", "c"], ["c", "b"], ["c", "g"], ["c", "zz"]])
def test_a_crew_by_names_is_men_of_the_gun_s_army_each_once(named):
    """The same man twice, an enemy and the gun itself were two men, and it fired."""
    target = only(fired(10, a_man("c", 70, 410), state=known_of(g={"crew": named})), "target", "g", "b")
    assert (target.verdict, target.extra["crew"]) == ("no", 1)


@settings(max_examples=40, deadline=None)
@given(st.floats(0, 360), st.floats(20, 90), st.floats(0, 360))
def test_hits_by_sampling_the_base(turn_deg, away, around_deg):
    x, y = 600.0, 450.0
    aim = math.radians(turn_deg)
    gun, target = a_man("g", x - 200 * math.cos(aim), y - 200 * math.sin(aim), arm="gun"), a_man("b", x, y, "blue")
    spot = (x + away * math.cos(math.radians(around_deg)), y + away * math.sin(math.radians(around_deg)))
    other = a_man("d", *spot)
    laid = templates(ruled(gun, target, other, state=known_of(**CREW)))
    dots = shapely.get_coordinates(shapely.segmentize(other.footprint.boundary, 0.2))
    for case, place in bursts(gun.position_mm, (x, y)).items():
        nearest = min(np.hypot(*(dots - place).T).min(), math.dist(spot, place))
        if abs(nearest - 1.5 * INCH) > 0.05:
            assert ("d" in laid[case].extra["hit"]) == (nearest < 1.5 * INCH)


@pytest.mark.parametrize("known", [{}, {"radius_mm": RADIUS}])
@pytest.mark.parametrize(("deep_mm", "hit", "close"), [(0.1, True, True), (-0.1, False, True), (1.0, True, False)])
def test_a_base_in_a_corner_of_the_canister_is_as_deep_as_the_way_out_of_it(known, deep_mm, hit, close):
    """Straight away from the far left corner it has 0.1 mm to go, with an error of 0.2 (three sigma: 0.6)."""
    away_mm, aim = RADIUS - deep_mm, math.radians(50)
    x, y = 100 + 6 * INCH + away_mm * math.cos(aim), 450 + INCH + away_mm * math.sin(aim)
    rulings = fired(4, a_man("d", x, y, sigma_mm=0.2), state=known_of(**CREW, d=known))
    laid = templates(rulings)["canister"].extra
    assert ("d" in laid["hit"], laid["hit_close"] == ["d"]) == (hit, close)
