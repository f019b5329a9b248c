"""A match stands out from both sides of a proposal; an edge, a broad band and bare cloth do not."""

import cv2
import numpy as np
import pytest

from tests.vision.planes import plane_from
from vision.detect.stripes import stripes
from vision.shape.rectangle import rectangle_corners

GROUND, WOOD = (90, 130, 100), (150, 190, 215)
AT = (160.0, 120.0)


@pytest.fixture
def plane():
    return plane_from((160, -250, 700), (160, 128))


def with_bar(plane, at_mm, angle, size_mm, bgr=WOOD):
    picture = np.full((960, 1280, 3), GROUND, np.uint8)
    corners = plane.to_image(rectangle_corners(np.array(at_mm), angle, size_mm), 0)
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], bgr, cv2.LINE_AA, 4)
    return picture


def stands_out(picture, plane, at_mm=AT, angle=0.4):
    return float(stripes(picture, plane, np.array([at_mm]), np.array([angle]))[0])


@pytest.mark.parametrize(("off_mm", "askew"), [((0, 0), 0), ((1.5, -1.5), 0.0), ((0, 0), 0.14), ((1, 1), -0.1)])
def test_a_match_stands_out_of_a_proposal_that_is_a_little_off(plane, off_mm, askew):
    picture = with_bar(plane, AT, 0.4, (43, 2.2))
    assert stands_out(picture, plane, np.add(AT, off_mm), 0.4 + askew) > 35


def test_a_dark_match_stands_out_as_a_light_one(plane):
    assert stands_out(with_bar(plane, AT, 0.4, (43, 2.2), (30, 50, 40)), plane) > 35


@pytest.mark.parametrize("size_mm", [(0.1, 0.1), (43, 14), (9, 2.2)])
def test_bare_cloth_a_band_and_a_stump_do_not(plane, size_mm):
    assert stands_out(with_bar(plane, AT, 0.4, size_mm), plane) < 12


def test_an_edge_differs_on_one_side_alone(plane):
    beside = np.add(AT, 30 * np.array([-np.sin(0.4), np.cos(0.4)]))
    assert stands_out(with_bar(plane, beside, 0.4, (120, 60)), plane) < 3


def test_none_and_what_is_off_the_picture(plane):
    picture = with_bar(plane, AT, 0.4, (43, 2.2))
    assert stripes(picture, plane, np.zeros((0, 2)), np.zeros(0)).shape == (0,)
    assert stands_out(picture, plane, (9000.0, 9000.0)) == 0


def test_a_large_table_full_of_print_has_more_proposals_than_opencv_takes_rows_for(plane):
    """1,366 and more ended a look at a patterned table with OpenCV's complaint."""
    picture = with_bar(plane, AT, 0.4, (43, 2.2))
    worth = stripes(picture, plane, np.tile(AT, (1400, 1)), np.full(1400, 0.4))
    assert worth.shape == (1400,) and worth.min() == worth.max() == stands_out(picture, plane)
