"""The trust report: where it speaks for, and what would make it better."""

import json
from dataclasses import replace

import numpy as np
import pytest

from calibration.plane import SIGMAS_95, Residual
from calibration.proof import bend_of_cards, check_table
from calibration.rulers.known_length import Proof
from calibration.rulers.scale_doubt import scale_doubt
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens, lay_card, shoot
from ui.measuring.trust import trust_document

SIZE, TEXELS, POKER = (1920, 1080), 2, (88.9, 63.5)
LENS = a_lens(SIZE)
PLACES = np.array([[x, y] for x in (60, 350, 640) for y in (60, 250, 440)], float)


def a_table(camera, share=1.0):
    """Four cards, cut larger or smaller than said."""
    sheet = np.full((500 * TEXELS, 700 * TEXELS), 70, np.uint8)
    for place in ((120, 110, 10), (560, 120, 80), (330, 260, 40), (150, 390, 120), (560, 380, 0)):
        lay_card(sheet, place, (POKER[0] * share, POKER[1] * share), TEXELS, 235)
    return shoot(camera, sheet, TEXELS, rays=2)


@pytest.mark.parametrize("share", [0.99, 1.0, 1.01])
def test_cards_alone_are_told_to_lack_a_size_and_what_it_would_be_with_one(share):
    camera, spec = a_camera(55, 900, lens=LENS), CalibrationSpec(card_size_mm=POKER, lens=LENS)
    picture = a_table(camera, share)
    plane = calibrate_table(picture, spec)
    report = check_table(picture, plane, spec)
    assert report.light == "red"
    (said,) = (note for note in report.notes if "of size, not of shape" in note)
    assert "tell lengths to 1.4 %" in said and "it would be green" in said
    # The shape is as good as it says: what is left once the whole is laid over the truth, its size too.
    there_mm = plane.to_table(camera.to_image(PLACES))
    doubt = scale_doubt(plane, there_mm)
    z, true = (mm @ [1, 1j] - (mm @ [1, 1j]).mean() for mm in (there_mm, PLACES))
    factor = np.vdot(z, true) / np.vdot(z, z)
    assert (np.abs(factor * z - true) < SIGMAS_95 * doubt.rest_mm).all()
    assert abs(1 / abs(factor) - 1 / share) < 0.004 and abs(1 - abs(factor)) < 2.5 * doubt.share


def test_a_told_size_leaves_no_doubt_of_scale():
    camera = a_camera(55, 900, lens=LENS)
    corners_mm = ((0, 0), (700, 0), (700, 500), (0, 500))
    points = tuple((*px, *mm) for px, mm in zip(camera.to_image(corners_mm).tolist(), corners_mm, strict=True))
    spec = CalibrationSpec(points=points, card_size_mm=POKER, lens=LENS, table_size_mm=(700, 500))
    report = check_table(a_table(camera), calibrate_table(a_table(camera), spec), spec)
    assert not any("of size" in note or "worst" in note for note in report.notes)
    assert report.light == "green" and report.shown.all()


def test_of_one_place_alone_no_scale_is_told():
    """It told lengths "to nan %", and numpy warned of a division."""
    camera = a_camera(55, 900, lens=LENS)
    spec = CalibrationSpec(card_size_mm=POKER, lens=LENS, table_size_mm=(8 * 900, 6 * 800))
    plane = calibrate_table(a_table(camera), spec)
    with np.errstate(invalid="raise"):
        report = check_table(a_table(camera), plane, spec)
    assert report.shown.sum() == 1 and "nan" not in " ".join(report.notes)


def test_what_the_picture_does_not_show_is_not_spoken_for():
    camera = a_camera(55, 900, lens=LENS)
    spec = CalibrationSpec(card_size_mm=POKER, lens=LENS, table_size_mm=(6000, 9000))
    report = check_table(a_table(camera), camera, spec)
    assert any("the rest is not spoken for" in note for note in report.notes)
    assert report.believe_mm == np.nanmax(report.map_mm[report.shown]) < 3
    told = json.loads(json.dumps(trust_document(report), allow_nan=False))["map_mm"]
    assert [[mm is not None for mm in row] for row in told] == report.shown.tolist()


@pytest.mark.parametrize(
    ("measured_mm", "bent"),
    [((109.2, 109.6, 108.7), False), ((109.2, 114.7, 105.5), True), ((114.0, 114.6, 113.8), False), ((114.7,), False)],
)
def test_equal_cards_that_measure_unlike_tell_a_plane_that_is_bent(measured_mm: tuple[float, ...], bent: bool) -> None:
    """Alike and too large they tell a wrong scale, which is asked elsewhere."""
    proofs = [Proof(f"card {n}", (0.0, 0.0), 109.2, mm, 0.5, "card") for n, mm in enumerate(measured_mm)]
    assert any(bend_of_cards(proofs)) is bent


def test_a_texture_of_which_a_place_was_left_out_measures_the_table():
    left = (Residual("ground", 40.0, 20.0, rejected=True), Residual("ground", 0.3, 0.2), Residual("ground", 0.3, 0.2))
    plane = replace(a_camera(55, 900, lens=LENS), residuals=left)
    report = check_table(np.zeros((1080, 1920, 3), np.uint8), plane, CalibrationSpec(), cards=())
    assert report.references == (("ground", pytest.approx(0.3), pytest.approx(0.2), False),)
