"""The distance that decides is told, also of what fails far beyond doubt (C3.2, C3.4)."""

from __future__ import annotations

import pytest

from rules.games.omms import GAME
from rules.state import State

from .builders import a_coin, a_road, a_scene, a_setup

ROAD = a_setup(a_road((0, 200), (700, 200)))


def ruled(kind, *coins, setup=ROAD):
    return next(r for r in GAME.rulings(a_scene(*coins), setup, State(), None) if r.kind == kind)


@pytest.mark.parametrize("off_mm", [15, 140])
@pytest.mark.parametrize("kind", ["reach", "target"])
def test_off_the_roads_it_is_how_far_the_nearest_is(kind, off_mm):
    coins = a_coin("g", "guard", "red", (300, 200 + off_mm)), a_coin("e", "scout", "blue", (330, 200 + off_mm))
    found = ruled(kind, *coins)
    assert (found.verdict, found.margin_mm) == ("no", pytest.approx(12.25 - off_mm))


@pytest.mark.parametrize("kind", ["reach", "target"])
def test_without_roads_no_distance_is_told(kind):
    coins = a_coin("g", "guard", "red", (300, 200)), a_coin("e", "guard", "blue", (330, 200))
    assert (ruled(kind, *coins, setup=a_setup()).margin_mm) == -1.0


@pytest.mark.parametrize("sigma_mm", [0.0, 0.002])
def test_a_road_that_misses_the_target(sigma_mm):
    coins = a_coin("g", "guard", "red", (300, 200)), a_coin("e", "scout", "blue", (340, 209.01), sigma_mm=sigma_mm)
    found = ruled("target", *coins)
    assert (found.verdict, found.margin_mm, found.sigma_mm) == ("no", pytest.approx(-0.01), sigma_mm)


def test_a_road_that_another_bars():
    between = a_coin("b", "scout", "blue", (320, 207), sigma_mm=0.1)
    coins = [a_coin("g", "guard", "red", (300, 200)), between, a_coin("e", "scout", "blue", (350, 200))]
    found = next(r for r in GAME.rulings(a_scene(*coins), ROAD, State(), "g") if r.other == "e" and r.kind == "target")
    assert (found.verdict, found.margin_mm, found.sigma_mm) == ("no", pytest.approx(-2.0), 0.1)


@pytest.mark.parametrize(
    ("sigma_mm", "off_mm", "margin_mm"),
    [(0.0, 0.0, -0.01), (0.002, 0.0, -0.01), (0.0, 20.0, -11.0), (0.0, 63.0, -54.0)],
)
def test_the_last_besieger_hardly_beyond_a_card_s_breadth(sigma_mm, off_mm, margin_mm):
    x = 300 - (63.51**2 - off_mm**2) ** 0.5
    coins = [
        a_coin("s", "settlement", "red", (300, 200), sigma_mm=sigma_mm),
        a_coin("e", "scout", "blue", (330, 200)),
        a_coin("f", "scout", "blue", (x, 200 + off_mm), sigma_mm=sigma_mm),
    ]
    found = ruled("siege", *coins)
    assert (found.verdict, found.margin_mm) == ("no", pytest.approx(margin_mm, abs=0.1 if off_mm == 63 else 1e-6))
