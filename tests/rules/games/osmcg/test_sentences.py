"""What a ruling says must be so."""

from __future__ import annotations

import pytest
from shapely import box

from rules.state import State
from tests.rules.games.osmcg.builders import a_scene, base, judged, ruling, rulings, terrain

ONE = State(pieces={"a": {"spd_in": 5, "ap": 1, "radius_mm": 12.5}})
WALL = terrain("w", "book", box(130, 100, 140, 500))


@pytest.mark.parametrize("walls", [(), (WALL,)])
def test_who_went_too_far_is_told_how_far(walls: tuple) -> None:
    """On the open table "the ground between is closed"."""
    one = judged(a_scene(base("a", 100, 300), *walls), base("a", 500, 300), *walls, state=ONE)
    assert one.why == "a ended 15.75 inches away, 1 x 5 inches are allowed"


def test_what_stands_between_is_told() -> None:
    one = judged(a_scene(base("a", 100, 300), WALL), base("a", 170, 300), WALL, state=ONE)
    assert one.why == "no way of a to that place is within 1 x 5 inches: w stands between"


def test_why_who_does_not_shoot_strikes_nobody_afar() -> None:
    far = ruling("target", "a", a_scene(base("a", 100, 300), base("b", 200, 300, "blue")))
    assert far.why == "the bases of a and b are 75.0 mm apart, and melee needs contact"


def test_a_doubtful_control_says_so() -> None:
    scene = a_scene(base("a", 304.8 + 38.5, 304.8, sigma=0.2))
    one = next(one for one in rulings("control", scene) if one.other == "centre")
    assert one.verdict == "close" and one.why.endswith(", but that is too close to call")
