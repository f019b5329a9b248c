"""Names of paints: flat ones as they are, those of figures also in their own shadow."""

import numpy as np
import pytest

from vision.naming.colour import PAINT_BGR, name_colour, name_paint


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


def test_a_figure_is_named_by_the_paint_that_most_of_it_shows_not_by_the_middle_of_all_its_colours():
    grass, horse = (60, 115, 85), (150, 150, 150)
    rider = np.concatenate([pixels(bgr) for bgr in (PAINT_BGR["blue"], horse, horse)] + [pixels(grass)[:25]])
    assert name_colour(rider, ("blue", "green"), solid=True) != "blue"
    assert name_paint(rider, ("blue", "green")) == "blue"


@pytest.mark.parametrize("armies", [("red", "blue"), ("green", "yellow")])
def test_a_figure_without_the_paint_of_any_army_is_unknown(armies):
    assert name_paint(pixels((150, 150, 150)), armies) == "unknown"
    assert name_paint(pixels(PAINT_BGR["purple"]), ("green", "yellow")) == "unknown"


def test_a_figure_half_and_half_in_the_paint_of_two_armies_is_unknown():
    both = np.concatenate([pixels(PAINT_BGR["blue"]), pixels(PAINT_BGR["red"])])
    assert name_paint(both, ("red", "blue")) == "unknown"
    assert name_paint(np.concatenate([both, pixels(PAINT_BGR["red"])]), ("red", "blue")) == "red"


def test_the_paint_of_one_army_alone_is_known():
    assert name_paint(pixels(PAINT_BGR["red"], 0.7), ("red",)) == "red"
    assert name_paint(np.empty((0, 3), np.uint8), ("red",)) == "unknown"
    assert name_paint(pixels(PAINT_BGR["red"]), ()) == "unknown"


@pytest.mark.parametrize("name", sorted(PAINT_BGR))
def test_a_figure_in_its_light_and_shade_is_named(name):
    other = "red" if name != "red" else "blue"
    lit = np.concatenate([pixels(PAINT_BGR[name], shade) for shade in (0.85, 1.0, 1.05)])
    assert name_paint(lit, (other, name)) == name
