"""Crops for the reader of directions: as those that it learned from, which were cut out of a view made coarser."""

import cv2
import numpy as np
import pytest

from models import directions, solids
from vision.detect.facing import crop, read_facing, told_deg
from vision.upright import UprightView

LEFT, ABOVE = solids.FACING_FOOT_PX
SIDE = solids.FACING_CROP_PX


@pytest.mark.parametrize("foot_px", [(150.5, 160.5), (153.2, 161.9), (40.0, 300.0)])
def test_a_crop_is_the_coarse_view_with_the_foot_in_its_place(foot_px):
    seen = np.random.default_rng(1).integers(0, 255, (320, 320, 3), np.uint8)
    coarse = np.pad(cv2.resize(seen, (160, 160), interpolation=cv2.INTER_AREA), ((SIDE, SIDE), (SIDE, SIDE), (0, 0)))
    column, row = np.rint((np.array(foot_px) - 0.5) / 2).astype(int) + SIDE
    expected = coarse[row - ABOVE : row - ABOVE + SIDE, column - LEFT : column - LEFT + SIDE]
    assert np.abs(crop(seen, np.array(foot_px)).astype(int) - expected).max() <= 1


def test_no_soldiers_say_nothing():
    chances = read_facing(np.zeros((64, 64, 3), np.uint8), np.zeros((0, 2), np.float32), np.zeros((0, 2)))
    assert chances.shape == (0, directions.COUNT)


def test_in_the_mirror_a_soldier_faces_the_mirrored_way():
    seen = np.random.default_rng(2).integers(0, 255, (128, 128, 3), np.uint8)
    foot_px = np.array([(64.5, 2.0 * ABOVE + 0.5)])
    before = read_facing(seen, np.array([(0.3, -0.8)], np.float32), foot_px)
    beyond = read_facing(seen[:, ::-1], np.array([(-0.3, -0.8)], np.float32), foot_px)
    turned = [int(np.argmin(np.abs(np.exp(1j * directions.RAD) + np.exp(-1j * rad)))) for rad in directions.RAD]
    assert beyond[:, turned] == pytest.approx(before, abs=1e-6)
    assert np.ptp(before) > 0.01


def test_of_two_ends_that_are_as_likely_none_is_told(monkeypatch):
    both = np.zeros((2, directions.COUNT))
    both[0, [0, 12]] = 0.5
    both[1, [0, 1]] = 0.5
    view = UprightView(None, np.zeros((2, 2)), np.diag([2.0, -1.2]), np.zeros(2), 2.0, (64, 64))
    assert told_deg(both, view) == [None, pytest.approx(345.0)]
