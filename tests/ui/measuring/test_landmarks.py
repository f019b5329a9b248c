"""A camera that is carried to where no texture is known again: markers and printed sheets tell the table anew."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.fiducials.markers import marker_image
from rules.setup import Setup
from tests.calibration.table_picture import a_camera, a_lens, lay, paper, shoot
from ui.measuring.landmarks import landmarks_of
from ui.setup.calibration_block import CalibrationBlock, MarkerBlock
from ui.setup.setup_file import SetupFile
from vision.frame import Frame
from vision.tripod.landmark_search import Landmarks, LandmarkSearch, Searches
from vision.tripod.stand import LOOK_EVERY_S, Stand

TABLE_MM = (700.0, 500.0)
TEXELS = 2
CENTRES = {0: (60.0, 60.0), 1: (640.0, 60.0), 2: (640.0, 440.0), 3: (60.0, 440.0)}
LENS = a_lens((1280, 720))
GRID = np.array([[x, y] for x in (20, 350, 680) for y in (20, 250, 480)], float)


def camera(pan_deg=0.0):
    """Carried so far round the table."""
    return a_camera(55, 1000, pan_deg=pan_deg, lens=LENS)


def picture(pan_deg=0.0, markers=tuple(CENTRES), tiles=()):
    """A plain cloth with markers on it, and dark tiles."""
    cloth = np.full((round(TABLE_MM[1] * TEXELS), round(TABLE_MM[0] * TEXELS)), 170, np.uint8)
    for marker in markers:
        lay(cloth, np.full((4, 4), 255, np.uint8), CENTRES[marker], 56, TEXELS)
        lay(cloth, marker_image("DICT_4X4_50", marker, 120), CENTRES[marker], 40, TEXELS)
    for tile in tiles:
        lay(cloth, np.full((4, 4), 40, np.uint8), tile, 30, TEXELS)
    return Frame(cv2.cvtColor(shoot(camera(pan_deg), cloth, TEXELS, rays=1, seed=2), cv2.COLOR_GRAY2BGR))


def set_up(**calibration):
    block = CalibrationBlock(**calibration)
    return SetupFile(Path("setup.toml"), Setup("osmcg", TABLE_MM, ()), None, block)


BY_MARKERS = set_up(markers=MarkerBlock("DICT_4X4_50", 40.0, CENTRES, {}))


def off_mm(plane, pan_deg):
    return float(np.hypot(*(plane.to_table(camera(pan_deg).to_image(GRID)) - GRID).T).max())


@pytest.mark.parametrize("pan_deg", [70, -150])
def test_the_table_is_measured_from_any_side_by_its_markers(pan_deg):
    plane = landmarks_of(BY_MARKERS).measure(picture(pan_deg), LENS)
    assert off_mm(plane, pan_deg) < 0.5


def test_what_shows_too_little_of_them_measures_nothing():
    assert landmarks_of(BY_MARKERS).measure(picture(70, markers=(0,)), LENS) is None
    assert landmarks_of(BY_MARKERS).measure(picture(70, markers=()), LENS) is None


def test_clicks_and_plain_sides_say_nothing_of_another_picture():
    clicks = tuple((*px, *mm) for px, mm in zip(camera().to_image(GRID).tolist(), GRID.tolist(), strict=True))
    assert landmarks_of(set_up(points=clicks)) is None
    assert landmarks_of(set_up(card="poker")) is None


def told(frames, landmarks):
    """What a stand tells of pictures, each shown for a second and a half and come in a tenth of one."""
    stand, news = Stand.of(frames[0], camera(), TABLE_MM, Searches((LandmarkSearch(landmarks),))), []
    for k, shown in enumerate(each for each in frames for _ in range(30)):
        moving = k % 30 < 2 and shown is not frames[k // 30 - 1]
        one, plane = stand.check(replace(shown, index=k, t_s=k * LOOK_EVERY_S / 3), moving)
        news += [(one, plane)] if one or plane else []
    return news


def test_a_camera_carried_round_a_plain_table_is_told_and_the_table_measured_again_by_its_markers():
    frames = [picture(), picture(70)]
    (kicked, none), (again, plane) = told(frames, landmarks_of(BY_MARKERS))
    assert (kicked.what, none, again.what, again.kind) == ("kicked", None, "registered", "kick")
    assert off_mm(plane, 70) < 0.5
    shift_px = np.median(np.hypot(*(camera(70).to_image(GRID) - camera().to_image(GRID)).T))
    assert again.shift_px == pytest.approx(shift_px, rel=0.2)
    assert [one.what for one, _ in told([*frames, frames[1]], None)] == ["kicked", "lost"]


def test_a_table_that_looks_alike_from_two_sides_is_not_taken_for_the_other():
    tiles = [(350 + x, 250 + y) for x, y in ((0, 190), (0, -190), (200, 0), (-200, 0), (100, 90), (-100, -90))]
    frames = [picture(pan_deg, tiles=tiles) for pan_deg in (0, 170)]
    *_, (again, plane) = told(frames, landmarks_of(BY_MARKERS))
    assert again.what == "registered"
    assert off_mm(plane, 170) < 0.5


def test_a_plain_table_with_markers_is_told_as_mirrored_where_it_is_and_nowhere_else():
    frames = [picture(), picture(150)]
    for landmarks in (None, landmarks_of(BY_MARKERS)):
        assert "mirrored" not in [one.kind for one, _ in told(frames, landmarks)]
    tiled = picture(tiles=[(250, 200), (300, 330), (420, 120), (150, 350), (560, 280)])
    mirrored = Frame(np.ascontiguousarray(tiled.image_bgr[::-1]))
    *_, (last, plane) = told([tiled, mirrored], landmarks_of(BY_MARKERS))
    assert (last.what, last.kind, plane) == ("kicked", "mirrored", None)


def test_a_hand_that_rests_for_a_moment_is_not_searched_for_a_sheet_which_takes_seconds():
    asked = []
    slow = Landmarks(lambda frame, _: asked.append(frame.t_s), is_quick=False)
    first, sleeve = picture(), rug()
    assert told([first, sleeve], slow) == [] and asked == []
    assert told([first, sleeve, sleeve], slow) == [] and asked


def rug():
    """Something else all over the table."""
    texture = paper(TABLE_MM, TEXELS, seed=5)
    return Frame(cv2.cvtColor(shoot(camera(), texture, TEXELS, rays=1), cv2.COLOR_GRAY2BGR))


def test_a_rug_over_the_table_is_none_and_is_searched_for_markers_ever_more_seldom():
    asked = []

    def measure(frame, lens):
        asked.append(frame.t_s)
        return landmarks_of(BY_MARKERS).measure(frame, lens)

    assert told([picture(), *[rug()] * 6], Landmarks(measure, is_quick=True)) == []
    assert 2 <= len(asked) <= 5
