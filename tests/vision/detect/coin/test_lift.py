"""Stacks as the sample footage's renderer shows them, with seeds that are nobody's."""

from dataclasses import replace

import numpy as np
import pytest

from models.coins import TYPICAL_THICKNESS_MM
from models.lifts import TOPS_MM
from sample_footage.camera import looking_at
from sample_footage.film import lit_table
from sample_footage.ground import Ground, View
from sample_footage.light import Light
from sample_footage.sensor import Sensor
from sample_footage.still_pictures import one_coin
from tests.vision.planes import plane_from, plane_of
from vision.detect.coin.lift import lifts_of, placed_by, tops_of
from vision.shape.rim import Circles

# How many coins lie on each place, and where.
PILES = ((1, (105.0, 80.0)), (1, (180.0, 135.0)), (2, (110.0, 140.0)), (3, (185.0, 75.0)), (4, (145.0, 105.0)))
RADIUS_MM, THICKNESS_MM = 10.15, 1.65  # a penny


@pytest.fixture(scope="module")
def table():
    """The picture, its plane, the circles as they show in the plane of a typical coin's rim, and true heights."""
    camera = looking_at((145.0, 105.0, 0.0), 420.0, 44.0, size_px=(800, 600), focal_px=900.0)
    light = Light(60.0, 55.0, 8.0, 0.6, 0.35, (1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (145.0, 105.0), 0.2, 0.04)
    coins, rng = [], np.random.default_rng(12)
    for count, (x, y) in PILES:
        for level in range(count):
            coin = one_coin(f"{x} {level}", "gbp-1p", (x + 0.3 * level, y - 0.2 * level), rng)
            coins.append(replace(coin, owner="none", low_mm=level * THICKNESS_MM))
    view = View(camera, Ground("oak", has_map=False, seed=3), light)
    picture = Sensor(seed=1).develop(lit_table(view, view.bare(), coins), (600, 800))
    plane = plane_of(camera)
    highest = [coins[last - 1] for last in np.cumsum([count for count, _ in PILES])]
    tops = np.array([coin.high_mm for coin in highest])
    places = np.array([coin.position_mm for coin in highest])
    seen = plane.to_table(plane.to_image(places, tops), TYPICAL_THICKNESS_MM)
    error = np.full(len(tops), 0.1)
    return picture, plane, Circles(seen, np.full(len(tops), RADIUS_MM), error, error), tops, places


def test_what_shows_before_a_coin_tells_how_high_it_lies(table):
    picture, plane, circles, tops, places = table
    chance = tops_of(picture, plane, circles)
    assert np.allclose(chance.sum(axis=1), 1)
    lifts = lifts_of(chance, np.full(len(tops), THICKNESS_MM))
    assert np.allclose(lifts.lift_mm[:2], 0)
    assert np.allclose(lifts.sigma_mm[:2], 0)
    assert lifts.is_sure[-1]
    assert (lifts.lift_mm[2:] > 0).all()
    assert (np.abs(lifts.lift_mm - (tops - THICKNESS_MM)) < 2.45 * np.maximum(lifts.sigma_mm, 0.1)).all()
    # Four pennies, put on the table where their top shows, are 5 mm off.
    away = np.linalg.norm(circles.centre_mm - places, axis=1)
    placed = np.linalg.norm(placed_by(plane, circles, lifts) - places, axis=1)
    assert away[-1] > 4.5
    assert placed[-1] < 2.5


def test_no_coins_have_no_heights():
    plane = plane_from((150.0, -420.0, 420.0), (150.0, 100.0))
    nobody = Circles(np.zeros((0, 2)), *np.zeros((3, 0)))
    assert tops_of(np.zeros((960, 1280, 3), np.uint8), plane, nobody).shape == (0, len(TOPS_MM))


def test_the_same_side_is_a_thick_coin_or_a_thin_one_on_another():
    chance = np.zeros((2, len(TOPS_MM)))
    chance[:, 4] = 1.0  # 2.75 mm: a pound is 2.8 mm thick, a dime 1.35
    lifts = lifts_of(chance, np.array([2.8, 1.35]))
    assert np.allclose(lifts.lift_mm, [0.0, 1.4])
    assert list(lifts.is_sure) == [False, True]


def test_a_stack_that_is_not_excluded_is_in_sigma_and_one_that_is_leaves_it():
    chance = np.zeros((3, len(TOPS_MM)))
    chance[:, 2], chance[:, 11] = (0.2, 0.9, 1.0), (0.8, 0.1, 0.0)  # 1.75 mm and 6.25 mm
    lifts = lifts_of(chance, np.full(3, 1.75))
    # Stacks are 0.06 times as frequent as among what was learnt from: 0.048 to 0.2, 4.5 mm off; 0.006 to 0.9 is none.
    assert np.allclose(lifts.lift_mm, 0)
    assert lifts.sigma_mm == pytest.approx([4.5 * (0.048 / 0.248) ** 0.5, 0.0, 0.0])
    assert not lifts.is_sure.any()


def test_where_others_lie_on_others_a_coin_in_doubt_says_what_it_would_be_off():
    in_doubt, on_others = np.zeros(len(TOPS_MM)), np.eye(len(TOPS_MM))[11]  # 1.75 mm or 6.25 mm
    in_doubt[[2, 11]] = 0.5, 0.5
    alone, beside_one, beside_three = (
        lifts_of(np.array([in_doubt, *[on_others] * count]), np.full(1 + count, 1.75)) for count in (0, 1, 3)
    )
    assert beside_one.sigma_mm[0] == alone.sigma_mm[0] == 0.0  # one may be a mistake
    assert beside_three.lift_mm[0] == 0
    assert beside_three.sigma_mm[0] == pytest.approx(4.5)
    assert list(beside_three.is_sure) == [False, True, True, True]


def test_a_few_coins_on_others_lift_no_coin_that_is_in_doubt():
    on_others = np.eye(len(TOPS_MM))[[11, 11]]
    in_doubt = 0.5 * (np.eye(len(TOPS_MM))[[2]] + on_others[:1])
    assert list(lifts_of(np.concatenate([on_others, in_doubt]), np.full(3, 1.75)).is_sure) == [True, True, False]


def test_many_coins_that_likely_lie_on_others_bear_one_another_s_doubt_out():
    """None is sure where coins on others are rare; ten such are no table of rare cases. Nothing is lifted by it."""
    likely = (0.3 * np.eye(len(TOPS_MM))[[2]] + 0.7 * np.eye(len(TOPS_MM))[[11]]).repeat(10, axis=0)  # 1.75, 6.25 mm
    surer = (0.05 * np.eye(len(TOPS_MM))[[2]] + 0.95 * np.eye(len(TOPS_MM))[[11]]).repeat(9, axis=0)
    flat = np.eye(len(TOPS_MM))[[2]].repeat(10, axis=0)
    few, many = (
        lifts_of(np.concatenate([likely[:1], surer[:count], flat]), np.full(11 + count, 1.75)) for count in (1, 9)
    )
    assert few.sigma_mm[0] < 2 < many.sigma_mm[0] == pytest.approx(4.5)
    assert not few.is_sure.any() and not many.is_sure.any()
    assert not many.sigma_mm[10:].any()


def test_coins_that_carry_others_make_those_no_rarer():
    """Each lower one that was seen counted as a coin on the table, and what the others bore out was doubted no more."""
    flat, high = np.eye(len(TOPS_MM))[[2]], np.eye(len(TOPS_MM))[[11]]  # 1.75 mm and 6.25 mm
    tops = np.concatenate([0.3 * flat + 0.7 * high, (0.05 * flat + 0.95 * high).repeat(4, axis=0)])
    chance, thickness, carries = np.concatenate([tops, flat.repeat(40, axis=0)]), np.full(45, 1.75), np.arange(45) >= 5
    assert lifts_of(chance, thickness).sigma_mm[0] < 2
    assert lifts_of(chance, thickness, carries).sigma_mm[0] == pytest.approx(4.5)
    assert lifts_of(tops, thickness[:5]).sigma_mm[0] == pytest.approx(4.5)


def test_heights_are_never_surer_than_the_net_is_right():
    assert lifts_of(np.eye(len(TOPS_MM))[[11]], np.array([1.75])).sigma_mm == pytest.approx([0.5])
