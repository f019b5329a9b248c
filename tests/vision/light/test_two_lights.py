"""Light of two colours over a drawn table: how much of it is told, what is printed, and that it is taken off."""

import cv2
import numpy as np
import pytest

from tests.vision.light.test_clarity import PLANE, TABLE_MM, clarity, picture
from vision.frame import Frame
from vision.light import srgb
from vision.light.clarity import clarity_of
from vision.light.developed import developed
from vision.light.two_lights import two_lights_on

SIZE = (480, 640)
WHOLE = (slice(0, SIZE[0]), slice(0, SIZE[1]))
SHOWN = np.ones(SIZE, bool)


def in_two_lights(image: np.ndarray, change: tuple[float, float], axis: int = 1) -> np.ndarray:
    """The picture with logarithms of blue's and red's light changed by so much from one side to the other."""
    along = np.linspace(-0.5, 0.5, image.shape[axis])
    along = along[None, :, None] if axis else along[:, None, None]
    tint = np.exp(along * np.array([change[0], 0.0, change[1]]))
    return srgb.rounded((srgb.light_in(image) * tint).astype(np.float32))


def dimmed(image: np.ndarray) -> np.ndarray:
    """A picture with room above it, so that nothing is blown out."""
    return (image * 0.6 + 25).astype(np.uint8)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("change", [(-1.2, 0.9), (1.0, -0.7)])
def test_two_lights_are_measured_whatever_is_printed(change: tuple[float, float], axis: int) -> None:
    lights = two_lights_on(in_two_lights(dimmed(picture()), change, axis), SHOWN, WHOLE)
    assert lights is not None
    assert lights.per_px[1 - axis] * SIZE[axis] == pytest.approx(change, abs=0.15)
    assert lights.per_px[axis] == pytest.approx((0.0, 0.0))
    assert lights.span == pytest.approx(abs(change[1] - change[0]), abs=0.2)


def test_two_lights_are_taken_off() -> None:
    plain = dimmed(picture())
    lit = in_two_lights(plain, (-1.2, 0.9))
    even = developed(Frame(lit), clarity_of(Frame(lit), PLANE, TABLE_MM)).image_bgr
    inside = np.s_[150:330, 60:580]
    before, after = (np.abs(image[inside].astype(float) - plain[inside]).mean() for image in (lit, even))
    assert after < before / 4


@pytest.mark.parametrize("seed", range(4))
def test_one_light_of_any_colour_is_none_of_two(seed: int) -> None:
    warm = srgb.rounded((srgb.light_in(picture(seed)) * (0.4, 0.75, 1.0)).astype(np.float32))
    for image in (picture(seed), warm):
        assert two_lights_on(image, SHOWN, WHOLE) is None


def test_a_blue_sea_beside_a_yellow_land_is_no_light() -> None:
    drawn = np.full((*SIZE, 3), (90, 200, 220), np.uint8)
    drawn[:, :260] = (220, 170, 90)
    drawn = cv2.add(drawn, np.random.default_rng(2).integers(0, 9, drawn.shape, np.uint8))
    assert two_lights_on(drawn, SHOWN, WHOLE) is None


def test_a_table_that_does_not_show_has_no_light() -> None:
    assert two_lights_on(picture(), np.zeros(SIZE, bool), (slice(0, 0), slice(0, 0))) is None
    assert clarity(np.zeros((*SIZE, 3), np.uint8)).lights is None
