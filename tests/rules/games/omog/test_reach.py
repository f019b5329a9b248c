"""Where soldiers may go: allowances one by one, then all ground at once against a grid search."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon, box

from rules.games.omog.battlefield import Battlefield
from rules.games.omog.reach import reach_area
from rules.geometry.levels import Ground
from rules.scene import Piece
from rules.state import State
from tests.rules.games.omog.builders import (
    INCH,
    RADIUS,
    a_field,
    a_man,
    a_scene,
    a_setup,
    a_thing,
    known_of,
    only,
    ruled,
)
from tests.rules.geometry.ground_oracle import cost_grid

HERE = (600.0, 450.0)
EVERYWHERE = box(0, 0, 1200, 900)


def east_in(*things, arm="foot", state=None, setup=None, **known):
    """How many inches due east the soldier at HERE may go."""
    field = a_field(a_man("s", *HERE, arm=arm, **known), *things, state=state, setup=setup)
    area = reach_area(field.by_id["s"], field)
    ray = shapely.LineString((HERE, (1200.0, HERE[1]))) & area
    return ray.bounds[2] / INCH - HERE[0] / INCH if not ray.is_empty else 0.0


def crew_of(count):
    return known_of(s={"crew": count})


@pytest.mark.parametrize(
    ("arm", "road", "open_", "uphill_road", "uphill", "slow"), [("foot", 6, 4, 4, 3, 2), ("mounted", 12, 6, 8, 4, 3)]
)
def test_allowances(arm, road, open_, uphill_road, uphill, slow):
    hill = a_thing("h", "book", EVERYWHERE, height_mm=30)
    path = a_thing("p", "paper", box(0, 400, 1200, 500), colour="brown")
    assert east_in(arm=arm) == pytest.approx(open_, abs=0.01)
    assert east_in(path, arm=arm) == pytest.approx(road, abs=0.01)
    assert east_in(hill, arm=arm) == pytest.approx(uphill, abs=0.01)
    assert east_in(hill, path, arm=arm) == pytest.approx(uphill_road, abs=0.01)
    assert east_in(hill, arm=arm, elevation_mm=30.0) == pytest.approx(open_, abs=0.01)
    assert east_in(a_thing("w", "napkin", EVERYWHERE), arm=arm) == pytest.approx(slow, abs=0.01)
    assert east_in(a_thing("r", "paper", EVERYWHERE, colour="blue"), arm=arm) == pytest.approx(slow, abs=0.01)
    swamp = a_thing("g", "plate", EVERYWHERE)
    assert east_in(swamp, arm=arm, setup=a_setup({"plate": "swamp"})) == pytest.approx(slow, abs=0.01)


def test_a_gun_is_pushed_by_three_through_woods_and_never_through_water():
    wood = a_thing("w", "napkin", EVERYWHERE)
    river = a_thing("r", "paper", box(625, 0, 660, 900), colour="blue")
    hill = a_thing("h", "book", EVERYWHERE, height_mm=30)
    assert east_in(arm="gun", state=crew_of(3)) == pytest.approx(4, abs=0.01)
    assert east_in(wood, arm="gun", state=crew_of(4)) == pytest.approx(2, abs=0.01)
    assert east_in(hill, arm="gun", state=crew_of(4)) == pytest.approx(3, abs=0.01)
    assert east_in(river, arm="gun", state=crew_of(3)) == pytest.approx(25 / INCH, abs=0.01)
    assert east_in(
        river, a_thing("b", "bridge", box(600, 440, 700, 460)), arm="gun", state=crew_of(3)
    ) == pytest.approx(4, abs=0.01)
    pushed = a_setup(gun_push_in=[5, 2, 3, 3])
    assert east_in(arm="gun", state=crew_of(3), setup=pushed) == pytest.approx(2, abs=0.01)
    refused = only(ruled(a_man("s", *HERE, arm="gun"), state=crew_of(2)), "reach", "s")
    assert (refused.verdict, refused.rule, refused.geometry) == ("no", "OMOG-4.4", None)


@pytest.mark.parametrize(("beyond_mm", "verdict"), [(-3.5, "yes"), (-0.5, "close"), (0.5, "close"), (3.5, "no")])
def test_a_gun_whose_third_man_stands_three_inches_away_may_be_pushed_or_not(beyond_mm, verdict):
    """OMOG-4.4 with an error of 1 mm; as long as it may be, its reach is told (C3.3)."""
    x, y = HERE
    crew = [a_man("a", x, y + 30), a_man("b", x, y - 30), a_man("c", x - 3 * INCH - beyond_mm, y, sigma_mm=1.0)]
    reach = only(ruled(a_man("s", *HERE, arm="gun"), *crew), "reach", "s")
    assert (reach.verdict, reach.geometry is None) == (verdict, verdict == "no")
    assert verdict != "close" or reach.margin_mm == pytest.approx(-beyond_mm, abs=1e-6)


def test_own_foot_near_the_gun_are_its_crew():
    gun = a_man("s", *HERE, arm="gun")
    near = [a_man(f"c{n}", HERE[0] - 40, HERE[1] + y) for n, y in enumerate((-40, 0, 40))]
    assert only(ruled(gun, *near), "reach", "s").verdict == "yes"
    foe = a_man("c1", HERE[0] - 40, HERE[1], "blue")
    assert only(ruled(gun, near[0], foe, near[2]), "reach", "s").verdict == "no"


def test_who_has_no_place_to_end_a_move_in_is_told_so():
    x, y = HERE
    wall = a_thing("w", "pencils", box(x - 300, y - 300, x + 300, y + 300), height_mm=20)
    reach = only(ruled(a_man("s", *HERE), wall), "reach", "s")
    assert (reach.verdict, reach.geometry, reach.rule) == ("no", None, "OMOG-2.5")


def ringed(degrees, gap_mm, sigma_mm):
    """The reach of a man among bases in these directions, each so far from his own."""
    far_mm = 2 * RADIUS + gap_mm
    turns = [math.radians(degree) for degree in degrees]
    places = [(HERE[0] + far_mm * math.cos(turn), HERE[1] + far_mm * math.sin(turn)) for turn in turns]
    ring = [a_man(f"b{n}", *place, "blue", sigma_mm=sigma_mm) for n, place in enumerate(places)]
    return only(ruled(a_man("s", *HERE, sigma_mm=sigma_mm), *ring), "reach", "s")


@pytest.mark.parametrize(
    ("degrees", "gap_mm", "sigma_mm", "verdict"),
    [
        ((0, 120, 240), -0.2, 0.0, "no"),
        ((0, 120, 240), -0.2, 0.3, "close"),  # any one of them 0.2 mm farther away
        ((0, 120, 240), 0.0, 0.3, "close"),
        ((0, 120, 240), -2.0, 0.3, "no"),
        ((0, 60, 120, 180, 240, 300), -0.2, 0.3, "no"),  # five shut him in as well as six
        ((0, 100, 182.5), -2.0, 0.3, "close"),  # the first or the last of them 1 mm aside
        ((0, 100, 177), -2.0, 0.3, "close"),  # the same, to shut him in
        ((0, 100, 177), -2.0, 0.1, "yes"),
        ((0, 180), -0.2, 0.3, "yes"),  # two never do
    ],
)
def test_who_is_shut_in_by_bases_of_which_one_may_stand_elsewhere(degrees, gap_mm, sigma_mm, verdict):
    """It was firm that he "has no place to end a move in", and that he has one."""
    found = ringed(degrees, gap_mm, sigma_mm)
    assert found.verdict == verdict
    assert ("it hangs on the place of the base of blue b" in found.why) == (verdict == "close")
    if verdict == "close":
        assert abs(found.margin_mm) <= 3 * found.sigma_mm == pytest.approx(3 * math.hypot(sigma_mm, sigma_mm))
        assert (found.margin_mm < 0) == (found.geometry is None)


def test_a_wall_with_a_corner_drawn_twice_is_the_same_wall():
    x, y = HERE
    corners = [(x + 40, y + 50), (x + 30, y + 50), (x + 30, y - 50), (x + 40, y - 50)]
    walls = [a_thing("w", "pencils", Polygon(ring), height_mm=20) for ring in (corners, [*corners, corners[-1]])]
    once, twice = (reach_area(field.soldiers[0], field) for field in (a_field(a_man("s", *HERE), one) for one in walls))
    assert twice.equals_exact(once, 1e-6)


@pytest.mark.parametrize(("arm", "climb"), [("foot", 2), ("mounted", 3)])
def test_a_wall_leaves_two_or_three_inches_in_all(arm, climb):
    wall = a_thing("w", "pencils", box(620, 100, 640, 800), height_mm=20)
    field = a_field(a_man("s", *HERE, arm=arm), wall)
    area = reach_area(field.by_id["s"], field)
    assert east_in(wall, arm=arm) == pytest.approx(climb, abs=0.01)
    assert not area.covers(Point(630, 450))
    assert area.covers(Point(619, 450))
    assert area.bounds[0] == pytest.approx(600 - {"foot": 4, "mounted": 6}[arm] * INCH, abs=0.1)


def test_mounting_costs_half_a_move_and_not_in_a_swamp():
    assert east_in(arm="mounted", state=known_of(s={"dismounting": True})) == pytest.approx(3, abs=0.01)
    ford = a_thing("r", "paper", EVERYWHERE, colour="blue")
    refused = only(ruled(a_man("s", *HERE), ford, state=known_of(s={"mounting": True})), "reach", "s")
    assert (refused.verdict, refused.rule) == ("no", "OMOG-2.4")


def test_keeps_clear_by_his_own_radius_and_neutral_figures_block_nobody():
    lake = a_thing("l", "plate", box(640, 300, 900, 600))
    assert east_in(lake) == pytest.approx((40 - RADIUS) / INCH, abs=0.01)
    foe = a_man("f", 660, 450, "blue", radius=15)
    assert not east_reaches(foe, 660 - 15 - RADIUS + 1)
    assert east_reaches(foe, 660 - 15 - RADIUS - 0.1)
    assert east_reaches(a_man("f", 660, 450, "none"), 660)
    assert not east_reaches(a_man("f", 660, 450, "unknown"), 655)


def east_reaches(other, x):
    field = a_field(a_man("s", *HERE), other)
    return reach_area(field.by_id["s"], field).covers(Point(x, 450))


def test_a_stranger_has_no_reach_and_is_named():
    rulings = ruled(a_man("s", *HERE), a_man("q", 650, 450, "unknown"))
    assert not [one for one in rulings if one.piece == "q"]
    assert only(rulings, "blocked", "s", "q").rule == "C5.2"


def a_coin(owner, cls="unknown"):
    at = HERE[0] + 50, HERE[1]
    return Piece("c", "coin", cls, at, Point(at).buffer(RADIUS, 64), owner)


@pytest.mark.parametrize("owner", ["unknown", "red", "blue"])
def test_an_unnamed_thing_that_is_no_terrain_bars_the_way_too(owner):
    """C5.2: a piece of unknown class blocks reach and ways for all, and `blocked` names it."""
    rulings = ruled(a_man("s", *HERE), a_coin(owner))
    assert only(rulings, "blocked", "s", "c").rule == "C5.2"
    assert not only(rulings, "reach", "s").geometry.intersects(Point(HERE[0] + 50, HERE[1]))
    assert {one.piece for one in rulings} == {"s"}


@pytest.mark.parametrize("thing", [a_coin("none"), a_coin("red", "gbp-2p")])
def test_a_neutral_thing_and_a_named_one_without_a_part_bar_nobody(thing):
    rulings = ruled(a_man("s", *HERE), thing)
    assert not [one for one in rulings if one.kind == "blocked"]
    assert only(rulings, "reach", "s").geometry.covers(Point(HERE[0] + 50, HERE[1]))


def test_the_state_tells_the_arm_of_a_soldier_whom_nobody_named():
    state = known_of(q={"class": "foot"})
    rulings = ruled(a_man("q", *HERE, "red", "unknown"), a_man("b", 650, 450, "blue"), state=state)
    assert only(rulings, "reach", "q").verdict == "yes"
    assert only(rulings, "target", "b", "q").verdict == "yes"


def test_whom_the_state_tells_bars_the_way_as_a_soldier_and_not_as_a_stranger():
    known = known_of(q={"class": "foot"})
    beside = a_man("s", HERE[0] + 50, HERE[1])
    rulings = ruled(a_man("q", *HERE, "red", "unknown"), beside, state=known)
    assert only(rulings, "blocked", "s", "q").rule == "OMOG-2.3"


def test_the_state_makes_no_soldier_of_whom_nobody_knows_whose_he_is():
    rulings = ruled(a_man("q", *HERE, "unknown", "unknown"), state=known_of(q={"class": "foot"}))
    assert not [one for one in rulings if one.piece == "q"]


def test_who_moved_has_no_reach_and_touching_men_may_part():
    moved = only(ruled(a_man("s", *HERE), state=known_of(s={"moved": True})), "reach", "s")
    assert (moved.verdict, moved.geometry) == ("no", None)
    touching = a_man("f", HERE[0] + 2 * RADIUS - 1, HERE[1], "blue")
    area = only(ruled(a_man("s", *HERE), touching), "reach", "s").geometry
    assert area.covers(Point(HERE[0] - 100, HERE[1]))
    assert not area.covers(Point(HERE[0] + 5, HERE[1]))


def test_overlapping_ground_bridge_over_river_over_road_over_wood():
    wood = a_thing("w", "napkin", EVERYWHERE)
    road = a_thing("p", "paper", box(0, 430, 1200, 470), colour="grey")
    river = a_thing("r", "paper", box(620, 0, 640, 900), colour="blue")
    bridge = a_thing("b", "bridge", box(610, 430, 650, 470))
    assert east_in(wood, road) == pytest.approx(6, abs=0.02)
    assert east_in(wood, road, river, bridge) == pytest.approx(6, abs=0.02)
    # 20 mm of road and 20 mm of ford, the rest of the move on the road beyond.
    spent = 20 / (6 * INCH) + 20 / (2 * INCH)
    assert east_in(wood, road, river) == pytest.approx(40 / INCH + (1 - spent) * 6, abs=0.02)


def test_a_plain_strip_across_a_river_is_a_bridge():
    river = a_thing("r", "paper", box(620, 0, 640, 900), colour="blue")
    plank = a_thing("b", "paper", box(600, 440, 700, 460), colour="white")
    assert east_in(river, plank) > 4
    cloth = a_thing("b", "napkin", box(600, 440, 700, 460))  # only a strip of paper is one, OMOG-1.2
    assert east_in(river, cloth, setup=a_setup({"napkin": "open"})) == east_in(river) < 4


@pytest.mark.parametrize("arm", ["foot", "mounted"])
def test_all_ground_at_once_against_a_grid(arm):
    """The grid reads the notes point by point: the highest layer there, and inches for each."""
    road, open_, up, up_road, slow = {"foot": (6, 4, 3, 4, 2), "mounted": (12, 6, 4, 8, 3)}[arm]
    scene = a_scene(
        a_man("s", *HERE, arm=arm),
        a_man("f", 640, 500, "blue"),
        a_thing("h", "book", box(560, 480, 620, 560), height_mm=25),
        a_thing("w", "napkin", box(500, 380, 590, 440)),
        a_thing("p", "paper", box(400, 455, 800, 475), colour="brown"),
        a_thing("r", "paper", box(630, 300, 645, 600), colour="blue"),
        a_thing("b", "bridge", box(625, 452, 650, 478)),
        a_thing("l", "plate", Point(560, 350).buffer(25, 32)),
    )
    field = Battlefield(scene, a_setup(), State())
    area = reach_area(field.by_id["s"], field)
    by_name = {piece.id: piece.footprint for piece in scene}
    layers = [
        (by_name["h"], up),
        (by_name["w"], slow),
        (by_name["p"], road),
        (by_name["p"] & by_name["h"], up_road),
        (by_name["r"], slow),
        (by_name["b"], road),
    ]
    grounds = [Ground(shape, 1 / (far * INCH)) for shape, far in layers]
    shut = [by_name[name].buffer(RADIUS, 64) for name in ("f", "l")]
    half_mm, step_mm = (156, 2.0) if arm == "foot" else (308, 3.5)
    x, y, cost = cost_grid(HERE, grounds, 1 / (open_ * INCH), shut, half_mm, step_mm, 6)
    shapely.prepare(area)
    inside = shapely.contains_xy(area, x, y)
    clear = np.abs(cost - 1) * open_ * INCH > 1.5 * step_mm
    assert (inside == (cost <= 1))[clear & np.isfinite(cost)].all()
    assert inside.sum() == pytest.approx((cost <= 1).sum(), rel=0.015)


def test_who_stands_in_another_base_may_walk_out_of_it():
    """Bases read 10 mm apart overlap; beside a road, where the ground is mixed, as in the open."""
    road = a_thing("t", "paper", box(0, 520, 1200, 560), colour="brown")
    for things in ((), (road,)):
        field = a_field(a_man("r", 600, 450), a_man("b", 610, 450, "blue"), *things)
        area = reach_area(field.by_id["r"], field)
        assert area.covers(Point(600 - 4 * INCH + 0.5, 450))
