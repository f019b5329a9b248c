"""A print whose told size has not quite its picture's shape."""

import numpy as np
import pytest

from calibration.plane import SIGMAS_95
from calibration.sheet import Sheet
from calibration.sheet_shape import in_doubt
from tests.calibration.table_picture import a_camera

PICTURE = np.zeros((594, 840), np.uint8)
SHARE = np.stack(np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 4)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("right", [Sheet(PICTURE, (420, 297)), Sheet(PICTURE, (420, 297), (60, 300), -90)])
@pytest.mark.parametrize("told", [(424, 297), (420, 294.5)])
def test_either_side_may_be_told_wrong(right, told):
    """Told as 424 mm wide, one of 420 put places 3.7 mm off, and 0.02 were stated."""
    sheet = Sheet(PICTURE, told, right.corner_mm, right.turn_deg)
    plane = in_doubt(a_camera(50, 700, aim_mm=(210, 150)), sheet)
    told_mm = sheet.to_table(SHARE)
    off_mm = np.hypot(*(right.to_table(SHARE) - told_mm).T)
    stated_mm = SIGMAS_95 * plane.sigma_mm(plane.to_image(told_mm))
    assert (off_mm < stated_mm + 0.02).all()
    assert stated_mm.max() < 6.5
    assert "1.414 times as wide as deep" in plane.notes[0]


def test_nothing_is_added_where_the_shape_agrees():
    plane = a_camera(50, 700, aim_mm=(210, 150))
    assert in_doubt(plane, Sheet(PICTURE, (420, 297))) is plane
    assert in_doubt(plane, Sheet(None, (420, 290))) is plane
