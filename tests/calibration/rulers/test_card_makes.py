"""Whether cards have the size that was told, by their shape."""

import pytest

from calibration.proof import check_table
from calibration.rulers.card_makes import are_met, breadth_off, likelier_size, likely_sizes
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.rulers.test_cards import LENS, POKER, SMALL, a_table
from tests.calibration.table_picture import a_camera

BRIDGE = (88.9, 57.15)
USUAL = (POKER, BRIDGE)
CAMERA = a_camera(55, 950, lens=LENS)


@pytest.mark.parametrize("lens", [LENS, None])
@pytest.mark.parametrize(("told", "real"), [(POKER, BRIDGE), (BRIDGE, POKER)])
def test_cards_of_another_usual_size_are_named(told, real, lens):
    assert likelier_size(a_table(CAMERA, size_mm=real), told, USUAL, lens) == real


@pytest.mark.parametrize("lens", [LENS, None])
@pytest.mark.parametrize(("real", "usual"), [(POKER, POKER), (SMALL, POKER), (BRIDGE, BRIDGE)])
def test_cards_of_which_nobody_told_the_size_tell_it(real, usual, lens):
    assert likely_sizes(a_table(CAMERA, size_mm=real), USUAL, lens) == (usual,)


def test_where_no_card_lies_each_size_is_as_likely_that_of_most_tables_first():
    assert likely_sizes(a_table(CAMERA, ()), USUAL, LENS) == USUAL


@pytest.mark.parametrize("lens", [LENS, None])
@pytest.mark.parametrize("real", [POKER, SMALL])
def test_cards_of_the_told_size_or_nearly_are_what_they_are_said_to_be(real, lens):
    picture = a_table(CAMERA, size_mm=real)
    assert likelier_size(picture, POKER, USUAL, lens) is None
    assert are_met(calibrate_table(picture, CalibrationSpec(card_size_mm=POKER, lens=lens)))
    off = breadth_off(picture, POKER, lens)
    assert off is not None and not off.is_sure


@pytest.mark.parametrize(("real", "share"), [((91.0, 66.0), 0.015), ((127.0, 89.0), -0.019)])
def test_cards_of_no_usual_size_show_it_by_their_breadth(real, share):
    picture = a_table(CAMERA, ((130, 110, 20), (540, 120, 75), (250, 350, -40), (590, 380, 10)), real)
    off = breadth_off(picture, POKER, LENS)
    assert off is not None and off.is_sure and off.share == pytest.approx(share, abs=0.006)


def test_cards_that_measure_the_table_are_no_proof_of_it():
    picture, spec = a_table(CAMERA), CalibrationSpec(card_size_mm=POKER, lens=LENS, table_size_mm=(700, 500))
    assert check_table(picture, calibrate_table(picture, spec), spec).proofs == ()


def test_nothing_is_said_where_there_are_no_cards():
    picture = a_table(CAMERA, ())
    assert likelier_size(picture, POKER, USUAL, LENS) is None and breadth_off(picture, POKER, LENS) is None
