from itertools import repeat

import pytest

from tests.ui.builders import a_frame
from ui.still import first_of


class Camera:
    live, name = True, "http://phone/shot.jpg"


class Clip:
    live, name = False, "clip.mp4"


def test_a_camera_that_brings_nothing_is_not_waited_for_for_ever():
    """As one picture behind an address does: `setup --source` waited without end."""
    with pytest.raises(ValueError, match=r"http://phone/shot\.jpg: no picture came in 15 s.*or a single picture"):
        first_of(repeat(None), Camera())


def test_the_first_picture_may_take_its_time():
    assert first_of(iter([None, None, a_frame(3)]), Camera()).index == 3


def test_a_file_without_a_picture():
    with pytest.raises(ValueError, match=r"clip\.mp4: there is no picture in it"):
        first_of(iter([]), Clip())
