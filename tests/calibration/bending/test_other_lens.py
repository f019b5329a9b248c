"""A lens file of another camera than the one that shows the references."""

import numpy as np
import pytest

from calibration.bending.other_lens import FOLDED
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.simulation import MARKERS, SIZE
from tests.calibration.table_picture import a_camera

GRID = np.array([[x, y] for x in (50, 350, 650) for y in (50, 250, 450)], float)


def a_lens(focal_px: float, k1: float = -0.05) -> Lens:
    return Lens.measured(SIZE, [[focal_px, 0, 966], [0, focal_px, 536], [0, 0, 1]], (k1, 0.05, 0, 0, 0))


def fitted(told: Lens, pushed_mm: float = 0.0) -> tuple[TablePlane, TablePlane]:
    """The camera, and the plane by markers of which one lies pushed aside."""
    mm, sources = MARKERS
    camera, lying = a_camera(50, 930, pan_deg=15, lens=a_lens(1500)), mm.copy()
    lying[:4] += pushed_mm
    px = camera.to_image(lying) + np.random.default_rng(3).normal(0, 0.1, mm.shape)
    return camera, fit_plane(Correspondences.of(px, mm, sources, 0.1), told, SIZE, (700, 500))


def is_named(plane: TablePlane) -> bool:
    return any(note.startswith("the lens file is of another camera") for note in plane.notes)


@pytest.mark.parametrize("told", [a_lens(1650), a_lens(1350), a_lens(1500, -0.3)], ids=["longer", "shorter", "bent"])
def test_it_is_named_and_the_table_measured_without_it(told):
    camera, plane = fitted(told)
    off_mm = np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T)
    assert is_named(plane) and not plane.rejected
    assert off_mm.max() < 1.0


@pytest.mark.parametrize("pushed_mm", [0.0, 3.0, 10.0])
def test_a_right_one_is_not(pushed_mm):
    _, plane = fitted(a_lens(1500), pushed_mm)
    assert not is_named(plane) and plane.lens.known


def clicked(told: Lens, corners_mm: np.ndarray) -> tuple[TablePlane, TablePlane]:
    """The camera, and the plane by six clicks."""
    camera, picture = a_camera(50, 930, pan_deg=15, lens=a_lens(1500)), np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    points = tuple(map(tuple, np.c_[camera.to_image(corners_mm), corners_mm].tolist()))
    return camera, calibrate_table(picture, CalibrationSpec(points=points, lens=told, table_size_mm=(700, 500)))


TABLE = np.array([[0, 0], [700, 0], [700, 500], [0, 500], [350, 0], [350, 500]], float)


@pytest.mark.parametrize("k1", [-0.9, -3.0])
def test_one_that_folds_over_where_references_show_is_named(k1):
    """It was the table that was seen from below, or through which the horizon ran."""
    camera, plane = clicked(a_lens(1500, k1), TABLE)
    off_mm = np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T)
    assert plane.notes[0] == FOLDED and not plane.lens.known
    assert off_mm.max() < 2.0


def test_one_that_folds_over_in_the_pictures_corners_alone_is_used():
    """As a measured one does where the board was not in the corners."""
    within = GRID[[0, 2, 6, 8]] * 0.4 + (210, 150)
    right = a_lens(1500)
    told = Lens.measured(SIZE, right.matrix, (-0.05, 0.05, 0, 0, -2.0))
    camera, plane = clicked(told, within)
    assert plane.lens.known and FOLDED not in plane.notes
    assert np.hypot(*(plane.to_table(camera.to_image(within)) - within).T).max() < 1.0
