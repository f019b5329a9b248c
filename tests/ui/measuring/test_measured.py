import numpy as np
import pytest

from tests.ui.builders import SETUP_TOML, write_setup
from ui.measuring import measured
from ui.setup.setup_file import read_setup
from vision.frame import Frame

CAMERA = "[camera]\nsize_px = [640, 480]\nfx = 600\nfy = 600\ncx = 319.5\ncy = 239.5\n"


def test_the_light_of_a_picture_of_another_size_is_not_mended(tmp_path, monkeypatch):
    """It took a minute and 5 GB at 100 megapixels, to be refused all the same."""
    monkeypatch.setattr(measured, "clarity_anywhere", lambda frame: pytest.fail("looked at its light"))
    setup = read_setup(write_setup(tmp_path, SETUP_TOML + CAMERA))
    with pytest.raises(ValueError, match=r"the picture is 100 x 90 but camera.size_px says 640 x 480"):
        measured.measured_plane(setup, Frame(np.zeros((90, 100, 3), np.uint8)))
