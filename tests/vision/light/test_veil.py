"""A drawn map under lamps: their light is told from white paper and taken off."""

import cv2
import numpy as np
import pytest

from vision.light import srgb
from vision.light.veil import unveiled, veil_over

SIZE_PX, PX_PER_MM, BRIGHT = (960, 640), 1.6, 225.0
TABLE = np.ones(SIZE_PX[::-1], bool)
TOP_PX = np.array([430.0, 330.0])


def picture(seed=0):
    """Paper with fine print all over."""
    rng = np.random.default_rng(seed)
    drawn = np.full((SIZE_PX[1], SIZE_PX[0], 3), 225, np.uint8)
    for _ in range(700):
        begin = rng.integers(0, SIZE_PX[0], 2)
        end = begin + rng.integers(-40, 40, 2)
        shade = rng.integers(30, 90, 3).tolist()
        cv2.line(drawn, tuple(map(int, begin)), tuple(map(int, end)), shade, 3, cv2.LINE_AA)
    return drawn


def away(spread_px):
    rows, columns = np.mgrid[: SIZE_PX[1], : SIZE_PX[0]]
    return ((columns - TOP_PX[0]) / spread_px[0]) ** 2 + ((rows - TOP_PX[1]) / spread_px[1]) ** 2


LAMPS = {
    "soft": np.exp(-away((80, 80)) / 2),
    "long": np.exp(-away((110, 65)) / 2),
    "disc": np.exp(-((away((110, 110)) / 2) ** 2)),
}


def under(image, light):
    lit = srgb.light(image.astype(float)) + light[..., None]
    return np.clip(np.rint(srgb.level(np.clip(lit, 0, 1))), 0, 255).astype(np.uint8)


def veil(image):
    return veil_over(image, TABLE, PX_PER_MM, BRIGHT)


@pytest.mark.parametrize("shape", LAMPS)
def test_a_lamps_light_is_told_and_taken_off(shape):
    # Room for the lamp: nothing is blown out.
    good = picture() // 2
    spoilt = under(good, 0.4 * LAMPS[shape])
    found = veil_over(spoilt, TABLE, PX_PER_MM, 130.0)
    assert found.hills[0].top == pytest.approx(TOP_PX, abs=15)
    near = LAMPS[shape] > 0.1
    lost, left = (np.abs(each.astype(float) - good)[near].mean() for each in (spoilt, unveiled(spoilt, found)))
    assert left < 0.15 * lost


@pytest.mark.parametrize("seed", range(4))
def test_print_in_ordinary_light_has_no_veil(seed):
    assert veil(picture(seed)) is None


def test_white_paper_is_no_veil():
    cloth = np.full((SIZE_PX[1], SIZE_PX[0], 3), 60, np.uint8)
    cloth[200:460, 300:600] = 225
    assert veil(cloth) is None


def test_a_lamp_beside_the_table_is_none_over_it():
    beside = np.arange(SIZE_PX[0])[None, :] > 700
    assert veil_over(under(picture() // 2, 0.4 * LAMPS["soft"]), beside & TABLE, PX_PER_MM, 130.0) is None


def test_what_does_not_mirror_the_lamp_keeps_its_light():
    spoilt = under(picture() // 2, 0.4 * LAMPS["soft"])
    cv2.circle(spoilt, (500, 330), 16, (70, 70, 70), -1)
    found = veil_over(spoilt, TABLE, PX_PER_MM, 130.0)
    assert unveiled(spoilt, found)[330, 500].min() > 25
