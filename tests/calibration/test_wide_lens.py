"""Four clicks on a table where nothing tells the bend of a lens that may be a wide webcam's."""

import numpy as np
import pytest

from calibration.plane import SIGMAS_95
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens

SIZE = (1920, 1080)
CORNERS_MM = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)
PLACES_MM = np.array([[x, y] for x in range(70, 700, 140) for y in range(50, 500, 100)], float)
PLAIN = np.full((1080, 1920), 120, np.uint8)


def seen(of_width, distortion, tilt_deg=55, **more):
    """Off by so many mm at most, what is stated there, and the plane."""
    shape = a_lens(SIZE).matrix[0, 0] / 1920
    lens = a_lens(SIZE, distortion)
    focal_px = of_width * 1920
    lens = lens.with_parameters(np.r_[np.log([focal_px] * 2), lens.parameters[2:]])
    camera = a_camera(tilt_deg, 950 * of_width / shape, 2, 10, lens=lens)
    rows = np.c_[camera.to_image(CORNERS_MM), CORNERS_MM].tolist()
    sigmas = (0.5,) * 4
    spec = CalibrationSpec(tuple(map(tuple, rows)), points_sigma_px=sigmas, table_size_mm=(700, 500), **more)
    plane = calibrate_table(PLAIN, spec)
    px = camera.to_image(PLACES_MM)
    return np.hypot(*(plane.to_table(px) - PLACES_MM).T), SIGMAS_95 * plane.sigma_mm(px), plane


@pytest.mark.parametrize("of_width", [0.5, 0.58])
def test_a_wide_webcam_is_within_what_is_stated(of_width):
    off_mm, stated_mm, plane = seen(of_width, (-0.28, 0.062, 0, 0, 0))
    assert np.median(off_mm) > 5.0 and np.mean(off_mm <= stated_mm) > 0.8
    (note,) = (each for each in plane.notes if "do not tell how the lens bends" in each)
    assert "if it is a wide one" in note and "calibrate lens" in note


def test_a_narrow_webcam_states_what_it_did():
    off_mm, stated_mm, plane = seen(0.95, (0, 0, 0, 0, 0))
    assert off_mm.max() < 2.0 and stated_mm.max() < 7.0
    assert any("through a wide lens five times that" in note for note in plane.notes)


def test_through_a_measured_lens_nothing_is_open():
    lens = a_lens(SIZE)
    off_mm, stated_mm, _ = seen(lens.matrix[0, 0] / 1920, (0, 0, 0, 0, 0), lens=lens)
    assert off_mm.max() < 0.5 and stated_mm.max() < 3.0
