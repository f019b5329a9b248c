"""OMMS-5 on scenes small enough to work out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely import box

from rules.games.omms import GAME
from rules.state import State

from .builders import a_coin, a_place, a_road, a_scene, a_setup

B = 63.5
ROAD = a_setup(a_road((0, 200), (700, 200)))


def targets(scene, setup=ROAD, piece="g", state=None):
    return {r.other: r for r in GAME.rulings(scene, setup, state or State(), piece) if r.kind == "target"}


def guard(*coins, at=(300, 200)):
    return a_scene(a_coin("g", "guard", "red", at), *coins)


@pytest.mark.parametrize(("distance_mm", "verdict"), [(B, "yes"), (B + 0.001, "no"), (300, "no")])
def test_the_range_is_the_breadth_of_a_card(distance_mm, verdict):
    found = targets(guard(a_coin("e", "scout", "blue", (300 + distance_mm, 200))))["e"]
    assert (found.verdict, found.rule) == (verdict, "OMMS-5.2")
    assert found.margin_mm == pytest.approx(B - distance_mm)
    assert found.extra["odds"] == {"win": "5/12", "tie": "1/6", "lose": "5/12"}


def test_no_road_no_attack():
    scene = guard(a_coin("e", "scout", "blue", (300, 240)))
    assert targets(scene)["e"].verdict == "no"
    assert targets(scene, a_setup(a_road((0, 200), (300, 200), (300, 240))))["e"].verdict == "yes"


def test_a_road_to_the_edge_of_the_coin_is_enough():
    scene = guard(a_coin("e", "scout", "blue", (340, 200)))
    assert targets(scene, a_setup(a_road((300, 200), (331, 200))))["e"].verdict == "yes"
    assert targets(scene, a_setup(a_road((300, 200), (330.999, 200))))["e"].verdict == "no"


def test_another_enemy_bars_the_way_and_is_named():
    found = targets(guard(a_coin("e", "scout", "blue", (350, 200)), a_coin("f", "scout", "green", (325, 200))))
    assert found["f"].verdict == "yes"
    assert found["e"].verdict == "no" and "green scout f" in found["e"].why


@pytest.mark.parametrize("owner", ["red", "none"])
def test_friends_and_neutral_coins_do_not_bar_the_way(owner):
    found = targets(guard(a_coin("e", "scout", "blue", (350, 200)), a_coin("f", "scout", owner, (325, 200))))
    assert found["e"].verdict == "yes" and set(found) == {"e"}


def test_an_unknown_coin_bars_the_way_and_is_no_target():
    found = targets(guard(a_coin("e", "scout", "blue", (350, 200)), a_coin("f", "scout", "unknown", (325, 200))))
    assert found["e"].verdict == "no" and set(found) == {"e"}


def test_the_way_may_leave_the_range_but_not_a_cards_length():
    scene = guard(a_coin("e", "scout", "blue", (300, 250)))
    detour = a_road((300, 200), (380, 200), (380, 250), (300, 250))  # its corner is 94.3 mm away
    assert targets(scene, a_setup(detour))["e"].verdict == "no"
    detour = a_road((300, 200), (370, 200), (370, 250), (300, 250))  # 86.0 mm
    assert targets(scene, a_setup(detour))["e"].verdict == "yes"


# Defenders -----------------------------------------------------------------------------------------------------------


def test_the_best_defender_of_a_stack_is_attacked_and_walls_add_a_die():
    scene = guard(
        a_coin("s", "settlement", "blue", (340, 200)),
        a_coin("i", "invader", "blue", (340, 201), on="s"),
        a_coin("d", "guard", "blue", (341, 200), on="i"),
    )
    found = targets(scene)
    assert set(found) == {"i", "d"}
    assert found["d"].verdict == "yes"
    assert found["d"].extra["odds"]["win"] == "25/144"  # 1 against 2 + 1 dice: sum over k of (k-1)^3 / 6^4
    assert (found["i"].verdict, found["i"].rule, "odds" in found["i"].extra) == ("no", "OMMS-5.3", False)


def test_who_lay_on_a_town_that_a_hand_moved_away_has_no_walls():
    town, on_it = a_coin("s", "settlement", "blue", (440, 200)), a_coin("d", "guard", "blue", (340, 200), on="s")
    assert (
        targets(guard(town, on_it))["d"].extra["odds"]
        == targets(guard(town, replace(on_it, on=None)))["d"].extra["odds"]
    )


def test_equals_each_have_a_target():
    scene = guard(a_coin("a", "scout", "blue", (340, 200)), a_coin("b", "invader", "blue", (341, 200), on="a"))
    found = targets(scene)
    assert [found[name].verdict for name in "ab"] == ["yes", "yes"]
    assert found["a"].extra["odds"] == found["b"].extra["odds"]


@pytest.mark.parametrize(("role", "dice"), [("settlement", 2), ("fortification", 3)])
def test_walls_add_to_the_defence(role, dice):
    scene = guard(a_coin("s", role, "blue", (340, 200)), a_coin("e", "scout", "blue", (340, 200), on="s"))
    win = {2: "55/216", 3: "25/144"}[dice]
    assert targets(scene)["e"].extra["odds"]["win"] == win


def test_in_two_settlements_by_half_the_better_walls_count():
    scout, penny = a_coin("e", "scout", "blue", (340, 200)), a_coin("p", "settlement", "blue", (342, 200))
    fort = a_coin("s", "fortification", "blue", (334, 200))
    both, one = (targets(guard(scout, *walls))["e"].extra["odds"] for walls in ((penny, fort), (fort,)))
    assert both == one != targets(guard(scout, penny))["e"].extra["odds"]


def test_a_unit_beside_the_walls_gets_nothing_from_them():
    # Less than half of the scout lies on the penny.
    scene = guard(a_coin("s", "settlement", "blue", (340, 200)), a_coin("e", "scout", "blue", (340, 212)))
    found = targets(scene)
    assert found["e"].extra["odds"]["win"] == "5/12"
    assert found["s"].verdict == "yes"


@pytest.mark.parametrize("owner", ["none", "green", "unknown"])
def test_the_walls_of_another_defend_nobody(owner):
    """A unit is in a friendly settlement only (OMMS-1.3), and nobody's is no target (C5.2)."""
    penny, scout = a_coin("s", "settlement", owner, (340, 200)), a_coin("e", "scout", "blue", (340, 200), on="s")
    found = targets(guard(penny, scout))
    assert found["e"].extra["odds"]["win"] == "5/12"
    assert ("s" in found) == (owner == "green")


def test_an_empty_settlement_is_taken_at_once():
    found = targets(guard(a_coin("s", "fortification", "blue", (340, 200))))["s"]
    assert (found.verdict, found.rule, "odds" in found.extra) == ("yes", "OMMS-5.5", False)


@pytest.mark.parametrize(("owner", "verdict"), [("blue", "yes"), ("green", "no")])
def test_a_two_pence_on_a_penny_is_one_stack_whoever_saw_it_lie_there(owner, verdict):
    """Without `on` the one barred the way to the other."""
    fort, penny = a_coin("f", "fortification", "blue", (340, 200)), a_coin("p", "settlement", owner, (341, 200))
    found = targets(guard(fort, penny))
    assert (found["f"].verdict, found["p"].verdict) == ("yes", verdict)


def test_the_settlement_that_holds_the_target_does_not_bar_its_way():
    # The two-pence reaches 12.95 mm from its centre, the scout in it only 9.
    scene = guard(a_coin("s", "fortification", "blue", (340, 200)), a_coin("e", "scout", "blue", (343, 200)))
    assert targets(scene)["e"].verdict == "yes"


def test_diamonds_add_attack_dice_up_to_four():
    scene = guard(a_coin("e", "scout", "blue", (340, 200)))
    state = State(counters={"extra_dice": {"red": 1}})
    assert targets(scene, state=state)["e"].extra["odds"]["win"] == "125/216"
    state = State(counters={"extra_dice": {"red": 9}})
    assert "4 against 1" in targets(scene, state=state)["e"].why


def test_a_unit_attacks_once_a_turn():
    scene = guard(a_coin("e", "scout", "blue", (340, 200)))
    assert targets(scene, state=State(pieces={"g": {"attacked": True}}))["e"].verdict == "no"


# C3.2, C3.4 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("distance_mm", "verdict"), [(62.6, "yes"), (62.7, "close"), (64.3, "close"), (64.4, "no")])
def test_near_the_limit_the_range_is_too_close_to_call(distance_mm, verdict):
    # The pair's sigma is 0.2 * sqrt(2), 3 of them 0.849 mm.
    scene = a_scene(
        a_coin("g", "guard", "red", (300, 200), sigma_mm=0.2),
        a_coin("e", "scout", "blue", (300 + distance_mm, 200), sigma_mm=0.2),
    )
    found = targets(scene)["e"]
    assert found.verdict == verdict and found.margin_mm == pytest.approx(B - distance_mm)


@pytest.mark.parametrize(("offset_mm", "verdict"), [(8.3, "no"), (8.5, "close"), (9.5, "close"), (9.7, "yes")])
def test_a_way_that_hardly_passes_a_coin_is_too_close_to_call(offset_mm, verdict):
    scene = a_scene(
        a_coin("g", "guard", "red", (300, 200)),
        a_coin("e", "scout", "blue", (350, 200)),
        a_coin("f", "scout", "green", (325, 200 + offset_mm), sigma_mm=0.2),
    )
    found = targets(scene)["e"]
    assert found.verdict == verdict
    if verdict == "close":
        assert found.margin_mm == pytest.approx(offset_mm - 9.0, abs=1e-3)


@pytest.mark.parametrize(("off_mm", "verdict"), [(11.6, "yes"), (11.7, "close"), (12.8, "close"), (12.9, "no")])
def test_a_unit_at_the_very_edge_of_the_road_is_too_close_to_call(off_mm, verdict):
    # The guard's radius is 12.25 mm, 3 sigma are 0.6 mm.
    scene = a_scene(
        a_coin("g", "guard", "red", (300, 200 + off_mm), sigma_mm=0.2), a_coin("e", "scout", "blue", (340, 200))
    )
    assert targets(scene)["e"].verdict == verdict


def test_two_doubtful_bars_leave_no_doubt():
    # Both bar the way by 0.1 mm; no single distance opens it.
    bars = [a_coin(n, "scout", "green", (x, 208.9), sigma_mm=0.2) for n, x in (("f", 320), ("h", 330))]
    assert targets(guard(a_coin("e", "scout", "blue", (355, 200)), *bars))["e"].verdict == "no"


# Ships ---------------------------------------------------------------------------------------------------------------


def test_only_ships_attack_ships():
    sea = a_setup(a_road((0, 200), (700, 200)), water=[box(0, 0, 700, 190)])
    scene = a_scene(
        a_coin("g", "guard", "red", (300, 200)),
        a_coin("e", "ship", "blue", (310, 170)),
        a_coin("s", "ship", "red", (350, 170)),
        a_coin("h", "guard", "blue", (350, 205)),
    )
    assert targets(scene, sea)["e"].verdict == "no"
    found = targets(scene, sea, piece="s")
    assert (found["e"].verdict, found["h"].verdict, found["h"].rule) == ("yes", "no", "OMMS-9")
    assert found["h"].why.startswith("red ship s cannot attack blue guard h: ")  # C3.2; it named nobody


def test_a_ship_in_harbour_has_one_more_die():
    sea = a_setup(water=[box(0, 0, 700, 190)], places=[a_place(310, 197, port=True)])
    ships = a_coin("s", "ship", "red", (350, 170)), a_coin("e", "ship", "blue", (310, 172))
    assert targets(a_scene(*ships), sea, "s")["e"].extra["odds"]["win"] == "5/12"
    port = a_coin("p", "settlement", "blue", (310, 197))
    assert targets(a_scene(*ships, port), sea, "s")["e"].extra["odds"]["win"] == "55/216"
    for place in (a_place(310, 197), a_place(500, 197, port=True)):  # no port there, and one elsewhere
        inland = a_setup(water=[box(0, 0, 700, 190)], places=[place])
        assert targets(a_scene(*ships, port), inland, "s")["e"].extra["odds"]["win"] == "5/12"
    for role, owner in (("settlement", "green"), ("settlement", "none"), ("guard", "blue")):  # note 9: a friendly port
        other = a_coin("p", role, owner, (310, 197))
        assert targets(a_scene(*ships, other), sea, "s")["e"].extra["odds"]["win"] == "5/12", (role, owner)


def test_a_ship_that_lies_on_its_port_s_coin_defends_itself_alone():
    """Only ships attack ships (note 9): who is in the port does not defend for it, nor do its walls."""
    sea = a_setup(water=[box(0, 0, 700, 190)], places=[a_place(310, 197, port=True)])
    ships = a_coin("s", "ship", "red", (350, 170)), a_coin("e", "ship", "blue", (310, 178), on="p")
    port, guard = a_coin("p", "settlement", "blue", (310, 197)), a_coin("g", "guard", "blue", (310, 197))
    found = targets(a_scene(*ships, port, guard), sea, "s")["e"]
    assert (found.verdict, found.extra["odds"]["win"]) == ("yes", "55/216")  # one die against two: one for the harbour


@pytest.mark.parametrize(("up_mm", "verdict"), [(0.5, "no"), (2.0, "close"), (3.8, "close"), (5.5, "yes")])
def test_on_which_of_two_roads_is_too_close_to_call(up_mm, verdict):
    """The guard lies between two roads 6 mm apart that meet nowhere; the scout touches the upper one alone.

    By hand: `up_mm` above the lower road, it is 6 - 2 up farther from the upper one; 3 sigma of 0.7 are 2.1 mm of
    the coin, and twice that of the difference.
    """
    setup = a_setup(a_road((0, 200), (700, 200)), a_road((0, 206), (700, 206)))
    scene = a_scene(
        a_coin("g", "guard", "red", (300, 200 + up_mm), sigma_mm=0.7), a_coin("e", "scout", "blue", (340, 210.5))
    )
    found = targets(scene, setup)["e"]
    assert found.verdict == verdict
    if verdict == "close":
        assert (found.margin_mm, found.sigma_mm) == (pytest.approx(-(6 - 2 * up_mm)), pytest.approx(1.4))


@pytest.mark.parametrize(("apart_mm", "verdict"), [(5.7, "yes"), (6.5, "close"), (7.5, "close"), (8.3, "no")])
def test_whether_it_attacks_from_its_settlement_is_too_close_to_call(apart_mm, verdict):
    """Half of a guard's coin lies on the penny up to 7.008 mm (3 sigma: 1.2); the enemy's road runs under it alone."""
    setup = a_setup(a_road((0, 200), (700, 200)), a_road((0, 222), (700, 222)))
    scene = a_scene(
        a_coin("p", "settlement", "red", (300, 208.5)),
        a_coin("g", "guard", "red", (300, 208.5 + apart_mm), sigma_mm=0.4),
        a_coin("e", "scout", "blue", (340, 195)),
    )
    found = targets(scene, setup)["e"]
    assert found.verdict == verdict
    if verdict == "close":
        assert found.margin_mm == pytest.approx(7.008 - apart_mm, abs=1e-3)


def test_who_is_out_of_range_is_told_so_whatever_error_a_coin_elsewhere_has():
    """A neutral coin at the other end of the table, 0.3 mm in doubt, changed rule and margin of a ship's ruling."""
    ship = a_coin("e", "ship", "blue", (300 + B + 13.7, 200))
    far_off = a_coin("n", "guard", "none", (650, 450), sigma_mm=0.3)
    alone, beside = (targets(guard(ship, *others))["e"] for others in ((), (far_off,)))
    assert (alone.rule, alone.margin_mm) == ("OMMS-5.2", pytest.approx(-13.7))
    assert (beside.rule, beside.margin_mm, beside.why) == (alone.rule, alone.margin_mm, alone.why)


def test_two_who_defend_for_a_third_are_told_as_two():
    """It was "blue guard d and blue guard e defends for blue scout f"."""
    stack = [a_coin(name, role, "blue", (340, 200)) for name, role in (("d", "guard"), ("e", "guard"), ("f", "scout"))]
    assert targets(guard(*stack))["f"].why == "blue guard d and blue guard e defend for blue scout f"
    assert targets(guard(*stack[1:]))["f"].why == "blue guard e defends for blue scout f"
