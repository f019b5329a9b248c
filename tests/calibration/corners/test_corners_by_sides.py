"""Clicked corners, sharpened by the sides of the table, and never by a printed line."""

import cv2
import numpy as np

from calibration.corners.corners_by_sides import sharpened
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

CAMERA = a_camera(50, 1300, 2, 10, lens=a_lens((1280, 720)))
CORNERS_MM = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)
FRAME_MM = CORNERS_MM * 0.8 + [70, 50]
OFF_PX = np.array([[1.0, -0.8], [-0.9, 0.6], [0.5, 1.1], [-1.2, -0.4]])
SIGMA_PX = np.full(4, 1.5)


def a_table():
    """A board with a frame drawn on it, 1 mm broad."""
    board = paper((700, 500), 3, gray=170)
    at = np.round((FRAME_MM * [1, -1] + [0, 500]) * 3).astype(np.int32)
    cv2.polylines(board, [at], True, 30, 3, cv2.LINE_AA)
    return shoot(CAMERA, board, 3, rays=2, beyond=60)


def test_where_the_sides_show_a_click_is_as_good_as_they():
    px, sigma_px = sharpened(a_table(), CAMERA.to_image(CORNERS_MM) + OFF_PX, SIGMA_PX, None)
    assert (sigma_px == 0.5).all() and np.abs(px - CAMERA.to_image(CORNERS_MM)).max() < 0.35


def test_a_printed_frame_has_two_edges_and_is_left_as_it_was_clicked():
    clicked = CAMERA.to_image(FRAME_MM) + OFF_PX
    px, sigma_px = sharpened(a_table(), clicked, SIGMA_PX, None)
    assert (sigma_px == 1.5).all() and (px == clicked).all()


def test_a_click_far_off_the_sides_is_left_as_it_was():
    clicked = CAMERA.to_image(CORNERS_MM)
    clicked[0] += 9.0
    _, sigma_px = sharpened(a_table(), clicked, SIGMA_PX, None)
    assert sigma_px[0] == 1.5


def test_clicks_that_are_better_than_sides_stay():
    clicked = CAMERA.to_image(CORNERS_MM)
    px, sigma_px = sharpened(a_table(), clicked, np.full(4, 0.4), None)
    assert (px == clicked).all() and (sigma_px == 0.4).all()


def test_where_sides_show_in_a_tint_alone_they_sharpen_too():
    """A green cloth as light as the floor; grey shows nothing."""
    cloth = np.empty((1500, 2100, 3), np.uint8)
    cloth[:] = cv2.cvtColor(np.uint8([[[60, 105, 90]]]), cv2.COLOR_YCrCb2BGR)
    picture = shoot(CAMERA, cloth, 3, rays=2, beyond=60)
    px, sigma_px = sharpened(picture, CAMERA.to_image(CORNERS_MM) + OFF_PX, SIGMA_PX, None)
    assert (sigma_px == 0.75).all() and np.abs(px - CAMERA.to_image(CORNERS_MM)).max() < 0.5
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    assert (sharpened(grey, CAMERA.to_image(CORNERS_MM) + OFF_PX, SIGMA_PX, None)[1] == 1.5).all()
