"""C4.8, C4.9 and OSMCG-2: what moved, came and went."""

from __future__ import annotations

import json

import pytest
from shapely import Point, box
from shapely.affinity import rotate

from rules.games.osmcg import GAME
from rules.match import Event, apply, event_line, start
from rules.scene import Piece
from rules.setup import Player
from rules.state import State
from tests.rules.games.osmcg.builders import INCH, a_scene, a_setup, base, judged, terrain

ONE = State(pieces={"a": {"spd_in": 5, "ap": 1, "radius_mm": 12.5}})


@pytest.mark.parametrize(
    ("inches", "sigma", "ap", "verdict"),
    [(5, 0, 1, "yes"), (5.01, 0, 1, "no"), (5.01, 0.2, 1, "close"), (9.9, 0, 2, "yes"), (10.1, 0, 2, "no")],
)
def test_a_straight_move_against_its_allowance(inches: float, sigma: float, ap: int, verdict: str) -> None:
    state = State(pieces={"a": {"spd_in": 5, "ap": ap, "radius_mm": 12.5}})
    one = judged(
        a_scene(base("a", 100, 300, sigma=sigma)), base("a", 100 + inches * INCH, 300, sigma=sigma), state=state
    )
    assert (one.verdict, one.rule, one.kind) == (verdict, "OSMCG-2.1", "judge")
    assert one.margin_mm == pytest.approx((5 * ap - inches) * INCH)


def test_the_way_goes_round_walls() -> None:
    wall = terrain("w", "book", box(140, 200, 150, 400))
    before = a_scene(base("a", 120, 300), wall)
    assert judged(before, base("a", 170, 300), wall, state=ONE).verdict == "no"
    flying = State(pieces={"a": {"spd_in": 5, "ap": 1, "radius_mm": 12.5, "keywords": ["Flying"]}})
    assert judged(before, base("a", 170, 300), wall, state=flying).verdict == "yes"


@pytest.mark.parametrize(("x", "verdict"), [(175.0, "yes"), (175.05, "no"), (175.5, "no"), (174.0, "yes")])
def test_bases_may_touch_and_not_overlap(x: float, verdict: str) -> None:
    other = base("b", 200, 300, "blue")
    state = State(pieces={"a": {"spd_in": 5, "radius_mm": 12.5}, "b": {"radius_mm": 12.5}})
    assert judged(a_scene(base("a", 100, 300), other), base("a", x, 300), other, state=state).verdict == verdict


def test_a_measuring_error_in_contact_is_no_overlap() -> None:
    other = base("b", 200, 300, "blue", sigma=0.2)
    state = State(pieces={"a": {"spd_in": 5, "radius_mm": 12.5}, "b": {"radius_mm": 12.5}})
    before = a_scene(base("a", 100, 300, sigma=0.2), other)
    assert judged(before, base("a", 175.4, 300, sigma=0.2), other, state=state).verdict == "yes"


@pytest.mark.parametrize(
    ("over_mm", "verdict"), [(0.9, "no"), (0.2, "close"), (0.0, "close"), (-0.2, "close"), (-0.5, "yes")]
)
@pytest.mark.parametrize("ally", [False, True])
def test_an_ally_and_a_wall_are_lain_on_by_more_than_the_error_alone(over_mm: float, verdict: str, ally: bool) -> None:
    radius = 12.5
    thing = base("b", 200, 300, "red") if ally else terrain("m", "mug", box(200 - radius, 280, 240, 320))
    state = State(pieces={"a": {"spd_in": 5, "radius_mm": radius}, "b": {"radius_mm": radius}})
    end = base("a", 200 - 2 * radius + over_mm, 300, sigma=0.1)
    assert judged(a_scene(base("a", 100, 300, sigma=0.1), thing), end, thing, state=state).verdict == verdict


@pytest.mark.parametrize(
    ("gap_mm", "sigma", "verdict"), [(0.1, 0.2, "close"), (-0.1, 0.2, "close"), (0.1, 0, "yes"), (-0.1, 0, "no")]
)
@pytest.mark.parametrize("walls", [False, True])
def test_a_way_between_two_things_hangs_on_either(gap_mm: float, sigma: float, verdict: str, walls: bool) -> None:
    """They stand so much farther apart, on each side, than the base needs; a way about them is too long."""
    half_mm = 12.5 + gap_mm
    low, high = box(140, 100, 160, 300 - half_mm), box(140, 300 + half_mm, 160, 500)
    foes = [base(f"b{turn}", 150, 300 + turn * (12.5 + half_mm), "blue", sigma=sigma) for turn in (-1, 1)]
    things = [terrain("w", "book", low, sigma), terrain("x", "book", high, sigma)] if walls else foes
    known = {one.id: {"radius_mm": 12.5} for one in foes}
    state = State(pieces={"a": {"spd_in": 4, "ap": 1, "radius_mm": 12.5}, **known})
    one = judged(
        a_scene(base("a", 100, 300, sigma=sigma), *things), base("a", 200, 300, sigma=sigma), *things, state=state
    )
    assert one.verdict == verdict
    if verdict == "close":
        assert abs(one.margin_mm) == pytest.approx(0.2, abs=0.02)
        assert "hangs on the place of" in one.why


def test_leaving_contact_costs_an_action_point() -> None:
    other = base("b", 125, 300, "blue")
    before = a_scene(base("a", 100, 300), other)
    two = State(pieces={"a": {"spd_in": 5, "ap": 2, "radius_mm": 12.5}, "b": {"radius_mm": 12.5}})
    assert judged(before, base("a", 20, 300), other, state=two).verdict == "yes"
    assert judged(before, base("a", 100, 300 + 6 * INCH), other, state=two).rule == "OSMCG-2.2"
    one = State(pieces={"a": {"spd_in": 5, "ap": 1, "radius_mm": 12.5}, "b": {"radius_mm": 12.5}})
    assert judged(before, base("a", 20, 300), other, state=one).verdict == "no"


@pytest.mark.parametrize(
    ("state", "rule", "verdict"),
    [
        (State(active="Bob"), "C4.9", "no"),
        (State(active="Ann"), "OSMCG-2.1", "yes"),
        (State(pieces={"a": {"moved": True}}), "C4.9", "no"),
        (State(phase="draw"), "OSMCG-5", "no"),
        (State(phase="activation"), "OSMCG-2.1", "yes"),
        (State(pieces={"a": {"statuses": {"root": 1}}}), "OSMCG-2.3", "no"),
        (State(pieces={"a": {"exhausted": True}}), "OSMCG-5", "no"),
    ],
)
def test_who_may_move_when(state: State, rule: str, verdict: str) -> None:
    one = judged(a_scene(base("a", 100, 300)), base("a", 120, 300), state=state)
    assert (one.rule, one.verdict) == (rule, verdict)


def test_who_stays_has_no_ruling() -> None:
    scene = a_scene(base("a", 100, 300))
    assert GAME.judge(scene, a_scene(base("a", 100.9, 300)), a_setup(), State()) == ()


@pytest.mark.parametrize(
    ("y", "verdict"), [(12.5, "yes"), (6 * INCH - 12.5, "yes"), (6 * INCH - 12, "no"), (400, "no")]
)
@pytest.mark.parametrize(("side", "turned"), [("near", 0), ("far", 2), ("right", 1), ("left", 3)])
def test_a_hero_comes_into_his_player_s_strip(side: str, turned: int, y: float, verdict: str) -> None:
    """OSMCG-1.1: six inches along the edge, and his whole base in them; the table is turned about its middle."""
    at = rotate(Point(300, y), 90 * turned, origin=(12 * INCH, 12 * INCH))
    setup = a_setup((Player("Ann", "red", side), Player("Bob", "blue", {"far": "near"}.get(side, "far"))))
    state = State(pieces={"h": {"hero": True, "radius_mm": 12.5}})
    one = judged(a_scene(), base("h", at.x, at.y), state=state, setup=setup)
    assert (one.verdict, one.rule) == (verdict, "OSMCG-1.1")


@pytest.mark.parametrize(
    ("x", "owner", "verdict", "rule"),
    [
        (100 + 2 * INCH + 25, "red", "yes", "OSMCG-2.3"),
        (100 + 2 * INCH + 26, "red", "no", "OSMCG-2.3"),
        (130, "blue", "no", "OSMCG-2.3"),  # Bob has no Hero here
        (110, "red", "no", "OSMCG-2.1"),  # on the Hero's base
    ],
)
def test_a_creature_comes_in_beside_the_hero(x: float, owner: str, verdict: str, rule: str) -> None:
    hero = base("h", 100, 300)
    state = State(pieces={"h": {"hero": True, "radius_mm": 12.5}, "n": {"radius_mm": 12.5}})
    one = judged(a_scene(hero), hero, base("n", x, 300, owner), state=state)
    assert (one.verdict, one.rule, one.extra["event"]) == (verdict, rule, "placed")


def test_a_creature_does_not_come_in_touching_an_enemy() -> None:
    hero, foe = base("h", 100, 300), base("f", 155, 300, "blue")
    state = State(
        pieces={"h": {"keywords": ["Summoner"], "radius_mm": 12.5}, "f": {"radius_mm": 12.5}, "n": {"radius_mm": 12.5}}
    )
    one = judged(a_scene(hero, foe), hero, foe, base("n", 130, 300), state=state)
    assert (one.verdict, one.other) == ("no", "f")
    assert judged(a_scene(hero, foe), hero, foe, base("n", 100, 330), state=state).verdict == "yes"


@pytest.mark.parametrize(
    ("y", "verdict", "why"), [(139.9, "yes", "comes into"), (140.0, "no", "does not lie wholly in")]
)
def test_a_hero_comes_in_wholly_inside_the_strip(y: float, verdict: str, why: str) -> None:
    """The strip is 152.4 mm deep, the base's radius 12.5 mm."""
    state = State(pieces={"h": {"hero": True, "radius_mm": 12.5}})
    one = judged(a_scene(), base("h", 300, y), state=state)
    assert (one.verdict, one.why) == (verdict, f"the Hero h {why} the strip of Ann")


def test_who_leaves_has_wounds_enough() -> None:
    before = a_scene(base("a", 100, 300))
    for wounds, verdict in ((5, "yes"), (4, "no")):
        one = judged(before, state=State(pieces={"a": {"hp": 5, "wounds": wounds}}))
        assert (one.verdict, one.extra["event"]) == (verdict, "removed")


@pytest.mark.parametrize(("mode", "hero", "verdict"), [("ffa", 0, "yes"), ("ffa", 1, "no"), ("duel", 0, "no")])
def test_creatures_leave_with_a_player_who_is_out(mode: str, hero: int, verdict: str) -> None:
    """Whose Hero fell in a free-for-all is out of it."""
    creature, heroes = base("c", 100, 300), [base("h", 200, 300)][:hero]
    state = State(pieces={"c": {"hp": 3}, "h": {"hp": 9, "hero": True}})
    one = judged(a_scene(creature, *heroes), *heroes, state=state, setup=a_setup(mode=mode))
    assert one.verdict == verdict


def test_unknown_neutral_and_terrain() -> None:
    before = a_scene(
        base("u", 100, 300, "unknown"), base("n", 200, 300, "none"), terrain("w", "mug", box(300, 300, 350, 350))
    )
    after = a_scene(
        base("u", 120, 300, "unknown"), base("n", 220, 300, "none"), terrain("w", "mug", box(320, 300, 370, 350))
    )
    verdicts = {one.piece: one.verdict for one in GAME.judge(before, after, a_setup(), State())}
    assert verdicts == {"u": "no", "n": "yes", "w": "no"}


@pytest.mark.parametrize(("owner", "told"), [("red", "is no figure"), ("none", "belongs to nobody")])
def test_a_coin_has_no_part_and_is_told_as_what_it_is(owner: str, told: str) -> None:
    before, after = (
        a_scene(Piece("c", "coin", "gbp-2p", (x, 100.0), Point(x, 100).buffer(12), owner)) for x in (100.0, 200.0)
    )
    (one,) = GAME.judge(before, after, a_setup(), State())
    assert (one.verdict, told in one.why) == ("yes", True)


def test_two_flights_need_a_place_to_land_between() -> None:
    """With moves of 2 inches nobody flies over a box of 6 inches; that of half an inch is passed."""
    flying = State(pieces={"a": {"spd_in": 2, "keywords": ["Flying"]}})
    for depth_in, verdict in ((6, "no"), (0.5, "yes")):
        wall = terrain("w", "box", box(130, 0, 130 + depth_in * INCH, 600))
        to = base("a", 130 + depth_in * INCH + 14, 300)
        far = State(pieces={"a": {**flying.pieces["a"], "ap": 4}}) if depth_in == 6 else flying
        one = judged(a_scene(base("a", 116, 300), wall), to, wall, state=far)
        assert (one.verdict, one.rule) == (verdict, "OSMCG-2.1")


@pytest.mark.parametrize(
    ("to_x", "sigma", "verdict"),
    [(469.0, 0, "yes"), (469.9, 0, "no"), (468.9, 0.3, "close"), (469.9, 0.3, "close"), (467.0, 0.3, "yes")],
)
def test_a_flight_is_measured_from_its_last_landing(to_x: float, sigma: float, verdict: str) -> None:
    """The landing before the wall is at 367.5; four inches further is 469.1."""
    wall = terrain("w", "box", box(380, 0, 440, 24 * INCH))
    state = State(pieces={"a": {"spd_in": 4, "ap": 2, "radius_mm": 12.5, "keywords": ["Flying"]}})
    one = judged(a_scene(base("a", 300, 300, sigma=sigma), wall), base("a", to_x, 300, sigma=sigma), wall, state=state)
    assert one.verdict == verdict
    assert one.margin_mm == pytest.approx(469.1 - to_x, abs=0.05)


@pytest.mark.parametrize(("inches", "foe_mm", "points"), [(4, 99, 1), (5, 99, 1), (6, 99, 2), (4, 25, 2)])
def test_a_move_tells_its_action_points(inches: float, foe_mm: float, points: int) -> None:
    foe = base("b", 100, 300 - foe_mm, "blue")
    one = judged(a_scene(base("a", 100, 300), foe), base("a", 100, 300 + inches * INCH), foe)
    assert (one.verdict, one.extra["ap"]) == ("yes", points)


def test_terrain_comes_by_spells_and_lies_on_no_other() -> None:
    old = terrain("w", "mug", box(300, 300, 350, 350))
    for x, verdict in ((350, "yes"), (340, "no")):
        new = terrain("n", "box", box(x, 300, x + 50, 350))
        assert judged(a_scene(old), old, new).verdict == verdict
    assert judged(a_scene(old)).verdict == "yes"


def test_allies_of_a_moba_move_in_one_turn() -> None:
    players = (Player("Ann", "red", "near"), Player("Cid", "green", "near"), Player("Bob", "blue", "far"))
    before = a_scene(base("a", 100, 300, "green"))
    for mode, verdict in (("moba", "yes"), ("duel", "no")):
        one = judged(before, base("a", 120, 300, "green"), state=State(active="Ann"), setup=a_setup(players, mode=mode))
        assert (one.verdict, one.rule) == (verdict, "OSMCG-2.1" if verdict == "yes" else "C4.9")


def test_allies_of_a_moba_are_one_side_and_each_has_his_own_hero() -> None:
    players = (Player("Ann", "red", "near"), Player("Cid", "green", "near"), Player("Bob", "blue", "far"))
    setup, hero = a_setup(players, mode="moba"), base("h", 300, 300)
    ally = base("g", 325, 300, "green")
    assert [one for one in GAME.rulings(a_scene(hero, ally), setup, State(), None) if one.kind == "engaged"] == []
    for words, verdict in (({"hero": True}, "no"), ({"keywords": ["Summoner"]}, "yes")):
        one = judged(a_scene(hero), hero, ally, state=State(pieces={"h": words}), setup=setup)
        assert (one.verdict, one.rule) == (verdict, "OSMCG-2.3")


def test_a_hero_comes_back_at_upkeep_and_a_quick_summon_at_any_time() -> None:
    hero = {"h": {"hero": True}}
    for phase, verdict in (("upkeep", "yes"), ("main-1", "no")):
        assert judged(a_scene(), base("h", 300, 100), state=State(phase=phase, pieces=hero)).verdict == verdict
    beside = a_scene(base("h", 300, 100))
    for words, verdict in ((["Quick Summon"], "yes"), ([], "no")):
        state = State(phase="end", active="Bob", pieces={**hero, "n": {"keywords": words}})
        assert judged(beside, base("h", 300, 100), base("n", 330, 100), state=state).verdict == verdict


def test_the_destroyed_neither_move_nor_come_back() -> None:
    dead = State(pieces={"a": {"hp": 2, "wounds": 2}})
    for before in (a_scene(base("a", 100, 300)), a_scene()):
        one = judged(before, base("a", 130, 300), state=dead)
        assert (one.verdict, one.rule) == ("no", "OSMCG-3.3")


def test_a_move_in_the_log_is_a_move() -> None:
    match = start(a_setup(), a_scene(base("a", 100, 300)))
    after = apply(match, Event(1.0, 1, "Ann", "move", {"piece": "a", "to_mm": [120.0, 300.0]}))
    line = json.loads(event_line(after.events[-1]))
    assert (line["event"], line["verdict"], line["ap"]) == ("move", "yes", 1)


def test_a_base_beside_the_table_that_can_go_nowhere_is_as_far_off_as_it_moved() -> None:
    """The margin had been no number, and no file could be written with it."""
    others = base("b", 610, 604, "blue"), base("c", 611, 604)
    state = State(pieces={"a": {"spd_in": 1, "ap": 2, "radius_mm": 12.5}})
    one = judged(a_scene(base("a", 620, 620), *others), base("a", 590, 580), *others, state=state)
    assert (one.verdict, one.margin_mm) == ("no", pytest.approx(-50))


def test_who_ends_where_an_ally_stood_before_is_told_so() -> None:
    """The way is that of the scene before, where the ally's base bars it (C4.8, OSMCG-2.1)."""
    before, after = ((base("a", x, 250), base("b", x + 40, 250)) for x in (240, 280))
    found = {one.piece: one for one in GAME.judge(a_scene(*before), a_scene(*after), a_setup(), State())}
    assert (found["a"].verdict, found["a"].other) == ("no", "b")
    assert found["a"].why.endswith("b stood there before")
    assert found["b"].verdict == "yes"
