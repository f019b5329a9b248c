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


def test_a_rider_is_of_his_coats_army_though_his_horse_has_the_others_paint():
    rider = np.concatenate([pixels(PAINT_BGR["purple"]), pixels(PAINT_BGR["white"])])
    assert name_paint(rider, ("white", "purple")) == "purple"
    assert name_paint(np.concatenate([rider, *[pixels(PAINT_BGR["white"])] * 6]), ("white", "purple")) == "white"


def test_a_dark_thing_has_no_light_armys_paint():
    assert name_paint(pixels((45, 45, 45)), ("white", "yellow")) == "unknown"
    assert name_paint(pixels(PAINT_BGR["white"], 0.8), ("white", "yellow")) == "white"


@pytest.mark.parametrize("armies", [("orange", "blue"), ("yellow", "white"), ("red", "grey")])
def test_a_gun_of_bare_wood_is_nobodys(armies):
    assert name_paint(np.concatenate([pixels((50, 80, 120), shade) for shade in (0.7, 1.0, 1.2)]), armies) == "unknown"
