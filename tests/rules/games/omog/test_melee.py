"""Hand to hand: bonuses line by line and odds counted over all rolls."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest
from shapely import box

from rules.games.omog.melee import odds_of
from tests.rules.games.omog.builders import RADIUS, a_man, a_setup, a_thing, known_of, only, ruled

TOUCH = 2 * RADIUS


def fight(red=None, blue=None, *things, gap=0.0, arms=("foot", "foot"), **kwargs):
    rulings = ruled(
        a_man("r", 500, 450, arm=arms[0]),
        a_man("b", 500 + TOUCH + gap, 450, "blue", arms[1]),
        *things,
        state=known_of(r=red or {}, b=blue or {}),
        **kwargs,
    )
    return only(rulings, "melee", "r", "b")


@pytest.mark.parametrize("lead", range(-7, 8))
def test_odds_by_counting(lead):
    rolls = list(itertools.product(range(1, 7), repeat=2))
    odds = odds_of(lead, 0)
    assert Fraction(odds["win"]) == Fraction(sum(a + lead > b for a, b in rolls), 36)
    assert Fraction(odds["tie"]) == Fraction(sum(a + lead == b for a, b in rolls), 36)
    assert sum(Fraction(chance) for chance in odds.values()) == 1


@pytest.mark.parametrize(
    ("arms", "red", "blue", "bonus", "other"),
    [
        (("foot", "foot"), {}, {}, 0, 0),
        (("mounted", "foot"), {}, {}, 1, 0),
        (("mounted", "mounted"), {}, {}, 0, 0),
        (("mounted", "foot"), {"charging": True}, {}, 1, 0),
        (("mounted", "foot"), {"heavy": True, "charging": True}, {}, 2, 0),
        (("mounted", "foot"), {"heavy": True, "charging": True, "charged": True}, {}, 1, 0),
        (("mounted", "mounted"), {"roster": "lancer", "charging": True}, {}, 1, 0),
        (("mounted", "mounted"), {"roster": "lancer"}, {}, 0, 0),
        (("mounted", "mounted"), {"heavy": True, "charging": True}, {"light": True}, 1, 0),
        (("mounted", "mounted"), {"heavy": True, "charging": True}, {}, 0, 0),
        (("foot", "foot"), {"bayonet": True}, {}, 1, 0),
        (("foot", "foot"), {"bayonet": True, "charging": True}, {"elite": True}, 2, 1),
        (("foot", "mounted"), {}, {"roster": "cuirassier"}, -1, 1),
        (("foot", "foot"), {"keywords": ["Elite", "Bayonet"]}, {}, 2, 0),
    ],
)
def test_bonuses(arms, red, blue, bonus, other):
    ruling = fight(red, blue, arms=arms)
    assert (ruling.extra["bonus"], ruling.extra["other_bonus"]) == (bonus, other)


def test_closed_ground_stops_bayonet_charges_and_lances():
    wood = a_thing("w", "napkin", box(400, 400, 600, 500))
    assert fight({"bayonet": True, "charging": True}, None, wood).extra["bonus"] == 1
    lancer = {"roster": "lancer", "charging": True}
    assert fight(lancer, None, wood, arms=("mounted", "mounted")).extra["bonus"] == 0


@pytest.mark.parametrize(
    ("known", "bonus"),
    [
        ({"charging": True}, 2),  # bayonet 1, its charge 1
        ({"charging": True, "charged": True}, 1),  # once a game (OMOG-5.2)
        ({"charging": True, "from_mm": [525 - 2 * 25.4, 450]}, 2),  # exactly 2 inches from the foe's centre
        ({"charging": True, "from_mm": [525 - 2 * 25.4 + 0.1, 450]}, 1),  # nearer than that
    ],
)
def test_a_bayonet_charge_counts_once_a_game_and_from_two_inches(known, bonus):
    """The foe stands at x = 525."""
    assert fight({"bayonet": True, **known}).extra["bonus"] == bonus


@pytest.mark.parametrize(("gap", "engaged"), [(0, True), (2.9, True), (3.1, False)])
def test_touching_is_three_millimetres(gap, engaged):
    rulings = ruled(a_man("r", 500, 450), a_man("b", 500 + TOUCH + gap, 450, "blue"))
    assert [one.verdict for one in rulings if one.kind == "engaged"] == ["yes"] * engaged
    assert len([one for one in rulings if one.kind == "melee"]) == engaged


def test_two_and_three_on_one():
    foe, first, second, third = (
        a_man("b", 500, 450, "blue"),
        a_man("r1", 500 + TOUCH, 450),
        a_man("r2", 500 - TOUCH, 450),
        a_man("r3", 500, 450 + TOUCH),
    )
    two = ruled(foe, first, second)
    assert [only(two, "melee", "b", name).extra["other_bonus"] for name in ("r1", "r2")] == [1, 1]
    three = ruled(foe, first, second, third)
    assert [only(three, "melee", "b", name).extra["other_bonus"] for name in ("r1", "r2", "r3")] == [1, 2, 2]
    assert [only(three, "melee", "b", name).extra["removes"] for name in ("r1", "r2", "r3")] == [None, None, "b"]
    assert only(three, "melee", "b", "r3").why.endswith("; r3, the third on b, removes him without a roll")


def test_repel_horses():
    """Three foot in front, two with bayonets facing the rider, take his bonuses away."""
    rider = a_man("r", 500, 450, arm="mounted", facing_deg=0.0)
    men = [a_man(f"b{n}", 500 + TOUCH, 450 + (n - 1) * 30, "blue", facing_deg=180.0) for n in range(3)]
    heavy = {"heavy": True, "charging": True}
    state = known_of(r=heavy, b0={"bayonet": True}, b2={"bayonet": True})
    assert only(ruled(rider, *men, state=state), "melee", "r", "b1").extra["bonus"] == 0
    one = known_of(r=heavy, b0={"bayonet": True})
    assert only(ruled(rider, *men, state=one), "melee", "r", "b1").extra["bonus"] == 2
    turned = [a_man(f"b{n}", 500 + TOUCH, 450 + (n - 1) * 30, "blue", facing_deg=0.0) for n in range(3)]
    assert only(ruled(rider, *turned, state=state), "melee", "r", "b1").extra["bonus"] == 2


def test_ties_are_a_house_rule_and_guns_do_not_fight():
    assert fight().extra["tie"] == "again"
    assert fight(setup=a_setup(melee_tie="both-stand")).extra["tie"] == "both-stand"
    rulings = ruled(a_man("r", 500, 450), a_man("b", 500 + TOUCH, 450, "blue", "gun"))
    assert not [one for one in rulings if one.kind == "melee"]


HEAVY = {"heavy": True, "charging": True}


@pytest.mark.parametrize("off", [0.05, -0.05])
def test_a_charge_from_the_very_limit_is_a_doubt_of_the_bonus(off):
    """Four inches and a hair from the foe's centre, known to 0.3 mm: +2 if the charge counts, else +1."""
    rider, foe = a_man("r", 500, 450, arm="mounted", sigma_mm=0.3), a_man("b", 525, 450, "blue", sigma_mm=0.3)
    start = {"from_mm": [525 - 4 * 25.4 - off, 450]}
    told = only(ruled(rider, foe, state=known_of(r={**HEAVY, **start})), "melee", "r", "b")
    assert told.extra["bonus"] == (2 if off > 0 else 1)
    assert told.extra["bonus_close"]
    assert "whether r began his charge far enough from b: too close to call" in told.why
    exact = only(ruled(replace(rider, sigma_mm=0.0), replace(foe, sigma_mm=0.0), state=known_of(r=HEAVY)), "melee", "r")
    assert not exact.extra["bonus_close"]


@pytest.mark.parametrize(("gap", "bonus"), [(2.9, 1), (3.1, 0)])
def test_a_second_attacker_who_may_not_touch_is_a_doubt_of_the_first_ones_bonus(gap, bonus):
    foe, first, second = (
        a_man("b", 500, 450, "blue", sigma_mm=0.3),
        a_man("r1", 500 + TOUCH, 450, sigma_mm=0.3),
        a_man("r2", 500 - TOUCH - gap, 450, sigma_mm=0.3),
    )
    rulings = ruled(foe, first, second)
    told = only(rulings, "melee", "b", "r1")
    assert (told.verdict, told.extra["other_bonus"], told.extra["bonus_close"]) == ("yes", bonus, True)
    assert "whether b touches r2: too close to call" in told.why
    own = only(rulings, "melee", "b", "r2")  # if they fight he is the second, and nothing else is in doubt
    assert (own.verdict, own.extra["other_bonus"], own.extra["bonus_close"]) == ("close", 1, False)


@pytest.mark.parametrize("away", [76.0, 76.4])
def test_a_third_foot_soldier_at_three_inches_is_a_doubt_of_the_riders_bonus(away):
    rider = a_man("r", 500, 450, arm="mounted", facing_deg=0.0, sigma_mm=0.3)
    men = [a_man(f"b{n}", 500 + TOUCH, 450 + n * 30, "blue", facing_deg=180.0) for n in range(2)]
    third = a_man("b2", 500 + away, 450, "blue", sigma_mm=0.3)
    state = known_of(r=HEAVY, b0={"bayonet": True}, b1={"bayonet": True})
    told = only(ruled(rider, *men, third, state=state), "melee", "r", "b0")
    assert told.extra["bonus"] == (0 if away < 76.2 else 2)
    assert told.extra["bonus_close"]
    assert "b2 stands within 3 in of r" in told.why


@pytest.mark.parametrize("ahead_mm", [0.3, -0.3])
@pytest.mark.parametrize("of_rider", [True, False])
def test_who_stands_abreast_is_a_doubt_of_the_riders_bonus(ahead_mm, of_rider):
    """The third man hardly in the rider's front half, or the rider hardly in that of the second with a bayonet."""
    rider = a_man("r", 500, 450, arm="mounted", facing_deg=0.0, sigma_mm=0.2)
    first = a_man("b0", 500 + TOUCH, 450, "blue", facing_deg=180.0)
    second = a_man("b1", 535, 415 if of_rider else 450 - ahead_mm, "blue", facing_deg=180.0 if of_rider else 90.0)
    third = a_man("b2", 500 + (ahead_mm if of_rider else 30), 500, "blue", facing_deg=180.0)
    state = known_of(r=HEAVY, b0={"bayonet": True}, b1={"bayonet": True})
    told = only(ruled(rider, first, second, third, state=state), "melee", "r", "b0")
    assert (told.extra["bonus"], told.extra["bonus_close"]) == (0 if ahead_mm > 0 else 2, True)
    assert f"whether {'b2 stands in front of r' if of_rider else 'r stands in front of b1'}" in told.why


def test_the_edge_of_a_wood_is_a_doubt_of_a_bayonet_charge():
    man, foe = a_man("r", 500, 450, sigma_mm=0.3), a_man("b", 525, 450, "blue")
    wood, state = a_thing("w", "napkin", box(400, 400, 499.5, 500)), known_of(r={"bayonet": True, "charging": True})
    told = only(ruled(man, foe, wood, state=state), "melee", "r", "b")
    assert (told.extra["bonus"], told.extra["bonus_close"]) == (2, True)
    assert "r stands in the wood w" in told.why
