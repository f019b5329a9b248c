"""Discs drawn on grounds: a washer shows the ground through its hole, a coin does not."""

import cv2
import numpy as np
import pytest

from models.coins import CROP_PX, RIM_SHARE
from vision.shape.surround import apart_from_ground, are_hollow, small_in_middle

RADIUS_PX = round(CROP_PX / 2 * RIM_SHARE)
MIDDLE = (CROP_PX // 2, CROP_PX // 2)
GROUND, METAL = (110, 130, 135), (60, 110, 170)


def ground(colour=GROUND, sigma=2.0, seed=0):
    rng = np.random.default_rng(seed)
    return np.clip(np.array(colour) + rng.normal(0, sigma, (CROP_PX, CROP_PX, 3)), 0, 255).astype(np.uint8)


def disc(crop, colour=METAL, share=1.0):
    drawn = crop.copy()
    cv2.circle(drawn, MIDDLE, round(share * RADIUS_PX), colour, -1, cv2.LINE_AA)
    return drawn


def test_no_crops_have_no_surround():
    none = np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)
    assert are_hollow(none).shape == apart_from_ground(none).shape == (0,)


def test_a_coin_differs_from_the_ground_and_a_printed_ring_does_not():
    ring = cv2.circle(ground(), MIDDLE, RADIUS_PX, METAL, 2, cv2.LINE_AA)
    coin, printed = apart_from_ground(np.stack([disc(ground()), ring]))
    assert coin > 25
    assert printed < 8


def test_a_fender_washers_small_hole_shows_the_ground():
    base = ground()
    washer = disc(base, (200, 200, 205))
    hole = cv2.circle(np.zeros((CROP_PX, CROP_PX), np.uint8), MIDDLE, round(0.2 * RADIUS_PX), 1, -1) > 0
    washer[hole] = base[hole]
    assert are_hollow(washer[None]).all()


@pytest.mark.parametrize("place", [(0.5, 0.0), (0.0, -0.5), (-0.4, 0.4)])
def test_a_scratch_as_dark_as_the_ground_makes_no_dot_of_a_washers_hole(place):
    base = ground()
    washer = disc(base, (200, 200, 205))
    hole = cv2.circle(np.zeros((CROP_PX, CROP_PX), np.uint8), MIDDLE, round(0.25 * RADIUS_PX), 1, -1) > 0
    washer[hole] = base[hole]
    across, down = (round(MIDDLE[0] + RADIUS_PX * each) for each in place)
    washer[down - 2 : down + 2, across - 2 : across + 2] = GROUND
    assert are_hollow(washer[None]).all()


@pytest.mark.parametrize("colour", [(225, 225, 225), (40, 40, 40), METAL])
def test_a_washer_shows_the_ground_through_its_hole(colour):
    base = ground()
    washer = disc(base, colour)
    hole = cv2.circle(np.zeros((CROP_PX, CROP_PX), np.uint8), MIDDLE, round(0.5 * RADIUS_PX), 1, -1) > 0
    washer[hole] = base[hole]
    assert are_hollow(washer[None]).all()


@pytest.mark.parametrize("dot", [(40, 40, 200), (200, 80, 40), (60, 160, 60), (230, 230, 230), (30, 30, 30)])
def test_a_coin_with_a_players_dot_is_not_hollow(dot):
    assert not are_hollow(disc(disc(ground()), dot, 0.4)[None]).any()


def test_a_disc_hardly_told_from_its_ground_is_not_called_hollow():
    assert not are_hollow(disc(ground(), (115, 135, 140))[None]).any()


def test_a_washer_in_uneven_light_shows_the_ground_of_one_side():
    light = np.linspace(0.90, 1.04, CROP_PX)[None, :, None]
    base = np.clip(ground((110, 130, 135), 0.7) * light, 0, 255).astype(np.uint8)
    hole = cv2.circle(np.zeros((CROP_PX, CROP_PX), np.uint8), MIDDLE, round(0.5 * RADIUS_PX), 1, -1) > 0
    washer = disc(base, (112, 140, 155))
    # The washer's own height keeps some of the light from what shows through it.
    washer[hole] = (base[hole] * 0.96).astype(np.uint8)
    assert are_hollow(washer[None]).all()
    assert not are_hollow(disc(base, (112, 140, 155))[None]).any()


@pytest.mark.parametrize("share", [0.3, 0.4])
def test_a_dot_of_the_grounds_own_colour_put_on_by_hand_is_no_hole(share):
    base = ground()
    coin, washer = disc(base), disc(base)
    askew = MIDDLE[0] + round(0.15 * RADIUS_PX)
    for thing, column in ((coin, askew), (washer, MIDDLE[0])):
        hole = (
            cv2.circle(np.zeros((CROP_PX, CROP_PX), np.uint8), (column, MIDDLE[1]), round(share * RADIUS_PX), 1, -1) > 0
        )
        thing[hole] = base[hole]
    assert list(are_hollow(np.stack([coin, washer]))) == [False, True]


def pierced(base, share: float, askew: float, colour=METAL):
    """A disc with a hole of so many radii, its middle so many radii aside."""
    column = MIDDLE[0] + round(askew * RADIUS_PX)
    hole = cv2.circle(np.zeros((CROP_PX, CROP_PX), np.uint8), (column, MIDDLE[1]), round(share * RADIUS_PX), 1, -1) > 0
    washer = disc(base, colour)
    washer[hole] = base[hole]
    return washer


def test_a_hole_that_the_washers_own_height_hides_in_part_is_wider_than_a_dot():
    askew = pierced(ground(), 0.44, 0.15)[None]
    # As wide as the crop says: 4 mm are a dot's, 5.4 are none.
    assert list(are_hollow(np.repeat(askew, 2, axis=0), np.array([9.0, 12.2]))) == [False, True]


def test_a_dot_that_a_highlight_makes_wider_is_no_hole():
    dotted = pierced(ground(), 0.36, 0.12)
    row, column = MIDDLE[1], MIDDLE[0] + round(0.4 * RADIUS_PX)
    dotted[row - 5 : row + 6, column : column + 5] = GROUND
    assert not are_hollow(dotted[None], np.array([14.2])).any()


def test_a_disc_of_a_paper_dots_radius_is_a_dot_even_in_the_middle():
    middle = pierced(ground(), 7 / RADIUS_PX, 0.0)[None]
    radius_mm = np.array([11.0, 7.0, 14.0])
    assert list(are_hollow(np.repeat(middle, 3, axis=0), radius_mm)) == [False, True, True]


def test_a_washer_on_a_broad_road_shows_the_road_in_its_hole():
    base = ground((25, 25, 28))
    reach = round(0.4 * RADIUS_PX)
    base[:, MIDDLE[0] - reach : MIDDLE[0] + reach] = (230, 232, 235)
    washer = pierced(base, 0.3, 0.0, (140, 130, 120))
    assert list(are_hollow(np.stack([washer, disc(base, (140, 130, 120))]), np.full(2, 12.2))) == [True, False]


def test_a_crop_of_one_colour_is_neither_hollow_nor_dotted():
    plain = np.full((1, CROP_PX, CROP_PX, 3), 90, np.uint8)
    with np.errstate(all="raise"):
        assert not are_hollow(plain, np.array([12.0])).any()
        assert not small_in_middle(plain).any()


def test_a_core_of_the_colour_that_print_has_on_the_whole_is_no_hole():
    printed = ground((0, 60, 240))
    printed[:, : CROP_PX // 2] = ground((220, 200, 30))[:, : CROP_PX // 2]
    coin = disc(disc(printed, (250, 250, 250)), (110, 130, 135), 0.7)
    assert not are_hollow(coin[None]).any()


def test_a_dot_is_smaller_than_the_hole_of_a_washer():
    dotted, washer = (disc(disc(ground()), GROUND, share) for share in (0.4, 0.6))
    assert list(small_in_middle(np.stack([dotted, washer]))) == [True, False]
