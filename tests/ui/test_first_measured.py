"""The first picture of a match: one in which the table can be measured."""

import cv2
import numpy as np
import pytest

from tests.calibration.table_picture import a_camera, a_lens
from tests.ui.test_quick import a_mat
from ui.session import PATIENCE_S, opened_session
from ui.setup_file import read_setup
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

    live, name, trouble = True, "a camera", None

    def __init__(self, gone_s, live=True):
        self.gone_s, self.live = gone_s, live

    def beats(self):
        mat = a_mat(CAMERA)
        covered = mat.copy()
        cv2.ellipse(covered, (640, 400), (560, 420), 10, 0, 360, (60, 70, 110), -1)
        for number in range(12):
            yield Frame(covered if 2.0 * number < self.gone_s else mat, number, 2.0 * number)


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


def test_what_stays_covered_is_told_and_a_video_is_not_waited_for(tmp_path):
    for stream in (Stream(99.0), Stream(3.0, live=False)):
        with pytest.raises(ValueError, match="no outline"):
            opened(tmp_path, stream, [])
    assert PATIENCE_S < 10
