from functools import lru_cache

import cv2
import numpy as np
import pytest

from sample_footage.hex_table import TABLE_MM, HexTable, seen_bgr
from tests.vision.hexes import a_camera
from tests.vision.planes import plane_of
from vision.detect.hex.hex_marks import InHexes, near_centres, near_corners, near_sides
from vision.detect.hex.hexgrid import HexGrid
from vision.eyes import Eyes
from vision.frame import Frame
from vision.mat.hex_search import HexSearch
from vision.mat.printed_hexes import PrintedHexes
from vision.wanted import Wanted

GRID = HexGrid(40.0, (100.0, 80.0), 12.0, "flat")
CAMERA = a_camera(50)
STYLES = ("lines", "broad lines", "pale lines", "dashes", "corners", "hexmat")


def a_mat(style, paper="sand"):
    return HexTable(36.0, 17.0, (210.0, 140.0), style, paper, seed=3)


@lru_cache(maxsize=4)
def seen(style):
    """The picture of such a mat, which nobody may write into: the bare one is asked for again and again."""
    picture = seen_bgr(a_mat(style), CAMERA)
    picture.setflags(write=False)
    return picture


def taken_off(picture):
    search = HexSearch(TABLE_MM)
    return PrintedHexes(search).taken_off(Frame(picture, 0, 0.0, "test"), plane_of(CAMERA)).image_bgr, search.grid


@pytest.mark.parametrize("style", STYLES)
def test_the_picture_is_nearly_that_of_the_mat_without_its_print(style):
    bare, printed = seen("none"), seen(style)
    mended, _ = taken_off(printed)
    is_print = np.abs(printed.astype(int) - bare).max(axis=2) > 25
    assert is_print.sum() > 500
    off = [np.abs(picture.astype(int) - bare)[is_print].mean() for picture in (printed, mended)]
    assert off[1] < 0.5 * off[0]


def test_what_lies_on_a_line_stays_as_it_is():
    printed = seen("broad lines")
    _, grid = taken_off(printed)
    corner_mm = np.add(grid.centre_mm((4, 4)), grid.centre_mm((5, 4))) / 2
    middle_px = plane_of(CAMERA).to_image(corner_mm[None], 0.0)[0]
    disc = np.zeros(printed.shape[:2], np.uint8)
    cv2.circle(disc, tuple(int(v) for v in middle_px), 14, 255, -1)
    laid = printed.copy()
    laid[disc > 0] = (150, 152, 158)
    mended, _ = taken_off(laid)
    assert (mended[disc > 0] == laid[disc > 0]).all(axis=1).mean() > 0.97
    assert (mended[disc == 0] != laid[disc == 0]).any(axis=1).sum() > 5000


def test_hexes_as_large_as_a_dollar_are_none():
    mat = HexTable(37.3, 4.0, (210.0, 140.0), "broad lines", "sand", seed=3)
    camera = a_camera(38, focal_px=1400.0, size_px=(1920, 1080))
    frame = Frame(seen_bgr(mat, camera), 0, 0.0, "test")
    found = [
        Eyes.packaged(TABLE_MM, Wanted(frozenset({"coin"}), hexes=hexes)).look(frame, plane_of(camera))
        for hexes in (False, True)
    ]
    assert len(found[0]) > 5
    assert not found[1]


def test_a_table_without_hexes_stays_as_it_is():
    picture = seen("none")
    mended, grid = taken_off(picture)
    assert grid is None
    assert mended is picture


def test_a_side_has_one_name_from_both_hexes_and_another_beyond():
    middle = np.add(GRID.centre_mm((2, 3)), GRID.centre_mm((3, 3))) / 2
    towards = np.subtract(GRID.centre_mm((3, 3)), GRID.centre_mm((2, 3))) / GRID.pitch_mm
    near = near_sides(
        InHexes.of(GRID, np.array([middle - 2 * towards, middle + 3 * towards, middle + 22 * towards])), 50.0
    )
    assert near.away_mm[:2] == pytest.approx([2.0, 3.0])
    assert near.name[0] == near.name[1] != near.name[2]
    assert near.sort[0] == near.sort[1]


def test_all_six_corners_and_the_centre_are_named_alike_by_the_hexes_that_share_them():
    cells = [(q, r) for q in range(6) for r in range(6)]
    turns = np.radians(GRID.turn_deg + 30.0 + 30.0 + 60.0 * np.arange(6))
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    centres = np.array([GRID.centre_mm(cell) for cell in cells])
    within = (centres[:, None] + 0.99 * GRID.pitch_mm / np.sqrt(3) * ways).reshape(-1, 2)
    near = near_corners(InHexes.of(GRID, within))
    assert near.away_mm == pytest.approx(0.01 * GRID.pitch_mm / np.sqrt(3))
    corners = centres.repeat(6, axis=0) + (within - centres.repeat(6, axis=0)) / 0.99
    shared = [corners[near.name == name] for name in set(near.name.tolist())]
    assert max(map(len, shared)) == 3
    for places in shared:
        assert np.ptp(places, axis=0) == pytest.approx(0, abs=1e-6)
    near = near_centres(InHexes.of(GRID, centres + 1.0))
    assert near.away_mm == pytest.approx(np.sqrt(2))
    assert len(set(near.name.tolist())) == len(cells)
