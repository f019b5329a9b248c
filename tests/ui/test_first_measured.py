"""The first picture of a match: one in which the table can be measured."""

import cv2
import numpy as np
import pytest

from tests.calibration.table_picture import a_camera, a_lens
from tests.ui.measuring.test_quick import a_mat
from ui.playing.session import PATIENCE_S, opened_session
from ui.setup.setup_file import read_setup
from vision.frame import Frame

CAMERA = a_camera(55, 1300, lens=a_lens((1280, 720)))
SETUP = """schema = "sandtable/setup/1"
game = "osmcg"
[table]
size_mm = [700, 500]
[calibration]
sheet = {}
"""


class Stream:
    """Somebody leans over the mat until `gone_s`; a picture every two seconds of its own clock."""

    live, name, trouble, count = True, "a camera", None, 12

    def __init__(self, gone_s, live=True):
        self.gone_s, self.live = gone_s, live

    def beats(self):
        mat = a_mat(CAMERA)
        covered = mat.copy()
        cv2.ellipse(covered, (640, 400), (560, 420), 10, 0, 360, (60, 70, 110), -1)
        for number in range(self.count):
            yield Frame((covered if 2.0 * number < self.gone_s else mat).copy(), number, 2.0 * number)


class Held:
    """One covered picture, held for seconds."""

    live, name, trouble, asked = False, "a picture", None, 0

    def beats(self):
        covered = np.zeros((720, 1280, 3), np.uint8)
        for number in range(100):
            self.asked = number
            yield Frame(covered, number, number / 2)


def opened(tmp_path, stream, said):
    (tmp_path / "match.toml").write_text(SETUP)
    setup = read_setup(tmp_path / "match.toml")
    return opened_session(setup, stream, lambda frame, plane: (), tell=said.append)


def test_somebody_over_the_table_at_the_start_is_waited_for_and_it_is_said(tmp_path):
    """The match ended there, before it began."""
    said = []
    session = opened(tmp_path, Stream(3.0), said)
    assert session.first.t_s == 4.0 and np.allclose(
        session.plane.to_image([[350, 250]]), CAMERA.to_image([[350, 250]]), atol=1
    )
    assert "no outline" in said[0] and "take hands off the table" in said[0]
    assert not any("take hands off the table" in line for line in said[1:])
    assert next(session.frames) is session.first


def test_a_film_begins_where_its_table_can_be_measured(tmp_path):
    """A film whose first second was black, or shows a hand over a corner, was refused."""
    said = []
    session = opened(tmp_path, Stream(3.0, live=False), said)
    assert session.first.t_s == 4.0 and next(session.frames) is session.first
    assert next(session.frames).t_s == 6.0
    assert "no outline" in said[0] and said[0].endswith("; the match begins at 4.0 s, where the table can be measured")


@pytest.mark.parametrize("live", [True, False])
def test_what_stays_covered_is_told(tmp_path, live):
    said = []
    with pytest.raises(ValueError, match="no outline"):
        opened(tmp_path, Stream(99.0, live), said)
    assert len(said) == live
    assert PATIENCE_S < 10


def test_of_a_film_it_is_told_how_much_was_looked_at_and_what_to_do(tmp_path):
    """Of one whose table shows after 9 s the black picture was told alone, as if there were no other."""
    with pytest.raises(ValueError, match=r"no outline.*; so in the film's first 8 s: if .* later, cut off what comes"):
        opened(tmp_path, Stream(15.0, live=False), [])


def test_a_film_that_ends_before_its_table_can_be_measured_is_told(tmp_path):
    """A film of two seconds, and one picture that is held."""
    for stream in (Stream(99.0, live=False), Held()):
        stream.count = 2
        with pytest.raises(ValueError, match="no outline"):
            opened(tmp_path, stream, [])
    assert stream.asked == 1
