"""A camera that sets itself: a dark sleeve makes the table lighter, and what comes sends it looking for its focus."""

import cv2
import numpy as np
import pytest

from sample_footage.automatic_camera import AutomaticCamera, by_itself

FPS = 15
BOARD = np.full((540, 960, 3), 150, np.uint8)
BOARD[::40] = BOARD[:, ::40] = 60
BARE = (slice(0, 500), slice(0, 500))


def with_sleeve(level=20):
    """The board with a sleeve over a third of it."""
    picture = BOARD.copy()
    cv2.rectangle(picture, (640, 0), (960, 540), (level, level, level), -1)
    return picture


def sharpness(picture):
    return float(np.abs(np.diff(picture[BARE].astype(float), axis=1)).mean())


def test_a_table_that_stays_as_it_is_is_shown_as_it_is():
    for shown in by_itself([BOARD] * 8, FPS):
        assert np.abs(shown.astype(int) - BOARD).max() <= 1


@pytest.mark.parametrize("level", [20, 235])
def test_a_sleeve_makes_the_rest_lighter_or_darker_and_no_more_when_it_is_gone(level):
    frames = [BOARD] * 5 + [with_sleeve(level)] * 45 + [BOARD] * 45
    means = [shown[BARE].mean() for shown in by_itself(frames, FPS)]
    assert (means[45] - means[0] > 10) == (level < 100) and abs(means[45] - means[0]) > 5
    assert abs(means[-1] - means[0]) < 3


def test_it_looks_for_its_focus_once_when_something_comes_and_finds_it():
    camera = AutomaticCamera()
    shown = [camera.shown(picture, k / FPS) for k, picture in enumerate([BOARD] * 5 + [with_sleeve()] * 40)]
    soft = [sharpness(picture) < 0.7 * sharpness(BOARD) for picture in shown]
    assert 5 < sum(soft) < 15 and not any(soft[:5]) and not any(soft[25:])
