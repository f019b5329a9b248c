"""A first guess of where a camera went, by the way that most of the table's picture went."""

from dataclasses import replace

import numpy as np

from calibration.drift import Anchor
from calibration.parallax import as_it_went
from calibration.plane import TablePlane
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

SIZE_MM = (350.0, 250.0)
CAMERA = a_camera(50, 480, lens=a_lens((960, 540)), aim_mm=(175, 125))
SHEET = paper(SIZE_MM, 4)
GRID = np.array([[x, y] for x in (20, 175, 330) for y in (20, 125, 230)], float)
ANCHOR = Anchor.of(shoot(CAMERA, SHEET, 4, rays=2), CAMERA, SIZE_MM)


def aside(mm: float) -> TablePlane:
    return replace(CAMERA, tvec=-CAMERA.rotation @ np.add(CAMERA.camera_position_mm, (mm, 0.0, 0.0)))


def test_what_went_one_way_tells_about_where_the_camera_is() -> None:
    camera = aside(25)
    guess = as_it_went(ANCHOR, shoot(camera, SHEET, 4, rays=2, seed=1))
    assert guess is not None
    assert np.hypot(*(guess.to_table(camera.to_image(GRID)) - GRID).T).max() < 2.0
    assert np.array_equal(guess.lens.parameters, CAMERA.lens.parameters)


def test_what_is_not_recognised_or_mirrored_tells_nothing() -> None:
    other = shoot(CAMERA, paper(SIZE_MM, 4, seed=9), 4, rays=2)
    assert as_it_went(ANCHOR, other) is None
    assert as_it_went(ANCHOR, np.ascontiguousarray(ANCHOR.image[:, ::-1])) is None
    assert as_it_went(ANCHOR, np.full_like(ANCHOR.image, 8)) is None
