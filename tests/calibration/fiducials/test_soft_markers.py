"""Markers of a picture that is out of focus are read, and their corners said to be rough."""

import cv2
import numpy as np
import pytest

from calibration.edges.edge import softness_of
from calibration.fiducials.markers import find_markers, marker_image

SIDE_PX, PLACE = 60, (70, 50)


def soft(blur_px, times=1):
    """A marker of 60 px, or some times that, with its white rim on a grey table, so far out of focus to a camera."""
    light = np.full((160, 200), 0.12)
    u, v = PLACE
    light[v - 10 : v + SIDE_PX + 10, u - 10 : u + SIDE_PX + 10] = 0.9
    light[v : v + SIDE_PX, u : u + SIDE_PX] = marker_image("DICT_4X4_50", 2, SIDE_PX) / 255 * 0.9
    light = light.repeat(times, axis=0).repeat(times, axis=1)
    return np.asarray(255 * cv2.GaussianBlur(light, (0, 0), blur_px) ** (1 / 2.2), np.uint8)


def test_a_marker_out_of_focus_is_read():
    markers = find_markers(soft(3.5), "DICT_4X4_50")
    assert [marker.id for marker in markers] == [2]
    corner = np.array(PLACE) - 0.5
    assert np.allclose(markers[0].corners_px, corner + SIDE_PX * np.array([[0, 0], [1, 0], [1, 1], [0, 1]]), atol=4)
    assert markers[0].sigma_px > 0.5


@pytest.mark.parametrize("blur_px", [0.5, 1.0, 1.5, 2.0])
def test_how_soft_a_picture_is_is_told_by_a_markers_sides(blur_px):
    (marker,) = find_markers(soft(blur_px), "DICT_4X4_50")
    assert marker.soft_px == pytest.approx(blur_px, rel=0.25)


def test_a_large_marker_is_no_softer_than_a_small_one():
    (marker,) = find_markers(soft(0.7, times=6), "DICT_4X4_50")
    assert marker.soft_px == pytest.approx(0.7, rel=0.25) and marker.sigma_px < 0.1


def test_what_does_not_rise_is_not_soft():
    quads = np.array([[[10, 10], [30, 10], [30, 30], [10, 30]]], float)
    assert softness_of(np.full((50, 50), 80, np.uint8), quads)[0] == 0
