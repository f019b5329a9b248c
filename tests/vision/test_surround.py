"""Discs drawn on grounds: what lies on a table stands out all round, print and washers do not."""

import cv2
import numpy as np
import pytest

from models.coins import CROP_PX, RIM_SHARE
from vision.surround import surround_of

RADIUS_PX = round(CROP_PX / 2 * RIM_SHARE)
MIDDLE = (CROP_PX // 2, CROP_PX // 2)
PAPER, GROUND, METAL = (190, 215, 225), (110, 130, 135), (60, 110, 170)


def ground(colour=GROUND, sigma=2.0, seed=0):
    rng = np.random.default_rng(seed)
    return np.clip(np.array(colour) + rng.normal(0, sigma, (CROP_PX, CROP_PX, 3)), 0, 255).astype(np.uint8)


def disc(crop, colour=METAL, share=1.0):
    drawn = crop.copy()
    cv2.circle(drawn, MIDDLE, round(share * RADIUS_PX), colour, -1, cv2.LINE_AA)
    return drawn


def road(crop, colour=(60, 60, 200)):
    """A printed road that bends like a rim."""
    drawn = crop.copy()
    cv2.circle(drawn, MIDDLE, RADIUS_PX, colour, 2, cv2.LINE_AA)
    return drawn


def test_no_crops_have_no_surround():
    found = surround_of(np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8))
    assert found.clear.shape == found.hollow.shape == (0,)


def test_a_coin_stands_out_and_a_printed_ring_does_not():
    clear = surround_of(np.stack([disc(ground()), road(ground(PAPER))])).clear
    assert clear[0] > clear[1] + 1


def test_print_around_a_coin_makes_it_less_clear():
    busy = ground(PAPER)
    busy[:, ::6] = (60, 60, 200)
    clear = surround_of(np.stack([disc(ground(PAPER)), disc(busy)])).clear
    assert clear[1] < clear[0]


@pytest.mark.parametrize("colour", [(225, 225, 225), (40, 40, 40), METAL])
def test_a_washer_shows_the_ground_through_its_hole(colour):
    base = ground()
    washer = disc(base, colour)
    hole = cv2.circle(np.zeros((CROP_PX, CROP_PX), np.uint8), MIDDLE, round(0.5 * RADIUS_PX), 1, -1) > 0
    washer[hole] = base[hole]
    assert surround_of(washer[None]).hollow.all()


@pytest.mark.parametrize("dot", [(40, 40, 200), (200, 80, 40), (60, 160, 60), (230, 230, 230), (30, 30, 30)])
def test_a_coin_with_a_players_dot_is_not_hollow(dot):
    assert not surround_of(disc(disc(ground()), dot, 0.4)[None]).hollow.any()


def test_a_disc_hardly_told_from_its_ground_is_not_called_hollow():
    assert not surround_of(disc(ground(), (115, 135, 140))[None]).hollow.any()
