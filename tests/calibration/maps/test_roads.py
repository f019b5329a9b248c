"""A map's own roads as a reference: rough clicks become a plane to a tenth of a millimetre."""

import cv2
import numpy as np
import pytest

from calibration.maps.roads import roads_seen
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

TEXELS = 4
LENS = a_lens((1280, 720))
CAMERA = a_camera(50, 800, 3, lens=LENS)
CORNERS = np.array([[20, 20], [680, 20], [680, 480], [20, 480]], float)
GRID = np.array([[x, y] for x in (50, 350, 650) for y in (50, 250, 450)], float)


def roads(seed=4, count=14):
    rng = np.random.default_rng(seed)
    return tuple(rng.uniform((20, 20), (680, 480), (4, 2)) for _ in range(count))


def a_map(lines):
    sheet = cv2.cvtColor(paper((700, 500), TEXELS), cv2.COLOR_GRAY2BGR) // 3 + 150
    for number, road in enumerate(lines):
        texels = np.c_[road[:, 0] * TEXELS - 0.5, (500 - road[:, 1]) * TEXELS - 0.5]
        colour = ((60, 60, 220), (60, 160, 60), (40, 150, 240))[number % 3]
        cv2.polylines(sheet, [np.round(texels * 16).astype(np.int32)], False, colour, 8, cv2.LINE_AA, 4)
    for x, y in np.random.default_rng(0).uniform((50, 50), (650, 450), (25, 2)):
        cv2.circle(sheet, (int(x * TEXELS), int(y * TEXELS)), 12 * TEXELS, (80, 120, 170), -1, cv2.LINE_AA)
    return shoot(CAMERA, sheet.astype(np.uint8), TEXELS, rays=2)


@pytest.mark.parametrize(("lens", "worst_mm"), [(LENS, 0.2), (None, 0.3)])
def test_roads_sharpen_rough_clicks(lens, worst_mm):
    rough_px = CAMERA.to_image(CORNERS) + np.array([[4, -3], [-4, 4], [3, 5], [-5, -2]])
    points = tuple((*px, *mm) for px, mm in zip(np.round(rough_px).tolist(), CORNERS.tolist(), strict=True))
    spec = CalibrationSpec(points=points, lens=lens, table_size_mm=(700, 500))
    picture = a_map(roads())
    px = CAMERA.to_image(GRID)
    clicked = np.hypot(*(calibrate_table(picture, spec).to_table(px) - GRID).T)
    plane = calibrate_table(picture, CalibrationSpec(**{**vars(spec), "roads_mm": roads()}))
    assert clicked.max() > 2
    assert np.hypot(*(plane.to_table(px) - GRID).T).max() < worst_mm
    assert "roads" in {residual.source for residual in plane.residuals}


def test_how_finely_roads_are_drawn_is_nothing_to_where_they_lie():
    fine = [
        np.stack([np.interp(np.arange(0, 3, 0.005), range(4), axis) for axis in road.T], axis=1) for road in roads()
    ]
    assert max(np.hypot(*np.diff(road, axis=0).T).max() for road in fine) < 4
    seen = roads_seen(a_map(roads()), fine, CAMERA, LENS)
    off_px = ((CAMERA.to_image(seen.table_mm) - seen.image_px) * seen.across).sum(axis=1)
    assert len(seen) > 200 and np.median(np.abs(off_px)) < 0.1


def test_another_map_is_not_taken_and_no_roads_are_told():
    bare = np.full((720, 1280, 3), 200, np.uint8)
    with pytest.raises(ValueError, match="has no roads"):
        roads_seen(bare, (), CAMERA, None)
    with pytest.raises(ValueError, match="roads are not recognised"):
        roads_seen(bare, roads(), CAMERA, None)
    # Of lines that run elsewhere some lie near: the plane was drawn onto these, and 10 mm off.
    with pytest.raises(ValueError, match="roads are not recognised"):
        roads_seen(a_map(roads(seed=5)), roads(), CAMERA, LENS)


def test_roads_beside_the_picture_are_told():
    """A map in metres of the national grid, say, without the sheet that would bring it to the table."""
    picture = np.full((720, 1280, 3), 200, np.uint8)
    with pytest.raises(ValueError, match="roads are not recognised"):
        roads_seen(picture, [road + 400_000 for road in roads()], CAMERA, None)


def a_sheet_with_a_margin(lines, margin_mm=12):
    """The map within its white margin, on a dark table, a sleeve over a part of it."""
    camera = a_camera(52, 900, 3, 8, lens=LENS)
    sheet = np.full(((500 + 2 * margin_mm) * TEXELS, (700 + 2 * margin_mm) * TEXELS, 3), 235, np.uint8)
    inner = sheet[margin_mm * TEXELS : -margin_mm * TEXELS, margin_mm * TEXELS : -margin_mm * TEXELS]
    inner[:] = (170, 205, 190)
    for number, road in enumerate(lines):
        texels = np.c_[road[:, 0] * TEXELS - 0.5, (500 - road[:, 1]) * TEXELS - 0.5]
        colour = ((60, 60, 220), (60, 160, 60), (40, 150, 240))[number % 3]
        cv2.polylines(inner, [np.round(texels * 16).astype(np.int32)], False, colour, 6, cv2.LINE_AA, 4)
    picture = shoot(camera, sheet, TEXELS, (-margin_mm, -margin_mm), rays=2, beyond=50)
    cv2.ellipse(picture, (820, 420), (90, 60), 30, 0, 360, (90, 110, 160), -1, cv2.LINE_AA)
    return camera, picture


@pytest.mark.parametrize("lens", [LENS, None])
def test_roads_alone_calibrate_where_the_sheet_is_seen_whole(lens):
    camera, picture = a_sheet_with_a_margin(roads(count=20))
    plane = calibrate_table(picture, CalibrationSpec(roads_mm=roads(count=20), lens=lens, table_size_mm=(700, 500)))
    assert np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T).max() < 0.25


@pytest.mark.parametrize(
    "other", [roads(seed=5, count=20), tuple(road[:, [0, 1]] * (-1, 1) + (700, 0) for road in roads(count=20))]
)
def test_roads_of_another_map_are_not_taken(other):
    _, picture = a_sheet_with_a_margin(roads(count=20))
    with pytest.raises(ValueError, match="roads are not recognised"):
        calibrate_table(picture, CalibrationSpec(roads_mm=other, lens=LENS, table_size_mm=(700, 500)))
