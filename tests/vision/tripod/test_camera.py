"""A camera is followed where it is put, and who asks is told whether it was carried."""

import cv2
import numpy as np
import pytest

from calibration.plane import TablePlane
from tests.calibration.table_picture import a_camera, shoot
from tests.vision.tripod.test_by_pieces import PLACES, TABLE_MM, Eyes, laid, off_mm
from vision.frame import Frame
from vision.memory.tracker import Tracker
from vision.tripod.camera import Camera

STOOD = a_camera(55, 1000)
PRINT = cv2.GaussianBlur(np.random.default_rng(9).integers(60, 220, (1300, 1700)).astype(np.uint8), (0, 0), 3)


def shot(by: TablePlane, t_s: float) -> Frame:
    """What a camera shows of a table with a print."""
    grey = shoot(by, cv2.normalize(PRINT, None, 20, 235, cv2.NORM_MINMAX), 1, (-500, -400), rays=1)
    return Frame(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), 0, t_s)


def a_watched_one() -> Camera:
    return Camera(STOOD, Eyes(STOOD, laid(PLACES)), TABLE_MM, Tracker)


def followed(camera: Camera, to: TablePlane) -> list[str]:
    """What is told while it stands for a second and then elsewhere for two."""
    before, after = shot(STOOD, 0.0).image_bgr, shot(to, 0.0).image_bgr
    frames = [Frame(after if n >= 10 else before, n, n / 10) for n in range(30)]
    return [news.what for frame in frames if (news := camera.check(frame, moving=False)) is not None]


def test_before_its_first_frame_nothing_is_known_of_it_but_its_plane() -> None:
    camera = a_watched_one()
    assert not camera.is_away and not camera.is_astray and not camera.is_soft
    assert camera.carried(shot(STOOD, 0.0), ()) is None


def test_one_that_stands_keeps_its_plane_and_tells_nothing() -> None:
    camera = a_watched_one()
    assert followed(camera, STOOD) == [] and camera.plane is STOOD


@pytest.mark.parametrize(("roll_deg", "aside_mm", "is_carried"), [(2.0, 0.0, False), (0.0, 25.0, True)])
def test_it_is_measured_again_and_only_one_that_left_its_place_was_carried(
    roll_deg: float, aside_mm: float, is_carried: bool
) -> None:
    camera, there = a_watched_one(), a_camera(55, 1000, aim_mm=(350.0 + aside_mm, 250.0), roll_deg=roll_deg)
    assert followed(camera, there) == ["kicked", "registered"]
    assert not camera.is_away and off_mm(camera.plane, there) < 0.3
    assert camera.is_carried == is_carried
