"""A search for landmarks goes on beside the frames, and what it finds counts as long as nothing moves."""

from concurrent.futures import Future

import numpy as np

from tests.calibration.table_picture import a_camera, a_lens
from vision.frame import Frame
from vision.tripod.landmark_search import Landmarks, LandmarkSearch

PLANE, LENS = a_camera(), a_lens()


class Later:
    """A thread whose work is done when the test says so."""

    def __init__(self):
        self.begun = []

    def submit(self, measure, frame, lens):
        self.begun.append(Future())
        return self.begun[-1]

    def ends(self, plane):
        self.begun[-1].set_result(plane)


def a_frame(t_s):
    return Frame(np.zeros((4, 4, 3), np.uint8), 0, t_s)


def searching():
    thread = Later()
    search = LandmarkSearch(Landmarks(lambda frame, lens: None, is_quick=False), thread)
    assert search.plane_in(a_frame(1.0), LENS, 0.5) is None
    return search, thread


def test_frames_do_not_wait_and_what_was_found_is_told_until_something_moves():
    search, thread = searching()
    assert search.plane_in(a_frame(1.2), LENS, 0.5) is None
    thread.ends(PLANE)
    assert search.plane_in(a_frame(3.0), LENS, 0.5) is PLANE
    assert search.plane_in(a_frame(3.2), LENS, 0.5) is PLANE
    assert len(thread.begun) == 1
    assert search.plane_in(a_frame(4.0), LENS, 3.5) is None


def test_what_was_found_in_a_picture_in_which_something_moved_since_does_not_count():
    search, thread = searching()
    thread.ends(PLANE)
    assert search.plane_in(a_frame(2.0), LENS, 1.5) is None
    assert search.plane_in(a_frame(2.2), LENS, 1.5) is None
    assert len(thread.begun) == 2


def test_after_a_search_in_vain_the_next_one_waits_unless_the_camera_was_moved():
    search, thread = searching()
    thread.ends(None)
    for t_s in (1.2, 1.4):
        assert search.plane_in(a_frame(t_s), LENS, 0.5) is None
    assert len(thread.begun) == 1
    search.afresh()
    search.plane_in(a_frame(1.5), LENS, 0.5)
    assert len(thread.begun) == 2


def test_where_nothing_lies_in_a_known_place_nothing_is_searched_for():
    assert LandmarkSearch().plane_in(a_frame(1.0), LENS, 0.5) is None
