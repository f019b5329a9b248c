"""Things of known shape against the shape that was told for the table."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.maps.sheet import Sheet
from calibration.proof import check_table, tells_no_shape
from calibration.rulers.told_shape import card_wider, other_shape
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.rulers.test_cards import a_table
from tests.calibration.table_picture import a_camera, a_lens

LENS = a_lens((1280, 720))
POKER = (88.9, 63.5)
CAMERA = a_camera(55, 900, lens=LENS)
CORNERS_MM = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)


def told(longer, lens=None):
    """The spec of four corners of a table of 700 x 500 mm whose sides are told so many times as long."""
    rows = np.c_[CAMERA.to_image(CORNERS_MM), CORNERS_MM * longer].tolist()
    return CalibrationSpec(
        tuple(map(tuple, rows)), card_size_mm=POKER, lens=lens, table_size_mm=(700 * longer[0], 500 * longer[1])
    )


def report(spec, image, coins_wider=()):
    return check_table(image, calibrate_table(image, replace(spec, card_size_mm=None)), spec, coins_wider=coins_wider)


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 90, 135])
@pytest.mark.parametrize("begins_at", [0, 1])
@pytest.mark.parametrize("way", [1, -1])
def test_a_card_tells_by_how_much_a_plane_is_too_wide_however_it_lies(turn_deg, begins_at, way):
    turn = np.radians(turn_deg)
    card_mm = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(POKER) / 2
    card_mm = card_mm @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    shown_mm = np.roll(card_mm, begins_at, axis=0)[::way] * [1.05, 1.0]
    assert card_wider(shown_mm, POKER[::way]) == pytest.approx(np.log(1.05), abs=2e-3)


def test_few_coins_tell_nothing_and_many_are_surer():
    assert other_shape({"card": (), "coin": [0.05] * 3}) is None
    few, many = (other_shape({"card": (), "coin": [0.05] * count}) for count in (4, 25))
    assert few.share == many.share == pytest.approx(0.05)
    assert many.is_sure and many.sigma < few.sigma
    beside = other_shape({"card": [0.0, 0.0], "coin": [0.05] * 4})
    assert beside.share < 0.02 and beside.things == {"card": 2, "coin": 4}


@pytest.mark.parametrize(("longer", "said"), [((1.05, 1), "wide"), ((1, 1.05), "narrow"), ((0.96, 1), "narrow")])
def test_cards_say_that_one_side_is_told_wrong_where_no_lens_file_does(longer, said):
    """Another focal length shows the corners so: 35 mm were off, the light was amber and nothing said."""
    picture = a_table(CAMERA, ((110, 90, 20), (560, 110, 75)))
    trust = report(told(longer), picture)
    assert f" % too {said} for their depth" in trust.contradiction and "measure both sides again" in trust.contradiction
    assert trust.contradiction in trust.notes and trust.light == "red" and trust.believe_mm > 8


@pytest.mark.parametrize("longer", [(1, 1), (1.005, 1), (1, 1.005)])
def test_sides_that_are_right_or_as_good_as_a_ruler_are_left_in_peace(longer):
    assert report(told(longer), a_table(CAMERA)).contradiction == ""


def test_coins_that_show_as_ovals_say_so_in_millimetres():
    blank = np.full((720, 1280, 3), 90, np.uint8)
    trust = report(told((1.05, 1)), blank, [0.05, 0.045, 0.05, 0.06, 0.05, 0.04, 0.05, 0.05, 0.055])
    assert "9 coins on the table show 5.1 % too wide for their depth" in trust.contradiction
    assert "the width, told as 735 mm, is 36 mm too long, or the depth, told as 500 mm, 26 mm too short" in (
        trust.contradiction
    )
    round_ones = report(told((1, 1)), blank, [0.01, -0.02, 0.01, 0.03, -0.01, 0.0])
    assert round_ones.contradiction == ""


def test_a_lens_file_or_a_print_tells_the_shape_itself():
    spec = told((1, 1))
    assert tells_no_shape(spec)
    assert tells_no_shape(CalibrationSpec(sheet=Sheet(None, (700, 500))))
    assert not tells_no_shape(replace(spec, lens=LENS))
    assert not tells_no_shape(CalibrationSpec(sheet=Sheet(np.zeros((5, 7, 3), np.uint8), (700, 500))))
    assert not tells_no_shape(CalibrationSpec(card_size_mm=POKER, table_size_mm=(700, 500)))
