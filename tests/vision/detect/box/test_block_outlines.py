"""The outlines of blocks: what of them a camera sees, and where the points on it lie."""

import numpy as np
import pytest

from vision.detect.box.block_outlines import SIDE, block_outlines, corners

EYE_MM = np.array([0.0, -400.0, 500.0])
# Length along x, breadth along y; the near side is the first one, then right, far, left.
CUBE = np.array([[30.0, 100.0, 40.0, 20.0, 0.0, 50.0]])


def test_corners_go_round_counter_clockwise_as_the_block_is_turned():
    assert corners(CUBE)[0] == pytest.approx(np.array([(10, 90), (50, 90), (50, 110), (10, 110)]))
    turned = corners(np.add(CUBE, (0, 0, 0, 0, np.pi / 2, 0)))[0]
    assert turned == pytest.approx(np.array([(40, 80), (40, 120), (20, 120), (20, 80)]))


def test_of_the_foot_only_sides_that_face_the_camera_count():
    _, _, weights = block_outlines(CUBE, EYE_MM)
    tops, feet, uprights = weights[0:8:2, 0], weights[1:8:2, 0], weights[8:, 0]
    assert tops.tolist() == [1, 1, 1, 1]
    # It stands to the right of the camera, which sees its near and its left side.
    assert feet.tolist() == [1, 0, 0, 1]
    # The near left edge is a fold between the two, the far right one is hidden.
    assert uprights == pytest.approx([0.125, 0.25, 0.0, 0.25])


def test_a_sheet_has_neither_foot_nor_upright_edges():
    _, _, weights = block_outlines(CUBE * (1, 1, 1, 1, 1, 0), EYE_MM)
    assert weights[1:8:2].sum() + weights[8:].sum() == 0


def test_points_lie_on_the_sides_and_those_ahead_a_millimetre_on():
    points, ahead, _ = block_outlines(CUBE, EYE_MM)
    near_top, near_foot = points[0, 0], points[1, 0]
    assert near_top[:, 0] == pytest.approx(10 + 40 * np.linspace(0.02, 0.98, SIDE))
    assert (near_top[:, 1:] == (90, 50)).all()
    assert (near_foot[:, 1:] == (90, 0)).all()
    assert ahead[0, 0] - near_top == pytest.approx(np.tile((1.0, 0.0, 0.0), (SIDE, 1)))


def test_an_upright_edge_runs_to_where_its_top_shows_on_the_table():
    points, _, _ = block_outlines(CUBE, EYE_MM)
    foot, top = np.array([10.0, 90.0]), EYE_MM[:2] + (np.array([10.0, 90.0]) - EYE_MM[:2]) / 0.9
    along = np.linspace(0.05, 0.95, SIDE)[:, None]
    assert points[8, 0, :, :2] == pytest.approx(foot + along * (top - foot))
    assert not points[8, 0, :, 2].any()
