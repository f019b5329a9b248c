"""Cards as rulers, alone and beside other references, and the proof that they give."""

import cv2
import numpy as np
import pytest

from benchmarks.calibration import TEXELS as CROWDED_TEXELS
from benchmarks.calibration import a_table as crowded
from benchmarks.cameras import cameras
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.plane import SIGMAS_95
from calibration.pose import rigid_between
from calibration.proof import check_table
from calibration.rulers.cards import RectangleSeen, find_cards, find_rectangles
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens, lay_card, shoot

TEXELS = 4
LENS = a_lens((1280, 720))
POKER = (88.9, 63.5)
# Of another maker, by 0.8 %: 88 x 63 mm are sold as poker cards too.
SMALL = (88.2, 63.0)
CARDS = ((110, 90, 20), (560, 110, 75), (330, 300, -40), (590, 400, 10))


def a_table(camera, cards=CARDS, size_mm=POKER, seed=0):
    sheet = np.full((500 * TEXELS, 700 * TEXELS), 70, np.uint8)
    for x, y, turn_deg in cards:
        lay_card(sheet, (x, y, turn_deg), size_mm, TEXELS, 235)
        cv2.circle(sheet, (round(x * TEXELS), round((500 - y) * TEXELS)), 10 * TEXELS, 60, -1)
    return shoot(camera, sheet, TEXELS, rays=2, seed=seed)


def lengths(plane, camera):
    corners = plane.to_table(camera.to_image([[0, 0], [700, 0], [700, 500], [0, 500]]))
    return (
        np.hypot(*(corners[1] - corners[0])),
        np.hypot(*(corners[3] - corners[0])),
        np.hypot(*(corners[2] - corners[0])),
    )


def test_all_four_are_seen_and_their_prints_are_not():
    assert len(find_rectangles(a_table(a_camera(60, 900, lens=LENS)))) == 4


def test_cards_that_somebody_measured_need_not_stand_out():
    camera = a_camera(55, 700, lens=LENS)
    outlines = []
    for x, y, turn_deg in CARDS:
        along = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
        across = np.array([along[1], -along[0]])
        corners = [
            (x, y) + i * POKER[0] / 2 * along + j * POKER[1] / 2 * across
            for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        outlines.append(camera.to_image(np.array(corners), 0.3))
    nothing = np.full((720, 1280), 90, np.uint8)
    plane = calibrate_table(nothing, CalibrationSpec(card_size_mm=POKER, measured_px=tuple(outlines), lens=LENS))
    assert lengths(plane, camera) == pytest.approx((700, 500, np.hypot(700, 500)), rel=2e-3)


@pytest.mark.parametrize("lens", [LENS, None])
@pytest.mark.parametrize("tilt_deg", [40, 65])
def test_cards_alone_measure_the_table(tilt_deg, lens):
    camera = a_camera(tilt_deg, 950, lens=LENS)
    plane = calibrate_table(a_table(camera), CalibrationSpec(card_size_mm=POKER, lens=lens))
    assert lengths(plane, camera) == pytest.approx((700, 500, 860.2), rel=0.012)
    assert plane.tilt_deg == pytest.approx(tilt_deg, abs=3)
    assert np.allclose(plane.to_table([[0, 719]]), 0, atol=1e-6)


def test_one_card_is_enough_and_says_how_little_it_knows():
    camera = a_camera(55, 900, lens=LENS)
    one = calibrate_table(a_table(camera, CARDS[2:3]), CalibrationSpec(card_size_mm=POKER, lens=LENS))
    four = calibrate_table(a_table(camera), CalibrationSpec(card_size_mm=POKER, lens=LENS))
    far = camera.to_image([[650, 450]])
    assert lengths(one, camera)[0] == pytest.approx(700, rel=0.05)
    assert one.sigma_mm(far)[0] > 1.4 * four.sigma_mm(far)[0]


def test_cards_beside_points_are_rulers_of_their_own():
    camera = a_camera(55, 900, lens=LENS)
    mm = np.array([[0, 0], [700, 0], [700, 500], [0, 500.0]])
    points = tuple((*px, *place) for px, place in zip(camera.to_image(mm).round(2).tolist(), mm.tolist(), strict=True))
    spec = CalibrationSpec(points=points, card_size_mm=POKER, lens=LENS, table_size_mm=(700, 500))
    plane = calibrate_table(a_table(camera), spec)
    assert {r.source for r in plane.residuals} == {f"point {i}" for i in range(1, 5)} | {
        f"card {i}" for i in range(1, 5)
    }
    assert np.allclose(plane.to_table(camera.to_image([[350, 250]])), [[350, 250]], atol=0.3)


def test_points_on_one_place_beside_cards_leave_the_table_free_to_turn_and_are_refused():
    camera = a_camera(50, 900, pan_deg=25, lens=LENS)
    [(u, v)] = camera.to_image([[350, 250]]).tolist()
    spec = CalibrationSpec(points=((u, v, 350, 250),) * 3, card_size_mm=POKER, lens=LENS, table_size_mm=(700, 500))
    with pytest.raises(ValueError, match="how the table is turned: give another, far from it"):
        calibrate_table(a_table(camera), spec)


@pytest.mark.parametrize("lens", [LENS, None])
def test_a_card_whose_outline_ran_into_its_neighbour_moves_no_table(lens):
    camera = a_camera(46, 1000, -4, -12, lens=LENS)
    sheet = np.full((500 * TEXELS, 700 * TEXELS), 70, np.uint8)
    for place in CARDS:
        lay_card(sheet, place, POKER, TEXELS, 235)
    # Something white lies against a short side, and hides where the card ends; white squares lie as cards might.
    x, y, turn_deg = CARDS[0]
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    lay_card(sheet, (x + 44 * cos, y + 44 * sin, turn_deg + 4), (7, 63.5), TEXELS, 235)
    for place in ((60, 230, 0), (640, 250, 0), (60, 440, 0), (450, 440, 0)):
        lay_card(sheet, place, (60, 60), TEXELS, 235)
    spec = CalibrationSpec(card_size_mm=POKER, lens=lens)
    plane = calibrate_table(shoot(camera, sheet, TEXELS, rays=2), spec)
    assert lengths(plane, camera) == pytest.approx((700, 500, 860.2), rel=0.004)
    assert len({residual.source for residual in plane.residuals}) == 3


def test_no_card_no_plane():
    with pytest.raises(ValueError, match=r"no card of 88\.9 x 63\.5 mm is seen whole"):
        calibrate_table(a_table(a_camera(60, 900, lens=LENS), ()), CalibrationSpec(card_size_mm=POKER, lens=LENS))
    with pytest.raises(ValueError, match="the set-up names no reference"):
        calibrate_table(a_table(a_camera(60, 900, lens=LENS), ()), CalibrationSpec(lens=LENS))


def test_a_card_proves_a_good_plane_and_betrays_a_bad_one():
    camera = a_camera(55, 900, lens=LENS)
    picture = a_table(camera)
    spec = CalibrationSpec(card_size_mm=POKER, lens=LENS, table_size_mm=(700, 500))
    good = check_table(picture, camera, spec)
    assert good.light == "green"
    assert len(good.proofs) == 4
    assert max(abs(proof.off_mm) for proof in good.proofs) < 0.8
    mm = np.array([[0, 0], [700, 0], [700, 500], [0, 500.0]])
    wrong = tuple((*px, *place) for px, place in zip(camera.to_image(mm).tolist(), (mm * 1.06).tolist(), strict=True))
    bad = check_table(picture, calibrate_table(picture, CalibrationSpec(points=wrong, lens=LENS)), spec)
    assert bad.light == "red"
    assert np.mean([proof.off_mm for proof in bad.proofs]) == pytest.approx(0.06 * np.hypot(*POKER), abs=0.5)


def test_two_squares_in_which_chance_sees_cards_do_not_win_over_four_cards(monkeypatch):
    """As a webcam saw four cards and four markers of 60 mm, and was thought to have a lens three times as long."""
    cards = (
        ((1186.0, 722.0), (1290.4, 742.2), (1265.1, 890.8), (1159.2, 870.2)),
        ((847.6, 742.1), (871.9, 848.2), (726.9, 883.2), (705.0, 779.7)),
        ((992.4, 423.2), (1101.1, 514.3), (1033.0, 591.0), (924.2, 498.0)),
        ((1345.1, 329.6), (1365.7, 424.5), (1226.1, 445.5), (1207.5, 349.6)),
    )
    markers = (
        ((1541.9, 860.1), (1544.6, 962.5), (1444.9, 962.4), (1443.2, 859.4)),
        ((477.7, 836.4), (573.2, 840.2), (567.2, 941.4), (471.1, 936.9)),
        ((1421.9, 257.1), (1513.1, 260.2), (1518.8, 347.9), (1426.1, 345.2)),
        ((619.7, 247.6), (611.7, 334.2), (521.8, 334.4), (531.1, 248.3)),
    )
    seen = tuple(RectangleSeen(corners) for corners in cards + markers)
    monkeypatch.setattr("calibration.rulers.cards.find_rectangles", lambda image, **_: seen)
    found = find_cards(np.zeros((1080, 1920), np.uint8), POKER, Lens.unknown((1920, 1080)))
    middles = {tuple(np.round(part).astype(int)) for part in found.image_px.reshape(-1, 4, 2).mean(axis=1)}
    assert middles == {tuple(np.round(np.mean(card, axis=0)).astype(int)) for card in cards}


def off_and_stated(plane, camera):
    """Off by so many mm and what is stated (95 %), over the table as it fits the true one best."""
    mm = np.array([[x, y] for x in range(50, 700, 100) for y in range(50, 500, 100)], float)
    px = camera.to_image(mm)
    found = plane.to_table(px)
    return np.hypot(*(rigid_between(found, mm).apply(found) - mm).T), SIGMAS_95 * plane.sigma_mm(px)


@pytest.mark.parametrize("lens", [LENS, None])
def test_cards_of_a_smaller_make_than_said_are_within_what_is_stated(lens):
    camera = a_camera(55, 900, lens=LENS)
    small = a_table(camera, size_mm=SMALL)
    off_mm, stated_mm = off_and_stated(calibrate_table(small, CalibrationSpec(card_size_mm=POKER, lens=lens)), camera)
    # A share of up to 400 mm, which no other length contradicts.
    assert off_mm.max() > 2.0 and (off_mm <= stated_mm).mean() > 0.95
    assert stated_mm.max() < 2.5 * off_mm.max()


def test_what_lies_fixed_tells_how_large_cards_are_cut():
    camera = a_camera(55, 900, lens=LENS)
    mm = np.array([[0, 0], [700, 0], [700, 500], [0, 500.0]])
    points = tuple((*px, *place) for px, place in zip(camera.to_image(mm).round(2).tolist(), mm.tolist(), strict=True))
    spec = CalibrationSpec(points=points, card_size_mm=POKER, lens=LENS, table_size_mm=(700, 500))
    off_mm, stated_mm = off_and_stated(calibrate_table(a_table(camera, size_mm=SMALL), spec), camera)
    assert off_mm.max() < 0.5 and stated_mm.max() < 1.5


def test_no_card_is_more_the_frame_than_another():
    camera = a_camera(55, 900, lens=LENS)
    cards = find_cards(a_table(camera), POKER, LENS)
    px = camera.to_image([[60, 60], [350, 250], [640, 440]])
    turned = Correspondences.joined(cards.only([name]) for name in reversed(cards.groups))
    sigmas_mm = [fit_plane(each, LENS, LENS.size_px).sigma_mm(px) for each in (cards, turned)]
    assert sigmas_mm[0] == pytest.approx(sigmas_mm[1], rel=1e-3)


def test_what_is_round_a_card_does_not_hide_it():
    """A border's outer edge, pulled aside by what lies there, was found first and fitted no card: four markers' squares
    passed for the cards then, 72 mm off."""
    *_, camera = cameras(17, 212001)
    found = [
        camera.to_table(seen.corners) for seen in find_rectangles(shoot(camera, crowded("DICT_4X4_50"), CROWDED_TEXELS))
    ]
    sides_mm = [np.sort(np.hypot(*(np.roll(mm, -1, axis=0) - mm).T)) for mm in found]
    assert sum(np.abs(each - np.sort(np.repeat(POKER, 2))).max() < 1 for each in sides_mm) == 4


def test_a_large_card_may_be_cut_by_hand():
    """Its sides wave by 2.6 px, little of their length."""
    along = np.linspace(0, 1, 300)[:-1]
    wave = 2.6 * np.sin(2 * np.pi * 2.5 * along)
    shape = np.array([(0, 0), (1, 0), (1, 0.7), (0, 0.7)]) * 600 + (150, 120)
    sides = []
    for start, end in zip(shape, np.roll(shape, -1, axis=0), strict=True):
        normal = np.array([(end - start)[1], -(end - start)[0]]) / np.hypot(*(end - start))
        sides.append(start + along[:, None] * (end - start) + wave[:, None] * normal)
    picture = np.full((720, 1000), 60, np.uint8)
    cv2.fillPoly(picture, [np.rint(np.concatenate(sides) * 16).astype(np.int32)], 220, cv2.LINE_AA, 4)
    assert len(find_rectangles(cv2.GaussianBlur(picture, (0, 0), 0.8))) == 1


@pytest.mark.parametrize("lens", [LENS, None], ids=["lens file", "no lens file"])
@pytest.mark.parametrize("wrong", [1, 2, 3])
def test_cards_are_found_though_a_click_is_wrong_and_name_it(lens, wrong):
    """One of four clicks 20 mm off turned the plane, on which no card was as large as told: 20 mm off, 0.5 stated."""
    camera = a_camera(50, 900, lens=LENS, pan_deg=20)
    at_mm = np.array([(350.0, 20.0), (20, 250), (680, 250), (350, 480)])
    told_mm = at_mm.copy()
    told_mm[wrong, 1] += 20
    points = tuple((*px, *mm) for px, mm in zip(camera.to_image(at_mm), told_mm, strict=True))
    spec = CalibrationSpec(points=points, card_size_mm=POKER, lens=lens, table_size_mm=(700, 500))
    plane = calibrate_table(a_table(camera), spec)
    assert plane.rejected == (f"point {wrong + 1}",) and not any("no card" in note for note in plane.notes)
    assert np.hypot(*(plane.to_table(camera.to_image(at_mm)) - at_mm).T).max() < 2


@pytest.mark.parametrize("lens", [LENS, None], ids=["lens file", "no lens file"])
@pytest.mark.parametrize("size_mm", [(148, 105), (150, 100)], ids=["A6", "photographs"])
def test_sheets_as_slender_as_cards_do_not_contradict_clicks(lens, size_mm):
    """Four of them, seen without a lens file, passed for nearer cards, and the clicks were refused."""
    camera = a_camera(48, 900, lens=LENS, pan_deg=-5)
    at_mm = np.array([(350.0, 20.0), (20, 250), (680, 250), (350, 480)])
    points = tuple((*px, *mm) for px, mm in zip(camera.to_image(at_mm), at_mm, strict=True))
    spec = CalibrationSpec(points=points, card_size_mm=POKER, lens=lens, table_size_mm=(700, 500))
    sheets = ((130, 120, 20), (540, 130, 75), (330, 330, -40), (590, 390, 10))
    plane = calibrate_table(a_table(camera, sheets, size_mm), spec)
    assert plane.rejected == () and np.hypot(*(plane.to_table(camera.to_image(at_mm)) - at_mm).T).max() < 2
