"""OSMCG-3: whom a miniature may attack, with margins worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from shapely import box

from rules.games.osmcg import GAME
from rules.match import Event, apply, observe, start
from rules.state import State
from tests.rules.games.osmcg.builders import INCH, a_scene, a_setup, base, ruling, rulings, terrain


def cards(a: dict, b: dict | None = None) -> State:
    return State(pieces={"a": {"radius_mm": 12.5, **a}, "b": {"radius_mm": 12.5, **(b or {})}})


@pytest.mark.parametrize(
    ("away_mm", "sigma", "verdict"),
    [
        (12 * INCH + 25, 0, "yes"),  # exactly on the edge of the range
        (12 * INCH + 25.01, 0, "no"),
        (12 * INCH + 24, 0.3, "yes"),
        (12 * INCH + 24.5, 0.3, "close"),
        (12 * INCH + 25.5, 0.3, "close"),
        (12 * INCH + 26, 0.3, "no"),
    ],
)
def test_range_runs_from_edge_to_edge(away_mm: float, sigma: float, verdict: str) -> None:
    scene = a_scene(base("a", 100, 300, sigma=sigma), base("b", 100 + away_mm, 300, "blue"))
    one = ruling("target", "a", scene, cards({"range_in": 12}))
    assert one.verdict == verdict
    assert one.margin_mm == pytest.approx(12 * INCH + 25 - away_mm, abs=1e-6)


def test_a_foe_a_hair_out_of_range_is_not_told_to_be_within_it() -> None:
    """0.1 mm beyond twelve inches: "12.00 inches, the range is 12" is no reason for a no."""
    scene = a_scene(base("a", 100, 300), base("b", 100 + 12 * INCH + 25.1, 300, "blue"))
    one = ruling("target", "a", scene, cards({"range_in": 12}))
    assert (one.verdict, one.why) == ("no", "b is 12.004 inches from a, the range is 12")


def test_out_of_range_and_out_of_sight_by_a_hair_each_is_no() -> None:
    """C3.4: 0.5 mm too far and 0.5 mm behind a wall with s = 0.3: neither distance alone would make it a target."""
    wall, far = terrain("w", "book", box(150, 250, 160, 300.5)), 12 * INCH + 25.5
    pair = base("a", 100, 300, sigma=0.3), base("b", 100 + far, 300, "blue")
    one = ruling("target", "a", a_scene(*pair, wall), cards({"range_in": 12}))
    assert (one.verdict, one.margin_mm) == ("no", pytest.approx(-0.901))
    assert ruling("target", "a", a_scene(*pair), cards({"range_in": 12})).verdict == "close"
    near = replace(pair[1], position_mm=(300, 300))
    assert ruling("target", "a", a_scene(pair[0], near, wall), cards({"range_in": 12})).verdict == "close"


def test_stealth_and_range_are_one_distance() -> None:
    """A range of 4 inches and stealth end at the same place, so that moving the one distance changes both."""
    scene = a_scene(base("a", 100, 300, sigma=0.3), base("b", 100 + 4 * INCH + 25.5, 300, "blue"))
    one = ruling("target", "a", scene, cards({"keywords": ["Ranged(3, 4)"]}, {"keywords": ["Stealth"]}))
    assert (one.verdict, one.margin_mm) == ("close", pytest.approx(-0.5))


def test_range_runs_from_centre_to_centre_by_house_rule() -> None:
    scene = a_scene(base("a", 100, 300), base("b", 100 + 12 * INCH + 1, 300, "blue"))
    assert ruling("target", "a", scene, cards({"range_in": 12})).verdict == "yes"
    house = a_setup(ranged_measure="centre")
    assert ruling("target", "a", scene, cards({"range_in": 12}), setup=house).verdict == "no"


def test_ranged_keyword_gives_damage_and_range() -> None:
    scene = a_scene(base("a", 100, 300), base("b", 200, 300, "blue"))
    one = ruling("target", "a", scene, cards({"keywords": ["Ranged(3, 6)"], "atk": 1}, {"keywords": ["Defense:1"]}))
    assert (one.verdict, one.extra["damage"], one.extra["attack"]) == ("yes", 2, "ranged")


def test_walls_hide_and_miniatures_do_not() -> None:
    between = (base("m", 200, 300, "blue", 20), base("n", 240, 300, "red", 15))
    open_ground = a_scene(base("a", 100, 300), base("b", 300, 300, "blue"), *between)
    assert ruling("target", "a", open_ground, cards({"range_in": 12}), other="b").verdict == "yes"
    hidden = a_scene(base("a", 100, 300), base("b", 300, 300, "blue"), terrain("w", "book", box(190, 290, 210, 304)))
    one = ruling("target", "a", hidden, cards({"range_in": 12}), other="b")
    assert (one.verdict, one.rule, one.extra["blocked_by"]) == ("no", "OSMCG-3.1", "w")
    assert one.margin_mm == pytest.approx(-4)
    (stop,) = (one for one in rulings("blocked", hidden, cards({"range_in": 12})) if one.rule == "OSMCG-3.1")
    assert (stop.piece, stop.other, stop.verdict, stop.extra["target"]) == ("a", "w", "yes", "b")
    assert (stop.geometry.x, stop.geometry.y, stop.margin_mm) == pytest.approx((190, 300, 4))


@pytest.mark.parametrize(("top", "verdict"), [(299.0, "yes"), (299.5, "close"), (300.5, "close"), (301.0, "no")])
def test_a_narrow_sight_line_is_close(top: float, verdict: str) -> None:
    wall = terrain("w", "book", box(190, 200, 210, top))
    scene = a_scene(base("a", 100, 300, sigma=0.2), base("b", 300, 300, "blue", sigma=0.2), wall)
    assert ruling("target", "a", scene, cards({"range_in": 12})).verdict == verdict


def test_stealth_is_no_target_from_more_than_four_inches() -> None:
    for away_mm, verdict in ((4 * INCH + 25, "yes"), (4 * INCH + 26, "no")):
        scene = a_scene(base("a", 100, 300), base("b", 100 + away_mm, 300, "blue"))
        one = ruling("target", "a", scene, cards({"range_in": 12}, {"keywords": ["Stealth"]}))
        assert (one.verdict, "blocked_by" in one.extra) == (verdict, False)  # nothing lies between


def test_melee_needs_contact_and_the_engaged_do_not_shoot() -> None:
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"), base("c", 100, 400, "blue"))
    state = cards({"range_in": 12, "atk": 4, "damage": 2}, {"keywords": ["Defense:3"]})
    touching, far = (ruling("target", "a", scene, state, other=other) for other in "bc")
    assert (touching.verdict, touching.extra["attack"], touching.extra["damage"]) == ("yes", "melee", 1)
    assert (far.verdict, far.rule) == ("no", "OSMCG-3.2")


@pytest.mark.parametrize(
    ("mine", "theirs", "verdict"), [([], ["Flying"], "no"), (["Flying"], ["Flying"], "yes"), (["Flying"], [], "yes")]
)
def test_only_flyers_strike_flyers(mine: list, theirs: list, verdict: str) -> None:
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"))
    assert ruling("target", "a", scene, cards({"keywords": mine}, {"keywords": theirs})).verdict == verdict


def test_out_of_turn_nobody_is_a_target() -> None:
    scene = a_scene(base("a", 100, 100), base("b", 125, 100, "blue"))
    match = start(a_setup(), scene, State(phase="activation", active="Ann"))
    told = {one.piece: (one.verdict, one.rule) for one in match.rulings if one.kind == "target"}
    assert told == {"a": ("yes", "OSMCG-3.2"), "b": ("no", "C4.9")}
    assert apply(match, Event(1.0, 1, "Ann", "attack", {"piece": "b", "other": "a"})).state == match.state


def test_taunt_cleave_and_piercing() -> None:
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"), base("c", 75, 300, "blue"))
    state = State(pieces={
        "a": {"keywords": ["Cleave", "Piercing"], "atk": 3, "radius_mm": 12.5},
        "b": {"keywords": ["Taunt", "Defense:5"], "hp": 3, "radius_mm": 12.5}, "c": {"radius_mm": 12.5},
    })  # fmt: skip
    taunting, other = (ruling("target", "a", scene, state, other=one) for one in "bc")
    assert (taunting.verdict, taunting.extra["damage"], taunting.extra["cleave"]) == ("yes", 3, ["c"])
    assert taunting.extra["destroys"]
    assert (other.verdict, other.rule, other.extra["blocked_by"]) == ("no", "OSMCG-3.3", "b")


@pytest.mark.parametrize(("height_mm", "verdict"), [(None, "close"), (30.0, "close"), (1.0, "yes")])
def test_what_nobody_has_named_hides_or_not(height_mm: float | None, verdict: str) -> None:
    """A book would, paper would not; whoever names it turns the verdict (C5.2)."""
    thing = replace(terrain("t", "unknown", box(190, 290, 210, 304)), height_mm=height_mm)
    scene = a_scene(base("a", 100, 300), base("b", 300, 300, "blue"), thing)
    one = ruling("target", "a", scene, cards({"range_in": 12}))
    assert one.verdict == verdict
    blocked = [each for each in rulings("blocked", scene, cards({"range_in": 12})) if each.extra.get("target") == "b"]
    assert [each.verdict for each in blocked] == ([verdict] if verdict == "close" else [])
    if verdict == "close":
        assert (one.margin_mm, one.sigma_mm, one.rule, one.extra["blocked_by"]) == (0.0, 1.0, "C5.2", "t")
        assert one.why == "nobody has said what t is, which lies across the line"
        assert "hides; t may hide some of it: say what it is" in ruling("sight", "a", scene).why
    near = replace(scene, pieces=(*scene.pieces[:2], replace(thing, footprint=box(190, 310, 210, 330))))
    assert ruling("target", "a", near, cards({"range_in": 12})).verdict == "yes"
    legend = replace(a_setup(), legend={"unknown": "traversable"})
    assert ruling("target", "a", scene, cards({"range_in": 12}), setup=legend).verdict == "yes"


def test_unknown_and_neutral_are_neither_target_nor_attacker() -> None:
    scene = a_scene(base("a", 100, 300), base("u", 130, 300, "unknown"), base("n", 70, 300, "none"))
    assert rulings("target", scene) == []


def test_sight_is_cut_at_the_walls() -> None:
    scene = a_scene(base("a", 300, 300), terrain("w", "mug", box(400, 0, 420, 609.6)))
    assert ruling("sight", "a", scene).geometry.area == pytest.approx(400 * 609.6)


@pytest.mark.parametrize(
    ("x_mm", "sigma_mm", "verdict", "margin_mm"),
    [
        (300, 0.2, "yes", 100.0),  # from the wall
        (20, 0.2, "yes", 20.0),  # from the table's edge
        (399.5, 0.2, "close", 0.5),
        (400.5, 0.2, "close", -0.5),
        (400.7, 0.2, "no", -0.7),
        (410, 0, "no", -10.0),  # in the midst of the wall
        (-3, 0.2, "no", -3.0),  # off the table
    ],
)
def test_whether_one_sees_at_all_hangs_on_walls_and_the_tables_edge(x_mm, sigma_mm, verdict, margin_mm) -> None:
    """Yes and no had a margin of 0, and no doubt half a millimetre from a wall."""
    scene = a_scene(base("a", x_mm, 300, sigma=sigma_mm), terrain("w", "mug", box(400, 0, 420, 609.6)))
    one = ruling("sight", "a", scene)
    assert (one.verdict, one.margin_mm, one.sigma_mm) == (verdict, pytest.approx(margin_mm), sigma_mm)
    assert (one.geometry is None) == (margin_mm < 0)


@pytest.mark.parametrize(
    ("room_mm", "sigma_mm", "verdicts"),
    [(0.7, 0.2, ["yes"]), (0.5, 0.2, ["close"]), (-0.5, 0.2, ["close"]), (-0.7, 0.2, []), (0, 0, ["yes"])],
)
@pytest.mark.parametrize("what", ["base", "wall"])
def test_what_stands_at_the_very_end_of_a_move_may_be_in_the_way(what, room_mm, sigma_mm, verdicts) -> None:
    """Within 3 sigma of 5 inches it was a firm yes on this side, and not told of on the other."""
    edge_mm = 100 + 12.5 + 5 * INCH - room_mm
    wall = terrain("w", "mug", box(edge_mm, 290, edge_mm + 20, 310))
    other = wall if what == "wall" else base("b", edge_mm + 12.5, 300, "blue")
    found = rulings("blocked", a_scene(base("a", 100, 300, sigma=sigma_mm), other), cards({"spd_in": 5}))
    found = [one for one in found if one.piece == "a"]
    assert [one.verdict for one in found] == verdicts
    assert all(one.margin_mm == pytest.approx(room_mm) for one in found)


def test_aura_reaches_by_the_same_measure() -> None:
    scene = a_scene(base("a", 100, 300), base("b", 100 + 3 * INCH + 25, 300), base("c", 100, 300 + 3 * INCH + 25.1))
    state = State(
        pieces={one: {"radius_mm": 12.5, "keywords": ["Aura(3, +1 ATK)"] if one == "a" else []} for one in "abc"}
    )
    found = {one.other: one for one in rulings("template", scene, state)}
    assert (found["b"].verdict, found["c"].verdict) == ("yes", "no")
    assert found["b"].geometry.area == pytest.approx(math.pi * (3 * INCH + 12.5) ** 2, rel=1e-3)


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"spd_in": "fast"}, "spd_in"),
        ({"range_in": -1}, "range_in"),
        ({"keywords": ["Ranged(x, y)"]}, r"pieces\.a\.keywords: Ranged"),
        ({"keywords": ["!"]}, "keyword"),
        ({"statuses": {"slow": "very"}}, "statuses.slow"),
        ({"markers": {"poison": {"huge": 1}}}, "markers.poison.huge"),
        ({"markers": 3}, "markers"),
        ({"cooldowns": {"leap": -1}}, "cooldowns.leap"),
    ],
)
def test_faults_of_a_card_are_named(known: dict, words: str) -> None:
    scene = a_scene(base("a", 100, 300), base("b", 200, 300, "blue"))
    with pytest.raises(ValueError, match=words):
        rulings("target", scene, cards(known))


def test_melee_tells_its_sigma_and_is_never_close() -> None:
    scene = a_scene(base("a", 100, 300, sigma=0.3), base("b", 126.4, 300, "blue", sigma=0.4))
    one = ruling("target", "a", scene)
    assert (one.verdict, one.sigma_mm) == ("yes", pytest.approx(0.5))
    assert one.margin_mm == pytest.approx(1.5 - 1.4, abs=1e-3)


def test_a_card_may_have_two_auras_and_a_spell_a_zone() -> None:
    words = ["Aura(1, +1 ATK)", "Aura(4, -1 SPD)"]
    scene = a_scene(base("a", 100, 300), base("b", 100 + 2 * INCH + 25, 300, "blue"))
    zone = {"source": "b", "range_in": 2, "effect": "burn"}
    state = State(pieces={"a": {"keywords": words}}, counters={"zones": [zone]})
    found = {
        (one.piece, one.extra["case"], one.extra["effect"]): one.verdict for one in rulings("template", scene, state)
    }
    assert found == {("a", "aura", "+1 ATK"): "no", ("a", "aura", "-1 SPD"): "yes", ("b", "zone", "burn"): "yes"}
    with pytest.raises(ValueError, match="zones: its source 'x'"):
        GAME.check_table(scene, a_setup(), State(counters={"zones": [{**zone, "source": "x"}]}))


def test_a_zone_ends_with_the_miniature_that_it_was_cast_from() -> None:
    """Who holds a zone may be struck down and taken off: the match goes on without it."""
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"), base("c", 150, 300))
    zone = {"source": "a", "range_in": 3, "effect": "+1 ATK"}
    state = State(pieces={"a": {"hp": 2}}, counters={"zones": [zone]})
    assert ruling("target", "c", scene, state, other="b").extra["damage"] == 3
    match = apply(start(a_setup(), scene, state), Event(1.0, 1, None, "attack", {"piece": "b", "other": "a"}))
    assert match.state.of("a")["wounds"] == 2
    left = observe(match, replace(scene, pieces=scene.pieces[1:]), 2.0)
    for now in (match, left):
        assert [r.extra["damage"] for r in now.rulings if (r.kind, r.piece) == ("target", "c")] == [2]
        assert not [r for r in now.rulings if r.kind == "template"]


@pytest.mark.parametrize(
    ("effect", "mine", "theirs"),
    [("+1 ATK", 3, 2), ("-1 ATK", 2, 1), ("-1 ATK all", 1, 1), ("-1 SPD, +2 ATK, -1 ATK", 4, 1)],
)
def test_an_aura_changes_what_those_inside_deal(effect: str, mine: int, theirs: int) -> None:
    """Gains are for allies and losses for enemies, unless it says for whom; its bearer is not in it."""
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"), base("s", 100, 340))
    state = State(pieces={"s": {"keywords": [f"Aura(3, {effect})"]}})
    dealt = {one.piece: one.extra["damage"] for one in rulings("target", scene, state) if one.piece != "s"}
    assert dealt == {"a": mine, "b": theirs}


@pytest.mark.parametrize(("away_in", "verdict", "damage"), [(3.0, "no", 2), (3.1, "yes", 4)])
def test_a_tracker_gains_when_nobody_is_with_him(away_in: float, verdict: str, damage: int) -> None:
    pieces = (base("a", 100, 300), base("b", 125, 300, "blue"), base("c", 100, 300 + away_in * INCH + 25))
    state = State(pieces={"a": {"keywords": ['Tracker(3", +2 ATK)']}})
    one = ruling("template", "a", a_scene(*pieces), state)
    assert (one.verdict, one.other, one.extra["case"]) == (verdict, "c", "tracker")
    assert ruling("target", "a", a_scene(*pieces), state).extra["damage"] == damage


@pytest.mark.parametrize(("wounds", "damage"), [(2, 2), (3, 5)])
def test_berserk_wakes_at_half_of_the_hit_points(wounds: int, damage: int) -> None:
    state = cards({"keywords": ["Berserk(+3 ATK)"], "hp": 6, "wounds": wounds})
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"))
    assert ruling("target", "a", scene, state).extra["damage"] == damage


@pytest.mark.parametrize(("blind", "destroys"), [(0, True), (1, False)])
def test_an_attack_that_fizzles_destroys_nobody(blind: int, destroys: bool) -> None:
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"))
    told = ruling("target", "a", scene, cards({"statuses": {"blind": blind}}, {"hp": 1})).extra
    assert (told["destroys"], "fizzles" in told) == (destroys, not destroys)


@pytest.mark.parametrize("team", ["Ann", "red"])
def test_a_team_told_by_its_players_name_is_the_one_of_his_colour(team: str) -> None:
    """An ally of the red ones, whatever its paint, and an enemy of the blue."""
    scene = a_scene(base("a", 100, 300), base("b", 125, 300, "blue"), base("c", 150, 300, "blue"))
    state = State(pieces={"b": {"team": team}})
    assert {(one.piece, one.other) for one in rulings("engaged", scene, state)} == {("b", "c")}
    assert {one.piece for one in rulings("target", scene, state) if one.other == "c"} == {"a", "b"}


def test_cards_come_from_the_roster_and_the_state_wins() -> None:
    """The roster binds by the state's name or the scene's; unknown names are plain miniatures."""
    lines = {"Archer": {"range_in": 12, "damage": 3, "spd_in": 4}, "Wall": {"keywords": ["Defense:2"]}}
    foe = replace(base("b", 200, 300, "blue"), roster="wall")
    scene, state = a_scene(base("a", 100, 300), foe), State(pieces={"a": {"roster": "archer", "spd_in": 6}})
    one = ruling("target", "a", scene, state, setup=a_setup(roster=lines))
    assert (one.verdict, one.extra["damage"]) == ("yes", 1)
    assert ruling("reach", "a", scene, state, setup=a_setup(roster=lines)).extra["spd_in"] == 6
    assert ruling("reach", "a", scene, State(), setup=a_setup(roster=lines)).extra["spd_in"] == 5
    with pytest.raises(ValueError, match=r"rules\.roster\.Archer\.spd_in"):
        rulings("reach", scene, state, a_setup(roster={"Archer": {"spd_in": -4}}))


def test_margins_of_contact_are_exact() -> None:
    scene = a_scene(base("a", 100, 300), base("b", 200, 300, "blue"))
    assert ruling("target", "a", scene).margin_mm == pytest.approx(1 - 75, abs=1e-9)


@pytest.mark.parametrize(("phase", "kinds"), [("Activation", {"reach", "target"}), ("main_2", set()), ("END", set())])
def test_a_phase_gives_its_own_rulings(phase: str, kinds: set) -> None:
    scene = a_scene(base("a", 100, 300), base("b", 200, 300, "blue"))
    found = {one.kind for one in GAME.rulings(scene, a_setup(), State(phase=phase), None)}
    assert found & {"reach", "target"} == kinds
    assert "control" in found
    with pytest.raises(ValueError, match="phase: 'dance' is none of upkeep"):
        GAME.rulings(scene, a_setup(), State(phase="dance"), None)


def test_a_number_is_not_written_as_a_word() -> None:
    scene = a_scene(base("a", 100, 100), base("b", 200, 100, "blue"))
    with pytest.raises(ValueError, match=r"pieces\.a\.damage: should be a number, not '3'"):
        rulings("target", scene, cards({"damage": "3"}))


@pytest.mark.parametrize(("in_mm", "fires", "walks"), [
    (1.5, "no", "yes"), (0.1, "close", "close"), (-0.1, "close", "close"), (-1.5, "yes", "no"),
])  # fmt: skip
def test_what_hangs_on_the_rim_of_an_aura_is_close(in_mm: float, fires: str, walks: str) -> None:
    """A tenth of a millimetre decided for certain whether b is in stealth, and whether it may go so far."""
    b = base("b", 200 + 25 + 4 * INCH - in_mm, 100, "blue", sigma=0.3)
    leader = base("l", 200, 100, "blue", sigma=0.3)
    scene = a_scene(base("a", b.position_mm[0], 125 + 6 * INCH), b, leader)
    state = cards({"keywords": ["Ranged(3, 12)"]}, {"ap": 1})
    state = replace(state, pieces={**state.pieces, "l": {"radius_mm": 12.5, "keywords": ["Aura(4, Stealth, +1 SPD)"]}})
    shot = ruling("target", "a", scene, state, other="b")
    assert shot.verdict == fires
    if fires == "close":
        where = "inside" if in_mm > 0 else "outside"
        assert shot.margin_mm == pytest.approx(-in_mm)
        assert shot.why.endswith(f"b stands {where} the 4 inches of l, but that is too close to call")
    assert ("other numbers if not: b" in ruling("reach", "b", scene, state).why) == (fires == "close")
    gone = a_scene(scene["a"], base("b", b.position_mm[0] + 5.5 * INCH, 100, "blue", sigma=0.3), leader)
    assert GAME.judge(scene, gone, a_setup(), state)[0].verdict == walks


def test_what_fails_by_a_hair_is_told_so() -> None:
    """ "1.0 mm apart" is contact, and 0.0 mm over the line no wall in the way."""
    apart = ruling("target", "a", a_scene(base("a", 100, 300), base("b", 126.01, 300, "blue")), cards({}, {}))
    assert (apart.verdict, "are 1.01 mm apart, and melee needs contact" in apart.why) == ("no", True)
    things = base("a", 100, 300), base("b", 200, 300, "blue"), terrain("w", "mug", box(140, 299.99, 160, 340))
    hidden = ruling("target", "a", a_scene(*things), cards({"range_in": 12}))
    assert (hidden.verdict, "blocked by mug w, 0.01 mm from its edge" in hidden.why) == ("no", True)
