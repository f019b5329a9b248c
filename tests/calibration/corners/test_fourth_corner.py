"""The corner that nobody clicked, where a table's far and left side meet."""

import cv2
import numpy as np
import pytest

from calibration.corners.fourth_corner import fourth_corner
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

TEXELS, SIZE, SIZE_MM = 3, (1280, 720), (700.0, 500.0)
CORNERS = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)
HAND_PX = np.array([[0.4, -0.3], [-0.5, 0.2], [0.3, 0.5]])
CAMERA = a_camera(50, 1200, 2, 10, lens=a_lens(SIZE, (-0.12, 0.05, 0.0, 0.0, 0.0)))


def a_picture(beyond=60, camera=CAMERA):
    table = paper((700, 500), TEXELS, gray=170)
    for x, y in np.random.default_rng(4).uniform((40, 40), (660, 460), (20, 2)):
        cv2.circle(table, (round(x * TEXELS), round(y * TEXELS)), 12 * TEXELS, 90, -1)
    return shoot(camera, table, TEXELS, rays=2, beyond=beyond)


@pytest.fixture(scope="module")
def picture():
    return a_picture()


def clicked(corners_mm=CORNERS, camera=CAMERA):
    """The first three, as a hand clicks them."""
    return np.round(camera.to_image(corners_mm[:3]) + HAND_PX)


def test_two_sides_tell_it_through_a_bent_lens_that_nobody_measured(picture):
    found = fourth_corner(picture, clicked(), SIZE_MM, None)
    assert np.hypot(*(found - CAMERA.to_image(CORNERS[3:])[0])) < 0.3


def test_with_a_lens_file_too(picture):
    found = fourth_corner(picture, clicked(), SIZE_MM, CAMERA.lens)
    assert np.hypot(*(found - CAMERA.to_image(CORNERS[3:])[0])) < 0.3


def test_a_dark_table_on_a_light_floor_will_do():
    found = fourth_corner(a_picture(beyond=235), clicked(), SIZE_MM, None)
    assert np.hypot(*(found - CAMERA.to_image(CORNERS[3:])[0])) < 0.3


def test_sides_that_only_their_colour_tells_will_do():
    gray = a_picture(beyond=100)
    # A brown table on a floor as bright, blue for red.
    inside = cv2.GaussianBlur(_on_table().astype(float), (0, 0), 0.7)
    level = np.where(inside > 0.5, 110 + (gray.astype(float) - 170) / 2, 110.0)
    shift = 30 * (2 * inside - 1)
    colour = np.clip(np.dstack([level - shift, level - 0.12 * shift, level + 0.62 * shift]), 0, 255).astype(np.uint8)
    with pytest.raises(ValueError, match="no two sides are seen to meet"):
        fourth_corner(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), clicked(), SIZE_MM, None)
    found = fourth_corner(colour, clicked(), SIZE_MM, None)
    assert np.hypot(*(found - CAMERA.to_image(CORNERS[3:])[0])) < 0.6


def _on_table():
    """(h, w) whether the pixel shows the table."""
    u, v = np.meshgrid(np.arange(SIZE[0], dtype=float), np.arange(SIZE[1], dtype=float))
    mm = CAMERA.to_table(np.c_[u.ravel(), v.ravel()])
    return ((mm > 0) & (mm < SIZE_MM)).all(axis=1).reshape(u.shape)


def test_the_corner_itself_may_be_covered(picture):
    covered, (u, v) = picture.copy(), np.round(CAMERA.to_image(CORNERS[3:])[0]).astype(int)
    cv2.ellipse(covered, (int(u) + 10, int(v)), (60, 40), 20, 0, 360, (30,), -1)
    found = fourth_corner(covered, clicked(), SIZE_MM, None)
    assert np.hypot(*(found - CAMERA.to_image(CORNERS[3:])[0])) < 0.6


def test_a_side_that_does_not_show_is_not_made_up(picture):
    faded = picture.copy()
    edge_px = CAMERA.to_image(np.c_[np.zeros(40), np.linspace(-20, 520, 40)])
    cv2.polylines(faded, [np.round(edge_px).astype(np.int32)], False, (170,), 60)
    with pytest.raises(ValueError, match="no two sides are seen to meet"):
        fourth_corner(faded, clicked(), SIZE_MM, None)


def test_a_field_in_the_middle_of_a_larger_table_has_no_sides(picture):
    field = CORNERS * 0.6 + [140, 100]
    with pytest.raises(ValueError, match="no two sides are seen to meet"):
        fourth_corner(picture, clicked(field), (420.0, 300.0), None)


def test_sides_of_another_shape_than_the_tables_are_refused(picture):
    with pytest.raises(ValueError, match="no two sides are seen to meet"):
        fourth_corner(picture, clicked(), (700.0, 900.0), CAMERA.lens)
