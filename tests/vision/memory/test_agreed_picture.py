"""The picture agreed last, as the camera would show it from where it stands, with as many pixels as it has by now."""

import numpy as np
import pytest

from tests.calibration.table_picture import a_camera
from vision.frame import Frame
from vision.memory.agreed_picture import AgreedPicture

TABLE_MM = (700.0, 500.0)
HERE, ELSEWHERE = a_camera(55, 1000), a_camera(55, 1000, pan_deg=2)
GRAIN = np.random.default_rng(4).integers(0, 255, (1080, 1920, 3)).astype(np.uint8)


def frame(image_bgr: np.ndarray) -> Frame:
    return Frame(image_bgr, 0, 0.0)


def test_before_anything_is_agreed_a_frame_is_compared_with_itself() -> None:
    now = frame(GRAIN)
    assert AgreedPicture(TABLE_MM).from_here(now, HERE) is now


def test_from_the_same_stand_it_is_the_picture_itself_and_from_another_it_is_redrawn() -> None:
    agreed, now = frame(GRAIN), frame(np.zeros_like(GRAIN))
    picture = AgreedPicture(TABLE_MM, (agreed, HERE))
    assert picture.from_here(now, HERE) is agreed
    moved = picture.from_here(now, ELSEWHERE).image_bgr
    assert moved.any() and not np.array_equal(moved, GRAIN)


def test_an_earlier_picture_is_shown_in_its_place_if_it_is_asked_for() -> None:
    first, last = frame(GRAIN), frame(np.zeros_like(GRAIN))
    picture = AgreedPicture(TABLE_MM, (last, HERE))
    assert picture.as_shown(last, HERE, (first, HERE)) is first
    assert picture.as_shown(first, HERE) is last


@pytest.mark.parametrize("size_px", [(1280, 720), (960, 540)])
def test_frames_of_a_camera_that_switches_have_the_first_size_and_what_was_agreed_is_as_coarse(
    size_px: tuple[int, int],
) -> None:
    picture = AgreedPicture(TABLE_MM)
    agreed = picture.sized(frame(GRAIN))
    picture.agreed = agreed, HERE
    assert not picture.is_other_size
    now = picture.sized(frame(np.full((size_px[1], size_px[0], 3), 90, np.uint8)))
    assert now.image_bgr.shape == GRAIN.shape and picture.is_other_size
    shown = picture.as_shown(now, HERE).image_bgr
    assert shown.shape == GRAIN.shape and shown.std() < 0.8 * GRAIN.std()
