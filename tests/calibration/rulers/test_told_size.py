"""Cards on the table against the size that was told for it."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.fit.correspondence import Circle
from calibration.proof import card_proofs, check_table, scale_error
from calibration.rulers.known_length import Proof
from calibration.rulers.told_size import contradiction, scale_sigma
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.rulers.test_cards import a_table
from tests.calibration.table_picture import a_camera, a_lens

LENS = a_lens((1280, 720))
POKER, BRIDGE = (88.9, 63.5), (88.9, 57.15)
CAMERA = a_camera(55, 900, lens=LENS)
CORNERS_MM = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)


def told(share, **more):
    """The spec and plane of a table of 700 x 500 mm that was told larger by a share."""
    rows = np.c_[CAMERA.to_image(CORNERS_MM), CORNERS_MM * (1 + share)].tolist()
    size_mm = (700 * (1 + share), 500 * (1 + share))
    spec = CalibrationSpec(tuple(map(tuple, rows)), card_size_mm=POKER, lens=LENS, table_size_mm=size_mm, **more)
    return spec, replace(spec, card_size_mm=None)


@pytest.mark.parametrize("share", [0.04, -0.04])
def test_two_cards_against_a_wrong_size_say_by_how_much_and_which_is_likelier(share):
    picture = a_table(CAMERA, ((110, 90, 20), (560, 110, 75)))
    spec, by_points = told(share)
    report = check_table(picture, calibrate_table(picture, by_points), spec)
    assert report.contradiction in report.notes and "\n" not in report.contradiction
    assert report.contradiction.startswith("2 cards on the table measure ")
    way = "long" if share > 0 else "short"
    assert f"likelier the told size, {700 * (1 + share):.0f} x {500 * (1 + share):.0f} mm, is 2" in report.contradiction
    assert f"mm too {way}, and " in report.contradiction
    assert report.light == "red"


def test_a_table_told_in_cm_is_said_to_be_small():
    """Its markers told in cm as well it was green, 0.7 mm believed, and none of its cards had a card's size."""
    picture = a_table(CAMERA)
    spec, by_points = told(-0.9)
    report = check_table(picture, calibrate_table(picture, by_points), spec)
    assert report.contradiction.startswith("a table of 70 x 50 mm is no larger than a postcard: ")
    assert report.contradiction in report.notes


def rests(report):
    """What is said of a size that was told and that nothing proves."""
    return [note for note in report.notes if note.startswith("every length here rests on ")]


def test_a_size_that_nothing_proves_is_said_to_stand_alone():
    """Told 10 % too long with nothing else on the table it was green, 0.8 mm believed, and no more was said."""
    picture = a_table(CAMERA, ())
    spec, by_points = told(0.1)
    report = check_table(picture, calibrate_table(picture, by_points), spec)
    (said,) = rests(report)
    assert "on the millimetres told for the points, which nothing on the table proves" in said
    assert "told 1 % wrong, all lengths are, by 8 mm over the table" in said


def test_coins_prove_a_size_roughly_and_cards_as_well_as_can_be():
    picture = a_table(CAMERA, ((110, 90, 20), (560, 110, 75)))
    spec, by_points = told(0.0)
    plane = calibrate_table(picture, by_points)
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim_mm = 12 * np.c_[np.cos(around), np.sin(around)]
    coins = tuple(Circle(f"c{n}", CAMERA.to_image(rim_mm + at, 2.0), 12.0, 2.0) for n, at in enumerate(CORNERS_MM / 2))
    (said,) = rests(check_table(picture, plane, spec, coins, cards=()))
    assert "which 4 coins prove to 5.7 % only (40 mm over the table): lay down playing cards" in said
    assert rests(check_table(picture, plane, spec, coins)) == []


def test_one_card_alone_may_be_of_another_make():
    picture = a_table(CAMERA, ((330, 250, 20),))
    spec, by_points = told(0.05)
    report = check_table(picture, calibrate_table(picture, by_points), spec)
    assert "either it is of another make, or the told size, 735 x 525 mm, is 3" in report.contradiction


@pytest.mark.parametrize("share", [0.0, 0.01, -0.01])
def test_a_size_that_is_right_or_as_good_as_a_ruler_is_left_in_peace(share):
    picture = a_table(CAMERA)
    spec, by_points = told(share)
    assert check_table(picture, calibrate_table(picture, by_points), spec).contradiction == ""


def test_cards_of_another_make_prove_nothing():
    picture = a_table(CAMERA, size_mm=BRIDGE)
    spec, by_points = told(0.0)
    report = check_table(picture, calibrate_table(picture, by_points), spec)
    assert report.proofs == () and report.contradiction == ""


def test_a_rectangle_that_nobody_read_as_a_card_proves_nothing():
    picture = a_table(CAMERA, ((110, 90, 20), (560, 110, 75)))
    spec, by_points = told(0.05)
    plane = calibrate_table(picture, by_points)
    unread = check_table(picture, plane, spec, cards=card_proofs(picture, plane, spec, np.zeros((0, 2))))
    assert unread.proofs == () and unread.contradiction == ""
    assert len(card_proofs(picture, plane, spec, np.array([[110 * 1.05, 90 * 1.05]]))) == 1


def test_where_cards_alone_measure_nobody_told_a_size():
    picture = a_table(CAMERA)
    spec = CalibrationSpec(card_size_mm=POKER, lens=LENS, table_size_mm=(900, 900))
    assert check_table(picture, calibrate_table(picture, spec), spec).contradiction == ""


def proofs(kind, count, share, sigma):
    true_mm = 109.2 if kind == "card" else 25.9
    off_mm = true_mm * share
    return [Proof(f"{kind} {n}", (9, 9), true_mm, true_mm + off_mm, true_mm * sigma, kind) for n in range(count)]


def test_coins_prove_less_than_cards_and_both_more_than_one():
    size_mm = (700.0, 500.0)
    cards, coins = proofs("card", 2, 0.028, 0.0046), proofs("coin", 24, 0.028, 0.0175)
    each = [contradiction(found, CAMERA, size_mm) for found in (cards, coins, [*cards, *coins])]
    assert [one.is_sure for one in each] == [True, False, True]
    assert each[2].sigma < each[0].sigma < each[1].sigma
    assert contradiction([], CAMERA, size_mm) is None
    assert "2 cards and 24 coins on the table measure 2.8 % too large" in each[2].sentence(size_mm)


def test_coins_that_tell_little_do_not_outvote_cards_in_the_light():
    picture = a_table(CAMERA, ((110, 90, 20), (560, 110, 75)))
    spec, by_points = told(0.04)
    plane = calibrate_table(picture, by_points)
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rims = [plane.to_image([[x, 300]] + 11.5 * np.c_[np.cos(around), np.sin(around)], 2.0) for x in range(100, 700, 60)]
    coins = tuple(Circle(f"eur-2 {n}", rim, 11.5, 2.0) for n, rim in enumerate(rims))
    report = check_table(picture, plane, spec, coins)
    assert sum(proof.kind == "coin" for proof in report.proofs) > 5 and report.light == "red"


def test_rims_that_bloom_do_not_turn_the_light_red_where_cards_have_their_size():
    coins = proofs("coin", 8, 0.05, 0.0175)
    assert scale_error(coins) > 0.04
    assert scale_error([*proofs("card", 7, 0.0, 0.0183), *coins]) == 0.0
    assert scale_error([*proofs("card", 7, 0.05, 0.0183), *coins]) > 0.04


def test_a_plane_that_is_uncertain_itself_contradicts_nobody():
    vague = replace(CAMERA, covariance=np.diag([*[0.0] * 9, 0, 0, 0, 0, 0, 40.0**2]))
    assert scale_sigma(vague, (700.0, 500.0)) > 0.02 > scale_sigma(CAMERA, (700.0, 500.0))
