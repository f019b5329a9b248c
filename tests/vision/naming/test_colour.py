"""Names of paints: flat ones as they are, those of figures also in their own shadow."""

import numpy as np
import pytest

from vision.naming.colour import PAINT_BGR, name_colour


def pixels(bgr, light=1.0):
    return np.tile(np.clip(np.array(bgr) * light, 0, 255).astype(np.uint8), (50, 1))


@pytest.mark.parametrize("name", list(PAINT_BGR))
def test_a_paint_has_its_own_name(name):
    assert name_colour(pixels(PAINT_BGR[name])) == name
    other = "green" if name != "green" else "red"
    assert name_colour(pixels(PAINT_BGR[name]), (name, other), solid=True) == name


def test_a_blue_figure_in_the_shade_is_blue_and_a_black_one_black():
    assert name_colour(pixels(PAINT_BGR["blue"], 0.45), ("black", "blue"), solid=True) == "blue"
    assert name_colour(pixels(PAINT_BGR["black"], 0.8), ("black", "blue"), solid=True) == "black"


def test_grey_paper_is_no_white_paper_in_the_shade():
    assert name_colour(pixels(PAINT_BGR["grey"]), ("white", "grey", "brown")) == "grey"


def test_brown_paper_is_brown():
    assert name_colour(pixels((55, 85, 130)), ("white", "grey", "brown", "orange", "red")) == "brown"


def test_no_pixels_have_no_name():
    assert name_colour(np.empty((0, 3), np.uint8)) == "unknown"
