"""Markers in rendered pictures: found, named, and their corners where they are."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.edges.edge import fit_quads
from calibration.fiducials.markers import corners_mm, dictionary_named, find_markers, follow_markers, marker_image
from calibration.lens import Lens
from calibration.table import CalibrationSpec, MarkerSheet, calibrate_table, markers_seen
from tests.calibration.table_picture import a_camera, a_lens, lay, paper, shoot

TEXELS = 4
SIZE = (1280, 720)
CENTRES = {0: (60, 60), 1: (640, 60), 2: (640, 440), 3: (60, 440)}
LENS = a_lens(SIZE)
CAMERA = a_camera(50, 900, 3, lens=LENS)


def a_sheet(dictionary="DICT_4X4_50", side_mm=60.0, turned=None):
    sheet = paper((700, 500), TEXELS)
    for marker_id, centre in CENTRES.items():
        lay(sheet, np.full((4, 4), 255, np.uint8), centre, side_mm * 1.4, TEXELS)
        picture = marker_image(dictionary, marker_id, 240)
        lay(sheet, np.rot90(picture, (turned or {}).get(marker_id, 0) // 90), centre, side_mm, TEXELS)
    return sheet


@pytest.fixture(scope="module")
def picture():
    return shoot(CAMERA, a_sheet(), TEXELS, rays=4)


def spec(**changes):
    markers = {"dictionary": "DICT_4X4_50", "size_mm": 60, "centres": CENTRES} | changes
    return CalibrationSpec(markers=MarkerSheet(**markers), lens=LENS, table_size_mm=(700, 500))


def test_corners_are_within_a_twentieth_of_a_pixel(picture):
    found = find_markers(picture, "DICT_4X4_50")
    assert [marker.id for marker in found] == [0, 1, 2, 3]
    off = [marker.corners_px - CAMERA.to_image(corners_mm(CENTRES[marker.id], 60)) for marker in found]
    assert np.sqrt(np.mean(np.sum(np.square(off), axis=-1))) < 0.05


def test_followed_from_a_seed_without_a_search(picture):
    seeds = {i: CAMERA.to_image(corners_mm(c, 60)) + 1.5 for i, c in CENTRES.items()}
    assert [marker.id for marker in follow_markers(picture, seeds)] == [0, 1, 2, 3]
    assert follow_markers(picture, {7: np.array([[600, 300], [640, 300], [640, 340], [600, 340.0]])}) == ()


@pytest.mark.parametrize("dictionary", ["DICT_APRILTAG_36h11", "DICT_6X6_250"])
def test_other_dictionaries_too(dictionary):
    picture = shoot(CAMERA, a_sheet(dictionary), TEXELS, rays=2)
    plane = calibrate_table(picture, spec(dictionary=dictionary))
    truth = CAMERA.to_image([[350, 250]])
    assert np.allclose(plane.to_table(truth), [[350, 250]], atol=0.1)


def test_markers_calibrate_the_whole_table(picture):
    plane = calibrate_table(picture, spec())
    grid = np.array([[x, y] for x in (0, 350, 700) for y in (0, 250, 500)], float)
    assert np.abs(plane.to_table(CAMERA.to_image(grid)) - grid).max() < 0.12
    assert np.abs(plane.to_table(CAMERA.to_image(grid, 25), 25) - grid).max() < 0.15
    assert plane.sigma_mm(CAMERA.to_image(grid)).max() < 0.12
    assert {residual.source for residual in plane.residuals} == {f"marker {i}" for i in range(4)}


def test_sides_that_a_wide_lens_bows_put_no_corner_off():
    camera = a_camera(60, 650, 3, lens=a_lens(SIZE, (-0.25, 0.05, 0.0, 0.0, 0.0)))
    plane = calibrate_table(shoot(camera, a_sheet(), TEXELS, rays=3), replace(spec(), lens=camera.lens))
    grid = np.array([[x, y] for x in (60, 350, 640) for y in (60, 250, 440)], float)
    # Lines along the bowed sides meet beyond the corners: of these they would make a table that is 0.2 mm off.
    assert np.hypot(*(plane.to_table(camera.to_image(grid)) - grid).T).max() < 0.04


def test_a_marker_turned_as_the_setup_says():
    picture = shoot(CAMERA, a_sheet(turned={1: 90, 2: 180}), TEXELS, rays=2)
    told = calibrate_table(picture, spec(turn_deg={1: 90, 2: 180}))
    assert told.rejected == () and not any("turned" in note for note in told.notes)


def test_a_marker_that_lies_elsewhere_than_said_is_named(picture):
    plane = calibrate_table(picture, spec(centres=CENTRES | {2: (600, 440)}))
    assert plane.rejected == ("marker 2",)
    assert np.allclose(plane.to_table(CAMERA.to_image([[500, 300]])), [[500, 300]], atol=0.3)


def test_a_marker_that_shows_twice_tells_nothing_and_is_named():
    sheet = a_sheet()
    lay(sheet, np.full((4, 4), 255, np.uint8), (350, 200), 84, TEXELS)
    lay(sheet, marker_image("DICT_4X4_50", 0, 240), (350, 200), 60, TEXELS)
    notes: list[str] = []
    seen = markers_seen(shoot(CAMERA, sheet, TEXELS, rays=2), spec().markers, notes)
    assert seen.groups == ("marker 1", "marker 2", "marker 3")
    assert notes == ["marker 0 of DICT_4X4_50 shows twice and was left out: take the other one away"]


def test_points_and_markers_count_together(picture):
    mm = np.array([[350, 0], [350, 500], [200, 250], [500, 250.0]])
    points = tuple((*px, *place) for px, place in zip(CAMERA.to_image(mm).tolist(), mm.tolist(), strict=True))
    both = CalibrationSpec(points=points, markers=spec().markers, lens=LENS)
    plane = calibrate_table(picture, both)
    assert {residual.source for residual in plane.residuals} >= {"point 1", "marker 3"}
    assert plane.rejected == ()


def test_missing_markers_are_told(picture):
    plane = calibrate_table(picture, spec(centres=CENTRES | {9: (350, 30)}))
    assert any("marker 9 of DICT_4X4_50 is not found" in note for note in plane.notes)
    bare = shoot(CAMERA, paper((700, 500), TEXELS), TEXELS)
    with pytest.raises(ValueError, match=r"markers 8, 9 of DICT_4X4_50 are not found: lay one down"):
        calibrate_table(bare, spec(centres={8: (0, 0), 9: (300, 0)}))


def test_why_no_marker_is_seen_is_told(picture):
    with pytest.raises(ValueError, match="are not found but mirrored"):
        calibrate_table(np.ascontiguousarray(picture[:, ::-1]), spec())
    with pytest.raises(ValueError, match="are not found but white on black"):
        calibrate_table(255 - picture, spec())
    with pytest.raises(ValueError, match="are not found, those of DICT_4X4_50 are"):
        calibrate_table(picture, spec(dictionary="DICT_5X5_50"))
    with pytest.raises(ValueError, match="are not found but 0, 1, 2, 3 are"):
        calibrate_table(picture, spec(centres={marker + 8: centre for marker, centre in CENTRES.items()}))


@pytest.mark.parametrize("dictionary", ["16h5", "25h9", "36h10", "36h11"])
def test_markers_of_an_apriltag_family_that_is_not_told_are_named(dictionary):
    picture = shoot(CAMERA, a_sheet(f"DICT_APRILTAG_{dictionary}"), TEXELS, rays=2)
    with pytest.raises(ValueError, match=f"those of DICT_APRILTAG_{dictionary} are"):
        calibrate_table(picture, spec())


def test_two_sheets_of_two_dictionaries_are_told():
    sheet = a_sheet()
    for marker_id in (2, 3):
        lay(sheet, marker_image("DICT_5X5_50", marker_id, 240), CENTRES[marker_id], 60, TEXELS)
    notes: list[str] = []
    seen = markers_seen(shoot(CAMERA, sheet, TEXELS, rays=2), spec().markers, notes)
    assert seen.groups == ("marker 0", "marker 1")
    why = "those of DICT_5X5_50 are (name it as the set-up's dictionary)"
    assert notes == [f"markers 2, 3 of DICT_4X4_50 are not found, {why}"]


def test_what_is_no_dictionary_is_told():
    with pytest.raises(ValueError, match="no dictionary 'DICT_9X9'; there are DICT_4X4_100"):
        dictionary_named("DICT_9X9")
    with pytest.raises(ValueError, match="has no marker 50: its last is 49"):
        marker_image("DICT_4X4_50", 50, 60)


def test_a_turned_marker_keeps_its_centre():
    corners = corners_mm((100, 50), 40, 90)
    # Upright, the first corner is the far left one; a quarter turn counter-clockwise brings it near left.
    assert np.allclose(corners[0], (80, 30))
    assert np.allclose(corners.mean(axis=0), (100, 50))


def test_one_lens_for_another_picture_size_is_refused(picture):
    with pytest.raises(ValueError, match="calibrate the lens for this picture size"):
        calibrate_table(picture, CalibrationSpec(markers=spec().markers, lens=Lens.unknown((1000, 1000))))


def test_darkness_is_told():
    with pytest.raises(ValueError, match="the picture is dark"):
        calibrate_table(np.full((720, 1280), 8, np.uint8), spec())


def test_markers_laid_by_hand_make_the_plane_less_sure(picture):
    exact, by_hand = calibrate_table(picture, spec()), calibrate_table(picture, replace(spec(), placing_mm=0.5))
    px = CAMERA.to_image([[350, 250]])
    assert by_hand.sigma_mm(px)[0] > 4 * exact.sigma_mm(px)[0]
    assert by_hand.sigma_mm(px)[0] == pytest.approx(0.25, rel=0.3)


def test_a_marker_in_the_dark_is_found_though_noise_breaks_its_outline():
    rng = np.random.default_rng(22)
    side_px, light, dark, noise = 86, 96.0, 33.0, 29.0
    paper = np.full((124, 124), light)
    paper[14:110, 14:110] = np.where(marker_image("DICT_4X4_50", 0, 96) > 0, light, 0.6 * dark)
    lies = np.float32([[0, 0], [1, 0.1], [0.9, 1.1], [-0.1, 1]]) * side_px + 150
    warp = cv2.getPerspectiveTransform(np.float32([[0, 0], [124, 0], [124, 124], [0, 124]]), lies)
    shown, covered = (cv2.warpPerspective(each, warp, (400, 400)) for each in (paper, np.ones((124, 124))))
    grain = cv2.GaussianBlur(rng.normal(0, 1, (400, 400)), (0, 0), 0.6)
    picture = cv2.GaussianBlur(dark * (1 - covered) + shown, (0, 0), 0.9) + noise * grain / grain.std()
    found = find_markers(np.clip(picture, 0, 255).astype(np.uint8), "DICT_4X4_50", {0})
    assert [marker.id for marker in found] == [0]


@pytest.mark.parametrize("turned", [{1: 90}, {0: 90, 1: 180, 2: 270}])
def test_markers_that_lie_turned_are_measured_so_and_told(turned):
    plane = calibrate_table(shoot(CAMERA, a_sheet(turned=turned), TEXELS, rays=2), spec())
    said = ", ".join(f"{marker} = {turn_deg}" for marker, turn_deg in turned.items())
    assert any(f"turn_deg = {{ {said} }}" in note for note in plane.notes) and not plane.rejected
    assert np.allclose(plane.to_table(CAMERA.to_image([[350, 250]])), [[350, 250]], atol=0.1)


def test_markers_that_are_all_turned_alike_may_have_their_places_told_wrong():
    picture = shoot(CAMERA, a_sheet(turned=dict.fromkeys(CENTRES, 180)), TEXELS, rays=2)
    with pytest.raises(ValueError, match=r"marker 3 by 180 degrees: turn them, .* or mend the centres"):
        calibrate_table(picture, spec())


def test_markers_in_one_anothers_places_are_named(picture):
    left, right, far_right, far_left = (CENTRES[n] for n in range(4))
    with pytest.raises(ValueError, match="markers 0 and 1, 2 and 3 seem exchanged"):
        calibrate_table(picture, spec(centres={0: right, 1: left, 2: far_left, 3: far_right}))
    # One of four is not seen: of three, two agreed on a table 660 mm off, green.
    with pytest.raises(ValueError, match="markers 0 and 1, 2 and 7 seem exchanged"):
        calibrate_table(picture, spec(centres={0: right, 1: left, 2: far_left, 7: far_right}))


def test_markers_too_small_to_be_read_are_said_to_be(picture):
    small = cv2.resize(picture, (256, 144), interpolation=cv2.INTER_AREA)
    with pytest.raises(ValueError, match="26 px wide at most, far ones less, where 30 and more are read well"):
        calibrate_table(small, replace(spec(centres={8: (60, 60), 9: (640, 60)}), lens=None))


def test_a_side_between_two_rows_of_pixels_is_where_it_is():
    """A square to the picture, as a camera straight above shows it: all its sides are drawn aside alike."""
    from_px = 50.25
    covered = np.clip(from_px + 60.5 - np.arange(160), 0, 1) - np.clip(from_px + 0.5 - np.arange(160), 0, 1)
    picture = cv2.GaussianBlur(200 - 170 * np.outer(covered, covered), (0, 0), 0.6)
    truth = from_px + 60 * np.array([[[0, 0], [1, 0], [1, 1], [0, 1.0]]])
    found, _, _ = fit_quads(np.round(picture).astype(np.uint8), truth + 0.5)
    assert np.abs(found - truth).max() < 0.025  # 0.035 where the window is not flat


def test_a_marker_that_is_seen_aslant_out_of_focus_is_read():
    """45 px wide and 20 deep, it was "not found": its bits lay beside the cells that are read."""
    corners_px = np.array([[68, 50], [113, 51], [112, 70], [67, 69]], float)
    printed = cv2.copyMakeBorder(marker_image("DICT_4X4_50", 0, 96), 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=255)
    square = np.array([[10, 10], [106, 10], [106, 106], [10, 106]], np.float32) - 0.5
    lying = cv2.getPerspectiveTransform(square, ((corners_px + 0.5) * 4 - 0.5).astype(np.float32))
    large = cv2.warpPerspective(printed, lying, (800, 480), borderValue=60)
    seen = cv2.resize(large, (200, 120), interpolation=cv2.INTER_AREA)
    (found,) = find_markers(cv2.GaussianBlur(seen, (0, 0), 1.0), "DICT_4X4_50", [0])
    assert np.abs(found.corners_px - corners_px).max() < 1.5
