"""A camera that was carried round its table: known again from anywhere, by the ground to a tenth of a mm."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Polygon, box

from calibration.kick.drift import Anchor
from calibration.kick.elsewhere import measured_elsewhere, seen_elsewhere
from calibration.kick.ground import by_ground
from calibration.kick.parallax import Bodies, by_parallax
from calibration.plane import SIGMAS_95, TablePlane
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

SIZE_MM = (350.0, 250.0)
LENS = a_lens((960, 540))
CAMERA = a_camera(50, 480, lens=LENS, aim_mm=(175, 125))
SHEET = paper(SIZE_MM, 4)
GRID = np.array([[x, y] for x in (20, 175, 330) for y in (20, 125, 230)], float)
ANCHOR = Anchor.of(shoot(CAMERA, SHEET, 4, rays=2), CAMERA, SIZE_MM)
NOTHING = Bodies(Polygon(), 1.0)


def off_mm(plane: TablePlane, camera: TablePlane) -> np.ndarray:
    return np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T)


@pytest.mark.parametrize(
    ("pan_deg", "tilt_deg", "distance_mm"),
    [(0, 50, 480), (60, 50, 480), (-60, 58, 440), (120, 42, 520), (180, 50, 480)],
)
def test_a_camera_on_any_side_of_the_table_is_found(pan_deg: float, tilt_deg: float, distance_mm: float) -> None:
    camera = a_camera(tilt_deg, distance_mm, pan_deg=pan_deg, lens=LENS, aim_mm=(175, 125))
    picture = shoot(camera, SHEET, 4, rays=2, seed=1)
    glimpse = seen_elsewhere(ANCHOR, picture)
    assert glimpse is not None and off_mm(glimpse.plane, camera).max() < 3.0
    plane = measured_elsewhere(ANCHOR, picture, lambda _: NOTHING)
    assert plane is not None and off_mm(plane, camera).max() < 0.15
    assert (off_mm(plane, camera) <= SIGMAS_95 * plane.added_sigma_mm(GRID)).mean() > 0.85
    assert plane.added_sigma_mm(GRID).max() < 0.3 and plane.reprojection_error_px < 0.5


def test_another_table_a_mirrored_one_and_the_dark_are_not_known_again() -> None:
    other = shoot(CAMERA, paper(SIZE_MM, 4, seed=9), 4, rays=2)
    for picture in (other, np.ascontiguousarray(ANCHOR.image[:, ::-1]), np.full_like(ANCHOR.image, 8)):
        assert seen_elsewhere(ANCHOR, picture) is None
        assert measured_elsewhere(ANCHOR, picture, lambda _: NOTHING) is None


def test_a_plane_that_has_the_features_elsewhere_is_not_borne_out() -> None:
    camera = a_camera(50, 480, pan_deg=60, lens=LENS, aim_mm=(175, 125))
    glimpse = seen_elsewhere(ANCHOR, shoot(camera, SHEET, 4, rays=2, seed=1))
    beside = replace(camera, tvec=np.add(camera.tvec, (0.0, 8.0, 0.0)))
    assert glimpse is not None
    assert glimpse.bears_out(camera, Polygon()) and not glimpse.bears_out(beside, Polygon())
    # Where something stands everywhere they say nothing.
    assert glimpse.bears_out(beside, box(-10, -10, 360, 260))


def test_a_table_without_texture_is_not_measured_again_by_it() -> None:
    grey = Anchor.of(np.full_like(ANCHOR.image, 120), CAMERA, SIZE_MM)
    assert by_parallax(grey, ANCHOR.image, CAMERA, NOTHING) is None


def test_the_ground_leads_back_from_two_centimetres_beside_it() -> None:
    camera = a_camera(50, 480, pan_deg=40, lens=LENS, aim_mm=(175, 125))
    beside = replace(camera, tvec=-camera.rotation @ np.add(camera.camera_position_mm, (20.0, -10.0, 12.0)))
    assert off_mm(beside, camera).max() > 15.0
    plane = by_ground(ANCHOR, shoot(camera, SHEET, 4, rays=2, seed=1), beside, lambda _: Polygon())
    assert plane is not None and off_mm(plane, camera).max() < 0.15


def test_what_is_hidden_is_no_ground() -> None:
    camera = a_camera(50, 480, pan_deg=40, lens=LENS, aim_mm=(175, 125))
    picture = shoot(camera, SHEET, 4, rays=2, seed=1)
    half = by_ground(ANCHOR, picture, camera, lambda _: box(0, 0, 170, 250))
    assert half is not None and off_mm(half, camera).max() < 0.3
    assert by_ground(ANCHOR, picture, camera, lambda _: box(-10, -10, 360, 260)) is None
    # Amid the table some of it is behind the camera.
    amid = a_camera(30, 60, lens=LENS, aim_mm=(175, 125))
    assert by_ground(ANCHOR, picture, amid, lambda _: Polygon()) is None
    assert by_ground(ANCHOR, np.full_like(picture, 90), camera, lambda _: Polygon()) is None
    # A sheet that was pushed by 20 mm since is outvoted by what stayed.
    pushed = SHEET.copy()
    pushed[200:520, 280:680] = SHEET[200:520, 200:600]
    plane = by_ground(ANCHOR, shoot(camera, pushed, 4, rays=2, seed=1), camera, lambda _: Polygon())
    assert plane is not None and off_mm(plane, camera).max() < 0.3
