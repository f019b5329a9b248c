"""OMMS-3 on scenes small enough to work out by hand; every expected figure is derived in its test."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import shapely
from shapely import LineString, Point, Polygon, box
from shapely.affinity import rotate

from rules.games.omms import GAME
from rules.games.omms.table import Table
from rules.games.omms.winning import is_out
from rules.scene import Piece
from rules.state import State

from .builders import a_coin, a_road, a_scene, a_setup

L, B = 88.9, 63.5
GUARD, SCOUT, INVADER, PENNY = 12.25, 9.0, 10.7, 10.15


def rulings(scene, setup, kind, piece, state=None):
    return [r for r in GAME.rulings(scene, setup, state or State(), piece) if r.kind == kind]


def reach(scene, setup, piece, state=None):
    (found,) = rulings(scene, setup, "reach", piece, state)
    return found


def same(geometry, *expected, slack=1e-6):
    """Both ways within `slack` of each other, by Hausdorff distance."""
    return shapely.hausdorff_distance(geometry, shapely.union_all(expected), densify=0.02) <= slack


def on_a_straight_road(*coins, roads=()):
    return a_scene(a_coin("g", "guard", "red", (300, 200)), *coins), a_setup(a_road((0, 200), (700, 200)), *roads)


def test_an_open_road_is_reached_a_card_length_both_ways():
    found = reach(*on_a_straight_road(), "g")
    assert same(found.geometry, LineString([(300 - L, 200), (300 + L, 200)]))
    assert (found.verdict, found.rule) == ("yes", "OMMS-3.1")


def test_a_unit_beside_the_road_stands_on_it_but_measures_from_its_centre():
    scene = a_scene(a_coin("g", "guard", "red", (300, 205)))
    half = math.sqrt(L**2 - 5**2)
    assert same(
        reach(scene, a_setup(a_road((0, 200), (700, 200))), "g").geometry,
        LineString([(300 - half, 200), (300 + half, 200)]),
    )


def test_an_enemy_ends_the_reach_where_the_coins_would_touch_and_blocks_at_its_edge():
    scene, setup = on_a_straight_road(a_coin("e", "invader", "blue", (350, 200)))
    assert same(reach(scene, setup, "g").geometry, LineString([(300 - L, 200), (350 - INVADER - GUARD, 200)]))
    (blocked,) = rulings(scene, setup, "blocked", "g")
    assert (blocked.other, blocked.verdict, blocked.rule) == ("e", "yes", "OMMS-3.6")
    assert blocked.geometry.equals_exact(Point(350 - INVADER, 200), 1e-9)
    assert blocked.margin_mm == pytest.approx(INVADER)


def test_coins_behind_the_first_are_not_named():
    scene, setup = on_a_straight_road(
        a_coin("e", "scout", "blue", (340, 200)), a_coin("f", "scout", "blue", (365, 200))
    )
    assert [r.other for r in rulings(scene, setup, "blocked", "g")] == ["e"]


@pytest.mark.parametrize("owner", ["red", "none"])
def test_friends_and_neutral_coins_block_nothing(owner):
    scene, setup = on_a_straight_road(a_coin("e", "invader", owner, (350, 200)))
    assert reach(scene, setup, "g").geometry.length == pytest.approx(2 * L)
    assert not rulings(scene, setup, "blocked", "g")


@pytest.mark.parametrize(("role", "owner"), [("invader", "unknown"), ("unknown", "red"), ("unknown", "unknown")])
def test_what_nobody_knows_blocks_everybody_and_is_named(role, owner):
    scene, setup = on_a_straight_road(a_coin("e", role, owner, (350, 200)))
    (blocked,) = rulings(scene, setup, "blocked", "g")
    assert blocked.other == "e" and "nobody" in blocked.why
    assert not rulings(scene, setup, "target", "g")


@pytest.mark.parametrize(
    ("kind", "cls", "owner", "others"),
    [
        ("soldier", "unknown", "unknown", ["e"]),
        ("soldier", "unknown", "red", ["e"]),
        ("soldier", "foot", "unknown", ["e"]),
        ("base", "base", "unknown", ["e"]),
        ("soldier", "foot", "blue", []),
        ("soldier", "unknown", "none", []),
        ("terrain", "unknown", "none", []),
    ],
)
def test_a_figure_that_nobody_has_named_bars_the_way_and_does_no_more(kind, cls, owner, others):
    """Roads ran through it (C5.2)."""
    figure = Piece("e", kind, cls, (350, 200), Point(350, 200).buffer(12), owner)
    town = a_coin("b", "settlement", "red", (290, 200))
    scene, setup = on_a_straight_road(figure, town, a_coin("o", "guard", "blue", (600, 200)))
    found = GAME.rulings(scene, setup, State(), None)
    assert [r.other for r in found if r.kind == "blocked" and r.piece == "g"] == others
    assert reach(scene, setup, "g").geometry.covers(Point(380, 200)) is not bool(others)
    assert not [r for r in found if r.kind != "blocked" and "e" in (r.piece, r.other)]
    assert [(r.verdict, r.extra["open_roads"]) for r in found if r.kind == "siege"] == [("no", 2)]
    assert is_out(Table(a_scene(figure, town), setup, State(2)), "blue")
    gone = replace(scene, pieces=tuple(piece for piece in scene if piece.id != "e"))
    (judged,) = GAME.judge(scene, gone, setup, State())
    assert judged.verdict == ("close" if others else "yes")


@pytest.mark.parametrize(("owner", "others"), [("blue", ["e"]), ("red", []), ("none", []), ("unknown", ["e"])])
def test_a_coin_without_a_part_in_the_game_is_in_the_enemys_way_only(owner, others):
    scene, setup = on_a_straight_road(a_coin("e", "eur-1", owner, (350, 200)))
    assert [r.other for r in rulings(scene, setup, "blocked", "g")] == others
    assert not rulings(scene, setup, "target", "g")


def test_an_enemy_that_only_touches_the_road_blocks_nothing_but_leaves_no_place_to_stop():
    scene, setup = on_a_straight_road(a_coin("e", "invader", "blue", (340, 200 + INVADER)))
    clear = math.sqrt((INVADER + GUARD) ** 2 - INVADER**2)
    assert same(
        reach(scene, setup, "g").geometry,
        LineString([(300 - L, 200), (340 - clear, 200)]),
        LineString([(340 + clear, 200), (300 + L, 200)]),
    )
    assert not rulings(scene, setup, "blocked", "g")


def test_between_two_enemies_that_touch_each_other_on_the_road_it_goes_on():
    scene, setup = on_a_straight_road(
        a_coin("e", "scout", "blue", (345, 200 + SCOUT)), a_coin("f", "scout", "blue", (345, 200 - SCOUT))
    )
    clear = math.sqrt((SCOUT + GUARD) ** 2 - SCOUT**2)
    assert reach(scene, setup, "g").geometry.length == pytest.approx(2 * L - 2 * clear)


def test_two_enemies_that_touch_on_the_line_between_them_close_the_road():
    scene, setup = on_a_straight_road(
        a_coin("e", "scout", "blue", (340, 200)), a_coin("f", "scout", "blue", (340 + 2 * SCOUT, 200))
    )
    assert reach(scene, setup, "g").geometry.bounds[2] == pytest.approx(340 - SCOUT - GUARD)


def test_a_bridge_does_not_connect_and_a_shared_vertex_does():
    bridge = a_road((330, 100), (330, 300))
    scene, setup = on_a_straight_road(roads=(bridge,))
    assert reach(scene, setup, "g").geometry.length == pytest.approx(2 * L)
    junction = a_setup(a_road((0, 200), (330, 200), (700, 200)), a_road((330, 100), (330, 200), (330, 300)))
    side = math.sqrt(L**2 - 30**2)
    assert reach(scene, junction, "g").geometry.length == pytest.approx(2 * L + 2 * side)


def test_where_two_roads_cross_without_a_junction_the_unit_stands_on_the_nearer_only():
    scene = a_scene(a_coin("g", "guard", "red", (330, 201)))
    setup = a_setup(a_road((330, 100), (330, 300)), a_road((0, 200), (700, 200)))
    assert same(reach(scene, setup, "g").geometry, LineString([(330, 201 - L), (330, 201 + L)]))


def test_minor_roads_are_no_roads_and_a_unit_off_the_roads_cannot_go():
    scene = a_scene(a_coin("g", "guard", "red", (300, 200)))
    found = reach(scene, a_setup(a_road((0, 200), (700, 200), cls="minor"), a_road((0, 300), (700, 300))), "g")
    assert (found.verdict, found.rule, found.geometry) == ("no", "OMMS-3.1", None)


def test_collinear_roads_that_overlap_without_a_vertex_in_common_are_two_roads():
    scene = a_scene(a_coin("g", "guard", "red", (120, 200)))
    setup = a_setup(a_road((50, 200), (150, 200)), a_road((140, 200), (400, 200)))
    assert same(reach(scene, setup, "g").geometry, LineString([(50, 200), (150, 200)]))


def test_a_road_that_comes_back_from_outside_the_disc_is_not_reached():
    loop = a_road((300, 200), (300, 400), (340, 400), (340, 200))
    scene = a_scene(a_coin("g", "guard", "red", (300, 200)))
    assert same(reach(scene, a_setup(loop), "g").geometry, LineString([(300, 200), (300, 200 + L)]))


def test_a_road_that_ends_at_the_edge_of_the_disc_is_reached_whole():
    scene = a_scene(a_coin("g", "guard", "red", (300, 200)))
    setup = a_setup(a_road((300, 200), (300 + L, 200)), a_road((300 + L, 200), (300 + L, 300)))
    assert same(reach(scene, setup, "g").geometry, LineString([(300, 200), (300 + L, 200)]))


def test_an_enemy_that_holds_the_road_point_is_shrunk_until_it_touches_it():
    # The disc of radius 10.7 at 5 mm from the road point is shrunk to 5 mm: it bars the way past itself only.
    scene, setup = on_a_straight_road(a_coin("e", "invader", "blue", (305, 200)))
    found = reach(scene, setup, "g")
    assert same(found.geometry, LineString([(300 - L, 200), (305 - INVADER - GUARD, 200)]))
    (blocked,) = rulings(scene, setup, "blocked", "g")
    assert blocked.geometry.equals_exact(Point(300, 200), 1e-6)


def test_a_shrunk_disc_that_only_touches_the_road_ends_nothing():
    # Both discs hold the road point (235, 110). The coin's, straight below it, is shrunk to a touch of the road.
    scene = a_scene(
        a_coin("g", "guard", "red", (235, 119)),
        a_coin("below", "eur-1c", "blue", (235, 107.5)),
        a_coin("left", "invader", "blue", (233, 110)),
    )
    found = rulings(scene, a_setup(a_road((100, 110), (400, 110))), "blocked", "g")
    assert [r.other for r in found] == ["left"] and found[0].geometry.equals_exact(Point(235, 110), 1e-6)


def test_friendly_settlements_that_the_way_meets_are_listed_even_beyond_an_end():
    scene, setup = on_a_straight_road(
        a_coin("near", "settlement", "red", (300 + L + PENNY, 200)),
        a_coin("far", "settlement", "red", (300 - L - PENNY - 0.001, 200)),
        a_coin("theirs", "settlement", "blue", (300, 320)),
    )
    found = reach(scene, setup, "g")
    assert found.extra["settlements"] == ["near"] and "and the settlement near" in found.why


def test_a_unit_in_a_settlement_stands_at_the_road_point_under_it():
    # The centre is 11 mm from the road and the coin's radius 10.7, so that only the settlement puts it on the road.
    unit = a_coin("i", "invader", "red", (300, 211))
    setup = a_setup(a_road((0, 200), (700, 200)))
    assert reach(a_scene(unit), setup, "i").verdict == "no"
    scene = a_scene(unit, a_coin("s", "fortification", "red", (300, 205)))
    half = math.sqrt(L**2 - 11**2)
    assert same(reach(scene, setup, "i").geometry, LineString([(300 - half, 200), (300 + half, 200)]))


def test_a_moved_unit_has_no_reach():
    scene, setup = on_a_straight_road()
    found = reach(scene, setup, "g", State(pieces={"g": {"moved": True}}))
    assert (found.verdict, found.geometry) == ("no", None)


def test_reach_is_cut_at_the_edge_of_the_table():
    scene = a_scene(a_coin("g", "guard", "red", (30, 200)))
    found = reach(scene, a_setup(a_road((-200, 200), (700, 200))), "g")
    assert same(found.geometry, LineString([(0, 200), (30 + L, 200)]))


@pytest.mark.parametrize("cls", ["a", "motorway"])
def test_where_the_road_lies_off_the_table_nothing_is_reached_and_it_says_so(cls):
    setup = a_setup(a_road((0, -4), (700, -4), cls=cls))
    scene = a_scene(a_coin("g", "guard", "red", (75, 3)), a_coin("p", "settlement", "red", (90, 3)))
    found = reach(scene, setup, "g")
    assert (found.verdict, found.geometry, found.extra["settlements"]) == ("no", None, [])
    assert "off the table" in found.why


@pytest.mark.parametrize(
    ("x_mm", "sigma_mm", "verdict", "why"),
    [
        (0.4, 0.3, "close", "stands at the very edge of the table"),
        (-0.4, 0.3, "close", "stands on a road that lies off the table there, but hardly so"),
        (0.8, 0.3, "yes", "can reach"),
        (-0.8, 0.3, "no", "stands on a road that lies off the table there"),
        (0.4, 0.0, "yes", "can reach"),
    ],
)
def test_within_three_sigma_of_the_tables_edge_a_unit_may_stand_on_either_side_of_it(x_mm, sigma_mm, verdict, why):
    """The road runs over the edge aslant, 1.25 mm along it for 1 mm of the table."""
    scene = a_scene(a_coin("g", "guard", "red", (x_mm, 200 + 0.75 * x_mm), sigma_mm=sigma_mm))
    found = reach(scene, a_setup(a_road((-200, 50), (200, 350))), "g")
    assert found.verdict == verdict and why in found.why and (found.geometry is None) == (x_mm < 0)
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(1.25 * x_mm), sigma_mm)


@pytest.mark.parametrize(
    ("road", "at", "verdict"),
    [(a_road((0, 200), (700, 200)), (0.1, 200), "yes"), (a_road((0, -0.1), (700, -0.1)), (75, 0), "no")],
)
def test_a_road_that_ends_at_the_edge_or_runs_beside_it_leaves_no_doubt(road, at, verdict):
    """However the unit is moved along its road, its road point stays on its side of the edge."""
    assert reach(a_scene(a_coin("g", "guard", "red", at, sigma_mm=0.3)), a_setup(road), "g").verdict == verdict


@pytest.mark.parametrize(("card", "length_mm"), [("joker", 80.0), ("poker", L)])
def test_the_joker_on_the_table_is_the_ruler_if_the_set_up_says_so(card, length_mm):
    outline = rotate(box(500, 300, 580, 355), 30)
    joker = Piece("j", "card", "JOKER", (540, 327.5), outline, "none")
    scene, setup = on_a_straight_road(joker)
    found = reach(scene, replace(setup, card=card), "g")
    assert found.geometry.length == pytest.approx(2 * length_mm)


# Motorways -----------------------------------------------------------------------------------------------------------


def on_a_motorway(*coins, road=((0, 200), (700, 200)), at=(300, 200)):
    return a_scene(a_coin("g", "guard", "red", at), *coins), a_setup(a_road(*road, cls="motorway"))


def test_two_moves_along_a_straight_motorway():
    found = reach(*on_a_motorway(), "g")
    assert same(found.geometry, LineString([(300 - 2 * L, 200), (300 + 2 * L, 200)]))
    assert found.rule == "OMMS-3.3"


@pytest.mark.parametrize("turn_deg", [10, 35, 77, 161, 293])
def test_the_stretch_that_both_moves_cover_is_there_once_however_the_motorway_lies(turn_deg):
    u = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    road = tuple((1000.3 + s * u[0], 1000.7 + s * u[1]) for s in (-600, 0.37, 600))
    for role, far in (("guard", 2 * L), ("scout", 2 * L)):
        scene = a_scene(a_coin("g", role, "red", (1000.3, 1000.7)), size=(2000.0, 2000.0))
        found = reach(scene, a_setup(a_road(*road, cls="motorway")), "g").geometry
        lines = [part for part in shapely.get_parts([found]).tolist() if part.length and not part.area]
        wanted = 2 * far - (2 * B if role == "scout" else 0)  # the rest is in his open ground
        assert sum(part.length for part in lines) == pytest.approx(wanted, abs=0.01), role


def test_a_stretch_that_another_road_runs_along_too_is_a_motorway():
    line = (0, 200), (700, 200)
    setup = a_setup(a_road(*line), a_road(*line[::-1], cls="motorway"))
    assert reach(a_scene(a_coin("g", "guard", "red", (300, 200))), setup, "g").rule == "OMMS-3.3"


def test_the_second_move_ends_with_the_motorway_and_the_first_goes_on_along_other_roads():
    scene = a_scene(a_coin("g", "guard", "red", (300, 200)))
    setup = a_setup(a_road((300, 200), (340, 200), cls="motorway"), a_road((340, 200), (700, 200)))
    assert same(reach(scene, setup, "g").geometry, LineString([(300, 200), (300 + L, 200)]))


def test_the_first_stop_may_not_lie_on_an_enemy_so_the_second_disc_begins_before_it():
    # The enemy stands beside the motorway, its edge 0.5 mm clear of it: one may pass, but not stop beside it.
    beside = SCOUT + 0.5
    scene, setup = on_a_motorway(a_coin("e", "scout", "blue", (380, 200 + beside)))
    stop = 380 - math.sqrt((SCOUT + GUARD) ** 2 - beside**2)
    assert reach(scene, setup, "g").geometry.bounds[2] == pytest.approx(stop + L)


def test_a_coin_within_the_second_disc_blocks_the_double_move_there():
    scene, setup = on_a_motorway(a_coin("e", "scout", "blue", (430, 200)))
    (blocked,) = rulings(scene, setup, "blocked", "g")
    assert blocked.other == "e" and blocked.geometry.equals_exact(Point(430 - SCOUT, 200), 1e-9)
    assert reach(scene, setup, "g").geometry.bounds[2] == pytest.approx(430 - SCOUT - GUARD)


def test_the_best_first_stop_is_not_always_the_farthest():
    # A hairpin: 60 mm out, 60 mm up, and back. From the far end of the first move the way back leaves its disc sooner.
    road = ((200, 200), (300, 200), (360, 200), (360, 260), (100, 260))
    scene, setup = on_a_motorway(road=road)
    found = reach(scene, setup, "g")
    # First move: to the corner (60 mm), up the side to (360, 200 + sqrt(L^2 - 60^2)) = (360, 265.6), so all of it, and
    # along the top from x = 360 while within L of (300, 200): down to x = 300 - sqrt(L^2 - 60^2). Any of these is a
    # stop; from x = s on the top one goes on to s - L.
    top_mm = 300 - math.sqrt(L**2 - 60**2) - L
    assert found.geometry.bounds[0] == pytest.approx(max(100, top_mm))


def test_a_unit_on_a_side_road_gets_no_second_move():
    scene = a_scene(a_coin("g", "guard", "red", (300, 230)))
    setup = a_setup(a_road((0, 200), (300, 200), (700, 200), cls="motorway"), a_road((300, 200), (300, 300)))
    half = math.sqrt(L**2 - 30**2)
    assert reach(scene, setup, "g").geometry.length == pytest.approx(2 * half + 100)


# Off road ------------------------------------------------------------------------------------------------------------


def ground_area(found):
    parts = shapely.get_parts(shapely.get_parts([found.geometry]))
    return sum(part.area for part in parts)


def test_a_scout_reaches_the_disc_of_a_cards_breadth_and_the_roads_beyond_it():
    scene = a_scene(a_coin("c", "scout", "red", (300, 200)))
    found = reach(scene, a_setup(a_road((0, 200), (700, 200))), "c")
    assert ground_area(found) == pytest.approx(math.pi * B**2, rel=1e-4)
    lines = [part for part in shapely.get_parts(shapely.get_parts([found.geometry])) if part.geom_type == "LineString"]
    assert same(
        shapely.union_all(lines),
        LineString([(300 - L, 200), (300 - B, 200)]),
        LineString([(300 + B, 200), (300 + L, 200)]),
        slack=0.002,
    )


@pytest.mark.parametrize(("gap_mm", "passes"), [(2 * SCOUT - 0.01, False), (2 * SCOUT, True), (2 * SCOUT + 0.01, True)])
@pytest.mark.parametrize("turn_deg", [0.0, 37.0])
def test_a_scout_passes_a_gap_that_just_fits(gap_mm, passes, turn_deg):
    # A wall of coins shoulder to shoulder with one gap, straight across the disc 30 mm in front of the scout.
    xs = [sign * (gap_mm / 2 + SCOUT + k * 2 * SCOUT) for k in range(5) for sign in (-1, 1)]
    turn = math.radians(turn_deg)
    at = [(350 + x * math.cos(turn) - 30 * math.sin(turn), 250 + x * math.sin(turn) + 30 * math.cos(turn)) for x in xs]
    wall = [a_coin(f"w{i}", "scout", "blue", p) for i, p in enumerate(at)]
    scene = a_scene(a_coin("c", "scout", "red", (350, 250)), *wall)
    beyond = Point(350 - 55 * math.sin(turn), 250 + 55 * math.cos(turn))
    assert reach(scene, a_setup(), "c").geometry.dwithin(beyond, 1e-9) is passes


def test_with_the_house_rule_point_a_gap_of_any_width_lets_a_scout_through():
    xs = [sign * (1.0 + SCOUT + k * 2 * SCOUT) for k in range(5) for sign in (-1, 1)]
    wall = [a_coin(f"w{i}", "scout", "blue", (350 + x, 270)) for i, x in enumerate(xs)]
    scene = a_scene(a_coin("c", "scout", "red", (350, 250)), *wall)
    beyond = Point(350, 310)
    assert not reach(scene, a_setup(), "c").geometry.dwithin(beyond, 1e-9)
    assert reach(scene, a_setup(house={"offroad_gap": "point"}), "c").geometry.dwithin(beyond, 1e-9)


def test_water_stops_a_scout_and_rivers_do_not():
    scene = a_scene(a_coin("c", "scout", "red", (300, 200)))
    sea, river = box(320, 0, 700, 500), LineString([(280, 0), (280, 500)])
    found = reach(scene, a_setup(water=[sea], rivers=[river]), "c")
    expected = Point(300, 200).buffer(B, 512).difference(sea)
    assert found.geometry.symmetric_difference(expected).area < 0.5


def test_with_land_on_the_map_only_that_is_land():
    scene = a_scene(a_coin("c", "scout", "red", (300, 200)))
    island = Polygon([(280, 180), (330, 180), (330, 230), (280, 230)])
    far = box(340, 180, 360, 230)
    assert reach(scene, a_setup(land=[island, far]), "c").geometry.equals(shapely.MultiPolygon([island]))


def test_a_scout_inside_a_grown_disc_may_leave_it():
    # The enemy's coin touches the scout's: its grown disc (18 mm) is shrunk to 15 mm, but nobody may stop inside 18.
    scene = a_scene(a_coin("c", "scout", "red", (300, 200)), a_coin("e", "scout", "blue", (315, 200)))
    found = reach(scene, a_setup(), "c")
    expected = Point(300, 200).buffer(B, 512).difference(Point(315, 200).buffer(18, 512))
    assert found.geometry.symmetric_difference(expected).area < 0.5


def test_between_two_grown_discs_both_sides_count():
    scene = a_scene(
        a_coin("c", "scout", "red", (300, 200)),
        a_coin("e", "scout", "blue", (312, 200)),
        a_coin("f", "scout", "blue", (288, 200)),
    )
    found = reach(scene, a_setup(), "c")
    assert found.geometry.contains(Point(300, 240)) and found.geometry.contains(Point(300, 160))


# Ship and tank -------------------------------------------------------------------------------------------------------


def test_a_tank_goes_off_road_as_a_scout():
    scene = a_scene(a_coin("t", "tank", "red", (300, 200)))
    assert reach(scene, a_setup(), "t").geometry.area == pytest.approx(math.pi * B**2, rel=1e-4)


def test_a_ship_whose_middle_is_on_land_reaches_nothing_and_one_over_two_rivers_lies_on_the_nearer():
    """The part that contains c: sea beside it is none; a river is a line, which its coin need only cover."""
    ashore = reach(a_scene(a_coin("s", "ship", "red", (305, 200))), a_setup(water=[box(0, 0, 300, 500)]), "s")
    assert (ashore.verdict, ashore.geometry) == ("no", None)
    rivers = [LineString([(200, 210), (600, 210)]), LineString([(200, 196), (600, 196)])]
    found = reach(a_scene(a_coin("s", "ship", "red", (305, 200))), a_setup(rivers=rivers), "s")
    assert found.geometry.bounds[1] == found.geometry.bounds[3] == pytest.approx(196)


@pytest.mark.parametrize("water", [[], [box(-50, 0, 0, 500), box(300, 100, 400, 200)]])
def test_a_ship_may_lie_on_a_table_without_water_or_with_some_that_touches_its_edge(water):
    ship = a_coin("s", "ship", "red", (600, 200), sigma_mm=0.3)
    assert reach(a_scene(ship), a_setup(water=water), "s").verdict == "no"


def test_a_ship_keeps_to_the_water_within_a_card_length_and_goes_up_rivers():
    sea = box(0, 0, 320, 500)
    river = LineString([(320, 200), (500, 200)])
    scene = a_scene(a_coin("s", "ship", "red", (300, 200)))
    found = reach(scene, a_setup(water=[sea], rivers=[river]), "s")
    areas = [part for part in shapely.get_parts(shapely.get_parts([found.geometry])) if part.geom_type == "Polygon"]
    lines = [part for part in shapely.get_parts(shapely.get_parts([found.geometry])) if part.geom_type == "LineString"]
    expected = Point(300, 200).buffer(L, 512).intersection(sea)
    assert shapely.union_all(areas).symmetric_difference(expected).area < 0.5
    assert same(shapely.union_all(lines), LineString([(320, 200), (300 + L, 200)]), slack=0.002)


def test_enemy_ships_leave_a_ship_no_room():
    sea = box(0, 180, 700, 220)
    ships = a_coin("s", "ship", "red", (300, 200)), a_coin("e", "ship", "blue", (350, 200))
    found = reach(a_scene(*ships), a_setup(water=[sea]), "s")
    assert found.geometry.bounds[2] < 350
