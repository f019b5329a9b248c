"""A disc as wide as no known coin is measured as wide as it is, and lies where it does."""

import cv2
import numpy as np
import pytest

from rules.scene import UNKNOWN
from tests.vision.planes import plane_from
from vision.detect.coin.coins import find_coins
from vision.detect.coin.proposals import Proposals
from vision.detect.coin.purse import Purse

GROUND, AT_MM, THICK_MM = (90, 130, 100), np.array([150.0, 120.0]), 1.7
SILVER, TAN = (165, 172, 176), (110, 150, 180)
ROUND = np.radians(np.arange(0, 360, 2))


@pytest.fixture
def plane():
    return plane_from((160, -250, 700), (160, 128))


def disc(picture, plane, at_mm, radius_mm, bgr):
    outline = plane.to_image(at_mm + radius_mm * np.stack([np.cos(ROUND), np.sin(ROUND)], axis=1), THICK_MM)
    cv2.fillPoly(picture, [np.rint(outline * 16).astype(np.int32)], bgr, cv2.LINE_AA, 4)


def drawn(plane, radius_mm, bgr):
    """A disc with a dark line within its rim, and twelve dots on it, light and dark."""
    noise = np.random.default_rng(0).normal(0, 3, (960, 1280, 3))
    picture = np.clip(GROUND + noise, 0, 255).astype(np.uint8)
    for share, light in ((1.0, 1.0), (0.96, 0.8), (0.94, 1.0)):
        disc(picture, plane, AT_MM, share * radius_mm, tuple(light * level for level in bgr))
    for number in range(12):
        aside = 0.5 * radius_mm * np.array([np.cos(0.52 * number), np.sin(0.52 * number)])
        light = 0.8 if number % 2 else 1.15
        disc(picture, plane, AT_MM + aside, 0.1 * radius_mm, tuple(light * level for level in bgr))
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


@pytest.mark.parametrize("bgr", [SILVER, TAN])
@pytest.mark.parametrize("radius_mm", [15.8, 19.8, 20.3])
def test_an_unknown_disc_is_as_wide_as_it_is(plane, radius_mm, bgr):
    """The known coins nearest to them are 30.6 and 38.1 mm wide."""
    proposed = Proposals(AT_MM[None] + 0.6, np.array([0.97 * radius_mm]), np.array([0.9]))
    (found,) = find_coins(drawn(plane, radius_mm, bgr), plane, proposed, Purse(None, (), None, 0.97))
    assert found.cls == UNKNOWN
    assert np.sqrt(found.footprint.area / np.pi) == pytest.approx(radius_mm, rel=0.035)
    assert np.hypot(*(np.array(found.position_mm) - AT_MM)) < 0.35
