"""Light that spreads into what is dark: markers look smaller by it, and their table must not."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.edges.edge import fit_quads
from calibration.fiducials.markers import corners_mm, find_markers, marker_image
from calibration.fit.correspondence import Correspondences, inward
from calibration.fit.plane_fit import fit_plane
from calibration.plane import SIGMAS_95
from calibration.table import CalibrationSpec, MarkerSheet, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens, lay, paper, shoot

TEXELS, SIZE, GAMMA = 4, (1280, 720), 2.2
CENTRES = {0: (60, 60), 1: (640, 60), 2: (640, 440), 3: (60, 440)}
LENS = a_lens(SIZE)
CAMERA = a_camera(50, 900, 3, lens=LENS)
GRID = np.array([[x, y] for x in (0, 350, 700) for y in (0, 250, 500)], float)
SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)


@pytest.fixture(scope="module")
def soft_picture():
    """Light mixed by a soft lens, and its root written, as cameras do."""
    sheet = paper((700, 500), TEXELS)
    for marker_id, centre in CENTRES.items():
        lay(sheet, np.full((4, 4), 255, np.uint8), centre, 84, TEXELS)
        lay(sheet, marker_image("DICT_4X4_50", marker_id, 240), centre, 60, TEXELS)
    light = np.round(255 * (sheet / 255) ** GAMMA).astype(np.uint8)
    mixed = shoot(CAMERA, light, TEXELS, rays=3, blur_px=1.2, noise=0.0)
    grey = 255 * (mixed / 255) ** (1 / GAMMA) + np.random.default_rng(0).normal(0, 1.5, mixed.shape)
    return np.clip(np.round(grey), 0, 255).astype(np.uint8)


def test_a_soft_picture_of_markers_measures_the_table(soft_picture):
    markers = MarkerSheet("DICT_4X4_50", 60, CENTRES)
    plane = calibrate_table(soft_picture, CalibrationSpec(markers=markers, lens=LENS, table_size_mm=(700, 500)))
    px = CAMERA.to_image(GRID)
    error_mm = np.hypot(*(plane.to_table(px) - GRID).T)
    assert error_mm.max() < 0.06  # 0.28 if the squares are believed to be as small as they look
    assert (error_mm < SIGMAS_95 * plane.sigma_mm(px)).all()
    assert SIGMAS_95 * plane.sigma_mm(px).max() < 0.3  # 9.4 before
    assert plane.reprojection_error_px < 0.1


def test_its_squares_do_look_small(soft_picture):
    """The test above is about something: the sides lie half a pixel inward."""
    for marker in find_markers(soft_picture, "DICT_4X4_50"):
        half = np.array([[-30, 30], [30, 30], [30, -30], [-30, -30]])
        truth = CAMERA.to_image(half + CENTRES[marker.id])
        by = inward(truth[None])[0]
        assert 0.3 < ((marker.corners_px - truth) * by).sum() / np.square(by).sum() < 1.2


def test_sides_that_go_in_by_one_move_a_squares_corners_by_one_each_way():
    assert np.allclose(inward(SQUARE[None])[0], [[1, 1], [-1, 1], [-1, -1], [1, -1]])


def test_ink_that_ran_shows_less_where_the_print_is_far():
    """Two far markers whose black is a tenth of a millimetre larger on every side than said, and light that spreads."""
    told = []
    for marker_id in (2, 3):
        corners = corners_mm(CENTRES[marker_id], 60)
        printed = Correspondences.of(CAMERA.to_image(corners), corners, [f"marker {marker_id}"] * 4, 0.02)
        printed = printed.found_by_sides().dark_on_light()
        ink_px = CAMERA.to_image(corners + 0.1 * printed.outward) - printed.image_px
        told.append(replace(printed, image_px=printed.image_px + ink_px + 0.3 * printed.bloom))
    plane = fit_plane(Correspondences.joined(told), LENS, SIZE, (700, 500))
    error_mm = np.hypot(*(plane.to_table(CAMERA.to_image(GRID)) - GRID).T)
    assert error_mm.max() < 0.2  # 0.39 if all of it is believed to be light
    assert plane.reprojection_error_px < 0.01


def test_a_square_that_is_larger_on_every_side_moves_its_corners_by_as_much_each_way():
    lying = Correspondences.of([[0, 10], [10, 10], [10, 20], [0, 20]], SQUARE[[3, 2, 1, 0]], ["marker 1"] * 4)
    assert np.allclose(lying.dark_on_light().outward, [[-1, 1], [1, 1], [1, -1], [-1, -1]])
    assert not lying.outward.any()


def test_what_turns_a_side_moves_its_ends_apart():
    """Why a side's middle is better known than its ends: the edge fit's own errors in noise."""
    rng, square = np.random.default_rng(1), np.full((60, 60), 220, np.uint8)
    square[15:45, 15:45] = 30
    quads = np.array([[[14.5, 14.5], [44.5, 14.5], [44.5, 44.5], [14.5, 44.5]]])
    noisy = (np.clip(square + rng.normal(0, 6, square.shape), 0, 255).astype(np.uint8) for _ in range(300))
    corners = np.concatenate([fit_quads(picture, quads)[0] for picture in noisy])
    starts, ends = corners[:, 0, 1], corners[:, 1, 1]
    assert -0.85 < np.corrcoef(starts, ends)[0, 1] < -0.3


def test_errors_in_sigmas_are_as_many_numbers_and_as_large():
    """Ends that err together as they are said to give numbers of variance one, each by itself."""
    rng = np.random.default_rng(2)
    seen = Correspondences.of(SQUARE, SQUARE, ["marker 1"] * 4, 0.5).dark_on_light()
    together = np.linalg.cholesky([[1, -0.5], [-0.5, 1]])
    told = []
    for _ in range(2000):
        errors = np.zeros((4, 2))
        # Upper side, right, lower, left: the ends of each err across it.
        for first, axis in ((0, 1), (1, 0), (2, 1), (3, 0)):
            errors[[first, (first + 1) % 4], axis] = 0.5 * together @ rng.normal(size=2)
        told.append(seen.in_sigmas(errors))
    assert np.allclose(np.cov(np.array(told).T), np.eye(8), atol=0.15)
