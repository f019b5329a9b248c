"""OMMS-7 on scenes small enough to work out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rules.games.omms import GAME
from rules.games.omms.progress import advance
from rules.games.omms.siege_clock import chooser, is_due, noted
from rules.games.omms.table import Table
from rules.state import State

from .builders import a_coin, a_road, a_scene, a_setup

B = 63.5
ANN_AND_BEN = [("Ann", "red", "near"), ("Ben", "blue", "far")]
SCOUT, PENNY = 9.0, 10.15
CROSSROADS = (a_road((0, 200), (300, 200), (700, 200)), a_road((300, 0), (300, 200)))


def siege(scene, setup, piece="s", state=None):
    (found,) = [r for r in GAME.rulings(scene, setup, state or State(), piece) if r.kind == "siege"]
    return found


def a_town(*coins, owner="red"):
    return a_scene(a_coin("s", "settlement", owner, (300, 200)), *coins)


def test_three_open_roads():
    found = siege(a_town(), a_setup(*CROSSROADS))
    assert (found.verdict, found.extra["open_roads"], found.extra["cut"]) == ("no", 3, [])
    assert found.extra["since_turn"] is None


@pytest.mark.parametrize("at", [(30, 20), (680, 480)])
@pytest.mark.parametrize("first", [True, False])
def test_roads_over_the_tables_edge_are_counted_for_their_own_settlement(at, first):
    there = a_coin("s", "settlement", "red", at)
    inland = a_coin("i", "settlement", "blue", (300, 250))
    setup = a_setup(
        a_road((-200, at[1]), (900, at[1])), a_road((at[0], -200), (at[0], 700)), a_road((200, 250), (400, 250))
    )
    coins = (there, inland) if first else (inland, there)
    assert [siege(a_scene(*coins), setup, coin).extra["open_roads"] for coin in ("s", "i")] == [4, 2]


def test_two_of_three_roads_cut_is_no_siege():
    coins = a_coin("w", "scout", "blue", (260, 200)), a_coin("e", "guard", "green", (340, 200))
    found = siege(a_town(*coins), a_setup(*CROSSROADS))
    assert (found.verdict, found.extra["open_roads"]) == ("no", 1)
    assert found.extra["cut"] == [{"by": "w", "at": [269.0, 200.0]}, {"by": "e", "at": [327.75, 200.0]}]


def test_the_margin_of_open_roads_is_the_way_that_the_nearest_unit_is_short_of_one():
    # w cuts its road, whose stub is no open road; the scout's edge is 11 mm from the road to the north.
    coins = a_coin("w", "scout", "blue", (260, 200)), a_coin("n", "scout", "blue", (320, 150))
    found = siege(a_town(*coins), a_setup(*CROSSROADS))
    assert (found.verdict, found.extra["open_roads"]) == ("no", 2)
    assert found.margin_mm == pytest.approx(-(20 - SCOUT))


@pytest.mark.parametrize(
    ("owner", "coins"), [("none", []), ("red", []), ("red", [a_coin("w", "scout", "blue", (260, 200))])]
)
def test_where_no_unit_is_near_an_open_road_no_distance_is_told(owner, coins):
    """The breadth of a card was."""
    found = siege(a_town(*coins, owner=owner), a_setup(*CROSSROADS))
    assert (found.verdict, found.margin_mm, found.sigma_mm) == ("no", -1.0, 0.0)


def test_all_roads_cut_by_two_players_is_a_siege_that_begins_now():
    coins = [
        a_coin("w", "scout", "blue", (260, 200)),
        a_coin("e", "guard", "green", (340, 200)),
        a_coin("n", "invader", "blue", (300, 160)),
    ]
    found = siege(a_town(*coins), a_setup(*CROSSROADS), state=State(turn=7))
    assert (found.verdict, found.rule, found.extra["open_roads"]) == ("yes", "OMMS-7.1", 0)
    assert found.extra["since_turn"] == 7
    assert {cut["by"] for cut in found.extra["cut"]} == {"w", "e", "n"}


def test_the_state_remembers_when_a_siege_began():
    setup = a_setup(a_road((300, 200), (700, 200)))
    state = State(turn=7, counters={"sieges": {"s": 4}})
    assert siege(a_town(a_coin("e", "scout", "blue", (340, 200))), setup, state=state).extra["since_turn"] == 4


@pytest.mark.parametrize(("distance_mm", "verdict"), [(B, "yes"), (B + 0.001, "no")])
def test_only_units_with_their_centre_within_a_cards_breadth_besiege(distance_mm, verdict):
    setup = a_setup(a_road((300, 200), (700, 200)))
    assert siege(a_town(a_coin("e", "guard", "blue", (300 + distance_mm, 200))), setup).verdict == verdict


def test_a_distance_that_equals_the_limit_but_for_rounding_is_within_it():
    x = 98.53374723682138
    assert x + B - x > B
    scene = a_scene(a_coin("s", "settlement", "red", (x, 200)), a_coin("e", "guard", "blue", (x + B, 200)))
    assert siege(scene, a_setup(a_road((x, 200), (700, 200)))).verdict == "yes"


@pytest.mark.parametrize(
    ("role", "owner"),
    [("settlement", "blue"), ("guard", "red"), ("guard", "none"), ("guard", "unknown"), ("unknown", "blue")],
)
def test_settlements_friends_and_strangers_do_not_besiege(role, owner):
    setup = a_setup(a_road((300, 200), (700, 200)))
    assert siege(a_town(a_coin("e", role, owner, (340, 200))), setup).verdict == "no"


@pytest.mark.parametrize(("offset_mm", "verdict"), [(SCOUT, "no"), (SCOUT - 0.001, "yes")])
def test_a_coin_that_touches_the_road_does_not_cut_it(offset_mm, verdict):
    setup = a_setup(a_road((300, 200), (700, 200)))
    assert siege(a_town(a_coin("e", "scout", "blue", (340, 200 + offset_mm))), setup).verdict == verdict


def test_a_dead_end_is_no_access():
    setup = a_setup(a_road((300, 200), (350, 200)))
    found = siege(a_town(a_coin("e", "scout", "blue", (330, 200))), setup)
    assert (found.verdict, found.extra["open_roads"]) == ("no", 0)
    assert "no usable road leads" in found.why


@pytest.mark.parametrize("roads", [(), (a_road((300, 200), (350, 200)),)])
@pytest.mark.parametrize("east_mm", [330, 363])
def test_without_access_no_distance_decides_whatever_the_units_error(roads, east_mm):
    # The margin was endless, which no JSON can hold: `rule` ended with that, of no file.
    coin = a_coin("e", "scout", "blue", (east_mm, 200), sigma_mm=0.2)
    found = siege(a_town(coin), a_setup(*roads))
    assert (found.verdict, found.margin_mm, found.sigma_mm) == ("no", -1.0, 0.0)


def test_a_dead_end_beside_a_cut_road_does_not_lift_the_siege():
    setup = a_setup(a_road((250, 200), (300, 200), (700, 200)))
    assert siege(a_town(a_coin("e", "scout", "blue", (340, 200))), setup).verdict == "yes"


def test_a_road_that_ends_exactly_at_the_edge_is_access():
    setup = a_setup(a_road((300, 200), (300 + B, 200)))
    assert siege(a_town(), setup).extra["open_roads"] == 1


def test_a_road_that_only_touches_the_coin_is_access():
    setup = a_setup(a_road((0, 200 + PENNY), (700, 200 + PENNY)))
    assert siege(a_town(), setup).extra["open_roads"] == 2
    setup = a_setup(a_road((0, 200 + PENNY + 0.001), (700, 200 + PENNY + 0.001)))
    assert siege(a_town(), setup).extra["open_roads"] == 0


def test_a_way_round_through_a_side_road_keeps_it_open():
    way_round = a_road((310, 200), (310, 230), (352, 230), (352, 200))
    main = a_road((300, 200), (310, 200), (352, 200), (700, 200))
    scene = a_town(a_coin("e", "scout", "blue", (330, 200)))
    assert siege(scene, a_setup(main)).verdict == "yes"
    assert siege(scene, a_setup(main, way_round)).verdict == "no"


def test_a_bridge_over_the_cut_road_is_no_way_out():
    scene = a_town(a_coin("e", "scout", "blue", (330, 200)))
    assert siege(scene, a_setup(a_road((300, 200), (700, 200)), a_road((312, 100), (312, 300)))).verdict == "yes"


def test_a_unit_upon_the_settlement_cuts_what_it_covers():
    scene = a_town(a_coin("e", "guard", "blue", (303, 200)))
    found = siege(scene, a_setup(a_road((300, 200), (700, 200))))
    assert found.verdict == "yes"
    assert found.extra["cut"] == [{"by": "e", "at": [315.25, 200.0]}]


def test_the_units_in_an_enemy_settlement_nearby_besiege_too():
    coins = a_coin("b", "fortification", "blue", (340, 200)), a_coin("g", "scout", "blue", (340, 200), on="b")
    assert siege(a_town(*coins), a_setup(a_road((300, 200), (700, 200)))).verdict == "yes"


# C3.4 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset_mm", "verdict"), [(8.3, "yes"), (8.5, "close"), (9.5, "close"), (9.7, "no")])
def test_a_coin_that_hardly_cuts_the_road_is_too_close_to_call(offset_mm, verdict):
    # sigma 0.2 mm: 3 sigma are 0.6 mm on either side of the scout's radius of 9.
    setup = a_setup(a_road((300, 200), (700, 200)))
    found = siege(a_town(a_coin("e", "scout", "blue", (340, 200 + offset_mm), sigma_mm=0.2)), setup)
    assert found.verdict == verdict
    assert found.margin_mm == pytest.approx(SCOUT - offset_mm, abs=1e-3)
    assert found.sigma_mm == pytest.approx(0.2)


@pytest.mark.parametrize(("distance_mm", "verdict"), [(62.6, "yes"), (62.7, "close"), (64.3, "close"), (64.4, "no")])
def test_a_unit_near_the_limit_is_too_close_to_call(distance_mm, verdict):
    # The pair's sigma is 0.2 * sqrt(2): 3 sigma are 0.849 mm. The settlement's own sigma moves no road.
    setup = a_setup(a_road((300, 200), (700, 200)))
    scene = a_scene(
        a_coin("s", "settlement", "red", (300, 200), sigma_mm=0.2),
        a_coin("e", "guard", "blue", (300 + distance_mm, 200), sigma_mm=0.2),
    )
    assert siege(scene, setup).verdict == verdict


def test_two_doubtful_cuts_of_one_road_are_no_doubt():
    # Either coin alone cuts the road for all that 3 sigma can do to the other.
    coins = [a_coin(n, "scout", "blue", (x, 208.9), sigma_mm=0.2) for n, x in (("e", 330), ("f", 350))]
    found = siege(a_town(*coins), a_setup(a_road((300, 200), (700, 200))))
    assert found.verdict == "yes"
    assert found.margin_mm >= 3 * found.sigma_mm
    # With one that cuts it through the middle, that one's depth decides.
    firm = a_coin("f", "scout", "blue", (350, 200), sigma_mm=0.2)
    found = siege(a_town(coins[0], firm), a_setup(a_road((300, 200), (700, 200))))
    assert (found.verdict, found.margin_mm) == ("yes", pytest.approx(SCOUT))


def test_two_doubtful_gaps_on_two_roads_are_no_doubt_either():
    # Both roads are open by 0.1 mm; no single distance closes both.
    coins = (
        a_coin("e", "scout", "blue", (340, 209.1), sigma_mm=0.2),
        a_coin("f", "scout", "blue", (260, 209.1), sigma_mm=0.2),
    )
    found = siege(a_town(*coins), a_setup(a_road((0, 200), (300, 200), (700, 200))))
    assert found.verdict == "no"
    assert found.margin_mm < -3 * found.sigma_mm


# The clock -----------------------------------------------------------------------------------------------------------


def besieged_since(turn, active=None):
    return {"s": {"turn": turn, "active": active}}


@pytest.mark.parametrize(("east_mm", "verdict"), [(-0.15, "no"), (0.0, "close"), (0.3, "close"), (1.2, "yes")])
def test_of_two_roads_under_the_rim_each_may_miss_the_coin_alone(east_mm, verdict):
    """Both run 9.65 mm beside the middle, 0.5 inside the rim, within 3 sigma; only the one in the east is cut."""
    roads = a_road((290.35, 0), (290.35, 400)), a_road((309.65, 0), (309.65, 400))
    base = a_coin("s", "settlement", "red", (300 + east_mm, 200), sigma_mm=0.2)
    cutting = (a_coin(f"g{y}", "guard", "blue", (312, y)) for y in (160, 240))
    found = siege(a_scene(base, *cutting), a_setup(*roads))
    assert found.verdict == verdict
    if verdict == "close":
        assert found.margin_mm == pytest.approx(east_mm - 0.5, abs=1e-3)


def test_the_clock_notes_begins_and_ends():
    state = State(turn=9, active="Ben", counters={"sieges": besieged_since(4, "Ann")})
    assert noted(state, "t", begins=True)["sieges"] == {**besieged_since(4, "Ann"), "t": {"turn": 9, "active": "Ben"}}
    assert noted(state, "s", begins=False) == {"sieges": {}, "relieved": besieged_since(4, "Ann")}


@pytest.mark.parametrize(
    ("turn", "active", "units", "due"),
    [
        (4, "Ann", 2, False),
        (4, "Ben", 2, False),
        (5, "Ben", 2, False),
        (5, "Ann", 2, True),
        (6, "Ann", 3, True),
        (5, "Ann", 1, False),
    ],
)
def test_a_siege_kills_when_the_player_who_began_it_is_at_it_again(turn, active, units, due):
    state = State(turn=turn, active=active, counters={"sieges": besieged_since(4, "Ann")})
    for setup in (a_setup(), a_setup(players=ANN_AND_BEN)):
        assert is_due(Table(a_scene(), setup, state), "s", units) is due


@pytest.mark.parametrize("active", ["Ann", "red"])
@pytest.mark.parametrize("since", ["Ann", "red"])
def test_whose_turn_a_siege_began_in_is_told_by_name_or_by_colour(active, since):
    """Told by colour, in a match whose turns go by name, it never killed."""
    state = State(turn=5, active=active, counters={"sieges": besieged_since(4, since)})
    setup = a_setup(players=ANN_AND_BEN)
    table = Table(a_scene(), setup, state)
    assert is_due(table, "s", 2) and not is_due(replace(table, state=replace(state, active="Ben")), "s", 2)


@pytest.mark.parametrize(
    ("turn", "active", "killed", "due"),
    [
        (5, "Ann", None, False),
        (5, "Ben", None, False),
        (6, "Ann", None, True),
        (6, "Ann", 5, False),  # in Cid's own turn, before he was out
        (6, "Ben", None, False),
        (7, "Ann", 5, True),
        (7, "Ann", 6, False),
    ],
)
def test_a_siege_that_began_in_the_turn_of_who_is_out_since_kills_in_that_of_the_next(turn, active, killed, due):
    """It never killed: it waited for the turn of a player who has none (OMMS-7.2)."""
    ring = (a_coin(f"e{x}", "scout", "blue", (x, 200)) for x in (265, 335))
    inside = (a_coin(name, "scout", "red", (300, 200), on="s") for name in "ab")
    setup = a_setup(a_road((0, 200), (700, 200)), players=[*ANN_AND_BEN, ("Cid", "green", "left")])
    counters = {"sieges": {"s": {"turn": 4, "active": "Cid", "killed": killed}}}
    state, scene = State(turn, "attack", active, counters=counters), a_town(*inside, *ring)
    assert siege(scene, setup, state=state).extra["due"] is due
    if due:
        after = advance(state, scene, setup, "remove", {"piece": "a", "besieged_in": "s"})
        assert not siege(scene, setup, state=after).extra["due"]
        assert not siege(scene, setup, state=replace(after, active="Ben")).extra["due"]


def test_a_siege_that_is_due_says_so_in_its_ruling():
    setup = a_setup(a_road((300, 200), (700, 200)))
    inside = [a_coin(name, "scout", "red", (300, 200), on="s") for name in "ab"]
    scene = a_town(a_coin("e", "scout", "blue", (340, 200)), *inside)
    state = State(turn=5, counters={"sieges": {"s": 4}})
    assert siege(scene, setup, state=state).extra["due"] is True
    cut = "every road to red settlement s is cut by blue scout e"
    assert siege(scene, setup, state=state).why == f"{cut}; it kills a unit this turn: both sides throw a die"
    fresh = siege(scene, setup, state=replace(state, turn=4))
    assert (fresh.extra["due"], fresh.why) == (False, cut)
    for dice, who, name in (((5, 2), "attacker", "the besieger"), ((2, 2), "owner", "red")):
        told = {"s": {"attacker": dice[0], "owner": dice[1]}}
        thrown = siege(scene, setup, state=replace(state, counters={**state.counters, "siege_dice": told}))
        assert thrown.extra["chooser"] == who
        assert thrown.why == f"{cut}; it kills a unit this turn, which {name} chooses"


@pytest.mark.parametrize(("attacker", "owner", "who"), [(4, 3, "attacker"), (3, 3, "owner"), (2, 5, "owner")])
def test_the_higher_attacker_chooses_the_victim(attacker, owner, who):
    assert chooser(attacker, owner) == who


def test_a_match_keeps_the_clock():
    setup, scene = a_setup(), a_scene()
    state = advance(State(turn=4, active="Ann"), scene, setup, "siege", {"place": "s", "change": "begin"})
    assert state.counters["sieges"] == besieged_since(4, "Ann")
    assert advance(state, scene, setup, "siege", {"place": "s", "change": "end"}).counters["sieges"] == {}
    told = State(turn=5, active="Ben", counters=state.counters)  # what a match begins with, and finds besieged
    assert advance(told, scene, setup, "siege", {"place": "s", "change": "begin"}).counters["sieges"] == (
        besieged_since(4, "Ann")
    )


def test_the_answer_turns_with_the_table():
    turn = math.radians(33)

    def turned(x, y):
        dx, dy = x - 300, y - 200
        return (300 + dx * math.cos(turn) - dy * math.sin(turn), 200 + dx * math.sin(turn) + dy * math.cos(turn))

    road = a_road(turned(200, 200), turned(300, 200), turned(400, 200))
    coin = a_coin("e", "scout", "blue", turned(340, 205))
    found = siege(a_town(coin), a_setup(road))
    (cut,) = found.extra["cut"]
    assert math.dist(cut["at"], turned(340 - math.sqrt(81 - 25), 200)) < 1e-5
