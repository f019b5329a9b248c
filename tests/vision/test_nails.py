"""Nails on drawn pictures: one reading takes them for matches, those from aside do not; a match is one from aside."""

import cv2
import numpy as np
import pytest

from tests.vision.planes import plane_from
from tests.vision.test_matches import proposed, stripe, with_match
from vision.detect.matches import find_matches
from vision.detect.nails import are_matches

STEEL, SHINE, SHADE = (130, 130, 130), (195, 195, 195), (78, 78, 78)
DARK, PALE = (60, 60, 70), (190, 195, 200)
AT_MM = (150.0, 120.0)


@pytest.fixture
def plane():
    return plane_from((160, -250, 700), (160, 128))


def with_nail(plane, ground, angle, width_mm, length_mm=40.0):
    """A steel shank, bright on one side and dark on the other, its head a disc of 1.2 mm on edge."""
    picture = np.full((960, 1280, 3), ground, np.uint8)
    ahead, left = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    stripe(picture, plane, AT_MM, angle, (length_mm, width_mm), STEEL)
    stripe(picture, plane, AT_MM + (length_mm / 2 - 0.5) * ahead, angle, (1.2, 2 * width_mm), STEEL)
    stripe(picture, plane, AT_MM + 0.3 * width_mm * left, angle, (length_mm, 0.3 * width_mm), SHINE)
    stripe(picture, plane, AT_MM - 0.35 * width_mm * left, angle, (length_mm, 0.3 * width_mm), SHADE)
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


@pytest.mark.parametrize("ground", [DARK, PALE])
@pytest.mark.parametrize("width_mm", [1.4, 2.4])
@pytest.mark.parametrize("angle", [0.3, 1.9, 4.0])
def test_a_nail_is_no_match(plane, ground, width_mm, angle):
    picture = with_nail(plane, ground, angle, width_mm)
    assert not find_matches(picture, plane, proposed((151, 119.5, angle + 0.05, 0.4)))


@pytest.mark.parametrize("angle", [0.3, 1.9, 4.0])
def test_a_match_is_one_from_aside(plane, angle):
    picture = with_match(np.full((960, 1280, 3), PALE, np.uint8), plane, AT_MM, angle)
    assert are_matches(picture, plane, np.array([AT_MM]), np.array([angle])).all()


def test_where_nothing_is_in_doubt_nothing_is_read(plane):
    picture = np.full((960, 1280, 3), PALE, np.uint8)
    assert are_matches(picture, plane, np.zeros((0, 2)), np.zeros(0)).shape == (0,)
