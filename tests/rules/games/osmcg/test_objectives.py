"""OSMCG-1 and 4: boards, objectives, control, deployment, missions."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from shapely import box

from rules.games.osmcg import GAME
from rules.scene import Scene
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.osmcg.builders import INCH, a_scene, a_setup, base, ruling, rulings, terrain

CENTRE = 12 * INCH
R = 12.5
KNOWN = State(pieces={one: {"radius_mm": R} for one in "abcdef"})


def spots(setup: Setup, size_in: float) -> dict:
    scene = Scene((size_in * INCH, size_in * INCH))
    return {one.other: one for one in rulings("control", scene, setup=setup)}


def test_duel_has_the_centre_and_four_quadrants() -> None:
    found = spots(a_setup(), 24)
    at = sorted(tuple(round(mm / INCH, 6) for mm in one.extra["at_mm"]) for one in found.values())
    assert at == [(6, 6), (6, 18), (12, 12), (18, 6), (18, 18)]
    assert found["centre"].geometry.area == pytest.approx(math.pi * (2 * INCH) ** 2, rel=1e-3)


def test_moba_has_structures_and_a_nexus_each() -> None:
    found = spots(a_setup(mode="moba"), 48)
    assert {name: one.extra["hp"] for name, one in found.items()} == {
        "centre": 15, "post-1": 8, "post-2": 8, "post-3": 8, "post-4": 8, "nexus-near": 30, "nexus-far": 30,
    }  # fmt: skip
    assert found["nexus-near"].extra["at_mm"][1] <= 6 * INCH
    assert found["nexus-far"].extra["at_mm"][1] >= 42 * INCH


def test_free_for_all_has_a_ring_of_a_third_of_the_side() -> None:
    found = spots(a_setup(mode="ffa"), 36)
    away = [math.dist(one.extra["at_mm"], (18 * INCH, 18 * INCH)) / INCH for one in found.values()]
    assert sorted(away) == pytest.approx([0, *[12] * 6])
    assert {one.extra["hp"] for one in found.values()} == {8}


@pytest.mark.parametrize(
    ("own_mm", "foe_mm", "verdict", "owner", "contested"),
    [
        (2 * INCH - R, None, "yes", "red", False),  # just wholly inside
        (2 * INCH - R + 0.1, None, "no", None, False),  # sticks out
        (0, 2 * INCH + R + 0.1, "yes", "red", False),  # the enemy just misses the disc
        (0, 2 * INCH + R, "no", None, False),  # the enemy touches it
        (0, 2 * INCH - R, "no", None, True),  # both within
        (None, None, "no", None, False),
    ],
)
def test_control(own_mm: float | None, foe_mm: float | None, verdict: str, owner: str | None, contested: bool) -> None:
    pieces = [] if own_mm is None else [base("a", CENTRE - own_mm, CENTRE)]
    pieces += [] if foe_mm is None else [base("b", CENTRE + foe_mm, CENTRE, "blue")]
    one = next(one for one in rulings("control", a_scene(*pieces), KNOWN) if one.other == "centre")
    assert (one.verdict, one.extra["owner"], one.extra["contested"]) == (verdict, owner, contested)


def test_control_is_close_within_three_sigma() -> None:
    scene = a_scene(base("a", CENTRE - 2 * INCH + R + 0.5, CENTRE, sigma=0.2))
    one = next(one for one in rulings("control", scene, KNOWN) if one.other == "centre")
    assert (one.verdict, one.margin_mm) == ("close", pytest.approx(0.5))


def test_two_bases_within_by_a_hair_are_control_and_two_enemies_on_the_rim_are_none() -> None:
    inside, rim = 2 * INCH - R - 0.5, 2 * INCH + R - 0.5
    two = base("a", CENTRE - inside, CENTRE, sigma=0.2), base("c", CENTRE, CENTRE - inside, sigma=0.2)
    foes = [base(f"f{k}", CENTRE + rim * k, CENTRE + rim * (1 - k), "blue", sigma=0.2) for k in (0, 1)]
    verdicts = []
    for pieces in (two, two[:1], [base("a", CENTRE, CENTRE), *foes], [base("a", CENTRE, CENTRE), foes[0]]):
        verdicts += [one.verdict for one in rulings("control", a_scene(*pieces), KNOWN) if one.other == "centre"]
    assert verdicts == ["yes", "close", "no", "close"]


@pytest.mark.parametrize(("inside", "verdict"), [(1, "no"), (2, "close"), (3, "close"), (4, "yes")])
def test_an_invasion_is_close_only_if_one_unit_decides_it(inside: int, verdict: str) -> None:
    """Invasion asks for three beyond the middle; all stand within 3 s of its line, so many of them beyond it."""
    pieces = [base(f"u{k}", 60 + 60 * k, CENTRE + R + (0.5 if k < inside else -0.5), sigma=0.2) for k in range(4)]
    found = rulings("economy", a_scene(*pieces), replace(KNOWN, counters={"missions": ["Invasion"]}))
    (one,) = (one for one in found if one.extra.get("mission") == "Invasion" and one.other == "Ann")
    assert (one.verdict, one.extra["have"]) == (verdict, inside)


@pytest.mark.parametrize("side", ["near", "far", "left", "right"])
def test_an_invader_is_wholly_beyond_the_middle_from_wherever_his_player_sits(side: str) -> None:
    ux, uy = {"near": (0, 1), "far": (0, -1), "left": (1, 0), "right": (-1, 0)}[side]
    setup = a_setup((Player("Ann", "red", side), Player("Bob", "blue", {"far": "near"}.get(side, "far"))))
    for beyond_mm, have in ((R + 1, 1), (R - 1, 0), (-100, 0), (200, 1)):
        scene = a_scene(base("a", CENTRE + beyond_mm * ux, CENTRE + beyond_mm * uy))
        found = rulings("economy", scene, replace(KNOWN, counters={"missions": ["Invasion"]}), setup)
        (one,) = (one for one in found if one.extra.get("mission") == "Invasion" and one.other == "Ann")
        assert one.extra["have"] == have


def test_strips_lie_along_the_edges() -> None:
    found = {one.other: one for one in rulings("deploy", a_scene())}
    assert found["Ann"].geometry.bounds == pytest.approx((0, 0, 24 * INCH, 6 * INCH))
    assert found["Bob"].geometry.bounds == pytest.approx((0, 18 * INCH, 24 * INCH, 24 * INCH))


def test_rivals_on_one_edge_divide_the_strip() -> None:
    players = (Player("A", "red", "left"), Player("B", "blue", "left"), Player("C", "green", "right"))
    found = {one.other: one.geometry for one in rulings("deploy", a_scene(), setup=a_setup(players, mode="ffa"))}
    assert found["A"].bounds == pytest.approx((0, 0, 6 * INCH, 12 * INCH))
    assert found["B"].bounds == pytest.approx((0, 12 * INCH, 6 * INCH, 24 * INCH))
    team = {one.other: one.geometry for one in rulings("deploy", a_scene(), setup=a_setup(players, mode="moba"))}
    assert team["A"].equals(team["B"])


def test_ground_round_a_hero() -> None:
    """2 inches from edge to edge: the new centre lies in a ring from 25 mm to 25 mm + 2 inches."""
    one = ruling("deploy", "a", a_scene(base("a", 300, 300)), State(pieces={"a": {"hero": True, "radius_mm": R}}))
    assert one.geometry.area == pytest.approx(math.pi * ((2 * INCH + 25) ** 2 - 25**2), rel=2e-3)


def test_terrain_on_terrain_is_a_warning() -> None:
    a, b, c = (terrain(k, "book", box(x, 0, x + 50, 50)) for k, x in (("a", 0), ("b", 50), ("c", 90)))
    found = rulings("overlap", a_scene(a, b, c))
    assert [(one.piece, one.other, one.rule) for one in found] == [("b", "c", "OSMCG-1.3")]


def test_missions_from_the_scene() -> None:
    """Three red bases beyond the middle line, one of them at the centre of a far quadrant, one base on the line."""
    pieces = [base("a", 6 * INCH, 18 * INCH), base("b", 300, 400), base("c", 400, 330), base("d", 200, CENTRE)]
    found = {
        (one.extra["mission"], one.other): one
        for one in rulings("economy", a_scene(*pieces), KNOWN)
        if "mission" in one.extra
    }
    have = {
        name: found[name, "Ann"].extra["have"] for name in ("Invasion", "Stranglehold", "Seize Ground", "Hold the Line")
    }
    assert have == {"Invasion": 3, "Stranglehold": 1, "Seize Ground": 1, "Hold the Line": 0}
    assert found["Invasion", "Ann"].verdict == "yes"
    assert found["Invasion", "Bob"].verdict == "no"
    assert sum(found[name, "Ann"].extra["vp"] for name, who in found if who == "Ann") == 21


def test_missions_from_the_tally_and_only_the_open_ones() -> None:
    book = {
        "Ann": {"vp": 10, "tally": {"kills": 3, "kills_since": {"First Blood": 1, "Attrition": 4}, "mana_spent": 10}}
    }
    names = ["First Blood", "Attrition", "Show of Force"]
    state = State(counters={"players": book, "missions": names})
    found = [one for one in rulings("economy", a_scene(), state) if one.other == "Ann"]
    verdicts = {one.extra["mission"]: one.verdict for one in found if "mission" in one.extra}
    assert verdicts == {"First Blood": "yes", "Attrition": "no", "Show of Force": "yes"}
    assert next(one for one in found if "wins" in one.extra).extra["wins"]
    with pytest.raises(ValueError, match="Second Blood"):
        rulings("economy", a_scene(), State(counters={"missions": ["Second Blood"]}))


def test_who_wins_the_other_modes() -> None:
    lost = State(counters={"structures": {"nexus-far": {"wounds": 30}}})
    found = {one.other: one.extra["wins"] for one in rulings("economy", a_scene(), lost, a_setup(mode="moba"))}
    assert found == {"Ann": True, "Bob": False}
    last = State(pieces={"a": {"hero": True}})
    for state, won in ((last, True), (replace(last, turn=1, active="Ann"), False), (replace(last, turn=2), True)):
        found = rulings("economy", a_scene(base("a", 99, 99)), state, a_setup(mode="ffa"))
        assert {one.other: one.extra["wins"] for one in found} == {"Ann": won, "Bob": False}


def test_bad_house_rules_and_legends_are_named() -> None:
    with pytest.raises(ValueError, match=r"rules\.mode: 'chess'"):
        rulings("control", a_scene(), setup=a_setup(mode="chess"))
    with pytest.raises(ValueError, match=r"rules\.ranged_measure"):
        rulings(
            "reach",
            a_scene(base("a", 99, 99, "red"), base("b", 199, 99, "blue")),
            setup=a_setup(ranged_measure="thumb"),
        )
    with pytest.raises(ValueError, match=r"rules\.deploy_radius_mm: -1"):
        rulings("deploy", a_scene(), setup=a_setup(deploy_radius_mm=-1))
    with pytest.raises(ValueError, match=r"legend\.mug: 'lava'"):
        setup = Setup("osmcg", legend={"mug": "lava"})
        rulings("reach", a_scene(base("a", 99, 99), terrain("w", "mug", box(0, 0, 9, 9))), setup=setup)


@pytest.mark.parametrize(
    ("own_mm", "foe_mm", "why"),
    [
        (90, None, "no base lies wholly within 2 inches of it"),
        (60, 55, "no base lies wholly within 2 inches of it"),  # both touch the disc, neither is within
        (5, 40, "a lies within 2 inches, but b touches its disc"),
        (30, 40, "a lies within 2 inches, but b touches its disc"),  # b is nearer to holding it
    ],
)
def test_the_reason_of_no_control_is_true(own_mm: float, foe_mm: float | None, why: str) -> None:
    pieces = [base("a", CENTRE + own_mm, CENTRE)]
    pieces += [base("b", CENTRE - foe_mm, CENTRE, "blue")] if foe_mm is not None else []
    found = {one.other: one for one in rulings("control", a_scene(*pieces), KNOWN)}
    assert found["centre"].why == f"nobody controls centre: {why}"


def test_a_mission_to_come_that_is_none_is_told_before_it_is_turned_up() -> None:
    """It had refused the attack, or the phase, that turned it up."""
    for deck in (["Reigcide"], "Regicide"):
        with pytest.raises(ValueError, match=r"state.{1,2}mission_deck: "):
            GAME.check_state(State(counters={"mission_deck": deck}), a_setup())


def test_books_go_by_name() -> None:
    """One that goes by a colour was passed over: neither mana nor points counted."""
    books = {"Ann": {"mana": 5}, "blue": {"vp": 10}}
    with pytest.raises(ValueError, match="state: players: blue: books go by name; write Bob"):
        GAME.check_state(State(counters={"players": books}), a_setup())


def test_a_mission_that_is_fulfilled_when_it_is_turned_up_scores_at_once() -> None:
    """Slaughter counts every kill of the match: the third one turns it up and fulfils it."""
    scene = a_scene(base("a", 100, 100), base("b", 125, 100, "blue"))
    books = {"Ann": {"tally": {"kills": 2}}, "Bob": {"tally": {"kills": 5}}}
    counters = {"players": books, "missions": ["First Blood"], "mission_deck": ["Slaughter", "Attrition"]}
    state = State(phase="activation", active="Ann", pieces={"b": {"hp": 1}}, counters=counters)
    after = GAME.advance(state, scene, a_setup(), "attack", {"piece": "a", "other": "b", "damage": 1})
    assert after.counters["missions"] == ["Attrition"]
    assert [page.get("vp") for page in after.counters["players"].values()] == [1 + 2, None]
