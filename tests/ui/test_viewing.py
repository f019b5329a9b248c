"""What a set-up's look says of a table whose corners were clicked."""

import numpy as np
import pytest

from tests.calibration.table_picture import a_camera, a_lens
from tests.ui.builders import clicked_setup
from ui.setup_file import read_setup
from ui.viewing import Viewing
from vision.frame import Frame

CORNERS_MM = np.array([[0, 0], [735, 0], [735, 500], [0, 500]], float)


@pytest.mark.parametrize(("lens", "is_said"), [(False, True), (True, False)])
def test_coins_that_show_as_ovals_are_said_where_no_lens_file_tells_the_shape(tmp_path, monkeypatch, lens, is_said):
    """A width told 5 % too long was 35 mm off, and nothing was said but how well the clicks are met."""
    monkeypatch.setattr("ui.viewing.look_for", lambda *_: lambda *_: ())
    monkeypatch.setattr("ui.viewing.coins_wider", lambda image, plane, seen: [0.05] * 12)
    camera = a_camera(55, 1000, lens=a_lens((1280, 720)))
    path = clicked_setup(tmp_path, camera, CORNERS_MM, CORNERS_MM, lens)
    said = []
    viewing = Viewing(None, said.append)
    viewing.__dict__["frame"] = Frame(np.full((720, 1280, 3), 90, np.uint8))
    viewing.check(read_setup(path))
    assert any("measure both sides again" in line for line in said) is is_said
