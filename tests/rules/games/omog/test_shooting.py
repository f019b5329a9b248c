"""Ranges, modifiers and what stops a shot, each worked out by hand; sight lines also point by point."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, box

from rules.games.omog.line import clearance_mm, crosses, line_of_fire
from rules.games.omog.sightline import hindrances
from rules.state import State
from tests.rules.games.omog.builders import INCH, a_field, a_man, a_setup, a_thing, known_of, only, ruled


def aimed(inches, *things, state=None, setup=None, shooter=None, target=None):
    """The target ruling of a red man at (100, 450) at a blue man so many inches to the east."""
    red = {"x": 100, "y": 450, **(shooter or {})}
    blue = {"x": 100 + inches * INCH, "y": 450, "owner": "blue", **(target or {})}
    return only(ruled(a_man("r", **red), a_man("b", **blue), *things, state=state, setup=setup), "target", "r", "b")


@pytest.mark.parametrize(
    ("weapon", "inches", "needs"),
    [
        ("rifle", 1, 3), ("rifle", 6, 3), ("rifle", 6.01, 4), ("rifle", 12, 4), ("rifle", 12.01, 5), ("rifle", 18, 5),
        ("pistol", 3, 4), ("pistol", 3.01, 6), ("pistol", 6, 6),
    ],
)  # fmt: skip
def test_bands(weapon, inches, needs):
    ruling = aimed(inches, state=known_of(r={"weapon": weapon}))
    assert (ruling.verdict, ruling.extra["needs"]) == ("yes", needs)
    assert ruling.extra["chance"] == f"{7 - needs}/6"


@pytest.mark.parametrize(("weapon", "inches"), [("rifle", 18.01), ("pistol", 6.01), ("none", 1)])
def test_out_of_range(weapon, inches):
    ruling = aimed(inches, state=known_of(r={"weapon": weapon}))
    assert (ruling.verdict, ruling.extra["needs"], ruling.rule) == ("no", None, "OMOG-3.1")


def around_target(inches, half=20.0):
    x = 100 + inches * INCH
    return box(x - half, 450 - half, x + half, 450 + half)


def a_wall(inches, before_mm, height_mm, thick=4):
    x = 100 + inches * INCH - before_mm
    return a_thing("w", "pencils", box(x - thick, 400, x, 500), height_mm=height_mm)


@pytest.mark.parametrize(
    ("thing", "needs"),
    [
        (a_thing("t", "napkin", around_target(5)), 4),
        (a_thing("t", "mug", around_target(5), height_mm=90), 5),
        (a_thing("t", "book", around_target(5), height_mm=20), 4),
        (a_thing("t", "book", around_target(5, 30), height_mm=20), 3),
        (a_wall(5, 20, 25), 4),
        (a_wall(5, 20, 25.1), 5),
        (a_wall(5, INCH, 20), 4),
        (a_wall(5, INCH + 0.1, 20), 3),
    ],
    ids=["wood", "house", "crest", "not the crest", "low wall", "high wall", "wall at an inch", "wall too far"],
)
def test_cover(thing, needs):
    ruling = aimed(5, thing)
    assert (ruling.verdict, ruling.extra["needs"]) == ("yes", needs)
    assert len(ruling.extra["modifiers"]) == (needs != 3)


@pytest.mark.parametrize(
    ("thing", "needs", "close"),
    [
        (a_wall(5, 20, 20), 4, False),
        (a_wall(5, INCH - 2.9, 20), 4, True),
        (a_wall(5, INCH + 2.9, 20), 3, True),
        (a_wall(5, INCH + 3.1, 20), 3, False),
        (a_thing("t", "book", around_target(5, 20), height_mm=20), 4, False),
        (a_thing("t", "book", around_target(5, INCH - 2.9), height_mm=20), 4, True),
        (a_thing("t", "book", around_target(5, INCH + 2.9), height_mm=20), 3, True),
        (a_thing("t", "book", around_target(5, 30), height_mm=20), 3, False),
    ],
)
def test_cover_that_is_within_three_sigma_of_an_inch_may_change_the_number(thing, needs, close):
    """C3.2 on OMOG-3.2 and 3.3: a wall or a crest an inch from the target, whose place has an error of 1 mm."""
    found = aimed(5, thing, target={"sigma_mm": 1.0}).extra
    assert (found["needs"], found["needs_close"], found["band_close"]) == (needs, close, False)
    assert not aimed(5, thing).extra["needs_close"]


def test_leaning_horse_and_height():
    assert aimed(5, state=known_of(b={"leaning": True})).extra["needs"] == 4
    rider = {"arm": "mounted"}
    assert aimed(5, shooter=rider, state=known_of(r={"moved": True})).extra["needs"] == 4
    assert aimed(5, shooter=rider).extra["needs"] == 3
    hill = a_thing("h", "book", box(60, 410, 140, 490), height_mm=40)
    assert aimed(7, hill, shooter={"elevation_mm": 40.0}).extra["needs"] == 3
    wood = a_thing("w", "napkin", box(60, 410, 140, 490))
    assert aimed(7, hill, wood, shooter={"elevation_mm": 40.0}).extra["needs"] == 3  # in a wood on the hill
    roof = a_thing("m", "mug", box(60, 410, 140, 490), height_mm=90)
    assert aimed(7, roof, shooter={"elevation_mm": 90.0}).extra["needs"] == 3
    assert aimed(7, roof).extra["needs"] == 4


def test_modifiers_add_up_and_above_six_cannot_hit():
    wood, wall = a_thing("t", "napkin", around_target(15)), a_wall(15, 22, 60)
    ruling = aimed(15, wood, wall)
    assert (ruling.verdict, ruling.extra["needs"], ruling.extra["chance"]) == ("no", 8, "0/6")
    assert sum(one["die"] for one in ruling.extra["modifiers"]) == -3
    assert ruling.rule == "OMOG-3.2"
    assert ruling.margin_mm == pytest.approx((6 - 15) * INCH)  # at 6 in it would be 6 or more


def test_a_natural_one_misses():
    roof = a_thing("m", "mug", box(60, 410, 140, 490), height_mm=90)
    state = known_of(r={"weapon": "rifle"})
    assert aimed(4, roof, shooter={"elevation_mm": 90.0}, state=state).extra["needs"] == 2
    assert aimed(4, roof, shooter={"elevation_mm": 90.0}, setup=a_setup(natural_one_misses=False)).extra["needs"] == 2


BETWEEN = box(150, 440, 170, 460)


@pytest.mark.parametrize("height", [None, 30, 1])
def test_what_nobody_has_named_stops_a_shot_or_not(height):
    """It is a house or a hill, if flat a wood (C5.2): whoever names it turns the verdict."""
    thing = a_thing("t", "unknown", BETWEEN, height_mm=height)
    rulings = ruled(a_man("r", 100, 450), a_man("b", 250, 450, "blue"), thing)
    shot = only(rulings, "target", "r", "b")
    assert (shot.verdict, shot.margin_mm, shot.sigma_mm, shot.rule) == ("close", 0.0, 1.0, "C5.2")
    assert "nobody has said what t is, which lies across the line" in shot.why
    assert [one.verdict for one in rulings if one.kind == "blocked" and one.extra.get("target") == "b"] == ["close"]


def test_what_nobody_has_named_is_no_doubt_where_no_name_turns_the_verdict():
    men = a_man("r", 100, 450), a_man("b", 250, 450, "blue")
    thing = a_thing("t", "unknown", BETWEEN, height_mm=1)
    assert only(ruled(*men, thing, setup=a_setup({"napkin": "open"})), "target", "r", "b").verdict == "yes"
    assert only(ruled(*men, thing, setup=a_setup({"t": "road"})), "target", "r", "b").verdict == "yes"
    beside = a_thing("t", "unknown", box(150, 460, 170, 480), height_mm=30)
    assert only(ruled(*men, beside), "target", "r", "b").verdict == "yes"
    under = a_thing("t", "unknown", box(230, 430, 270, 470), height_mm=30)
    assert only(ruled(*men, under), "target", "r", "b").verdict == "yes"
    far = men[0], a_man("b", 800, 450, "blue")
    assert only(ruled(*far, thing), "target", "r", "b").verdict == "no"


@pytest.mark.parametrize(("beside_mm", "verdict"), [(0.3, "close"), (1.0, "yes")])
def test_a_wood_in_which_the_shooter_may_stand_stops_his_shot_no_more_surely_than_it_hides(beside_mm, verdict):
    wood = a_thing("t", "napkin", box(100 + beside_mm, 400, 400, 500), sigma_mm=0.2)
    rulings = ruled(a_man("r", 100, 450, sigma_mm=0.2), a_man("b", 200, 450, "blue"), wood)
    shot, stop = only(rulings, "target", "r"), only([one for one in rulings if "target" in one.extra], "blocked", "r")
    assert (stop.verdict, shot.verdict) == (verdict, {"yes": "no", "close": "close"}[verdict])
    assert stop.margin_mm == pytest.approx(beside_mm if verdict == "close" else 200 - 100 - beside_mm - 2 * INCH)


@pytest.mark.parametrize(
    ("cls", "height", "blocked"), [("mug", 90, True), ("book", 30, True), ("napkin", None, True), ("plate", 2, False)]
)
def test_what_stops_a_shot(cls, height, blocked):
    rulings = ruled(a_man("r", 100, 450), a_man("b", 250, 450, "blue"), a_thing("t", cls, BETWEEN, height_mm=height))
    shot = only(rulings, "target", "r", "b")
    assert (shot.verdict == "no") == blocked
    if blocked:
        stop = only([one for one in rulings if "target" in one.extra], "blocked", "r", "t")
        assert (shot.rule, stop.rule, stop.extra["target"]) == ("OMOG-3.4", "OMOG-3.4", "b")
        assert stop.geometry.distance(Point(150, 450)) < 1e-6
        assert shot.margin_mm == pytest.approx(-10)


def test_a_touch_does_not_stop_it():
    grazing = a_thing("t", "mug", box(150, 450, 170, 470), height_mm=90)
    assert aimed(10, grazing).verdict == "yes"


def test_from_a_hill_one_shoots_over_hills_that_are_no_higher():
    low = a_thing("l", "book", BETWEEN, height_mm=30)
    stand = a_thing("s", "box", box(60, 410, 140, 490), height_mm=30)
    higher = a_thing("l", "book", BETWEEN, height_mm=31)
    assert aimed(10, low, stand, shooter={"elevation_mm": 30.0}).verdict == "yes"
    assert aimed(10, higher, stand, shooter={"elevation_mm": 30.0}).verdict == "no"


@pytest.mark.parametrize(("deep_in", "verdict"), [(1.9, "yes"), (2.0, "yes"), (2.1, "no")])
def test_two_inches_deep_in_a_wood(deep_in, verdict):
    x = 100 + 10 * INCH
    wood = a_thing("t", "napkin", box(x - deep_in * INCH, 300, x + 300, 600))
    assert aimed(10, wood).verdict == verdict
    wood = a_thing("t", "napkin", box(0, 300, 100 + deep_in * INCH, 600))
    assert aimed(10, wood).verdict == verdict


def test_both_in_one_wood_see_each_other():
    assert aimed(15, a_thing("t", "napkin", box(0, 300, 1000, 600))).verdict == "yes"


def test_close_calls():
    far = aimed(18.01, shooter={"sigma_mm": 0.5}, target={"sigma_mm": 0.5})
    assert (far.verdict, far.margin_mm) == ("close", pytest.approx(-0.254))
    nearly = a_thing("t", "mug", box(150, 451, 170, 470), height_mm=90)
    assert aimed(10, nearly, shooter={"sigma_mm": 0.5}).verdict == "close"
    assert aimed(10, nearly).verdict == "yes"


def test_who_may_not_shoot():
    assert aimed(5, state=known_of(r={"fired": True})).verdict == "no"
    assert aimed(5, state=known_of(r={"charging": True, "bayonet": True})).rule == "OMOG-5.2"
    rulings = ruled(a_man("r", 100, 450), a_man("q", 150, 450, "unknown"), a_man("n", 150, 500, "none"))
    assert not [one for one in rulings if one.kind == "target"]


def test_gunners_carry_pistols_and_do_not_shoot_when_the_gun_has_fired():
    gun, foe = a_man("g", 100, 450, arm="gun"), a_man("b", 200, 450, "blue")
    men = [a_man(f"c{n}", 70, 400 + 40 * n) for n in range(3)]
    shot = only(ruled(gun, foe, *men), "target", "c1", "b")
    assert shot.extra["weapon"] == "pistol"
    served = only(ruled(gun, foe, *men, state=known_of(g={"fired": True})), "target", "c1", "b")
    assert (served.verdict, served.rule) == ("no", "OMOG-4.4")


@pytest.mark.parametrize(
    ("from_gun_in", "fired", "foe_in", "verdict", "needs_close"),
    [
        (3.01, False, 10, "close", True),  # a rifle reaches him, a gunner's pistol does not
        (2.99, False, 10, "close", True),
        (2.99, False, 2.5, "yes", True),
        (3.01, True, 10, "close", False),  # who serves a gun that fired does not shoot
        (2.99, True, 10, "close", True),
        (2.99, True, 20, "no", False),
        (3.1, False, 10, "yes", False),
        (2.9, False, 10, "no", False),
    ],
)
def test_whether_a_man_serves_the_gun_may_be_too_close_to_call(from_gun_in, fired, foe_in, verdict, needs_close):
    """His pistol's "out of range" was a firm no with 3 sigma of his place between him and a rifle."""
    man, gun = a_man("r", 100, 450, sigma_mm=0.4), a_man("g", 100, 450 - from_gun_in * INCH, arm="gun")
    state = known_of(g={"fired": True}) if fired else None
    shot = only(ruled(man, gun, a_man("b", 100 + foe_in * INCH, 450, "blue"), state=state), "target", "r", "b")
    assert (shot.verdict, shot.extra["needs_close"]) == (verdict, needs_close)
    if verdict == "close":
        assert (shot.rule, shot.sigma_mm) == ("OMOG-4.4", 0.4)
        assert abs(shot.margin_mm) == pytest.approx(0.01 * INCH)
        assert shot.why.endswith("; whether he serves red gun g is too close to call")
    named = known_of(g={"fired": fired, "crew": ["r"]})  # what the state says is no question of distance
    told = only(ruled(man, gun, a_man("b", 600, 450, "blue"), state=named), "target", "r", "b")
    assert told.verdict == "no"


def test_an_unknown_weapon_is_told():
    with pytest.raises(ValueError, match=r"pieces\.r\.weapon: OMOG has no weapon 'musket'"):
        aimed(5, state=State(pieces={"r": {"weapon": "musket"}}))


coordinates = st.floats(0, 300)


@settings(max_examples=60, deadline=None)
@given(coordinates, coordinates, coordinates, coordinates, st.floats(20, 60), st.floats(20, 60))
def test_crossing_is_what_a_dense_line_of_points_says(ax, ay, bx, by, width, depth):
    area = box(150, 150, 150 + width, 150 + depth)
    field = a_field(a_man("r", ax, ay), a_man("b", bx, by, "blue"), a_thing("t", "mug", area, height_mm=90))
    line = line_of_fire(*field.soldiers)
    points = shapely.line_interpolate_point(line, np.linspace(0, 1, 4001), normalized=True)
    core, halo = area.buffer(-0.1), area.buffer(0.1)
    if shapely.intersects(core, points).any():
        assert crosses(line, area)
        stood_in = [area.covers(Point(man.position_mm)) for man in field.soldiers]
        assert bool(hindrances(*field.soldiers, field.land)) == (not any(stood_in))
    elif not shapely.intersects(halo, points).any():
        assert not crosses(line, area)
        assert not hindrances(*field.soldiers, field.land)


def test_clearance_is_the_shift_that_frees_the_line():
    line = shapely.LineString(((0, 0), (100, 0)))
    assert clearance_mm(line, box(40, -3, 50, 20)) == pytest.approx(-3)
    assert clearance_mm(line, box(40, -30, 50, 20)) == pytest.approx(-20)
    assert clearance_mm(line, box(40, 4, 50, 20)) == pytest.approx(4)


def test_who_stands_beside_a_hill_is_not_hidden_by_it():
    """Half a millimetre beyond or beside the target it can only be stood on; half a millimetre off the way it hides."""
    beyond = a_thing("h", "book", box(100 + 10 * INCH + 0.5, 400, 500, 500), height_mm=30)
    beside = a_thing("h", "book", box(100 + 10 * INCH - 0.2, 450.5, 500, 500), height_mm=30)
    along = a_thing("h", "book", box(300, 450.5, 340, 500), height_mm=30)
    errors = {"shooter": {"sigma_mm": 0.3}, "target": {"sigma_mm": 0.3}}
    assert [aimed(10, one, **errors).verdict for one in (beyond, beside, along)] == ["yes", "yes", "close"]


@pytest.mark.parametrize(
    ("shooter", "target", "wood", "clear_mm"),
    [
        ((665, 185, 1), (855, 425, 2), (670, 180, 750, 190, 0), 0.817),
        ((296.45, 204.05, 1), (433.9, 24.9, 1), (300, 200, 380, 280, 0.5), 0.351),
    ],
)
def test_a_line_that_grazes_a_corner_is_too_close_though_farther_aside_the_shooter_stands_in_the_wood(
    shooter, target, wood, clear_mm
):
    (ax, ay, a_mm), (bx, by, b_mm), (*corners, wood_mm) = shooter, target, wood
    men = a_man("a", ax, ay, sigma_mm=a_mm), a_man("b", bx, by, "blue", sigma_mm=b_mm)
    told = only(ruled(*men, a_thing("w", "napkin", box(*corners), sigma_mm=wood_mm)), "target", "a", "b")
    assert (told.verdict, told.rule) == ("close", "OMOG-3.4")
    assert told.margin_mm == pytest.approx(clear_mm, abs=1e-3)


@pytest.mark.parametrize(("bayonet", "how"), [(True, " with the bayonet"), (False, "")])
def test_a_foot_soldier_who_charges_does_not_shoot(bayonet, how):
    told = aimed(5, state=known_of(r={"charging": True, "bayonet": bayonet}))
    assert (told.verdict, told.rule) == ("no", "OMOG-5.2")
    assert told.why == f"red foot r charges{how} and does not shoot"
