"""What a set-up's look says of a table whose corners were clicked."""

from dataclasses import replace

import numpy as np
import pytest

from tests.calibration.table_picture import a_camera, a_lens
from tests.ui.builders import clicked_setup
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from ui.setup.viewing import Viewing
from vision.frame import Frame

CORNERS_MM = np.array([[0, 0], [735, 0], [735, 500], [0, 500]], float)


@pytest.mark.parametrize(("lens", "is_said"), [(False, True), (True, False)])
def test_coins_that_show_as_ovals_are_said_where_no_lens_file_tells_the_shape(tmp_path, monkeypatch, lens, is_said):
    """A width told 5 % too long was 35 mm off, and nothing was said but how well the clicks are met."""
    monkeypatch.setattr("ui.setup.viewing.look_for", lambda *_: lambda *_: ())
    monkeypatch.setattr("ui.setup.viewing.coins_wider", lambda image, plane, seen: [0.05] * 12)
    camera = a_camera(55, 1000, lens=a_lens((1280, 720)))
    path = clicked_setup(tmp_path, camera, CORNERS_MM, CORNERS_MM, lens)
    said = []
    viewing = Viewing(None, said.append)
    viewing.__dict__["frame"] = Frame(np.full((720, 1280, 3), 90, np.uint8))
    viewing.check(read_setup(path))
    assert any("measure both sides again" in line for line in said) is is_said


def test_what_contradicts_the_answers_is_said_and_once(tmp_path, monkeypatch):
    """Of markers in a field told 800 mm broad for 700, "the table fits the picture to 0.17 px" was all that was said,
    and the first match was measured 50 mm off."""
    camera = a_camera(55, 1000, lens=a_lens((1280, 720)))
    setup = read_setup(clicked_setup(tmp_path, camera, CORNERS_MM, CORNERS_MM, True))
    frame = Frame(np.full((720, 1280, 3), 90, np.uint8))
    plane = plane_for(setup, frame)
    looks = iter(
        [
            ("marker 0 was left out", "marker 1 was left out", "off by 0.31 px", "30 px wide"),
            ("marker 2 was left out", "marker 1 was left out", "off by 0.29 px", "29 px wide", "tilted"),
        ]
    )
    monkeypatch.setattr("ui.setup.viewing.plane_for", lambda *_: replace(plane, notes=next(looks)))
    said = []
    viewing = Viewing(None, said.append)
    viewing.__dict__["frame"] = frame
    viewing.check(setup)
    viewing.check(setup)
    once = ["marker 0 was left out", "marker 1 was left out", "off by 0.31 px", "30 px wide"]
    newly = ["marker 2 was left out", "tilted"]
    words = ("left out", "off by", "px wide", "tilted")
    assert [line for line in said if any(each in line for each in words)] == [*once, *newly]
