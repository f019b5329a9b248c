"""The hexes of a mat sharpen the plane of a table that was clicked."""

import cv2
import numpy as np

from benchmarks.clicked_hexes import Shown
from calibration.table import CalibrationSpec, calibrate_table
from sample_footage.hex_table import TABLE_MM, HexTable, seen_bgr
from tests.calibration.simulation import SIZE, TABLE
from tests.calibration.table_picture import a_camera, a_lens
from vision.detect.hex.hex_places import HexPlaces

GRID_MM = np.stack(np.meshgrid(np.linspace(0, 700, 8), np.linspace(0, 500, 6)), axis=-1).reshape(-1, 2)


def measured(table, distortion, miss_px=(0.5, -0.4)):
    """How far off the table is by its clicked corners, at most, mm, without and with what the hexes tell."""
    camera = a_camera(52, 880, 1.0, 8.0, a_lens(SIZE, distortion))
    # Without tints, which tell the bend by the mat's sides.
    grey = cv2.cvtColor(seen_bgr(table, Shown(camera, np.eye(2))), cv2.COLOR_BGR2GRAY)
    picture = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    px = camera.to_image(TABLE) + np.outer([1, -1, 1, -1], miss_px)
    spec = CalibrationSpec(
        tuple(map(tuple, np.hstack([px, TABLE]))), points_sigma_px=(0.5,) * 4, table_size_mm=TABLE_MM
    )
    shown = camera.to_image(GRID_MM)
    planes = [calibrate_table(picture, spec, see) for see in (None, HexPlaces(picture, TABLE_MM))]
    return [float(np.hypot(*(plane.to_table(shown) - GRID_MM).T).max()) for plane in planes], planes


def test_hexes_tell_a_barrel_that_four_clicks_hide():
    mat = HexTable(40.0, 12.0, (210.0, 140.0), "lines", "grass", things=8, seed=3)
    (clicks_mm, hexes_mm), (_, plane) = measured(mat, (-0.3, 0.06, 0.0, 0.0, 0.0))
    assert clicks_mm > 5.0
    assert hexes_mm < 1.0
    assert "told the lens and the tilt" in plane.notes[-1]


def test_a_mat_that_is_a_part_of_the_table_is_not_drawn_after_its_edges():
    mat = HexTable(31.0, 12.0, (210.0, 140.0), "hexmat", "sand", (60.0, 60.0, 460.0, 400.0), seed=4)
    (_, hexes_mm), (_, plane) = measured(mat, (-0.1, 0.05, 0.0, 0.0, 0.0))
    assert hexes_mm < 1.0
    assert "told the lens and the tilt" in plane.notes[-1]


def test_a_table_without_hexes_is_measured_as_without():
    bare = HexTable(40.0, 0.0, (0.0, 0.0), "none", "sand", things=20, seed=8)
    _, (clicks, hexes) = measured(bare, (-0.05, 0.0, 0.0, 0.0, 0.0))
    assert np.array_equal(clicks.tvec, hexes.tvec) and clicks.notes == hexes.notes
