"""How soft a picture is, by a drawn one."""

import cv2
import numpy as np
import pytest

from calibration.edges.softness import softened, softness_px
from calibration.kick.texture import Texture

PAPER = np.random.default_rng(2).integers(0, 256, (90, 120)).astype(np.uint8)
DRAWN = np.asarray(cv2.resize(PAPER, (480, 360), interpolation=cv2.INTER_NEAREST), np.uint8)
PLACES = np.array([[u, v] for u in range(30, 220, 20) for v in range(30, 160, 20)], float)


@pytest.mark.parametrize("blur_px", [0.5, 0.8, 1.4])
def test_the_blur_is_told_to_a_twentieth_of_a_pixel_in_noise(blur_px):
    noise = np.random.default_rng(1).normal(0, 4, DRAWN.shape)
    now = np.clip(softened(DRAWN, blur_px) * 0.6 + 30 + noise, 0, 255).astype(np.uint8)
    assert softness_px(DRAWN, Texture.of(now), PLACES) == pytest.approx(blur_px, abs=0.05)


def test_though_a_third_of_it_is_covered():
    now = softened(DRAWN, 1.1)
    now[:, :150] = 40
    assert softness_px(DRAWN, Texture.of(now), PLACES) == pytest.approx(1.1, abs=0.05)


def test_a_sharper_or_softer_picture_than_any_is_taken_for_the_nearest():
    assert softness_px(DRAWN, Texture.of(DRAWN), PLACES) < 0.35
    assert softness_px(DRAWN, Texture.of(softened(DRAWN, 6.0)), PLACES) > 2.0
