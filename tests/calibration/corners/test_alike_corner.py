"""The corner that nobody clicked, marked as the clicked ones are."""

import cv2
import numpy as np
import pytest

from calibration.corners.alike_corner import alike_corner
from calibration.corners.three_points import cameras_by_three
from calibration.fit.correspondence import Correspondences
from calibration.lens import Lens
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

TEXELS, SIZE = 3, (1280, 720)
FIELD = np.array([[90, 80], [610, 80], [610, 420], [90, 420]], float)
HAND_PX = np.array([[0.8, -0.6], [-0.9, 0.4], [0.5, 0.9]])
CAMERA = a_camera(50, 1100, 2, 8, lens=a_lens(SIZE, (-0.08, 0.02, 0.0, 0.0, 0.0)))


def cross(table, at_mm, turn_deg, level=30):
    for turn in np.radians([turn_deg, turn_deg + 90]):
        along = 11 * np.array([np.cos(turn), np.sin(turn)])
        ends = np.rint(TEXELS * np.array([at_mm - along, at_mm + along])).astype(int)
        cv2.line(table, tuple(ends[0].tolist()), tuple(ends[1].tolist()), level, 4 * TEXELS, cv2.LINE_AA)


def a_picture(marks, spots=20):
    """Crosses at these places, turned anyhow, among round spots on grain."""
    rng = np.random.default_rng(4)
    table = paper((700, 500), TEXELS, gray=150)
    grain = cv2.GaussianBlur(rng.normal(0, 60, table.shape), (0, 0), 4)
    table = np.clip(table + grain, 0, 255).astype(np.uint8)
    for x, y in rng.uniform((150, 120), (550, 380), (spots, 2)):
        cv2.circle(table, (round(x * TEXELS), round(y * TEXELS)), 11 * TEXELS, 60, -1)
    for number, at_mm in enumerate(marks):
        # Rows of the paper run away from the camera's y.
        cross(table, np.array([at_mm[0], 500 - at_mm[1]]), 17 * number)
    return np.dstack([shoot(CAMERA, table, TEXELS, rays=2, beyond=120)] * 3)


def fourth(picture, lens=None):
    clicked = Correspondences.of(CAMERA.to_image(FIELD[:3]) + HAND_PX, FIELD[:3])
    return alike_corner(picture, cameras_by_three(clicked, lens or Lens.unknown(SIZE), FIELD), FIELD)


@pytest.mark.parametrize("lens", [None, CAMERA.lens])
def test_a_mark_like_the_clicked_ones_is_the_fourth_corner(lens):
    off_px = np.hypot(*(fourth(a_picture(FIELD), lens) - CAMERA.to_image(FIELD[3:])[0]))
    # As well as a hand clicks it.
    assert off_px < 2.0


def test_where_none_lies_none_is_made_up():
    with pytest.raises(ValueError, match=r"no mark like the clicked ones|several places look"):
        fourth(a_picture(FIELD[:3]))


def test_of_two_it_is_not_told_which():
    with pytest.raises(ValueError, match="several places look like the clicked corners"):
        fourth(a_picture([*FIELD, FIELD[3] + (38, 12)]))


def test_bare_places_are_no_marks():
    with pytest.raises(ValueError, match=r"no mark like the clicked ones|several places look"):
        fourth(a_picture([]))
