"""Crops for the reader of directions: the foot in its place, small men as large as tall ones, black beyond the view."""

import cv2
import numpy as np
import pytest

from models import directions, solids
from vision.detect.figure.facing import crop, read_facing, told_deg
from vision.metric.upright import UprightView

LEFT, ABOVE = solids.FACING_FOOT_PX


@pytest.mark.parametrize("share", [0.5, 0.7, 1.0])
@pytest.mark.parametrize("foot_px", [(150, 160), (2, 300), (318, 3)])
def test_the_foot_is_in_its_place_however_large_a_man_is_shown(foot_px, share):
    seen = np.zeros((320, 320, 3), np.uint8)
    seen[foot_px[1] - 1 : foot_px[1] + 2, foot_px[0] - 1 : foot_px[0] + 2] = 255
    shown = crop(seen, np.array(foot_px, float), share)[..., 0].astype(float)
    row, column = np.unravel_index(shown.argmax(), shown.shape)
    assert (column, row) == pytest.approx((LEFT, ABOVE), abs=1)


def test_at_full_scale_the_crop_is_the_view_itself():
    seen = np.random.default_rng(1).integers(0, 255, (320, 320, 3), np.uint8)
    expected = seen[160 - ABOVE :, 150 - LEFT :][: solids.FACING_CROP_PX, : solids.FACING_CROP_PX]
    assert (crop(seen, np.array((150.0, 160.0)), 1.0) == expected).all()


def test_men_half_as_tall_are_shown_twice_as_large():
    assert solids.facing_share(np.array([26.0, 18.0, 13.0, 6.0])) == pytest.approx([0.5, 13 / 18, 1.0, 1.0])


def test_no_soldiers_say_nothing():
    chances = read_facing(np.zeros((64, 64, 3), np.uint8), np.zeros((0, 2), np.float32), np.zeros((0, 2)), np.zeros(0))
    assert chances.shape == (0, directions.COUNT)


def test_in_the_mirror_a_soldier_faces_the_mirrored_way():
    grain = np.random.default_rng(5).integers(0, 255, (128, 128, 3), np.uint8)
    seen = cv2.normalize(cv2.GaussianBlur(grain, (0, 0), 4), None, 0, 255, cv2.NORM_MINMAX)
    foot_px, radius_px = np.array([(64.5, 2.0 * ABOVE + 0.5)]), np.array([26.0])
    mirrored_px = (127, 0) - foot_px * (1, -1)
    before = read_facing(seen, np.array([(0.3, -0.8)], np.float32), foot_px, radius_px)
    beyond = read_facing(seen[:, ::-1], np.array([(-0.3, -0.8)], np.float32), mirrored_px, radius_px)
    turned = [int(np.argmin(np.abs(np.exp(1j * directions.RAD) + np.exp(-1j * rad)))) for rad in directions.RAD]
    # Crops begin at whole pixels, so that one and its mirror image are half a pixel apart.
    assert np.abs(beyond[:, turned] - before).max() < 0.03
    assert np.abs(beyond - before).max() > 0.1


def test_of_two_ends_that_are_as_likely_none_is_told(monkeypatch):
    both = np.zeros((2, directions.COUNT))
    both[0, [0, 12]] = 0.5
    both[1, [0, 1]] = 0.5
    view = UprightView(None, np.zeros((2, 2)), np.diag([2.0, -1.2]), np.zeros(2), 2.0, (64, 64))
    assert told_deg(both, view, np.zeros(2, bool)) == [None, pytest.approx(345.0)]


def test_a_gun_is_told_where_a_man_as_likely_to_face_there_is_not():
    likely = np.zeros((3, directions.COUNT))
    likely[:2, [0, 12]] = 0.6, 0.4
    likely[2, [0, 12]] = 0.45, 0.55
    view = UprightView(None, np.zeros((2, 2)), np.diag([2.0, -1.2]), np.zeros(2), 2.0, (64, 64))
    man, gun, other = told_deg(likely, view, np.array([False, True, True]))
    assert man is None
    assert gun == pytest.approx(360 - 7.5)
    assert other == pytest.approx(180 - 7.5)
