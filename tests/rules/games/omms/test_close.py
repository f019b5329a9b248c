"""What is too close to call because one distance, moved by 3 sigma, would change it (C3.4)."""

from __future__ import annotations

import pytest
from shapely import box

from rules.games.omms import GAME
from rules.map import Place
from rules.state import State

from .builders import a_coin, a_place, a_road, a_scene, a_setup

ROAD = a_setup(a_road((0, 200), (700, 200)))


def judged(before, after, setup=ROAD, state=None):
    return {r.piece: r for r in GAME.judge(a_scene(*before), a_scene(*after), setup, state or State())}


def moved(role, start, end, *others, setup=ROAD, sigma_mm=0.0):
    before, after = (a_coin("u", role, "red", at, sigma_mm=sigma_mm) for at in (start, end))
    return judged([before, *others], [after, *others], setup)["u"]


# A wall of blue coins with one gap, so much wider than what must fit through.
def a_wall(role, gap_mm, others_mm, sigma_mm=0.05):
    return [
        a_coin(f"e{side}{row}", role, "blue", (330, 250 + side * (gap_mm / 2 + row * others_mm)), sigma_mm=sigma_mm)
        for side in (-1, 1)
        for row in range(3)
    ]


@pytest.mark.parametrize(("open_mm", "verdict"), [(-0.2, "no"), (-0.04, "close"), (0.04, "close"), (0.2, "yes")])
def test_a_last_place_to_stop_hangs_on_the_coins_beside_it(open_mm, verdict):
    # Between a guard that it overlaps and an invader its own coin of 24.5 mm fits with so much to spare.
    east = a_coin("east", "invader", "blue", (290 + 12.25 + 24.5 + open_mm + 10.7, 200), sigma_mm=0.05)
    scene = a_scene(a_coin("u", "guard", "red", (305, 200)), a_coin("west", "guard", "blue", (290, 200)), east)
    found = next(r for r in GAME.rulings(scene, ROAD, State(), "u") if r.kind == "reach")
    assert (found.verdict, found.geometry is not None) == (verdict, open_mm > 0)
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(open_mm, abs=0.005), 0.05)


@pytest.mark.parametrize(("short_mm", "verdict"), [(-0.2, "yes"), (-0.04, "close"), (0.04, "close"), (0.2, "no")])
def test_a_settlement_that_is_the_last_place_left_hangs_on_its_rim(short_mm, verdict):
    """Between two guards on its road there is no room to stop: 0.04 mm decided for certain."""
    enemies = a_coin("w", "guard", "blue", (290, 200)), a_coin("e", "guard", "blue", (310, 200))
    home = a_coin("s", "settlement", "red", (300, 200 + 10.15 + short_mm), sigma_mm=0.05)
    found = GAME.rulings(a_scene(a_coin("u", "guard", "red", (300, 200)), *enemies, home), ROAD, State(), "u")
    reach = next(r for r in found if r.kind == "reach")
    assert (reach.verdict, reach.extra["settlements"]) == (verdict, ["s"] if short_mm < 0 else [])
    if verdict == "close":
        assert (reach.margin_mm, reach.sigma_mm) == (pytest.approx(-short_mm, abs=0.005), 0.05)


@pytest.mark.parametrize("beside_mm", [0.0, 0.3, 5.0])
@pytest.mark.parametrize(
    ("past_mm", "verdict"), [(-0.5, "no"), (-0.05, "close"), (0.0, "close"), (0.05, "close"), (0.5, "yes")]
)
def test_past_whose_middle_a_unit_stands_hangs_on_its_place(past_mm, verdict, beside_mm):
    """A coin that holds its road point bars the road behind it: 0.05 mm decided for certain, at an error of 0.1."""
    enemy = a_coin("e", "guard", "blue", (300 - past_mm, 200 + beside_mm), sigma_mm=0.1)
    found = moved("guard", (300, 200), (350, 200), enemy, sigma_mm=0.1)
    assert found.verdict == verdict
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(past_mm), pytest.approx(0.1 * 2**0.5))
        assert found.why == "red guard u may have stood on the other side of blue guard e"


def test_past_whose_middle_a_unit_stands_decides_whether_it_has_a_place_to_stop():
    """Behind it there is no room before the next guard, and on the other side all is free."""
    enemies = a_coin("e", "guard", "blue", (300.05, 200), sigma_mm=0.1), a_coin("w", "guard", "blue", (262, 200))
    scene = a_scene(a_coin("u", "guard", "red", (300, 200), sigma_mm=0.1), *enemies)
    reach = next(r for r in GAME.rulings(scene, ROAD, State(), "u") if r.kind == "reach")
    assert (reach.verdict, reach.geometry, reach.margin_mm) == ("close", None, pytest.approx(-0.05))


@pytest.mark.parametrize("house", ["coin", "point"])
@pytest.mark.parametrize(("open_mm", "verdict"), [(-0.2, "no"), (-0.04, "close"), (0.04, "close"), (0.2, "yes")])
def test_a_gap_off_the_roads_hangs_on_either_coin(house, open_mm, verdict):
    setup = a_setup(a_road((0, 20), (700, 20)), house={"offroad_gap": house})
    gap_mm = 2 * 12.25 + (18 if house == "coin" else 0) + open_mm
    found = moved("scout", (290, 250), (352, 250), *a_wall("guard", gap_mm, 24), setup=setup)
    assert (found.verdict, found.rule) == (verdict, "OMMS-3.4")
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(open_mm, abs=0.005), 0.05)


@pytest.mark.parametrize(("open_mm", "verdict"), [(-0.2, "no"), (-0.04, "close"), (0.04, "close"), (0.2, "yes")])
def test_a_gap_at_sea_hangs_on_either_ship(open_mm, verdict):
    setup = a_setup(water=[box(0, 190, 700, 310)])
    found = moved("ship", (290, 250), (365, 250), *a_wall("ship", 54.6 + open_mm, 50), setup=setup)
    assert (found.verdict, found.rule) == (verdict, "OMMS-9")
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(open_mm, abs=0.005), 0.05)


@pytest.mark.parametrize(("role", "inland"), [("ship", -1), ("scout", 1)])
@pytest.mark.parametrize(("in_mm", "verdict"), [(-1.3, "no"), (-0.4, "close"), (0.4, "close"), (1.3, "yes")])
def test_whether_a_unit_stands_on_its_side_of_the_shore(role, inland, in_mm, verdict):
    """Half a millimetre decided for certain whether it reaches 60 square cm or nothing, and whether it may go there."""
    setup = a_setup(a_road((0, 400), (700, 400)), water=[box(0, 0, 300, 300)])
    here, there = ((300 + inland * x_mm, 150) for x_mm in (in_mm, 40))
    found = GAME.rulings(a_scene(a_coin("u", role, "red", here, sigma_mm=0.4)), setup, State(), "u")
    reach = next(r for r in found if r.kind == "reach")
    assert (reach.verdict, reach.geometry is not None) == (verdict, in_mm > 0)
    assert moved(role, here, there, setup=setup, sigma_mm=0.4).verdict == verdict
    if verdict == "close":
        assert (reach.margin_mm, reach.sigma_mm) == (pytest.approx(in_mm), 0.4)
        assert ("hardly" if in_mm > 0 else "not quite") in reach.why


@pytest.mark.parametrize(("open_mm", "verdict"), [(-0.2, "no"), (-0.04, "close"), (0.04, "close"), (0.2, "yes")])
def test_a_shot_at_sea_hangs_on_the_ships_between(open_mm, verdict):
    wall = a_wall("ship", 27.3 + open_mm, 27)
    friend = [a_coin(wall[0].id, "ship", "green", wall[0].position_mm, sigma_mm=0.05), *wall[1:]]
    coins = [a_coin("u", "ship", "red", (300, 250)), *friend, a_coin("t", "ship", "blue", (362, 250))]
    setup = a_setup(water=[box(0, 215, 700, 285)])
    found = GAME.rulings(a_scene(*coins), setup, State(), "u")
    shot = next(r for r in found if r.kind == "target" and r.other == "t")
    assert shot.verdict == verdict
    if verdict == "close":
        assert shot.margin_mm == pytest.approx(open_mm, abs=0.005)


@pytest.mark.parametrize(("over_mm", "verdict"), [(-0.05, "close"), (0.05, "close"), (0.5, "no")])
def test_off_the_roads_room_at_the_end_is_one_distance(over_mm, verdict):
    enemy = a_coin("e", "guard", "blue", (300, 330 + 9 + 12.25 - over_mm), sigma_mm=0.1)
    found = moved("scout", (300, 300), (300, 330), enemy, sigma_mm=0.1)
    assert (found.verdict, found.margin_mm) == (verdict, pytest.approx(-over_mm, abs=1e-5))


@pytest.mark.parametrize("role", ["scout", "tank"])
@pytest.mark.parametrize("over_mm", [-0.3, -0.05, 0.05, 0.3])
def test_room_at_the_end_is_one_distance_on_whichever_of_two_roads_that_is(role, over_mm):
    """The end lies as near to the road that it came along as to one that nothing joins to that."""
    setup = a_setup(a_road((0, 300), (700, 300)), a_road((320, 306), (400, 306)))
    radius_mm = {"scout": 9, "tank": 23.43 / 2}[role]
    enemy = a_coin("e", "guard", "blue", (340 + radius_mm + 12.25 - over_mm, 303.1), sigma_mm=0.3)
    found = moved(role, (300, 300), (340, 303.1), enemy, setup=setup, sigma_mm=0.3)
    assert found.verdict == "close"
    assert found.margin_mm == pytest.approx(-over_mm, abs=0.005)
    assert over_mm < 0 or found.rule == "OMMS-3.5"


def test_a_move_that_two_ways_make_legal_is_told_by_one_and_not_by_its_doubt():
    """A scout at the very edge of the road goes 63.2 mm: by road, or off it, where 63.5 are too near to call."""
    found = moved("scout", (300, 208.9), (362.92, 203), sigma_mm=0.1)
    assert (found.verdict, found.rule) == ("yes", "OMMS-3.4") and "on open ground" in found.why


@pytest.mark.parametrize(("short_mm", "verdict"), [(-0.5, "yes"), (-0.05, "close"), (0.05, "close"), (0.5, "no")])
def test_a_settlement_s_rim_at_the_end_of_the_reach(short_mm, verdict):
    home = a_coin("s", "settlement", "red", (300 + 88.9 + 10.15 + short_mm, 200))
    found = moved("guard", (300, 200), home.position_mm, home, sigma_mm=0.1)
    assert (found.verdict, found.rule) == (verdict, "OMMS-3.2")
    assert found.margin_mm == pytest.approx(-short_mm, abs=0.01)


@pytest.mark.parametrize(("deep_mm", "verdict"), [(-0.5, "yes"), (-0.05, "close"), (0.05, "close"), (0.5, "no")])
def test_a_settlement_beyond_a_coin_that_hardly_bars_the_way(deep_mm, verdict):
    home, enemy = a_coin("s", "settlement", "red", (398, 200)), a_coin("e", "scout", "blue", (340, 209 - deep_mm))
    enemy = a_coin("e", "scout", "blue", enemy.position_mm, sigma_mm=0.1)
    found = moved("guard", (300, 200), home.position_mm, home, enemy)
    assert found.verdict == verdict
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(-deep_mm, abs=0.01), 0.1)


MOTORWAY_TO_500 = a_setup(a_road((0, 200), (500, 200), cls="motorway"), a_road((500, 200), (700, 200)))
# A motorway that goes on after the junction, so that nothing there ends it.
MOTORWAY_ON = a_setup(a_road((0, 200), (500, 200), (700, 200), cls="motorway"))


@pytest.mark.parametrize(
    ("x", "verdict"), [(499.6, "yes"), (499.95, "close"), (500, "close"), (500.05, "close"), (500.5, "no")]
)
@pytest.mark.parametrize("leaving", [True, False])
def test_the_end_of_the_motorway_is_too_close_to_call_from_both_sides(x, verdict, leaving):
    ends = ((350, 200), (x, 200)) if leaving else ((x, 200), (350, 200))
    found = moved("guard", *ends, setup=MOTORWAY_TO_500, sigma_mm=0.1)
    assert found.verdict == verdict
    if verdict == "close":
        assert found.margin_mm == pytest.approx(500 - x, abs=1e-3)
    assert moved("guard", *ends, setup=MOTORWAY_ON, sigma_mm=0.1).verdict == "yes"


def a_row(behind_mm, front="scout", sigma_mm=0.1):
    """A red guard, and 40 mm along the road a blue coin with a guard behind it that lies on it, or nearly."""
    return [
        a_coin("g", "guard", "red", (300, 200)),
        a_coin("f", front, "blue", (340, 200)),
        a_coin("b", "guard", "blue", (340 + behind_mm, 200), sigma_mm=sigma_mm),
    ]


def targets(*coins, setup=ROAD):
    found = GAME.rulings(a_scene(*coins), setup, State(), "g")
    return {r.other: r for r in found if r.kind == "target"}


# Up to these distances half a scout lies on a guard, and half a guard on a penny.
SCOUT_ON_GUARD_MM, GUARD_ON_PENNY_MM = 11.0704, 7.0083


@pytest.mark.parametrize(
    ("over_mm", "behind", "front"),
    [(-0.5, "yes", "no"), (-0.02, "close", "close"), (0.02, "close", "close"), (0.5, "no", "yes")],
)
def test_who_defends_a_stack_hangs_on_whether_it_is_one(over_mm, behind, front):
    found = targets(*a_row(SCOUT_ON_GUARD_MM + over_mm))
    assert (found["b"].verdict, found["f"].verdict) == (behind, front)
    if behind == "close":
        assert (found["b"].margin_mm, found["f"].margin_mm) == (
            pytest.approx(-over_mm, abs=1e-3),
            pytest.approx(over_mm, abs=1e-3),
        )
        assert {one.rule for one in found.values()} == {"OMMS-1.3"}
        assert found["b"].marks[0].role == found["f"].marks[0].role == "doubt"


def test_a_sure_stack_has_no_doubt():
    found = targets(*a_row(SCOUT_ON_GUARD_MM + 0.02, sigma_mm=0.0))
    assert (found["b"].verdict, found["f"].verdict) == ("no", "yes")


@pytest.mark.parametrize(
    ("over_mm", "behind", "penny"),
    [(-0.5, "yes", None), (-0.02, "close", None), (0.02, "close", "close"), (0.5, "no", "yes")],
)
def test_an_attack_hangs_on_whether_the_target_is_in_its_settlement(over_mm, behind, penny):
    found = targets(*a_row(GUARD_ON_PENNY_MM + over_mm, front="settlement"))
    assert found["b"].verdict == behind and (found["f"].verdict if "f" in found else None) == penny


OAK = a_setup(a_road((0, 200), (700, 200)), places=[a_place(300, 200)])
PENNY, FORT = (a_coin(name, cls, "red", (300, 200)) for name, cls in (("p", "settlement"), ("q", "fortification")))


@pytest.mark.parametrize(("over_mm", "verdict"), [(-0.5, "yes"), (-0.02, "close"), (0.02, "close"), (0.5, "no")])
def test_what_is_done_in_a_settlement_hangs_on_who_is_in_it(over_mm, verdict):
    unit = a_coin("u", "guard", "red", (300 + GUARD_ON_PENNY_MM + over_mm, 200), sigma_mm=0.1)
    fortified, founded = judged([PENNY, unit], [FORT, unit], OAK), judged([unit], [PENNY, unit], OAK)
    found = [fortified["q"], fortified["p"], founded["p"]]
    assert [ruling.verdict for ruling in found] == [verdict] * 3
    if verdict == "close":
        assert [ruling.margin_mm for ruling in found] == [pytest.approx(-over_mm, abs=1e-3)] * 3


@pytest.mark.parametrize(("over_mm", "verdict"), [(-0.5, "no"), (-0.02, "close"), (0.02, "close"), (0.5, "yes")])
@pytest.mark.parametrize("moves", [True, False])
def test_a_capture_hangs_on_whether_the_last_one_is_in_it(over_mm, verdict, moves):
    blue, attacker = a_coin("p", "settlement", "blue", (500, 200)), a_coin("a", "guard", "red", (450, 200))
    end = a_coin("d", "guard", "blue", (500 + GUARD_ON_PENNY_MM + over_mm, 200), sigma_mm=0.1)
    start = a_coin("d", "guard", "blue", (503, 200), sigma_mm=0.1) if moves else end
    taken = a_coin("n", "settlement", "red", (500, 200))
    found = judged([blue, attacker, start], [taken, attacker, end])
    assert [found[name].verdict for name in "np"] == [verdict] * 2


@pytest.mark.parametrize(("over_mm", "verdict"), [(-0.5, "yes"), (-0.05, "close"), (0.05, "close"), (0.5, None)])
@pytest.mark.parametrize("outline", [True, False])
def test_whether_a_unit_stands_in_a_place(over_mm, verdict, outline):
    place = Place(box(280, 180, 312.25, 220), "town", "Oak") if outline else a_place(300, 200, name="Oak")
    setup = a_setup(a_road((0, 200), (700, 200)), places=[place])
    unit = a_coin("g", "guard", "red", (312.25 + over_mm, 200), sigma_mm=0.1)
    found = [r for r in GAME.rulings(a_scene(unit), setup, State(), "g") if r.kind == "settle"]
    assert [ruling.verdict for ruling in found] == ([] if verdict is None else [verdict])
    if verdict is not None:
        assert (found[0].margin_mm, found[0].sigma_mm) == (pytest.approx(-over_mm), 0.1)


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(("beside_mm", "verdict"), [(0.0, "no"), (12.0, "close")])
def test_whether_a_scout_is_aboard_hangs_on_his_own_half_in_any_order(beside_mm, verdict, is_first):
    # His own half lies on the ship up to 12.6 mm from its middle; half of the ship never lies on him.
    ship = a_coin("s", "ship", "red", (300, 200), sigma_mm=0.4)
    scout = a_coin("u", "scout", "red", (300 + beside_mm, 200), sigma_mm=0.4)
    enemy = a_coin("e", "guard", "blue", (340, 200))
    scene = a_scene(*((ship, scout) if is_first else (scout, ship)), enemy)
    found = next(r for r in GAME.rulings(scene, ROAD, State(), "e") if r.kind == "target" and r.other == "u")
    assert found.verdict == verdict


@pytest.mark.parametrize("home", [False, True])
@pytest.mark.parametrize(("off_mm", "verdict"), [(0.01, "close"), (0.59, "close"), (0.61, "no")])
def test_a_unit_that_hardly_misses_the_road_may_be_on_it(home, off_mm, verdict):
    """Its reach was a firm no, "can reach nothing", while what it may attack was too close to call (OMMS-1.3, C3.2)."""
    at = (300, 200 + 12.25 + off_mm)
    coins = [a_coin("u", "guard", "red", at, sigma_mm=0.2)]
    if home:  # no road runs under it: the unit stands as if it were outside
        coins.append(a_coin("p", "settlement", "red", at))
    setup = a_setup(a_road((0, 200), (700, 200)))
    (reach,) = (r for r in GAME.rulings(a_scene(*coins), setup, State(), "u") if r.kind == "reach")
    assert (reach.verdict, reach.sigma_mm, reach.geometry) == (verdict, 0.2, None)
    assert reach.margin_mm == pytest.approx(-off_mm)


def test_a_tank_that_hardly_misses_road_and_shore_is_told_on_which_side_it_stands():
    """Half a millimetre out in the water it was told to stand "hardly on dry land", by +0.5 mm."""
    at = (300, 200)
    setup = a_setup(a_road((0, 200 - 11.715 - 0.5), (700, 200 - 11.715 - 0.5)), water=[box(0, 199.5, 700, 300)])
    scene = a_scene(a_coin("u", "tank", "red", at, sigma_mm=0.2))
    (reach,) = (r for r in GAME.rulings(scene, setup, State(), "u") if r.kind == "reach")
    assert (reach.verdict, reach.why) == ("close", "red tank u stands not quite on dry land")
    assert reach.margin_mm == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("off_mm", "verdict"), [(12.3, "yes"), (12.94, "close"), (12.96, "close"), (13.5, "close"), (13.6, "no")]
)
def test_in_a_settlement_whose_rim_hardly_meets_a_road_it_hardly_stands_on_one(off_mm, verdict):
    """A two-pence of 12.95 mm; the invader's own coin of 10.7 touches no road (OMMS-1.3, C3.4)."""
    unit = a_coin("u", "invader", "red", (200, 200 + off_mm), sigma_mm=0.2)
    home = a_coin("s", "fortification", "red", (200, 200 + off_mm), sigma_mm=0.2)
    enemy = a_coin("e", "guard", "blue", (240, 200), sigma_mm=0.2)
    found = {r.kind: r for r in GAME.rulings(a_scene(unit, home, enemy), ROAD, State(), "u")}
    assert (found["reach"].verdict, found["target"].verdict) == (verdict, verdict)
    if verdict == "close":
        assert found["reach"].margin_mm == found["target"].margin_mm == pytest.approx(12.95 - off_mm)
    end = (250, 200)
    moves = judged([unit, home], [a_coin("u", "invader", "red", end, sigma_mm=0.2), home])
    assert moves["u"].verdict == verdict
