"""Ships and their loads, seen to sail against the rules and to be put back (OMMS note 9, C4.8)."""

import pytest
from shapely import box

from rules.games.omms import GAME
from rules.state import State

from .builders import a_coin, a_road, a_scene, a_setup
from .test_two_steps import PLAYERS, at_sea


def fleet(x, y=150, parts="sgi"):
    """A ship and its load there; only those of `parts`."""
    kinds = {"s": "ship", "g": "guard", "i": "invader"}
    return [a_coin(p, kinds[p], "red", (x, y), on="s" if "s" in parts and p != "s" else None) for p in parts]


def sailed(*scenes):
    match, verdicts = at_sea("move", "Ann", *scenes, coins=fleet(300))
    return match, verdicts


HOME, FAR, NEAR = fleet(300), fleet(420), fleet(370)
SHIP_FIRST = [[*fleet(420, parts="s"), *fleet(300, parts="gi")], FAR]
LOAD_FIRST = [[*fleet(300, parts="s"), *fleet(420, parts="gi")], FAR]
# Ahead of a ship that may come so far, but not ashore.
AHEAD = [[*fleet(300, parts="s"), *fleet(330, 186, parts="gi")], fleet(330, 200)]


@pytest.mark.parametrize("there", [[FAR], SHIP_FIRST, LOAD_FIRST, AHEAD])
@pytest.mark.parametrize("back", [[HOME], "ship first", "load first"])
def test_a_ship_that_sailed_too_far_is_put_back_with_its_load_and_sails_again(there, back):
    """Its load was let sail, and broke the rules by its way back and by each later one: it stood on no road."""
    lies = there[-1][0].position_mm
    halves = {"ship first": [*fleet(300, parts="s"), *fleet(*lies, parts="gi")]}
    halves["load first"] = [*fleet(*lies, parts="s"), *fleet(300, parts="gi")]
    back = [halves[back], HOME] if isinstance(back, str) else back
    match, verdicts = sailed(*there)
    assert verdicts[-1] == "no" and set(match.origins) >= {"s"}
    home, told = sailed(*there, *back)
    assert told[len(verdicts) :] == ["yes"] * 3
    assert not home.origins and not any(home.state.of(p).get("moved") for p in "sgi")
    match, told = sailed(*there, *back, NEAR)
    assert told[-3:] == ["yes"] * 3 and match.state.of("s")["moved"] and not match.state.of("g").get("moved")


def test_a_ship_that_sailed_too_far_sails_on_to_where_it_may_with_its_load():
    match, verdicts = sailed(FAR, NEAR)
    assert verdicts == ["no"] * 3 + ["yes"] * 3 and not match.origins


def test_who_went_ahead_of_his_ship_is_at_home_on_it_once_it_has_come():
    match, verdicts = sailed([*fleet(300, parts="s"), *fleet(370, parts="gi")])
    assert verdicts == ["close", "close"] and {origin.awaits for origin in match.origins.values()} == {"s"}
    match, verdicts = sailed([*fleet(300, parts="s"), *fleet(370, parts="gi")], NEAR)
    assert verdicts == ["close", "close", "yes"] and not match.origins


def test_who_went_ahead_and_is_lifted_and_put_on_his_ship_where_it_has_come_is_at_home_on_it():
    """His reach counted from where the ship had lain."""
    ahead = [*fleet(300, parts="s"), *fleet(370, parts="gi")]
    match, verdicts = sailed(ahead, [*fleet(300, parts="s"), *fleet(370, parts="g")], fleet(370))
    assert verdicts[-1] == "yes" and not match.origins


@pytest.mark.parametrize("role", ["guard", "scout"])
def test_who_is_aboard_at_sea_does_not_land_beside_a_harbour(role):
    """A road under his coin, or dry land under its middle, let him, and a coin that lay 2 mm aside did not."""
    coast = a_setup(a_road((0, 195), (700, 195)), water=[box(0, 0, 700, 190)], players=PLAYERS)
    ship, load = a_coin("s", "ship", "red", (300, 188)), a_coin("g", role, "red", (300, 190.5), on="s")
    (reach,) = [r for r in GAME.rulings(a_scene(ship, load), coast, State(), "g") if r.kind == "reach"]
    assert (reach.verdict, reach.geometry, "in no harbour" in reach.why) == ("no", None, True)
    for to in ((340, 195), (320, 230)):
        (moved,) = GAME.judge(a_scene(ship, load), a_scene(ship, a_coin("g", role, "red", to)), coast, State())
        assert moved.verdict == "no"
