"""Pictures of another size, and on their side, at the size that the table was measured in."""

import cv2
import numpy as np
import pytest

from vision.stream.same_size import as_shown_by, same_size

PICTURE = np.random.default_rng(0).integers(0, 255, (90, 160, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("way", "back"), [(cv2.ROTATE_90_CLOCKWISE, PICTURE), (cv2.ROTATE_90_COUNTERCLOCKWISE, PICTURE[::-1, ::-1])]
)
def test_a_picture_on_its_side_is_turned_back_or_upside_down_and_loses_nothing(way, back):
    assert np.array_equal(same_size(cv2.rotate(PICTURE, way), (160, 90)), back)
    assert as_shown_by(PICTURE, (90, 160)) is PICTURE


def test_a_smaller_picture_fills_the_whole_and_a_narrower_one_its_middle():
    grey = np.full((45, 80, 3), 90, np.uint8)
    assert (same_size(grey, (160, 90)) == 90).all()
    narrow = same_size(np.full((90, 120, 3), 90, np.uint8), (160, 90))
    assert (narrow[:, 20:140] == 90).all() and not narrow[:, :20].any() and not narrow[:, 140:].any()
