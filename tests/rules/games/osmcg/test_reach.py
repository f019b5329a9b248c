"""OSMCG-2: reach by formula on open ground, by known obstacles elsewhere."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from shapely import Point, box
from shapely.geometry import mapping, shape

from rules.state import State
from tests.rules.games.osmcg.builders import INCH, a_scene, base, ruling, rulings, terrain

FIVE = 5 * INCH


def card(**known: object) -> State:
    return State(pieces={"a": {"radius_mm": 12.5, **known}})


def test_open_ground_is_a_disc_of_spd() -> None:
    one = ruling("reach", "a", a_scene(base("a", 300, 300)), card(spd_in=5))
    assert one.verdict == "yes"
    assert one.geometry is not None
    assert one.geometry.area == pytest.approx(math.pi * FIVE**2, rel=1e-3)
    assert shape(one.extra["ap2"]).area == pytest.approx(math.pi * (2 * FIVE) ** 2, rel=1e-3)


@pytest.mark.parametrize("keywords", [[], ["Ethereal"], ["Flying"]])
@pytest.mark.parametrize("x", [0.0, 1e-9, 24 * INCH])
def test_who_stands_on_the_tables_edge_stays_on_the_table(x: float, keywords: list[str]) -> None:
    one = ruling("reach", "a", a_scene(base("a", x, 300)), card(spd_in=5, keywords=keywords))
    for region, spd_mm in ((one.geometry, FIVE), (shape(one.extra["ap2"]), 2 * FIVE)):
        assert region is not None
        assert box(0, 0, 24 * INCH, 24 * INCH).buffer(1e-6).covers(region)
        assert region.area == pytest.approx(math.pi * spd_mm**2 / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("known", "reach_in"),
    [
        ({"spd_in": 6}, 6),
        ({"spd_in": 6, "statuses": {"slow": 2}}, 4),
        ({"spd_in": 3, "statuses": {"root": 1}}, 0),
        ({"spd_in": 3, "statuses": {"slow": 5}}, 0),
        ({"spd_in": 3, "moved": True}, 0),
        ({"spd_in": 3, "exhausted": True}, 0),
        ({"spd_in": 3, "statuses": {"exhausted": True}}, 0),
        ({"spd_in": 3, "statuses": {"stun": 1}}, 0),
        ({"spd_in": 3, "deployed": True}, 0),
        ({"spd_in": 3, "deployed": True, "keywords": ["Haste"]}, 3),
    ],
)
def test_statuses_lower_the_speed(known: dict, reach_in: float) -> None:
    one = ruling("reach", "a", a_scene(base("a", 300, 300)), card(**known))
    assert (one.verdict, one.geometry is None) == (("no", True) if reach_in == 0 else ("yes", False))
    if one.geometry is not None:
        assert one.geometry.bounds[2] == pytest.approx(300 + reach_in * INCH, abs=0.05)


@pytest.mark.parametrize(
    ("keywords", "owner", "beyond"),
    [
        ([], "blue", False),
        ([], "red", False),
        (["Ethereal"], "blue", True),
        (["Ethereal"], "red", False),
        (["Flying"], "red", True),
        (["Flying"], "blue", True),
        ([], "none", True),
        ([], "unknown", False),
        (["Ethereal"], "unknown", False),  # he may be an ally
    ],
)
def test_who_stops_whom(keywords: list[str], owner: str, beyond: bool) -> None:
    """A base in a corridor as wide as itself: behind it is in reach only for those whom it does not stop."""
    corridor = (box(0, 0, 600, 287), box(0, 313, 600, 600))
    scene = a_scene(
        base("a", 300, 300), base("b", 350, 300, owner), *(terrain(f"w{k}", "book", w) for k, w in enumerate(corridor))
    )
    state = State(pieces={"a": {"keywords": keywords, "spd_in": 5}})
    one = ruling("reach", "a", scene, state)
    assert one.geometry is not None
    assert one.geometry.covers(Point(400, 300)) is beyond
    assert one.geometry.covers(Point(350, 300)) is (owner == "none")


def test_a_flyer_passes_terrain_but_does_not_land_on_it() -> None:
    scene = a_scene(base("a", 300, 300), terrain("w", "mug", box(340, 0, 360, 609)))
    grounded, flying = (ruling("reach", "a", scene, card(spd_in=5, keywords=words)) for words in ([], ["Flying"]))
    assert not grounded.geometry.covers(Point(390, 300))
    assert flying.geometry.covers(Point(390, 300))
    assert not flying.geometry.intersects(box(328, 0, 372, 609))


def test_two_moves_of_a_flyer_need_a_landing_between() -> None:
    """A wall of 6 inches is too broad to fly over in moves of 2 inches."""
    broad, narrow = box(330, 0, 330 + 6 * INCH, 609), box(330, 0, 340, 609)
    for wall, over in ((broad, False), (narrow, True)):
        one = ruling(
            "reach", "a", a_scene(base("a", 315, 300), terrain("w", "book", wall)), card(spd_in=2, keywords=["Flying"])
        )
        assert (shape(one.extra["ap2"]).bounds[2] > wall.bounds[2]) is over


@pytest.mark.parametrize("sigma", [0.0, 0.4])
def test_who_has_no_place_to_end_a_move_in_is_told_so(sigma: float) -> None:
    scene = a_scene(base("a", 300, 300, sigma=sigma), terrain("w", "box", box(100, 100, 500, 500)))
    one = ruling("reach", "a", scene, card(spd_in=5))
    assert (one.verdict, one.geometry, one.margin_mm, one.sigma_mm) == ("no", None, -1.0, 0.0)
    assert one.why.endswith("has no place to end a move of 5 inches in") and one.extra["ap2"] is not None


def test_traversable_terrain_does_not_stop() -> None:
    scene = a_scene(base("a", 300, 300), terrain("w", "napkin", box(320, 0, 340, 609)))
    assert ruling("reach", "a", scene, card(spd_in=5)).geometry.covers(Point(400, 300))


def test_unknown_terrain_stops_and_is_named() -> None:
    scene = a_scene(base("a", 300, 300), terrain("w", "unknown", box(320, 0, 340, 609)))
    assert not ruling("reach", "a", scene, card(spd_in=5)).geometry.covers(Point(400, 300))
    assert ruling("blocked", "a", scene, card(spd_in=5)).rule == "C5.2"


def test_the_engaged_pay_to_leave() -> None:
    scene = a_scene(base("a", 300, 300), base("b", 325, 300, "blue"), base("c", 300, 274.5, "red"))
    one = ruling("reach", "a", scene, card(spd_in=5))
    assert (one.verdict, one.geometry, one.rule) == ("no", None, "OSMCG-2.2")
    two = shape(one.extra["ap2"])
    assert two.bounds[0] == pytest.approx(300 - FIVE, abs=0.1)
    free = ruling("reach", "c", scene, card(spd_in=5))
    assert free.geometry is not None


@pytest.mark.parametrize(
    ("gap", "sigma", "engaged"), [(0.9, 0, True), (1.1, 0, False), (1.1, 0.4, True), (1.3, 0.4, False)]
)
def test_contact_is_a_gap_of_a_millimetre_or_three_sigma(gap: float, sigma: float, engaged: bool) -> None:
    scene = a_scene(base("a", 300, 300, sigma=sigma), base("b", 325 + gap, 300, "blue"))
    state = State(pieces={"a": {"radius_mm": 12.5}, "b": {"radius_mm": 12.5}})
    found = rulings("engaged", scene, state)
    assert [(one.piece, one.other, one.verdict) for one in found] == ([("a", "b", "yes")] if engaged else [])


def test_own_team_is_not_engaged_and_team_beats_colour() -> None:
    scene = a_scene(base("a", 300, 300), base("b", 325, 300, "blue"))
    state = State(pieces={"a": {"team": "A", "radius_mm": 12.5}, "b": {"team": "A", "radius_mm": 12.5}})
    assert rulings("engaged", scene, state) == []


def test_a_moved_neighbour_changes_reach_and_a_far_one_does_not() -> None:
    near = [a_scene(base("a", 300, 300), base("b", x, 300, "blue")) for x in (360, 380)]
    one, other = (ruling("reach", "a", scene, card(spd_in=5)) for scene in near)
    assert one.geometry.symmetric_difference(other.geometry).area > 100
    far = [a_scene(base("a", 100, 100), base("b", x, 580, "blue")) for x in (560, 580)]
    kept = [ruling("reach", "a", scene, card(spd_in=5)) for scene in far]
    assert kept[0].geometry is kept[1].geometry


def test_one_ring_for_each_action_point() -> None:
    """Three points reach three times as far, one point no second ring; what was spent is gone."""
    scene = a_scene(base("a", 300, 300))
    three = ruling("reach", "a", scene, card(spd_in=2, ap=3)).extra
    assert [shape(three[key]).bounds[2] - 300 for key in ("ap2", "ap3")] == pytest.approx(
        [4 * INCH, 6 * INCH], abs=0.05
    )
    assert ruling("reach", "a", scene, card(spd_in=2, ap=1)).extra["ap2"] is None
    spent = ruling("reach", "a", scene, card(spd_in=2, ap=2, ap_spent=1))
    assert (spent.verdict, spent.extra["ap2"]) == ("yes", None)
    assert ruling("reach", "a", scene, card(spd_in=2, ap=2, ap_spent=2)).verdict == "no"


def test_the_third_move_of_the_ethereal_stops_at_a_wall_too() -> None:
    """A wall farther than two moves away did not count for the third."""
    scene = a_scene(base("a", 100, 300), terrain("w", "book", box(216, -10, 220, 619)))
    three = ruling("reach", "a", scene, card(spd_in=2, ap=3, keywords=["Ethereal"])).extra["ap3"]
    assert shape(three).bounds[2] == pytest.approx(216 - 12.5, abs=0.01)


def test_the_margin_of_the_engaged_is_how_far_the_foe_is_from_clear() -> None:
    one = ruling("reach", "a", a_scene(base("a", 300, 300, sigma=0.3), base("b", 325.5, 300, "blue", sigma=0.4)))
    assert (one.margin_mm, one.sigma_mm) == (pytest.approx(0.5 - 1.5, abs=1e-3), pytest.approx(0.5))


def test_a_foe_at_exactly_the_gap_of_contact_holds_by_a_hair() -> None:
    """A gap of 1 mm is contact (OSMCG-2.2): the reach was no with a margin of 0, which is a yes (C3.2)."""
    scene = a_scene(base("a", 300, 300), base("b", 326, 300, "blue"))
    one, engaged = ruling("reach", "a", scene, card()), ruling("engaged", "a", scene, card())
    assert (one.verdict, one.margin_mm, engaged.margin_mm) == ("no", -1e-6, 0.0)


def test_the_destroyed_count_for_nothing() -> None:
    """A foe with all his wounds neither engages nor stands in the way, is no target, and has no reach."""
    scene = a_scene(base("a", 300, 300), base("b", 325, 300, "blue"))
    state = State(pieces={"b": {"hp": 3, "wounds": 3}})
    assert rulings("engaged", scene, state) == rulings("target", scene, state) == []
    assert ruling("reach", "a", scene, state).geometry.covers(Point(325, 300))
    fallen = ruling("reach", "b", scene, state)
    assert (fallen.verdict, fallen.rule) == ("no", "OSMCG-3.3")
    assert len(rulings("engaged", scene, State(pieces={"b": {"hp": 3, "wounds": 2}}))) == 1


@pytest.mark.parametrize(("owner", "stops"), [("unknown", True), ("none", False)])
def test_an_unknown_thing_stops_whatever_it_is(owner: str, stops: bool) -> None:
    thing = replace(base("c", 350, 300, owner), kind="coin", cls="unknown")
    one = ruling("reach", "a", a_scene(base("a", 300, 300), thing), card(spd_in=5))
    assert one.geometry.covers(Point(350, 300)) is not stops


def test_regions_are_geojson_as_shapely_writes_it() -> None:
    ring = (box(290, 250, 310, 280), box(290, 320, 310, 350), box(250, 290, 280, 310), box(320, 290, 350, 310))
    scene = a_scene(base("a", 300, 300), *(terrain(f"w{k}", "book", one) for k, one in enumerate(ring)))
    for keywords in ([], ["Flying"]):
        told = ruling("reach", "a", scene, card(spd_in=3, keywords=keywords)).extra["ap2"]
        assert json.loads(json.dumps(mapping(shape(told)))) == told
