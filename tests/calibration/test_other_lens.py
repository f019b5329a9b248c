"""A lens file of another camera than the one that shows the references."""

import numpy as np
import pytest

from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.plane import TablePlane, fit_plane
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
