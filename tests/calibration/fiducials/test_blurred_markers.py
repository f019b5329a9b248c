"""A soft marker's code pulls its sides: its corners are put right by what is known to lie behind them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.fiducials.blurred_markers import unpulled
from calibration.fiducials.markers import find_markers, marker_image
from calibration.table import MarkerSheet, markers_seen

SIDE_PX, FINE, PLACE = 34, 8, (61.25, 48.625)
WORDS = "DICT_4X4_50"
# How corners move, from the top left clockwise, if all sides go in by one.
INWARD = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], float)
CORNERS = np.array(PLACE) + SIDE_PX * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


def shown(
    marker_id: int, blur_px: float, ink: float = 0.035, gamma: float = 2.2, moved_px: float = 0.0
) -> NDArray[np.uint8]:
    """A marker of 34 px on white paper, its corners in between pixels, so far out of focus; the camera moves sideways
    meanwhile."""
    light = np.full((130 * FINE, 160 * FINE), 0.8)
    u, v = (round((at + 0.5) * FINE) for at in PLACE)
    side = SIDE_PX * FINE
    code = marker_image(WORDS, marker_id, 6).repeat(side // 6 + 1, axis=0).repeat(side // 6 + 1, axis=1)
    code = cv2.resize(code, (side, side), interpolation=cv2.INTER_NEAREST)
    light[v : v + side, u : u + side] = np.where(code > 0, 0.8, ink)
    light = cv2.blur(light, (1 + round(moved_px * FINE), 1))
    light = cv2.GaussianBlur(light, (0, 0), blur_px * FINE).reshape(130, FINE, 160, FINE).mean(axis=(1, 3))
    return np.asarray(255 * light ** (1 / gamma) + 0.5, np.uint8)


def own_px(corners_px: NDArray[np.float64]) -> float:
    """RMS of what corners lie aside beside what all sides go in by."""
    off_px = corners_px - CORNERS
    return float(np.sqrt(np.square(off_px - INWARD * (INWARD * off_px).mean()).mean()))


@pytest.mark.parametrize(("blur_px", "ink", "gamma"), [(1.5, 0.035, 2.2), (1.9, 0.035, 2.2), (1.9, 0.06, 1.9)])
def test_corners_are_put_right_by_what_lies_behind_the_border(blur_px: float, ink: float, gamma: float) -> None:
    before, after, stated = [], [], []
    for marker_id in range(12):
        picture = shown(marker_id, blur_px, ink, gamma)
        found = [marker for marker in find_markers(picture, WORDS, [marker_id]) if marker.soft_px > 0]
        for marker, right in zip(found, unpulled(picture, found, WORDS), strict=True):
            before.append(own_px(marker.corners_px))
            after.append(own_px(right.corners_px))
            stated.append(right.sigma_px)
    rms_before, rms_after, rms_stated = (np.sqrt(np.square(each).mean()) for each in (before, after, stated))
    assert len(after) >= 9
    assert rms_before > 0.1 and rms_after < 0.6 * rms_before
    assert 0.5 * rms_after < rms_stated < 3 * rms_after


def test_sharp_markers_stay_as_they_were_found() -> None:
    found = find_markers(shown(3, 0.7), WORDS)
    assert len(found) == 1
    assert unpulled(shown(3, 0.7), found, WORDS) == found


def test_markers_of_a_picture_in_motion_stay_as_they_were_found() -> None:
    """Drawn as if out of focus they were put right by what no motion does, and were said to contradict one another."""
    picture = shown(3, 1.1, moved_px=4.0)
    found = find_markers(picture, WORDS)
    assert len(found) == 1 and found[0].soft_px > 0.2 * SIDE_PX / 6
    assert unpulled(picture, found, WORDS) == found


def test_a_table_is_measured_by_markers_put_right() -> None:
    picture = shown(2, 1.5)
    (found,) = find_markers(picture, WORDS)
    seen = markers_seen(picture, MarkerSheet(WORDS, 40.0, {2: (350.0, 250.0)}), [])
    assert own_px(seen.image_px) < 0.6 * own_px(found.corners_px)
