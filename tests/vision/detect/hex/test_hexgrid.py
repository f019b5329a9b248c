from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.maps.glass import glass_over
from rules.geometry.hexes import HexGrid as RulesGrid
from sample_footage.ground import Ground, View
from sample_footage.hex_table import TABLE_MM, HexTable, seen_bgr
from sample_footage.light import Light
from tests.vision.hexes import a_camera, centres_on_table, worst_mm
from tests.vision.planes import plane_of
from vision.detect.hex.hex_spectrum import Lattice
from vision.detect.hex.hexgrid import _related, find_hexgrid
from vision.frame import Frame
from vision.mat.hex_search import HexSearch


def found(table, camera=None, noise=2.0):
    camera = camera or a_camera()
    return find_hexgrid(seen_bgr(table, camera, noise), plane_of(camera), TABLE_MM)


@pytest.mark.parametrize(
    ("table", "camera"),
    [
        (HexTable(38.1, 0.0, (200.0, 150.0), "lines"), a_camera(60)),
        (HexTable(38.1, 30.0, (210.0, 140.0), "lines", things=14, seed=1), a_camera(40, 8)),
        (HexTable(25.4, 17.3, (220.0, 130.0), "pale lines", "sand", things=8, seed=2), a_camera(52)),
        (HexTable(31.0, 44.0, (205.0, 155.0), "broad lines", "map", seed=3), a_camera(50, -8)),
        (HexTable(44.0, 7.0, (230.0, 160.0), "fields", things=10, seed=4), a_camera(55)),
        (HexTable(42.0, 52.0, (240.0, 170.0), "corners", things=6, seed=5), a_camera(60)),
        (HexTable(36.0, 11.0, (215.0, 145.0), "centres", things=6, seed=6), a_camera(60)),
        (HexTable(50.0, 23.0, (225.0, 135.0), "dashes", "grass", things=6, seed=7), a_camera(45)),
    ],
    ids=lambda value: value.style if isinstance(value, HexTable) else None,
)
def test_every_hex_centre_is_found_to_three_tenths_of_a_millimetre(table, camera):
    grid = found(table, camera)
    assert grid is not None
    assert abs(grid.pitch_mm - table.pitch_mm) < 0.05
    at = centres_on_table(grid)
    assert len(at) > 60
    assert worst_mm(at, table.pitch_mm, table.direction_deg, table.origin_mm) < 0.3


def test_a_grid_under_a_pane_is_found_where_it_is_printed():
    table, camera = HexTable(38.1, 0.0, (200.0, 150.0), "lines"), a_camera(50)
    plane = plane_of(camera)
    under = replace(plane, folds=glass_over(plane, TABLE_MM, 4.0))
    grid = HexSearch(TABLE_MM).of(Frame(seen_bgr(table, camera, 2.0)), under)
    assert grid is not None
    assert worst_mm(centres_on_table(grid), table.pitch_mm, table.direction_deg, table.origin_mm) < 0.3


def test_pale_lines_on_a_map_that_covers_a_part_of_a_table_are_found():
    mat = HexTable(43.72, 35.2, (205.0, 260.0), "pale lines", "map", part_mm=(39.0, 185.0, 430.0, 455.0), seed=2)
    camera = a_camera(46, focal_px=1390.0, size_px=(1920, 1080))
    light = View(camera, Ground("green-cloth", False, 1, mat), Light()).bare()
    picture = cv2.GaussianBlur(255 * np.clip(light, 0, 1) ** (1 / 2.2), (0, 0), 0.7).astype(np.uint8)
    grid = find_hexgrid(picture, plane_of(camera), TABLE_MM)
    assert grid is not None and grid.cells is not None
    assert 45 <= len(grid.cells) <= 75
    assert worst_mm([grid.centre_mm(cell) for cell in grid.cells], 43.72, 35.2, (205.0, 260.0)) < 1.5


def test_a_spectrum_that_shows_a_third_of_the_dots_pitch_leads_to_it():
    pitches = [lattice.pitch_mm for lattice in _related([Lattice(23.5, 7.3)]) if lattice.direction_deg == 7.3]
    assert pitches == pytest.approx([23.5, 47.0, 70.5])


@pytest.mark.parametrize("paper", ["white", "grass", "map"])
def test_a_table_without_a_grid_has_none(paper):
    assert found(HexTable(40.0, 0.0, (0.0, 0.0), "none", paper, things=20, seed=8)) is None


def test_a_mat_on_a_part_of_the_table_lists_its_hexes():
    part = (120.0, 100.0, 420.0, 330.0)
    table = HexTable(30.0, 0.0, (200.0, 150.0), "hexmat", part_mm=part, seed=9)
    grid = found(table, a_camera(58))
    assert grid.cells is not None
    at = np.array([grid.centre_mm(cell) for cell in grid.cells])
    assert worst_mm(at, 30.0, 0.0, (200.0, 150.0)) < 0.3
    whole = [(x, y) for x, y in centres_on_table(grid) if 140 < x < 400 and 120 < y < 310]
    listed = {tuple(np.round(point, 2)) for point in at}
    assert sum(tuple(np.round(point, 2)) in listed for point in whole) >= 0.95 * len(whole)
    outside = [p for p in at if not (part[0] - 12 < p[0] < part[2] + 12 and part[1] - 12 < p[1] < part[3] + 12)]
    assert not outside


def test_turn_and_top_are_those_of_the_rules():
    flat = found(HexTable(40.0, 35.0, (200.0, 150.0), "lines"))
    assert flat.top == "flat"
    assert abs(flat.turn_deg - 5.0) < 0.05
    record = flat.record()
    rules = RulesGrid(record["pitch_mm"], tuple(record["origin_mm"]), record["turn_deg"], record["top"])
    assert np.allclose(rules.centre((3, -2)), flat.centre_mm((3, -2)), atol=0.01)
