"""Clicked points that do not fit one another: the error allows for one mistake, and grows by nothing where none is."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.mistakes import MISTAKEN
from calibration.plane import SIGMAS_95, TablePlane, fit_plane
from tests.calibration.simulation import SIZE, TABLE
from tests.calibration.table_picture import a_camera, a_lens

Array = NDArray[np.float64]

CAMERA = a_camera(50, 900, 3, 15)
# As a hand clicks them.
OFF_PX = np.array([[0.3, -0.2], [-0.4, 0.1], [0.2, 0.4], [-0.1, -0.3]])


def clicked(off_px: Array = OFF_PX, stretch: tuple[float, float] = (1.0, 1.0)) -> TablePlane:
    """The plane by four corners that are clicked so far off, of a table told so much too wide and deep."""
    seen = Correspondences.of(CAMERA.to_image(TABLE) + off_px, TABLE * stretch, sigma_px=0.5)
    return fit_plane(seen, a_lens(), SIZE)


def off_and_stated_mm(plane: TablePlane) -> tuple[float, float]:
    """At the worst corner."""
    px = CAMERA.to_image(TABLE)
    off_mm = np.hypot(*(plane.to_table(px) - TABLE).T)
    worst = int(off_mm.argmax())
    return float(off_mm[worst]), float(SIGMAS_95 * plane.sigma_mm(px)[worst])


def test_nothing_is_added_where_clicks_fit() -> None:
    plane = clicked()
    assert MISTAKEN not in plane.notes
    off_mm, stated_mm = off_and_stated_mm(plane)
    assert off_mm < stated_mm < 1.5


@pytest.mark.parametrize("stretch", [(1.01, 1.0), (1.0, 0.99)])
def test_a_side_told_wrong_is_allowed_for(stretch: tuple[float, float]) -> None:
    plane = clicked(stretch=stretch)
    off_mm, stated_mm = off_and_stated_mm(plane)
    assert MISTAKEN in plane.notes
    assert off_mm < stated_mm < 5 * off_mm


def test_a_click_far_off_is_allowed_for() -> None:
    off_px = OFF_PX.copy()
    off_px[2] += (6, 3)
    plane = clicked(off_px)
    off_mm, stated_mm = off_and_stated_mm(plane)
    assert MISTAKEN in plane.notes
    assert off_mm < stated_mm < 5 * off_mm


@pytest.mark.parametrize("focal_share", [-0.02, 0.02])
def test_a_lens_file_that_is_off_moves_the_table_by_little_as_its_pose_undoes_it(focal_share: float) -> None:
    """What the pose follows was told as the table's error (8 mm for 0.6), and the lens's own that undoes it was not."""
    lens = a_lens()
    other = lens.with_parameters(lens.parameters + np.r_[focal_share, focal_share, np.zeros(7)])
    camera = a_camera(45, 900 * (1 + focal_share), 3, 15, other)
    plane = fit_plane(Correspondences.of(camera.to_image(TABLE), TABLE, sigma_px=0.3), lens, SIZE)
    px = camera.to_image(TABLE)
    off_mm, stated_mm = np.hypot(*(plane.to_table(px) - TABLE).T), SIGMAS_95 * plane.sigma_mm(px)
    assert MISTAKEN in plane.notes
    assert (off_mm < stated_mm).all() and stated_mm.max() < 5


def test_eight_points_of_a_side_told_wrong_are_allowed_for_as_four() -> None:
    points = np.vstack([TABLE, (TABLE + np.roll(TABLE, -1, axis=0)) / 2])
    off_px = np.vstack([OFF_PX, -OFF_PX])
    seen = Correspondences.of(CAMERA.to_image(points) + off_px, points * [1.01, 1.0], sigma_px=0.5)
    plane = fit_plane(seen, a_lens(), SIZE)
    off_mm, stated_mm = off_and_stated_mm(plane)
    assert MISTAKEN in plane.notes
    assert off_mm < stated_mm < 5 * off_mm


def test_more_points_are_no_persons() -> None:
    grid = np.array([[x, y] for x in (0, 350, 700) for y in (0, 250, 500)], float)
    seen = Correspondences.of(CAMERA.to_image(grid), grid * [1.01, 1.0], sigma_px=0.5)
    assert MISTAKEN not in fit_plane(seen, a_lens(), SIZE).notes
