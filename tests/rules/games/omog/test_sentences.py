"""What a ruling says must be so: too close to call is no "cannot", and a refusal names what a player can see."""

from __future__ import annotations

import pytest
from shapely import box

from rules.state import State
from tests.rules.games.omog.builders import INCH, a_man, a_scene, a_thing, judged, known_of, only, ruled

NAPKIN = a_thing("n", "napkin", box(320, 380, 400, 520), height_mm=1.0)


def test_a_shot_too_close_to_call_is_not_forbidden():
    house = a_thing("h", "mug", box(300, 450.2, 340, 500), height_mm=90.0, sigma_mm=0.3)
    told = ruled(a_man("r", 200, 450), a_man("b", 440, 450, "blue"), house, state=State(phase="fire"))
    blocked, target = only(told, "blocked", "r", "h"), only(told, "target", "r")
    assert (blocked.verdict, target.verdict) == ("close", "close")
    assert "may be unable to shoot" in blocked.why and "whether he can hit at all is too close to call" in target.why


@pytest.mark.parametrize(("apart_mm", "touch"), [(26, "touch"), (29, "may touch")])
def test_bases_that_may_touch(apart_mm, touch):
    """The bases "touch: a gap of 4.0 mm"."""
    told = ruled(a_man("r", 300, 450, sigma_mm=0.4), a_man("b", 300 + apart_mm, 450, "blue", sigma_mm=0.4))
    assert f"blue foot b {touch}: a gap of" in only(told, "engaged", "r").why


def test_a_man_without_a_weapon_is_not_out_of_range():
    told = ruled(a_man("r", 300, 450), a_man("b", 350, 450, "blue"), state=known_of(r={"weapon": "none"}))
    found = only(told, "target", "r")
    assert (found.verdict, found.why) == ("no", "red foot r has nothing to shoot with")


def test_losses_of_one_man_left():
    told = ruled(a_man("r", 300, 450), state=State(counters={"lost": {"red": 2}}))
    assert "red has lost 2 and has 1 man on the table" in [one.why for one in told]


@pytest.mark.parametrize(
    ("things", "inches", "says"),
    [([NAPKIN], 3.5, "; on the straight way: the wood n"), ([], 4.5, ""), ([NAPKIN], 4.5, "")],
)
def test_what_makes_a_short_way_too_long(things, inches, says):
    """3.50 in were too far, with "4 in in the open"."""
    before, after = (a_scene(a_man("r", x, 450), *things) for x in (300, 300 + inches * INCH))
    found = judged(before, after)["r"]
    assert found.verdict == "no" and found.why.partition(" too far")[2] == says


@pytest.mark.parametrize(("known", "whither"), [({}, "b's team"), ({"b": {"team": "B"}}, "team B")])
def test_whither_a_man_alone_moves(known, whither):
    men = a_man("r", 300, 450), a_man("b", 600, 450)
    told = only(ruled(*men, state=known_of(r={"team": "A"}, **known)), "cohesion", "r")
    assert f"toward {whither}, " in told.why
