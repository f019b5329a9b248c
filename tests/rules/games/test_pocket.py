"""Pocket Wargame against hand-made cases and an independent reading of the notes."""

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point
from shapely.geometry import shape

from rules.files.ruling_file import rulings_document
from rules.games.pocket import GAME
from rules.games.pocket.combat import Fighter, heads_odds, next_damaged, spending_order
from rules.margin import Margin
from rules.match import Event, apply, observe, start
from rules.scene import Piece
from rules.setup import Player, Setup
from rules.state import State
from rules.turn import next_phase
from tests.rules.games.cards import a_card, a_coin, a_scene, card_centre

SETUP = Setup("pocket", (800, 700), (Player("Ann", "red", "near"), Player("Bob", "blue", "far")))
STATE = State()


def ruled(scene, kind, piece=None, setup=SETUP, state=STATE):
    return [r for r in GAME.rulings(scene, setup, state, None) if r.kind == kind and piece in (None, r.piece)]


def reach(scene, piece, phase="movement", setup=SETUP, state=STATE):
    (one,) = ruled(scene, "reach", piece, setup, replace(state, phase=phase))
    return {tuple(cell) for cell in one.extra["cells"]}


def target(scene, piece, other, setup=SETUP, state=STATE):
    (one,) = [r for r in ruled(scene, "target", piece, setup, state) if r.other == other]
    return one


def judged(before, after, piece, setup=SETUP, state=STATE):
    (one,) = [r for r in GAME.judge(before, after, setup, state) if r.piece == piece]
    return one


PLUS = {(1, 2): "2H", (2, 1): "3D", (2, 2): "4H", (2, 3): "5S", (3, 2): "6C"}


def test_a_step_is_orthogonal_and_not_the_own_location():
    scene = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2)))
    assert reach(scene, "u") == {(1, 2), (2, 1), (2, 3), (3, 2)}
    assert reach(a_scene(PLUS, a_coin("u", "gbp-1p", (1, 2))), "u") == {(2, 2)}


def test_cavalry_steps_further_between_hills_and_open_ground():
    scene = a_scene(PLUS, a_coin("c", "gbp-5p", (2, 2)), a_coin("i", "gbp-2p", (2, 2)))
    assert reach(scene, "c", "cavalry") == {(1, 2), (2, 1)}
    assert reach(scene, "i", "cavalry") == set()
    assert reach(a_scene(PLUS, a_coin("c", "gbp-10p", (3, 2))), "c", "cavalry") == set()


@pytest.mark.parametrize("phase", ["ranged", "melee", "end"])
def test_nobody_steps_in_the_other_phases(phase):
    assert reach(a_scene(PLUS, a_coin("c", "gbp-5p", (2, 2))), "c", phase) == set()


def test_lakes_and_mountains():
    wet = replace(SETUP, house={"terrain": "wetland"})
    cards = {(1, 1): "KS", (2, 1): "2S", (3, 1): "2H"}
    assert reach(a_scene(cards, a_coin("u", "gbp-1p", (2, 1))), "u", setup=wet) == {(3, 1)}
    high = replace(SETUP, house={"terrain": "mountainous"})
    cards = {(1, 1): "2S", (2, 1): "3S", (3, 1): "2D", (2, 2): "2H", (2, 3): "4S"}
    assert reach(a_scene(cards, a_coin("u", "gbp-1p", (2, 1))), "u", setup=high) == {(1, 1), (3, 1)}
    assert reach(a_scene(cards, a_coin("u", "gbp-1p", (2, 2))), "u", setup=high) == set()


def test_the_legend_names_suits_and_jokers():
    setup = replace(SETUP, legend={"hearts": "mountain", "JOKER": "lake", "6C": "hills"})
    cards = {(1, 1): "JOKER", (2, 1): "6C", (3, 1): "2H", (2, 2): "2C"}
    assert reach(a_scene(cards, a_coin("u", "gbp-1p", (2, 1))), "u", setup=setup) == {(3, 1), (2, 2)}
    with pytest.raises(ValueError, match=r"legend\.hearts: there is no ground 'bog'"):
        ruled(a_scene(cards), "cover", setup=replace(SETUP, legend={"hearts": "bog"}))


def test_the_owner_is_the_nearer_end_of_the_card():
    near, far = a_coin("n", "gbp-1p", (2, 2), "near", off=4.1), a_coin("f", "gbp-1p", (2, 2), "far", off=4.1)
    middle = a_coin("m", "gbp-1p", (2, 2), off=4.0)
    seen = a_coin("s", "gbp-1p", (2, 2), "far", owner="red")
    owners = {r.piece: r.extra["owner"] for r in ruled(a_scene(PLUS, near, far, middle, seen), "cohesion")}
    assert owners == {"n": "red", "f": "blue", "m": "unknown", "s": "red"}


def test_an_unknown_piece_shuts_its_location_and_is_named():
    scene = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2)), a_coin("m", "gbp-1p", (1, 2), off=1.0))
    assert reach(scene, "u") == {(2, 1), (2, 3), (3, 2)}
    assert [r.other for r in ruled(scene, "blocked", "u")] == ["m"]
    assert ruled(scene, "target") == []


def test_a_location_that_an_unknown_piece_may_not_be_in_is_perhaps_not_blocked():
    row = {(column, 1): "2H" for column in (1, 2, 3)}
    unit, edge = a_coin("u", "gbp-1p", (1, 1)), a_coin("m", "unknown", (2, 1), dx=33.9, sigma_mm=0.1)
    (stop,) = ruled(a_scene(row, unit, edge), "blocked", "u")
    assert (stop.other, stop.verdict, stop.margin_mm) == ("m", "close", pytest.approx(0.1))
    (stop,) = ruled(a_scene(row, unit, a_coin("n", "unknown", (2, 1)), edge), "blocked", "u")
    assert stop.verdict == "yes"


@pytest.mark.parametrize(("off_mm", "verdict"), [(3.0, "yes"), (3.8, "close"), (4.3, "close"), (5.0, "yes")])
def test_a_reach_is_too_close_to_call_where_a_coin_beside_it_may_be_nobody_s(off_mm, verdict):
    scene = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2)), a_coin("m", "gbp-1p", (1, 2), off=off_mm, sigma_mm=0.15))
    (found,) = ruled(scene, "reach", "u")
    assert found.verdict == verdict
    assert ([1, 2] in found.extra["cells"]) == (off_mm > 4)
    if verdict == "close":
        assert found.margin_mm == pytest.approx(abs(off_mm - 4))


def test_a_shift_within_the_location_is_no_step_but_not_for_a_coin_that_has_moved():
    at, there = a_coin("u", "gbp-1p", (2, 2)), a_coin("u", "gbp-1p", (2, 2), dx=10)
    shifted = judged(a_scene(PLUS, at), a_scene(PLUS, there), "u", state=State(phase="ranged"))
    assert (shifted.verdict, shifted.extra["spends"]) == ("yes", False)
    moved = State(phase="movement", pieces={"u": {"moved": True}})
    assert judged(a_scene(PLUS, at), a_scene(PLUS, there), "u", state=moved).rule == "C4.9"


def test_near_the_middle_the_owner_is_too_close_to_call():
    missile = a_coin("a", "gbp-20p", (1, 2), "near", sigma_mm=0.3)
    sure = a_coin("b", "gbp-1p", (2, 2), "far", off=6.0, sigma_mm=0.3)
    unsure = a_coin("b", "gbp-1p", (2, 2), "far", off=4.5, sigma_mm=0.3)
    assert target(a_scene(PLUS, missile, sure), "a", "b").verdict == "yes"
    assert target(a_scene(PLUS, missile, unsure), "a", "b").verdict == "close"


@pytest.mark.parametrize(
    ("off_mm", "margin_mm"), [(3.99, 0.0), (4.01, 0.01), (4.5, 0.5), (4.89, 0.89), (4.91, None), (8.0, None)]
)
def test_the_reach_of_a_coin_that_may_be_nobody_s_is_too_close_to_call(off_mm, margin_mm):
    """3.99 mm from the middle a person was asked whose it is; at 4.01, 0.3 in doubt, it stepped beyond doubt."""
    (found,) = ruled(a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2), off=off_mm, sigma_mm=0.3)), "reach", "u")
    assert found.verdict == ("yes" if margin_mm is None else "close")
    assert margin_mm is None or found.margin_mm == pytest.approx(margin_mm)


@pytest.mark.parametrize("off_mm", [3.99, 4.01, 8.0])
def test_where_a_phase_has_no_step_it_is_no_matter_whose_the_coin_is(off_mm):
    """In the ranged phase nobody moves: that was too close to call for a coin that may be nobody's."""
    scene = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2), off=off_mm, sigma_mm=0.3))
    (found,) = ruled(scene, "reach", "u", state=State(phase="ranged"))
    assert (found.verdict, found.extra["cells"]) == ("no", [])


@pytest.mark.parametrize(("off_mm", "verdict"), [(3.99, "close"), (4.01, "close"), (4.89, "close"), (4.91, "yes")])
def test_the_step_of_a_coin_that_may_be_nobody_s_is_too_close_to_call_where_players_take_turns(off_mm, verdict):
    """It was legal beyond doubt from 4.01 mm on, with 0.3 in doubt; refused as an enemy's it was close."""
    start, end = (a_coin("u", "gbp-1p", at, off=off_mm, sigma_mm=0.3) for at in ((2, 2), (1, 2)))
    scenes = a_scene(PLUS, start), a_scene(PLUS, end)
    assert judged(*scenes, "u", state=State(phase="movement", active="Ann")).verdict == verdict
    refused = judged(*scenes, "u", state=State(phase="movement", active="Bob"))
    assert refused.verdict == ("no" if verdict == "yes" else "close")
    assert judged(*scenes, "u").verdict == "yes"  # with no turns it is a legal step, whose ever it is


def test_two_locations_too_close_to_call():
    """0.2 mm short of halfway to the next card with s = 0.3: the target may be one step away or two."""
    shooter = a_coin("a", "gbp-20p", (1, 2), "near", sigma_mm=0.3)
    coin = a_coin("b", "gbp-1p", (2, 2), "far", dx=33.8, sigma_mm=0.3)
    assert target(a_scene(PLUS, shooter, coin), "a", "b").verdict == "close"
    exact = replace(shooter, sigma_mm=0.0), replace(coin, sigma_mm=0.0)
    assert target(a_scene(PLUS, *exact), "a", "b").verdict == "yes"


@pytest.mark.parametrize(("overlap_mm", "verdict"), [(0.01, "close"), (0.59, "close"), (0.61, "yes"), (-0.59, "close")])
def test_a_coin_that_hardly_touches_a_card_may_be_spare(overlap_mm, verdict):
    missile = a_coin("a", "gbp-20p", (1, 2), dx=-31.75 - 10.7 + overlap_mm, sigma_mm=0.2)
    scene = a_scene(PLUS, missile, a_coin("b", "gbp-1p", (2, 2), "far", sigma_mm=0.2))
    assert target(scene, "a", "b").verdict == verdict
    assert ruled(scene, "reach", "a")[0].verdict == verdict


@pytest.mark.parametrize(("overlap_mm", "verdict"), [(0.01, "close"), (0.61, "yes"), (-0.59, "close")])
def test_who_hardly_touches_a_card_is_in_its_melee_and_a_unit_for_certain_only_beyond_doubt(overlap_mm, verdict):
    """The pair was close, but the melee told of two against one without a word of doubt, and of a steady unit."""
    pair = a_coin("a", "gbp-1p", (1, 2), "near", sigma_mm=0.2), a_coin("b", "gbp-1p", (1, 2), "far", sigma_mm=0.2)
    edge = a_coin("c", "gbp-20p", (1, 2), dx=-31.75 - 10.7 + overlap_mm, sigma_mm=0.2)
    scene = a_scene(PLUS, *pair, edge)
    (fight,), (steady,) = ruled(scene, "melee"), ruled(scene, "cohesion", "c")
    assert (fight.verdict, fight.extra["in_doubt"]) == ("yes", ["c"] if verdict == "close" else [])
    assert ("c too close to call" in fight.why) == (verdict == "close")
    assert (steady.verdict, steady.margin_mm) == (verdict, pytest.approx(overlap_mm if verdict == "close" else 1.0))
    (wavering,) = ruled(a_scene(PLUS, replace(edge, face="tails")), "cohesion", "c")
    assert wavering.verdict == ("close" if verdict == "close" else "no")


def test_three_who_hardly_touch_a_card_are_told_as_people_count():
    """It was "c0 and c1 and c2"."""
    pair = a_coin("a", "gbp-1p", (1, 2), "near"), a_coin("b", "gbp-1p", (1, 2), "far")
    edge = -31.75 - 10.15 + 0.01
    spare = [a_coin(f"c{n}", "gbp-1p", (1, 2), dx=edge, off=off, sigma_mm=0.2) for n, off in enumerate((-22, 12, 22))]
    (fight,) = ruled(a_scene(PLUS, *pair, *spare), "melee")
    assert ", c0, c1 and c2 too close to call; every unit tosses a coin" in fight.why


@pytest.mark.parametrize(("over_mm", "verdicts"), [(0.1, ["close"]), (-0.1, ["close"]), (-0.61, [])])
def test_who_may_be_in_the_next_location_may_be_in_its_melee(over_mm, verdicts):
    """On which side of the middle between two cards it was measured made all the difference."""
    enemy = a_coin("b", "gbp-1p", (1, 2), "far", sigma_mm=0.2)
    edge = a_coin("c", "gbp-1p", (1, 2), "near", dx=34.0 - over_mm, sigma_mm=0.2)
    scene = a_scene(PLUS, enemy, edge)
    for kind in ("engaged", "melee"):
        found = ruled(scene, kind)
        assert [ruling.verdict for ruling in found] == verdicts
        assert [ruling.margin_mm for ruling in found] == [pytest.approx(over_mm)] * len(verdicts)
        assert all(ruling.extra["cell"] == [1, 2] for ruling in found)


def test_whose_a_coin_is_may_make_a_melee():
    """3.9 mm from the middle it is nobody's, or hardly the enemy's."""
    near, middle = a_coin("a", "gbp-1p", (1, 2), "near"), a_coin("c", "gbp-1p", (1, 2), "far", off=3.9, sigma_mm=0.2)
    (fight,) = ruled(a_scene(PLUS, near, middle), "melee")
    assert (fight.verdict, fight.extra["units"]) == ("close", {"red": ["a"], "blue": ["c"]})
    (fight,) = ruled(a_scene(PLUS, near, middle, a_coin("b", "gbp-1p", (1, 2), "far")), "melee")
    assert (fight.verdict, fight.extra["units"]) == ("yes", {"red": ["a"], "blue": ["b"]})
    assert fight.extra["in_doubt"] == ["c"]


@pytest.mark.parametrize("overlap_mm", [0.3, -0.3])
def test_a_coin_that_may_be_spare_is_not_for_certain_where_no_unit_begins(overlap_mm):
    """Just as when it is put down there; its margin tells which of the two was measured."""
    edge = a_coin("a", "gbp-20p", (1, 2), dx=-31.75 - 10.7 + overlap_mm, owner="red", sigma_mm=0.2)
    (begun,) = ruled(a_scene(PLUS, edge), "settle", "a")
    placed = judged(a_scene(PLUS), a_scene(PLUS, edge), "a")
    assert begun.verdict == placed.verdict == "close"
    assert begun.margin_mm == placed.margin_mm == pytest.approx(-overlap_mm)


@pytest.mark.parametrize(("overlap_mm", "destroyed"), [(0.2, True), (-0.2, False)])
def test_no_toss_is_spent_on_a_coin_that_lay_beside_the_card(overlap_mm, destroyed):
    """It may have been destroyed or spare, legal either way: what was measured is said and kept."""
    edge = a_coin("a", "gbp-20p", (1, 2), dx=-31.75 - 10.7 + overlap_mm, owner="red", sigma_mm=0.2)
    edge, enemy = replace(edge, face="tails"), a_coin("b", "gbp-1p", (1, 2), owner="blue", sigma_mm=0.2)
    gone = judged(a_scene(PLUS, edge, enemy), a_scene(PLUS, enemy), "a", state=State(2, "melee"))
    assert gone.verdict == "yes"
    assert ("fallen" in gone.extra) == ("was destroyed" in gone.why) == destroyed


def test_a_coin_that_misses_every_card_by_three_sigma_is_spare():
    beside = a_coin("a", "gbp-20p", (1, 2), dx=-31.75 - 10.7 - 0.61, sigma_mm=0.2)
    assert not ruled(a_scene(PLUS, beside), "reach", "a")


@pytest.mark.parametrize(("turn", "verdict"), [(1, "yes"), (2, "close")])
def test_a_new_coin_that_may_be_spare_is_legal_where_it_could_begin_as_well(turn, verdict):
    edge = a_coin("a", "gbp-20p", (2, 1), dx=-31.75 - 10.69, owner="red", sigma_mm=0.2)
    state = replace(STATE, turn=turn)
    assert judged(a_scene(PLUS), a_scene(PLUS, edge), "a", state=state).verdict == verdict
    assert judged(a_scene(PLUS, edge), a_scene(PLUS), "a", state=state).verdict == "close"


def test_a_coin_off_the_corner_of_a_card_touches_it_by_the_straight_line():
    """10.7 mm of radius: 9 mm beside it and 9 mm below it are 12.7 mm away."""
    corner = a_coin("a", "gbp-20p", (1, 2), dx=-31.75 - 9, off=44.45 + 9)
    assert not ruled(a_scene({(1, 2): "2H"}, corner), "reach", "a")
    nearer = a_coin("a", "gbp-20p", (1, 2), dx=-31.75 - 7, off=44.45 + 7)
    assert ruled(a_scene({(1, 2): "2H"}, nearer), "reach", "a")


def test_between_four_cards_the_nearest_counts_by_the_straight_line():
    """Beyond the ends of two, 1 mm to the side of the left and 3.5 to that of the right one, the left is nearer."""
    four = a_scene({(1, 1): "2H", (2, 1): "3H", (1, 2): "4H", (2, 2): "5H"}).pieces
    apart = [replace(card, position_mm=(card.position_mm[0], card.position_mm[1] * 1.1)) for card in four]
    x_mm, y_mm = apart[0].position_mm
    coin = a_coin("a", "gbp-20p", (1, 1), owner="red", sigma_mm=0.1)
    coin = replace(coin, position_mm=(x_mm + 31.75 + 1, y_mm + 44.45 + 5))
    scene = replace(a_scene({}), pieces=(*apart, coin))
    (one,) = ruled(scene, "reach", "a", state=replace(STATE, phase="movement"))
    assert (one.verdict, one.extra["cell"]) == ("yes", [1, 1])


def test_two_units_that_would_both_have_to_stand_elsewhere_are_no_doubt():
    """C3.4: the shooter may be one card to the right and so may the target be one to the left: only both would do."""
    row = {(column, 1): "2H" for column in (1, 2, 3, 4, 5)}
    shooter = a_coin("a", "gbp-20p", (2, 1), dx=33.8, sigma_mm=0.3)
    other = a_coin("b", "gbp-1p", (5, 1), "far", dx=-33.8, sigma_mm=0.3)
    one = target(a_scene(row, shooter, other), "a", "b")
    assert (one.verdict, one.extra["distance"]) == ("no", 3)
    assert Margin(one.margin_mm, one.sigma_mm).verdict == "no"
    near = a_coin("b", "gbp-1p", (4, 1), "far", dx=-20, sigma_mm=0.3)
    assert target(a_scene(row, shooter, near), "a", "b").verdict == "close"


def test_an_enemy_who_may_stand_with_the_shooter_makes_every_shot_doubtful():
    row = {(column, 1): "2H" for column in (1, 2, 3)}
    shooter, other = a_coin("a", "gbp-20p", (1, 1)), a_coin("b", "gbp-1p", (2, 1), "far")
    edge = a_coin("c", "gbp-1p", (2, 1), "far", dx=-33.8, sigma_mm=0.3)  # 0.2 mm this side of the shooter's location
    one = target(a_scene(row, shooter, other, edge), "a", "b")
    assert (one.verdict, one.sigma_mm) == ("close", 0.3) and one.margin_mm == pytest.approx(0.2)
    assert target(a_scene(row, shooter, other, replace(edge, sigma_mm=0.05)), "a", "b").verdict == "yes"


def test_nobody_is_a_target_in_another_s_turn():
    """The target was `yes`, and its attack took effect."""
    scene = a_scene(PLUS, a_coin("a", "gbp-20p", (2, 2)), a_coin("b", "gbp-2p", (2, 3), "far"))
    state = State(phase="ranged", active="Bob")
    one = target(scene, "a", "b", state=state)
    assert (one.verdict, one.rule, one.margin_mm) == ("no", "C4.9", -1)
    assert target(scene, "a", "b", state=replace(state, active="Ann")).verdict == "yes"
    match = apply(start(SETUP, scene, state), Event(1.0, 1, "Bob", "attack", {"piece": "a", "other": "b"}))
    assert match.events[-1].fields["verdict"] == "no" and match.state == state


def test_a_unit_that_is_gone_was_perhaps_in_range():
    row = {(column, 1): "2H" for column in (1, 2, 3)}
    lost = a_coin("u", "gbp-1p", (1, 1), face="tails")
    shooter = a_coin("e", "gbp-20p", (3, 1), "far", dx=-33.8, sigma_mm=0.3)
    assert judged(a_scene(row, lost, shooter), a_scene(row, shooter), "u").verdict == "close"
    sure = replace(shooter, sigma_mm=0.05)
    assert judged(a_scene(row, lost, sure), a_scene(row, sure), "u").verdict == "no"


def test_where_four_cards_meet_a_coin_may_be_on_any():
    cards = {(column, row): "2H" for column in (1, 2, 3) for row in (1, 2)}
    coin = a_coin("b", "gbp-1p", (1, 1), owner="blue", dx=33.9, off=-46.9, sigma_mm=0.3)
    shooter = a_coin("a", "gbp-20p", (3, 2), owner="red")
    assert target(a_scene(cards, coin, shooter), "a", "b").verdict == "close"  # a step away only from (2, 2)


def test_a_melee_of_three_is_no_doubt_if_one_of_them_may_be_elsewhere():
    edge = a_coin("c", "gbp-1p", (2, 2), "far", dx=33.8, sigma_mm=0.3)
    two = a_coin("a", "gbp-1p", (2, 2)), a_coin("b", "gbp-2p", (2, 2), "far")
    (three,) = ruled(a_scene(PLUS, *two, edge), "melee")
    (pair,) = ruled(a_scene(PLUS, two[0], edge), "melee")
    assert (three.verdict, pair.verdict) == ("yes", "close")


def test_moved_pieces_have_no_reach():
    state = State(phase="movement", pieces={"u": {"moved": True}})
    (one,) = ruled(a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2))), "reach", "u", state=state)
    assert (one.verdict, one.geometry, one.extra["cells"]) == ("no", None, [])


# An independent reading of POCKET-1.2, 1.3, 2.1, 2.2 as plain tables.
GROUND = {"C": "wood", "D": "hill", "H": "open", "S": "mountain"}
HEIGHT = {"wood": 0, "hill": 1, "open": 0, "mountain": 2}
RANGE = {"gbp-20p": 1, "eur-5c": 1, "usd-50c": 1, "gbp-50p": 2, "eur-50c": 2, "usd-1-silver": 2}
CAVALRY = {"gbp-5p", "gbp-10p", "eur-2c", "eur-20c", "usd-10c", "usd-25c"}
LIGHT = {"gbp-1p", "gbp-5p", "gbp-20p", "eur-1c", "eur-2c", "eur-5c", "usd-1c", "usd-10c", "usd-50c"}
COINS = sorted(RANGE.keys() | CAVALRY | {"gbp-1p", "gbp-2p", "gbp-2", "eur-1c", "eur-10c", "usd-1c", "usd-5c", "usd-1"})


def may_step(a, b, cavalry):
    if cavalry:
        return {a, b} <= {"hill", "open"}
    return "mountain" not in (a, b) or {a, b} <= {"hill", "mountain"}


@st.composite
def battles(draw):
    grid = draw(st.sets(st.tuples(st.integers(1, 5), st.integers(1, 4)), min_size=8))
    left, low = min(c for c, _ in grid), min(r for _, r in grid)
    cells = sorted((c - left + 1, r - low + 1) for c, r in grid)
    cards = {cell: draw(st.sampled_from("23456789")) + draw(st.sampled_from("CDHS")) for cell in cells}
    unit = st.tuples(st.sampled_from(COINS), st.sampled_from(cells), st.sampled_from(["near", "far"]))
    return cards, draw(st.lists(unit, max_size=8))


@given(battles())
@settings(deadline=None, max_examples=60)
def test_steps_and_shots_are_those_of_the_plain_tables(battle):
    cards, units = battle
    setup = replace(SETUP, house={"terrain": "mountainous"})
    scene = a_scene(cards, *(a_coin(f"u{n}", *unit) for n, unit in enumerate(units)))
    ground = {cell: GROUND[cls[-1]] for cell, cls in cards.items()}
    in_melee = {cell for _, cell, end in units if any(c == cell and e != end for _, c, e in units)}
    for n, (cls, (column, row), end) in enumerate(units):
        around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
        for phase, cavalry in (("movement", False), ("cavalry", True)):
            legal = {c for c in around if c in ground and may_step(ground[column, row], ground[c], cavalry)}
            assert reach(scene, f"u{n}", phase, setup) == (legal if not cavalry or cls in CAVALRY else set())
        shots = {r.other: r for r in ruled(scene, "target", f"u{n}", setup)}
        foes = {f"u{k}": unit for k, unit in enumerate(units) if unit[2] != end}
        assert shots.keys() == (foes.keys() if cls in RANGE else set())
        for id_, ruling in shots.items():
            its_cls, (c, r), _ = foes[id_]
            limit = RANGE[cls] + (HEIGHT[ground[column, row]] > HEIGHT[ground[c, r]])
            hits = abs(column - c) + abs(row - r) <= limit and (column, row) not in in_melee
            assert ruling.verdict == ("yes" if hits else "no")
            cancels = its_cls in LIGHT or ground[c, r] == "wood"
            assert Fraction(ruling.extra["odds"]["win"]) == (Fraction(1, 4) if cancels else Fraction(1, 2))


def test_melee_is_between_opposed_units_of_one_location():
    scene = a_scene(
        PLUS,
        a_coin("a", "gbp-2p", (2, 2), "near", dx=-15),
        a_coin("b", "gbp-1p", (2, 2), "near", dx=15),
        a_coin("c", "gbp-10p", (2, 2), "far"),
        a_coin("d", "gbp-10p", (3, 2), "far"),
    )
    assert [(r.piece, r.other, r.verdict) for r in ruled(scene, "engaged")] == [("a", "c", "yes"), ("b", "c", "yes")]
    (melee,) = ruled(scene, "melee")
    assert melee.extra["units"] == {"red": ["a", "b"], "blue": ["c"]}
    assert "red a and b against blue c" in melee.why
    assert melee.extra["cancels"] == ["a", "c"]
    tossed = State(pieces={"a": {"toss": "heads"}, "b": {"toss": "tails"}, "c": {"toss": "heads"}})
    (melee,) = ruled(scene, "melee", state=tossed)
    assert melee.extra["order"] == ["red", "blue"]
    assert melee.extra["damage_first"] == {"red": ["b"], "blue": ["c"]}


@pytest.mark.parametrize(
    ("told", "players"), [(None, ["Ann", "Bob"]), ("Bob", ["Bob", "Ann"]), ("blue", ["Bob", "Ann"])]
)
def test_the_first_player_is_so_in_each_phase(told, players):
    """Whoever was told to be first, the set-up's first player had each phase first; by colour nothing told so."""
    state = State(counters={} if told is None else {"first": told})
    steps = []
    for _ in range(11):
        state = replace(state, **next_phase(GAME, SETUP, state))
        steps.append((state.turn, state.phase, state.active))
    assert steps == [(turn, phase, who) for turn in (1, 2) for phase in GAME.phases for who in players][:11]
    scene = a_scene(PLUS, a_coin("a", "gbp-2p", (2, 2), "near"), a_coin("c", "gbp-10p", (2, 2), "far"))
    (melee,) = ruled(scene, "melee", state=replace(state, phase="melee"))
    assert list(melee.extra["units"]) == [SETUP.player_named(who).colour for who in players]


@pytest.mark.parametrize(("mine", "theirs"), [(1, 1), (2, 1), (1, 3), (3, 3)])
def test_odds_on_heads_are_those_of_all_tosses(mine, theirs):
    tosses = list(itertools.product((0, 1), repeat=mine + theirs))
    counted = Counter((sum(t[:mine]) > sum(t[mine:])) - (sum(t[:mine]) < sum(t[mine:])) for t in tosses)
    odds = heads_odds(mine, theirs)
    assert [Fraction(odds[k]) for k in ("win", "tie", "lose")] == [
        Fraction(counted[k], len(tosses)) for k in (1, 0, -1)
    ]


def test_heads_are_spent_in_turn_by_whoever_has_most():
    assert spending_order({"red": 1, "blue": 3}, ["red", "blue"]) == ["blue", "red", "blue", "blue"]
    assert spending_order({"red": 2, "blue": 2}, ["red", "blue"]) == ["red", "blue", "red", "blue"]
    assert spending_order({"red": 0, "blue": 0}, ["red", "blue"]) == []


def hit(fighters, taker):
    return tuple(replace(each, damage=each.damage + 1) if each is taker else each for each in fighters)


def all_ways(fighters, damage):
    """Every way to hand out so much damage as the code allows."""
    ways = [tuple(fighters)]
    for _ in range(damage):
        ways = [hit(way, taker) for way in ways for taker in next_damaged(way)] or ways
    return ways


@pytest.mark.parametrize("damage", range(1, 6))
def test_damage_keeps_to_the_three_rules(damage):
    """The rulebook's rules 1 to 3 checked on every way to deal it to every mix of three units."""
    for states in itertools.product(itertools.product((True, False), repeat=2), repeat=3):
        fighters = [Fighter(str(n), heads, steady) for n, (heads, steady) in enumerate(states)]
        for way in all_ways(fighters, damage):
            dealt = [fighter.damage for fighter in way]
            assert sum(dealt) == min(damage, sum(1 + fighter.steady for fighter in way))
            assert all(fighter.damage <= 1 + fighter.steady for fighter in way)
            assert max(dealt) < 2 or min(dealt) >= 1
            for taker, spared in itertools.permutations(way, 2):
                if taker.damage == 1 and spared.damage == 0:
                    assert (taker.heads, not taker.steady) <= (spared.heads, not spared.steady)


def test_what_damage_makes_of_a_unit():
    assert [Fighter("x", True, True, n).after for n in (0, 1, 2)] == ["steady", "wavering", "destroyed"]
    assert [Fighter("x", True, False, n).after for n in (0, 1)] == ["wavering", "destroyed"]
    assert [each.id for each in next_damaged([Fighter("a", False, True), Fighter("b", True, True)])] == ["a"]


def test_what_nobody_knows_and_is_gone_is_no_unit_taken_off_against_the_rules():
    before = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2)), a_coin("x", "unknown", (2, 1)))
    one = judged(before, a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2))), "x")
    assert (one.verdict, one.rule, one.margin_mm, one.sigma_mm) == ("close", "C5.2", 0.0, 1.0)
    assert judged(before, a_scene(PLUS, a_coin("x", "unknown", (2, 1))), "u").verdict == "no"


def test_a_legal_step_and_an_illegal_one():
    before = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2)))
    step = a_scene(PLUS, a_coin("u", "gbp-1p", (3, 2)))
    one = judged(before, step, "u")
    assert (one.verdict, one.extra["from_cell"], one.extra["to_cell"]) == ("yes", [2, 2], [3, 2])
    assert judged(before, step, "u", state=State(phase="cavalry")).verdict == "no"
    assert judged(before, step, "u", state=State(phase="movement", active="Bob")).verdict == "no"
    assert judged(before, step, "u", state=State(pieces={"u": {"moved": True}})).rule == "C4.9"
    far = judged(a_scene(PLUS, a_coin("u", "gbp-1p", (1, 2))), step, "u")
    assert (far.verdict, far.rule) == ("no", "POCKET-2.1")


def test_what_lies_still_is_not_judged():
    scene = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2)), a_coin("v", "gbp-1p", (2, 1)))
    trembling = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2), dx=0.9), a_coin("v", "gbp-1p", (2, 1)))
    assert GAME.judge(scene, trembling, SETUP, STATE) == ()


def test_a_shift_within_the_location_is_no_step():
    before, after = (a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2), dx=dx)) for dx in (0, 10))
    one = judged(before, after, "u", state=State(phase="ranged"))
    assert (one.verdict, one.extra["spends"]) == ("yes", False)


FIELD = {(column, row): "2H" for column in (1, 2) for row in (1, 2, 3, 4)}


@pytest.mark.parametrize(
    ("cls", "row", "end", "verdict"),
    [
        ("gbp-2p", 1, "near", "yes"),
        ("gbp-2p", 2, "near", "no"),
        ("gbp-5p", 2, "near", "yes"),
        ("gbp-5p", 3, "near", "no"),
        ("gbp-2p", 4, "far", "yes"),
        ("gbp-5p", 3, "far", "yes"),
        ("gbp-10p", 3, "far", "no"),
    ],
)
def test_units_are_deployed_in_their_own_row(cls, row, end, verdict):
    after = a_scene(FIELD, a_coin("u", cls, (1, row), end))
    assert judged(a_scene(FIELD), after, "u").verdict == verdict
    assert [r.verdict for r in ruled(after, "settle", "u")] == [verdict]


@pytest.mark.parametrize(
    ("owner", "why"),
    [
        (None, "cannot begin there: open (1, 2) is row 2 from red's edge"),
        ("green", "cannot begin there: green has no edge"),
    ],
)
def test_why_a_unit_may_not_begin_there(owner, why):
    """It was "u open (1, 2) is row 2 from red's edge"."""
    unit = a_coin("u", "gbp-2p", (1, 2)) if owner is None else a_coin("u", "gbp-2p", (1, 2), owner=owner)
    cards = {**FIELD, (1, 2): "2H"}
    assert judged(a_scene(cards), a_scene(cards, unit), "u").why.startswith(f"u {why}")


@pytest.mark.parametrize(("off", "are"), [(20, "are"), (4.1, "may be")])
def test_units_that_may_be_in_melee(off, are):
    """They "are in melee" was said where it was too close to call."""
    foes = a_coin("a", "gbp-1p", (1, 1)), a_coin("b", "gbp-1p", (1, 1), "far", off=off, sigma_mm=0.2)
    (one,) = ruled(a_scene({(1, 1): "2H"}, *foes), "engaged")
    assert f"{are} in melee in" in one.why and one.verdict == ("close" if off < 5 else "yes")


def test_only_what_may_be_destroyed_is_removed():
    alone = a_scene(FIELD, a_coin("u", "gbp-2p", (1, 1)))
    assert judged(alone, a_scene(FIELD), "u").verdict == "no"
    foe = a_coin("m", "gbp-50p", (1, 3), "far")
    shot_at = a_scene(FIELD, a_coin("u", "gbp-2p", (1, 1), face="tails"), foe)
    assert judged(shot_at, a_scene(FIELD, foe), "u").verdict == "yes"
    assert judged(shot_at, a_scene(FIELD, foe), "u", state=State(phase="movement")).verdict == "no"


def test_a_card_that_moves_is_told():
    before = a_scene(PLUS)

    def with_centre_card(change):
        return replace(before, pieces=tuple(new for card in before if (new := change(card)) is not None))

    def nudge(card):
        x, y = card.position_mm
        return replace(card, position_mm=(x + 3, y)) if card.id == "k22" else card

    assert judged(before, with_centre_card(nudge), "k22").verdict == "yes"
    gone = with_centre_card(lambda card: None if card.id == "k32" else card)
    assert judged(before, gone, "k32").verdict == "no"


def test_a_card_that_was_not_read_is_shut():
    scene = a_scene({**PLUS, (1, 2): "unknown"}, a_coin("u", "gbp-1p", (2, 2)))
    assert (1, 2) not in reach(scene, "u")
    assert a_card((1, 2), "unknown").id in [r.other for r in ruled(scene, "blocked", "u")]


def test_a_horse_moves_in_the_cavalry_phase_and_again_in_the_movement_phase():
    """The whole path: seen moves, typed phases, on open ground all along one row."""
    row = {(column, 1): "2H" for column in (1, 2, 3, 4)}

    def horse_at(column):
        return a_scene(row, a_coin("c", "gbp-5p", (column, 1), owner="red"))

    match = start(SETUP, horse_at(1), State(phase="cavalry", active="Ann"))
    for time, column in enumerate((2, 3), start=1):
        match = observe(match, horse_at(column), float(time))
    match = apply(match, Event(3.0, 1, "Ann", "phase", {"phase": "movement"}))
    match = observe(match, horse_at(4), 4.0)
    told = [(e.fields["to_cell"], e.fields["verdict"]) for e in match.events if e.kind == "move"]
    assert told == [([2, 1], "yes"), ([3, 1], "no"), ([4, 1], "yes")]


def test_a_reach_over_cards_that_overlap_is_one_valid_region():
    scene = a_scene(PLUS, a_coin("u", "gbp-1p", (2, 2)))
    wide = [replace(card, footprint=card.footprint.buffer(6)) if card.kind == "card" else card for card in scene]
    (one,) = ruled(replace(scene, pieces=tuple(wide)), "reach", "u")
    assert one.geometry.is_valid
    assert shape(rulings_document([one])["features"][0]["geometry"]).is_valid


def test_verdicts_and_margins_agree_where_no_distance_is_measured():
    coins = [a_coin("s", "gbp-1p", (2, 1)), a_coin("w", "gbp-2p", (2, 2), face="tails"), a_coin("?", "unknown", (2, 3))]
    cards = {**PLUS, (1, 1): "JOKER"}
    found = ruled_all(a_scene(cards, *coins), replace(STATE, pieces={"s": {"moved": True}}))
    seen = {(r.kind, r.piece): (r.verdict, r.margin_mm, r.sigma_mm) for r in found}
    assert seen["cover", "k32"] == ("yes", 1, 0) and seen["cover", "k12"] == ("no", -1, 0)
    assert seen["cohesion", "s"] == ("yes", 1, 0) and seen["cohesion", "w"] == ("no", -1, 0)
    assert seen["reach", "s"] == ("no", -1, 0) and seen["settle", "w"][0] == "no" and seen["settle", "w"][1] < 0
    assert seen["cover", "k11"] == seen["reach", "?"] == ("close", 0, 1)
    assert all(Margin(margin_mm, sigma_mm).verdict == verdict for verdict, margin_mm, sigma_mm in seen.values())


def ruled_all(scene, state):
    return GAME.rulings(scene, SETUP, state, None)


@pytest.mark.parametrize(("off", "owner"), [(4.0, "unknown"), (4.001, "red"), (-4.0, "unknown"), (-4.001, "blue")])
def test_within_4_mm_of_the_middle_it_is_nobody_s_but_for_rounding(off, owner):
    card = replace(a_card((1, 1), "2H"), position_mm=(60.0, 70.3))
    coin = replace(a_coin("u", "gbp-1p", (1, 1)), position_mm=(60.0, 70.3 - off))
    (one,) = ruled(replace(a_scene({}), pieces=(card, coin)), "cohesion", "u")
    assert one.extra["owner"] == owner


def test_a_unit_between_two_rows_may_or_may_not_be_deployed():
    cards = {(1, row): "2H" for row in (1, 2, 3)}
    unit = a_coin("u", "gbp-1p", (1, 1), owner="red", off=-46.9, sigma_mm=0.2)  # 0.1 mm this side of the border
    (one,) = ruled(a_scene(cards, unit), "settle", "u")
    assert (one.verdict, round(one.margin_mm, 6)) == ("close", 0.1)


def test_what_no_doubt_can_change_is_beyond_the_band_also_in_the_file_s_decimals():
    cards = {(1, row): "2H" for row in (1, 2, 3)}
    unit = a_coin("u", "gbp-20p", (1, 1), owner="red", off=-46.9, sigma_mm=0.08**0.5)
    enemy = a_coin("e", "gbp-1p", (1, 3), owner="blue", off=80)  # beyond its range, in whichever row it stands
    scene = a_scene({**cards, (4, 3): "2H"}, unit, replace(enemy, position_mm=(264.0, 258.0)))
    (feature,) = rulings_document([target(scene, "u", "e")])["features"]
    said = feature["properties"]
    assert said["verdict"] == "no" == Margin(said["margin_mm"], said["sigma_mm"]).verdict


def a_figure(cell, dx=0.0, **more):
    x, y = card_centre(cell)
    return Piece("s", more.pop("kind", "soldier"), "unknown", (x + dx, y), Point(x + dx, y).buffer(10), **more)


@pytest.mark.parametrize("kind", ["soldier", "base"])
def test_a_figure_that_nobody_knows_shuts_its_location_until_it_is_named_or_neutral(kind):
    """It had no part in the game: units stepped to where it stood."""
    unit, figure = a_coin("u", "gbp-1p", (2, 2)), a_figure((1, 2), kind=kind, owner="unknown")
    scene = a_scene(PLUS, unit, figure)
    assert reach(scene, "u") == {(2, 1), (2, 3), (3, 2)}
    assert [(r.other, r.rule, r.verdict) for r in ruled(scene, "blocked", "u")] == [("s", "C5.2", "yes")]
    assert {r.piece for kind in ("reach", "cohesion", "settle") for r in ruled(scene, kind)} == {"u"}
    stepped = a_scene(PLUS, a_coin("u", "gbp-1p", (1, 2)), figure)
    step = judged(scene, stepped, "u", state=State(phase="movement"))
    assert (step.verdict, step.rule) == ("no", "C5.2")
    for said in ({"cls": "foot", "owner": "red"}, {"owner": "none"}):
        known = replace(figure, **said)
        assert len(reach(a_scene(PLUS, unit, known), "u")) == 4
    moved = judged(scene, a_scene(PLUS, unit, a_figure((3, 2), kind=kind, owner="unknown")), "s")
    assert (moved.verdict, moved.rule) == ("close", "C5.2")


def test_a_location_in_which_a_figure_that_nobody_knows_may_not_stand_is_perhaps_shut():
    row = {(column, 1): "2H" for column in (1, 2, 3)}
    unit, figure = a_coin("u", "gbp-1p", (1, 1)), a_figure((2, 1), dx=33.9, owner="unknown", sigma_mm=0.1)
    (stop,) = ruled(a_scene(row, unit, figure), "blocked", "u")
    assert (stop.other, stop.verdict, stop.margin_mm) == ("s", "close", pytest.approx(0.1))
    (one,) = ruled(a_scene(row, unit, figure), "reach", "u", state=State(phase="movement"))
    assert one.verdict == "close"
    step = judged(a_scene(row, unit, figure), a_scene(row, a_coin("u", "gbp-1p", (2, 1)), figure), "u", state=STATE)
    assert step.verdict == "close"
