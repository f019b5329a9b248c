"""Lamps that a camera did not balance: what they colour is taken off, what is so coloured itself is left."""

import cv2
import numpy as np
import pytest

from vision.light import srgb
from vision.light.balance import WhiteBalance

# What a lamp leaves of blue, green and red.
LAMP = np.float32([0.33, 0.75, 1.0])


def table(seed=0):
    """Things of all colours on a grey cloth."""
    rng = np.random.default_rng(seed)
    drawn = np.full((480, 640, 3), 120, np.uint8)
    for _ in range(120):
        at = tuple(int(v) for v in rng.integers(0, 480, 2) * (4 / 3, 1))
        cv2.circle(drawn, at, int(rng.integers(8, 30)), rng.integers(20, 220, 3).tolist(), -1)
    return drawn


def lit_by(lamp, image):
    return srgb.rounded(srgb.light_in(image) * lamp)


def colour_of(image):
    """Red against blue of the cloth, logarithm of light."""
    blue, _, red = np.median(srgb.light_in(image).reshape(-1, 3), axis=0)
    return float(np.log(red / blue))


@pytest.mark.parametrize("seed", range(3))
def test_an_ordinary_picture_stays_as_it_is(seed):
    image = table(seed)
    assert WhiteBalance().of(image) is image


def test_brown_wood_in_white_light_stays_brown():
    wood = np.full((480, 640, 3), (60, 95, 130), np.uint8)
    wood[100:200, 100:300] = 225  # a sheet of paper
    assert WhiteBalance().of(wood) is wood


@pytest.mark.parametrize("lamp", [LAMP, LAMP[::-1]], ids=["warm", "cold"])
def test_a_lamp_is_taken_off(lamp):
    seen = lit_by(lamp, table())
    assert abs(colour_of(seen)) > 0.8
    assert abs(colour_of(WhiteBalance().of(seen))) < 0.2


def test_what_is_balanced_is_as_bright_as_before():
    seen = lit_by(LAMP, table())
    before, after = (cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).mean() for image in (seen, WhiteBalance().of(seen)))
    assert after == pytest.approx(before, rel=0.1)


def test_a_thing_more_on_the_table_changes_nothing_elsewhere():
    balance, seen = WhiteBalance(), lit_by(LAMP, table())
    more = seen.copy()
    cv2.circle(more, (320, 240), 40, (30, 40, 60), -1)
    before, after = balance.of(seen), balance.of(more)
    assert np.array_equal(before[:150], after[:150])


def test_a_dark_picture_tells_no_light():
    dark = np.full((48, 64, 3), (2, 3, 9), np.uint8)
    assert WhiteBalance().of(dark) is dark
