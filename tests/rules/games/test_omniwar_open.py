"""OmniWar without hexes (OMNI-4.3), against discs, hand-made cases and dense lines of points."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, box
from shapely.affinity import translate

from rules.games.omniwar import GAME, open_targets
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State

SIZE_MM = (1200.0, 900.0)
HEX_MM = 4 * 25.4
RADIUS_MM = 10.0
PLAYERS = (Player("Ann", "red", "near"), Player("Bob", "blue", "far"))


def a_setup(**house):
    return Setup("omniwar", SIZE_MM, PLAYERS, legend={**GAME.legend, "grey paper": "road"}, house=house)


def a_unit(id_, x, y, owner="red", roster="army squad", **more):
    disc = Point(x, y).buffer(RADIUS_MM, quad_segs=64)
    return Piece(id_, "base", "base", (float(x), float(y)), disc, owner, roster=roster, **more)


def a_thing(id_, cls, shape, **more):
    return Piece(id_, "terrain", cls, (shape.centroid.x, shape.centroid.y), shape, "none", **more)


def ruled(*pieces, setup=None, phase=None, active=None, turn=1, **known):
    state = State(turn, phase, active, known)
    return GAME.rulings(Scene(SIZE_MM, pieces), setup or a_setup(), state, None)


def only(rulings, kind, piece, other=None):
    (one,) = [r for r in rulings if r.kind == kind and r.piece == piece and other in (None, r.other)]
    return one


def judged(before, after, setup=None, phase=None, active=None, turn=1, **known):
    scenes = Scene(SIZE_MM, tuple(before)), Scene(SIZE_MM, tuple(after))
    rulings = GAME.judge(*scenes, setup or a_setup(), State(turn, phase, active, known))
    return {one.piece: one for one in rulings}


@pytest.mark.parametrize(("roster", "move"), [("army squad", 1), ("tank", 2), ("hover tank", 3), ("mortar crew", 1)])
def test_reach_on_the_bare_table_is_a_disc(roster, move):
    reach = only(ruled(a_unit("u", 600, 450, roster=roster)), "reach", "u")
    assert (reach.verdict, reach.extra["move_mm"]) == ("yes", pytest.approx(move * HEX_MM))
    assert reach.geometry.area == pytest.approx(math.pi * (move * HEX_MM) ** 2, rel=5e-4)
    assert reach.geometry.hausdorff_distance(Point(600, 450).buffer(move * HEX_MM, quad_segs=256)) < 0.1


def test_reach_is_cut_at_the_table():
    reach = only(ruled(a_unit("u", 0, 0)), "reach", "u")
    assert reach.geometry.area == pytest.approx(math.pi * HEX_MM**2 / 4, rel=5e-4)
    assert reach.extra["may_leave"] is True


def test_an_enemy_is_walked_round_and_a_friend_walked_through():
    """50 mm to the east stands another base: 20 mm keep the centres apart."""
    for owner, behind in [("blue", False), ("red", True)]:
        rulings = ruled(a_unit("u", 600, 450), a_unit("o", 650, 450, owner))
        area = only(rulings, "reach", "u").geometry
        assert not area.intersects(Point(650, 450).buffer(2 * RADIUS_MM - 0.1))
        assert area.covers(Point(600 + HEX_MM - 0.2, 450)) == behind
        assert [one.other for one in rulings if one.kind == "blocked" and one.piece == "u"] == ["o"] * (not behind)
    stacked = ruled(a_unit("u", 600, 450), a_unit("o", 650, 450), setup=a_setup(stacking="yes"))
    assert only(stacked, "reach", "u").geometry.covers(Point(650, 450))


def test_flyers_pass_enemies_and_do_not_end_on_them():
    area = only(ruled(a_unit("u", 600, 450, roster="hover tank"), a_unit("o", 650, 450, "blue")), "reach", "u").geometry
    assert area.covers(Point(600 + 3 * HEX_MM - 0.2, 450))
    assert not area.intersects(Point(650, 450).buffer(2 * RADIUS_MM - 0.1))


def test_what_nobody_knows_stops_all_and_is_named():
    strange = a_unit("s", 650, 450, "unknown")
    for roster in ("army squad", "hover tank"):
        rulings = ruled(a_unit("u", 600, 450, roster=roster), strange)
        assert not only(rulings, "reach", "u").geometry.covers(Point(650, 450))
        stop = only(rulings, "blocked", "u")
        assert (stop.other, stop.rule) == ("s", "C5.2")
    nameless = only(ruled(a_unit("u", 600, 450, roster="dragon")), "reach", "u")
    assert (nameless.verdict, nameless.rule, nameless.geometry) == ("no", "C5.2", None)


def strip_reach(rulings):
    return only(rulings, "reach", "u").geometry.bounds[2] - 600


def test_vehicles_on_roads_and_in_dense_ground():
    """Straight east from the border of the ground, in the ground all the way."""
    everywhere = box(600, 0, 1200, 900)
    wood, road = a_thing("w", "box", everywhere), a_thing("r", "paper", everywhere, colour="grey")
    assert strip_reach(ruled(a_unit("u", 600, 450, roster="tank"), wood)) == pytest.approx(HEX_MM, abs=0.5)
    assert strip_reach(ruled(a_unit("u", 600, 450, roster="tank"), road)) == pytest.approx(4 * HEX_MM, abs=0.5)
    assert strip_reach(ruled(a_unit("u", 600, 450, roster="tank"), wood, road)) == pytest.approx(4 * HEX_MM, abs=0.5)
    assert strip_reach(ruled(a_unit("u", 600, 450), wood)) == pytest.approx(HEX_MM, abs=0.1)
    assert strip_reach(ruled(a_unit("u", 600, 450, roster="hover tank"), wood)) == pytest.approx(3 * HEX_MM, abs=0.1)


def test_water():
    lake = a_thing("l", "paper", box(640, 0, 1200, 900), colour="blue")
    dry = ruled(a_unit("u", 600, 450), lake)
    assert strip_reach(dry) == pytest.approx(40 - RADIUS_MM, abs=0.01)
    assert only(dry, "blocked", "u").other == "l"
    for word in ("Amphibious", "Flyer", "Submersible"):
        wet = ruled(a_unit("u", 600, 450), lake, u={"keywords": [word]})
        assert strip_reach(wet) == pytest.approx(HEX_MM, abs=0.1), word
    ship = only(ruled(a_unit("u", 700, 450), lake, u={"keywords": ["Water bound"]}), "reach", "u").geometry
    assert ship.bounds[0] == pytest.approx(640 + RADIUS_MM, abs=0.01)
    assert ship.bounds[2] == pytest.approx(700 + HEX_MM, abs=0.1)


@pytest.mark.parametrize(
    ("x_mm", "known", "needs"),
    [
        (700, {"submerged": True, "keywords": ["Submersible"]}, 5),
        (660, {"submerged": True, "keywords": ["Submersible"]}, 6),  # on land between the lakes
        (700, {"submerged": True}, 6),
        (700, {"keywords": ["Submersible"]}, 6),
    ],
)
def test_a_submersible_under_water_defends_by_one_more(x_mm, known, needs):
    """Offense 6 against Defense 0 (OMNI-3.2), and cover of +1 in whichever of two lakes it is (rulebook)."""
    lakes = [a_thing(f"l{x}", "paper", box(x, 400, x + 40, 500), colour="blue") for x in (610, 680)]
    tank, boat = a_unit("t", 500, 450, roster="tank"), a_unit("s", x_mm, 450, "blue")
    assert only(ruled(tank, boat, *lakes, s=known), "target", "t", "s").extra["needs"] == needs


@pytest.mark.parametrize(
    ("house", "mm"),
    [
        ({}, 101.6),
        ({"figures": "15mm"}, 203.2),
        ({"figures": "25mm"}, 304.8),
        ({"scale": "centimetres"}, 100.0),
        ({"scale": "centimetres", "figures": "15mm"}, 200.0),
        ({"scale": "centimetres", "figures": "25mm"}, 300.0),
    ],
)
def test_scales(house, mm):
    rulings = ruled(
        a_unit("u", 100, 450), a_unit("e", 100 + 2 * mm, 450, "blue"), a_unit("f", 100 + 2 * mm + 0.01, 500, "blue"),
        setup=a_setup(**house),
    )  # fmt: skip
    assert only(rulings, "reach", "u").extra["move_mm"] == pytest.approx(mm)
    assert [only(rulings, "target", "u", name).verdict for name in "ef"] == ["yes", "no"]
    assert only(rulings, "target", "u", "e").extra["range_mm"] == pytest.approx(2 * mm)


def test_ranges_carry_their_error():
    far = a_unit("e", 100 + 2 * HEX_MM + 1.0, 450, "blue", sigma_mm=0.3)
    shot = only(ruled(a_unit("u", 100, 450, sigma_mm=0.4), far), "target", "u")
    assert (shot.verdict, shot.margin_mm, shot.sigma_mm) == ("close", pytest.approx(-1.0), pytest.approx(0.5))
    assert only(ruled(a_unit("u", 100, 450), far), "target", "u").verdict == "no"


def test_who_may_not_fire():
    def shot(known, its=None, **turn):
        pieces = a_unit("u", 100, 450), a_unit("e", 200, 450, "blue"), a_unit("t", 200, 450, "blue", "transport")
        return only(ruled(*pieces, u=known, e=its or {}, **turn), "target", "u", "e")

    assert shot({"moved": True}).verdict == "yes"
    assert (shot({"fired": True}).verdict, shot({"fired": True}).rule) == ("no", "OMNI-4.1")
    assert shot({"roster": "machine gun", "fired": 1}).extra["attacks"] == 1
    assert shot({"roster": "machine gun", "fired": 2}).verdict == "no"
    assert shot({"roster": "mortar crew", "moved": True}).rule == "OMNI-4.2"
    assert shot({}, {"hidden": True}).rule == "OMNI-4.2"
    assert shot({}, {"carried_by": "t"}).rule == "OMNI-2.2"
    assert (shot({}, active="Bob").verdict, shot({}, active="Bob").extra["waiting"]) == ("yes", True)
    assert shot({"moved": True}, active="Bob").rule == "OMNI-3.3"
    assert (shot({}, {"roster": "tank", "defense": 5}).verdict, shot({}, {"defense": 5}).rule) == ("no", "OMNI-3.2")


def test_numbers_and_dense_ground():
    wood = a_thing("w", "box", box(180, 430, 220, 470))
    shot = only(ruled(a_unit("u", 100, 450), a_unit("e", 200, 450, "blue"), wood), "target", "u")
    assert (shot.verdict, shot.extra["needs"], shot.extra["odds"]["win"], shot.extra["dense"]) == (
        "yes",
        4,
        "1/2",
        True,
    )
    beyond = only(ruled(a_unit("u", 100, 450), a_unit("e", 290, 450, "blue"), wood), "target", "u")
    assert (beyond.verdict, beyond.rule, beyond.extra["hidden_by"]) == ("no", "OMNI-3.1", ["w"])
    assert beyond.margin_mm == pytest.approx(-20)
    mortar = only(
        ruled(a_unit("u", 100, 450, roster="mortar crew"), a_unit("e", 290, 450, "blue"), wood), "target", "u"
    )
    assert (mortar.verdict, mortar.extra["hits"]) == ("yes", ["e"])


def test_a_line_that_grazes_a_corner_is_too_close_though_farther_aside_the_attacker_stands_in_the_wood():
    units = a_unit("a", 665, 185, roster="tank", sigma_mm=1.0), a_unit("b", 855, 425, "blue", sigma_mm=2.0)
    told = only(ruled(*units, a_thing("w", "box", box(670, 180, 750, 190))), "target", "a", "b")
    assert (told.verdict, told.margin_mm) == ("close", pytest.approx(0.817, abs=1e-3))


@pytest.mark.parametrize(("height_mm", "verdict"), [(None, "close"), (30.0, "close"), (1.0, "yes")])
def test_what_nobody_has_named_hides_or_not(height_mm, verdict):
    """A box would, white paper would not (C5.2)."""
    men = a_unit("a", 200, 250), a_unit("b", 380, 250, "blue")
    thing = a_thing("t", "unknown", box(280, 230, 300, 270), height_mm=height_mm)
    one = only(ruled(*men, thing), "target", "a", "b")
    assert one.verdict == verdict
    if verdict == "close":
        assert (one.margin_mm, one.sigma_mm, one.rule) == (0.0, 1.0, "C5.2")
        assert one.why.endswith("nobody has said what t is, which lies across the line")
    assert only(ruled(a_unit("a", 200, 250, roster="mortar crew"), men[1], thing), "target", "a", "b").verdict == "yes"


def test_a_target_on_the_far_edge_of_a_wood_is_close():
    """Half a millimetre inside it is seen, half a millimetre beyond it is hidden."""
    wood = a_thing("w", "box", box(180, 430, 220, 470))
    for x, sigma_mm, verdict in [(219.5, 0.3, "close"), (220.5, 0.3, "close"), (219.5, 0.0, "yes"), (220.5, 0.0, "no")]:
        shot = only(ruled(a_unit("u", 100, 450), a_unit("e", x, 450, "blue", sigma_mm=sigma_mm), wood), "target", "u")
        assert shot.verdict == verdict, (x, sigma_mm)
    near = a_unit("e", 180.5, 450, "blue", sigma_mm=0.3)
    assert only(ruled(a_unit("u", 100, 450), near, wood), "target", "u").verdict == "yes"


coordinates = st.tuples(st.floats(50, 350), st.floats(50, 350))


@settings(max_examples=60, deadline=None)
@given(coordinates, coordinates, st.lists(st.tuples(coordinates, st.floats(20, 80)), max_size=3))
def test_sight_is_what_points_along_the_line_say(a, b, places):
    areas = [translate(box(-half, -half / 2, half, half / 2), *at) for at, half in places]
    woods = [a_thing(f"w{n}", "box", area) for n, area in enumerate(areas)]
    rulings = ruled(a_unit("u", *a, roster="tank"), a_unit("e", *b, "blue"), *woods)
    line = shapely.LineString((a, b))
    dots = shapely.line_interpolate_point(line, np.linspace(0, 1, 2001), normalized=True)
    through = [area for area in areas if not (area.covers(Point(a)) or area.covers(Point(b)))]
    shot = only(rulings, "target", "u", "e")
    region = only(rulings, "sight", "u").geometry
    if any(shapely.intersects(area.buffer(-0.2), dots).any() for area in through):
        assert (shot.verdict, region.covers(Point(b))) == ("no", False)
    elif not any(shapely.intersects(area.buffer(0.2), dots).any() for area in through):
        assert shot.verdict == "yes"
        assert region.dwithin(Point(b), 1e-6)


def test_moves_are_judged():
    squad, foe = a_unit("u", 600, 450), a_unit("o", 600, 550, "blue")
    verdicts = {
        x: judged([squad, foe], [a_unit("u", x, 450), foe])["u"].verdict for x in (650, 600 + HEX_MM, 600 + HEX_MM + 1)
    }
    assert list(verdicts.values()) == ["yes", "yes", "no"]
    on_foe = judged([squad, foe], [a_unit("u", 600, 535), foe])["u"]
    assert (on_foe.verdict, on_foe.rule) == ("no", "OMNI-2.1")

    def why_not(**more):
        return judged([squad], [a_unit("u", 650, 450)], **more)["u"].rule

    assert why_not(active="Bob") == "C4.9"
    assert why_not(u={"moved": True}) == "C4.9"
    assert why_not(phase="attack") == "OMNI-5.1"
    assert why_not(u={"boarded": True, "carried_by": "t"}) == "OMNI-2.2"
    assert why_not(u={"roster": "mortar crew", "fired": 1}) == "OMNI-4.2"
    assert why_not(u={"roster": "dragon"}) == "C5.2"
    assert judged([squad], [a_unit("u", 650, 450)], active="Ann")["u"].verdict == "yes"
    assert judged([squad], [a_unit("u", 600 + HEX_MM + 1, 450, sigma_mm=0.5)])["u"].verdict == "close"


@pytest.mark.parametrize(("over_mm", "verdict"), [(0.0, "yes"), (0.01, "no"), (0.04, "no"), (-0.01, "yes")])
def test_a_straight_move_without_error_is_judged_to_the_last_bit(over_mm, verdict):
    """C3.2: with s = 0 there is no `close`; the border that is drawn is off by 0.02 mm."""
    one = judged([a_unit("u", 600, 450)], [a_unit("u", 600 + HEX_MM + over_mm, 450)])["u"]
    assert (one.verdict, one.margin_mm >= 0) == (verdict, verdict == "yes")
    assert abs(one.margin_mm + over_mm) < 0.05
    assert verdict == "yes" or f"ends {over_mm} mm beyond" in one.why


def test_a_move_onto_a_base_by_a_hair_hangs_on_one_distance():
    """0.5 mm on the enemy's base, s = 0.3: close; if it is 0.5 mm too far as well, no one distance helps."""
    foe = a_unit("o", 600 + HEX_MM - 20 + 2 * RADIUS_MM - 0.5, 450, "blue")
    near = judged([a_unit("u", 600, 450), foe], [a_unit("u", 600 + HEX_MM - 20, 450, sigma_mm=0.3), foe])["u"]
    assert (near.verdict, near.margin_mm) == ("close", pytest.approx(-0.5, abs=0.01))
    foe = a_unit("o", 600 + HEX_MM + 0.5 + 2 * RADIUS_MM - 0.2, 450, "blue")
    far = judged([a_unit("u", 600, 450), foe], [a_unit("u", 600 + HEX_MM + 0.5, 450, sigma_mm=0.3), foe])["u"]
    assert far.verdict == "no"


def test_a_unit_that_is_gone_was_perhaps_in_range():
    foe = a_unit("o", 600 + 2 * HEX_MM + 0.5, 450, "blue")
    for sigma_mm, verdict in ((0.3, "close"), (0.1, "no")):
        lost = a_unit("u", 600, 450, sigma_mm=sigma_mm)
        assert judged([lost, foe], [foe])["u"].verdict == verdict


def a_wall(half_mm, sigma_mm):
    """Bases too near to one another to pass, but for a gap about y = 450."""
    places = [sign * (half_mm + 35 * step) for sign in (-1, 1) for step in range(4)]
    return [a_unit(f"e{n}", 640, 450 + place, "blue", sigma_mm=sigma_mm) for n, place in enumerate(places)]


@pytest.mark.parametrize(
    ("half_mm", "sigma_mm", "verdict"),
    [(19.98, 0.0, "no"), (19.98, 0.05, "close"), (20.02, 0.05, "close"), (20.02, 0.0, "yes"), (20.2, 0.05, "yes")],
)
def test_a_way_through_a_gap_hangs_on_one_enemy(half_mm, sigma_mm, verdict):
    """The bases need 20 mm from middle to middle; 40 less twice the half is what one of the two must give way."""
    wall = a_wall(half_mm, sigma_mm)
    one = judged([a_unit("u", 600, 450), *wall], [a_unit("u", 680, 450), *wall])["u"]
    assert one.verdict == verdict
    if verdict == "close":
        assert (one.margin_mm, one.sigma_mm) == (pytest.approx(2 * half_mm - 40, abs=0.01), sigma_mm)


def test_a_gap_at_whose_far_end_somebody_stands_as_well_hangs_on_no_one_distance():
    wall = [*a_wall(19.98, 0.05), a_unit("f", 699.95, 450, "blue", sigma_mm=0.05)]
    assert judged([a_unit("u", 600, 450), *wall], [a_unit("u", 680, 450), *wall])["u"].verdict == "no"


@pytest.mark.parametrize(("gap_mm", "verdict"), [(0.2, "yes"), (0.1, "close"), (-0.1, "close"), (-0.2, "no")])
def test_an_end_near_the_table_s_edge_has_the_end_s_error(gap_mm, verdict):
    one = judged([a_unit("u", 600, 50, sigma_mm=0.3)], [a_unit("u", 600, gap_mm, sigma_mm=0.05)])["u"]
    assert (one.verdict, one.margin_mm, one.sigma_mm) == (verdict, pytest.approx(gap_mm), 0.05)


@pytest.mark.parametrize(
    ("gap_mm", "sigma_mm", "verdict"), [(0.2, 0.1, "close"), (-0.2, 0.1, "close"), (0.2, 0, "yes")]
)
def test_an_end_near_water_has_the_water_s_error_too(gap_mm, sigma_mm, verdict):
    lake = a_thing("l", "paper", box(640, 0, 1200, 900), colour="blue", sigma_mm=sigma_mm)
    one = judged([a_unit("u", 600, 450), lake], [a_unit("u", 630 - gap_mm, 450), lake])["u"]
    assert (one.verdict, one.margin_mm) == (verdict, pytest.approx(gap_mm, abs=0.01))


@pytest.mark.parametrize(("over_mm", "verdict"), [(-0.1, "close"), (0.1, "close"), (-0.2, "yes"), (0.2, "no")])
def test_a_vehicle_s_way_hangs_on_where_dense_ground_begins(over_mm, verdict):
    """Half of what the wood's edge is off by is lost or won behind it: 3 sigma of 0.1 mm are 0.15 mm."""
    wood = a_thing("w", "box", box(640, 0, 1200, 900), sigma_mm=0.1)
    end = 640 + (2 * HEX_MM - 40) / 2 + over_mm
    one = judged([a_unit("u", 600, 450, roster="tank"), wood], [a_unit("u", end, 450, roster="tank"), wood])["u"]
    assert one.verdict == verdict


@pytest.mark.parametrize(("y", "sigma_mm", "verdict"), [(-0.2, 0.1, "close"), (0.2, 0.1, "close"), (-0.2, 0.0, "yes")])
def test_whether_a_unit_can_have_left_the_table_is_too_close_to_call(y, sigma_mm, verdict):
    one = judged([a_unit("u", 600, HEX_MM + y, sigma_mm=sigma_mm)], [])["u"]
    assert (one.verdict, one.margin_mm) == (verdict, pytest.approx(-y, abs=0.01))


@pytest.mark.parametrize(("phase", "told"), [(None, "attack"), ("attack", "attack"), ("move", "move")])
def test_who_was_destroyed_was_so_by_an_attack(phase, told):
    """In the phase of moves by a unit that waited (OMNI-3.3); who drove off did so in his move."""
    foe = a_unit("e", 600, 600, "blue")
    active = "Ann" if phase == "move" else None
    assert judged([a_unit("u", 600, 450), foe], [foe], phase=phase, active=active)["u"].extra["phase"] == told
    assert judged([a_unit("u", 600, 50)], [])["u"].extra["phase"] == "move"


@pytest.mark.parametrize(
    ("gap_mm", "sigma_mm", "words", "verdict"),
    [
        (0.1, 0.1, [], "close"),
        (-0.1, 0.1, [], "close"),
        (0.1, 0.0, [], "yes"),
        (-0.1, 0.0, [], "no"),
        (-0.1, 0.1, ["Amphibious"], "yes"),
        (0.1, 0.1, ["Water bound"], "close"),
        (0.1, 0.0, ["Water bound"], "no"),
    ],
)
def test_a_unit_set_up_at_the_edge_of_water(gap_mm, sigma_mm, words, verdict):
    lake = a_thing("l", "paper", box(640, 0, 1200, 900), colour="blue", sigma_mm=sigma_mm)
    one = judged([lake], [a_unit("u", 640 - gap_mm, 100), lake], u={"keywords": words})["u"]
    assert one.verdict == verdict
    if verdict != "yes":
        assert abs(one.margin_mm) == pytest.approx(0.1)


def test_who_is_gone_has_the_margin_of_the_shot_that_may_have_destroyed_it():
    foe = a_unit("e", 700, 450, "blue")
    one = judged([a_unit("u", 600, 450, sigma_mm=0.1), foe], [foe])["u"]
    assert (one.margin_mm, one.sigma_mm) == (pytest.approx(2 * HEX_MM - 100), 0.1)


def test_two_who_end_on_one_spot():
    before = a_unit("a", 600, 450), a_unit("b", 660, 450)
    found = judged(before, [a_unit("a", 630, 450), a_unit("b", 631, 450)])
    assert [found[name].verdict for name in "ab"] == ["yes", "no"]
    assert judged(before, [a_unit("a", 655, 450), before[1]])["a"].verdict == "no"
    assert judged(before, [a_unit("a", 660, 450), a_unit("b", 700, 450)])["a"].verdict == "yes"


def test_transports():
    truck, squad = a_unit("t", 650, 450, roster="transport"), a_unit("s", 600, 450)
    assert only(ruled(truck, squad), "reach", "s").extra["transports"] == ["t"]
    entered = judged([truck, squad], [truck, a_unit("s", 648, 450)])["s"]
    assert (entered.verdict, entered.extra["boards"]) == ("yes", "t")
    riding = {"s": {"carried_by": "t", "boarded": True}}
    moved = judged(
        [truck, a_unit("s", 648, 450)], [a_unit("t", 700, 450, roster="transport"), a_unit("s", 698, 450)], **riding
    )
    assert [moved[name].verdict for name in "ts"] == ["yes", "yes"]
    assert moved["s"].extra["spends"] is False
    assert only(ruled(truck, a_unit("s", 648, 450), **riding), "reach", "s").rule == "OMNI-2.2"


def test_a_transport_takes_one_of_two_who_come_at_once():
    transport = a_unit("t", 600, 450, roster="transport")
    before, after = (
        [a_unit(name, 600 + by, 450) for name, by in zip("su", at, strict=True)] for at in ((-50, 50), (-5, 5))
    )
    found = judged([transport, *before], [transport, *after])
    assert [(found[name].verdict, found[name].extra.get("boards")) for name in "su"] == [("yes", "t"), ("no", None)]


def test_a_unit_off_the_table_sees_nothing_and_is_not_set_up():
    rulings = ruled(a_unit("u", 600, -30, roster="tank"), a_unit("v", 600, 30, roster="tank"))
    sight, settle = (only(rulings, kind, "u") for kind in ("sight", "settle"))
    assert (sight.verdict, sight.geometry, sight.rule) == ("no", None, "C4.7")
    assert (settle.verdict, settle.margin_mm) == ("no", pytest.approx(-30))
    assert [only(rulings, kind, "v").verdict for kind in ("sight", "settle")] == ["yes", "yes"]


@pytest.mark.parametrize("side", ["near", "far", "left", "right"])
def test_units_begin_within_two_hexes_breadth_of_their_own_side(side):
    """OMNI-5.1: by hand, 203.2 mm from the middle of each side of a table of 1200 by 900 mm."""
    setup = replace(a_setup(), players=(Player("Ann", "red", side),))
    x, y = {"near": (600, 1), "far": (600, 899), "left": (1, 450), "right": (1199, 450)}[side]
    ux, uy = {"near": (0, 1), "far": (0, -1), "left": (1, 0), "right": (-1, 0)}[side]
    for inward, verdict in ((2 * HEX_MM - 2, "yes"), (2 * HEX_MM, "no")):
        unit = a_unit("u", x + inward * ux, y + inward * uy, roster="tank")
        assert only(ruled(unit, setup=setup), "settle", "u").verdict == verdict


def test_setting_up_leaving_and_losses():
    for y, roster, verdict in [
        (200, "tank", "yes"),
        (2 * HEX_MM, "tank", "yes"),
        (204, "tank", "no"),
        (700, "scout team", "yes"),
    ]:
        assert judged([], [a_unit("u", 600, y, roster=roster)])["u"].verdict == verdict
        assert only(ruled(a_unit("u", 600, y, roster=roster)), "settle", "u").verdict == verdict
    assert judged([], [a_unit("u", 600, 100)], turn=2)["u"].verdict == "no"
    for word, verdict in (("Teleport", "yes"), ("Drop troops", "yes"), ("Flyer", "no")):  # OMNI-4.2
        assert judged([], [a_unit("u", 600, 500)], turn=2, u={"keywords": [word]})["u"].verdict == verdict
    assert judged([a_unit("u", 600, 50)], [])["u"].extra["confirm"] is True
    assert judged([a_unit("u", 600, 450)], [])["u"].verdict == "no"
    foe = a_unit("e", 600, 600, "blue")
    assert judged([a_unit("u", 600, 450), foe], [foe])["u"].extra["destroyed"] is True


@pytest.mark.parametrize(
    ("first", "y_mm", "verdict"), [("tank", 700, "no"), ("tank", 200, "yes"), ("scout team", 700, "yes")]
)
def test_scouts_are_set_up_first(first, y_mm, verdict):
    there, scout = a_unit("v", 300, 50, roster=first), a_unit("u", 600, y_mm, roster="scout team")
    found = judged([there], [there, scout])["u"]
    assert found.verdict == verdict and ("before all others" in found.why) is (verdict == "no")


@pytest.mark.parametrize(("x_mm", "sigma_mm", "verdict"), [(760, 0, "yes"), (775, 0, "no"), (770.5, 0.5, "close")])
@pytest.mark.parametrize("owner", ["red", "blue"])
def test_an_area_attack_destroys_who_is_beside_its_target(owner, x_mm, sigma_mm, verdict):
    """Beyond its own range, or on the attacker's side: only whom it might attack himself was lawfully gone."""
    mortar, target = a_unit("m", 9, 450, roster="mortar crew"), a_unit("x", 710, 450, "blue", roster="scout team")
    unit = a_unit("u", x_mm, 450, owner, sigma_mm=sigma_mm)
    found = judged([mortar, target, unit], [mortar, target], phase="attack", active="Ann", x={"range": 0})
    assert found["u"].verdict == verdict


def test_a_friend_who_moved_on_has_made_room():
    """Friends are passed (OMNI-2.1), and overlaps are asked of the scene after (C4.8)."""
    before, after = ([a_unit("a", x, 250), a_unit("b", x + 40, 250)] for x in (240, 280))
    assert [one.verdict for one in judged(before, after).values()] == ["yes", "yes"]


def test_all_that_hides_a_target_is_named():
    woods = [a_thing(name, "box", box(x, 430, x + 20, 470)) for name, x in (("v", 180), ("w", 230))]
    told = only(ruled(a_unit("u", 100, 450), a_unit("e", 300, 450, "blue"), *woods), "target", "u")
    assert told.extra["hidden_by"] == ["v", "w"]


def test_enemies_stop_a_vehicle_on_a_road_farther_away_than_its_move():
    """Those farther than a move off the road were passed through; along a road it goes twice as far."""
    road = a_thing("r", "grey paper", box(0, 410, SIZE_MM[0], 490))
    wall = [a_unit(f"e{n}", 430, 30 + 20 * n, "blue") for n in range(43)]
    tanks = [a_unit("v", x, 450, roster="tank") for x in (100, 400, 480)]
    reach = only(ruled(road, tanks[0], *wall), "reach", "v").geometry
    assert 410 <= reach.bounds[2] < 420
    for tank, verdict in zip(tanks[1:], ("yes", "no"), strict=True):
        assert judged([road, tanks[0], *wall], [road, tank, *wall])["v"].verdict == verdict


def test_what_lies_far_from_a_line_of_sight_is_asked_once(monkeypatch):
    """Sixty units and forty things took minutes: each thing was asked about six lines, all of them the same without an
    error."""
    asked = []
    monkeypatch.setattr(open_targets, "swept", lambda *line: asked.append(line) or iter(()))
    far, near = box(0, 100, 10, 110), box(40, 1, 50, 10)
    assert open_targets._clear(far, (0.0, 0.0), (100.0, 0.0), 0.5).verdict == "yes" and not asked
    assert open_targets._clear(near, (0.0, 0.0), (100.0, 0.0), 0.5).verdict == "yes" and asked
