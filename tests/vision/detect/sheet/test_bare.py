"""Bare table and sheets drawn here: what has the table's colours and an end without an edge is none."""

import numpy as np
import pytest
from shapely import affinity, box

from models import solids
from tests.vision.planes import plane_from
from tests.vision.sheets import lay
from vision.detect.sheet.bare import is_bare
from vision.detect.solid.glance import Sight
from vision.detect.solid.solids import EDGES_PX_PER_MM
from vision.detection import Detection
from vision.metric.topview import TopView

SIZE_MM = (500.0, 360.0)
BLACK, WHITE, GREY = (35, 38, 36), (225, 228, 230), (60, 63, 61)


@pytest.fixture
def board():
    """A black board with some grain, a white sheet of paper on it near the near edge."""
    plane = plane_from((250, -380, 600), (250, 180))
    view = TopView.of_table(plane, SIZE_MM, EDGES_PX_PER_MM, 0.0, 0.0, solids.STRIDE_PX)
    grain = np.random.default_rng(5).normal(0, 3, (view.size_px[1], view.size_px[0], 1))
    top = np.clip(np.array(BLACK) + grain, 0, 255).astype(np.uint8)
    sight = Sight(plane, view, top)
    lay(sight, box(150, 60, 370, 280), WHITE)
    return sight


def flat(outline, height_mm=0.5):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", "paper", at, outline, 8.0, 0.8, (0.0, 0.0), height_mm=height_mm)


def test_a_strip_of_board_between_a_sheet_and_the_edge_is_bare(board):
    assert is_bare(flat(box(150, 0, 370, 58)), [], board)


def test_a_sheet_that_lies_there_is_not(board):
    strip = affinity.rotate(box(30, 90, 130, 120), 12)
    lay(board, strip, (60, 120, 50))
    assert not is_bare(flat(strip), [], board)


def test_a_dark_sheet_is_none_while_all_its_edges_show(board):
    strip = box(180, 300, 330, 340)
    lay(board, strip, GREY)
    lay(board, strip.buffer(-2), BLACK)
    assert is_bare(flat(affinity.translate(strip, -130, -250)), [], board), "the same where nothing lies"
    lay(board, strip, (20, 60, 110))
    assert not is_bare(flat(strip), [], board)


def test_an_end_that_is_hidden_is_no_open_end(board):
    strip = box(20, 80, 90, 110)
    lay(board, strip, (60, 120, 50))
    seen = flat(box(20, 80, 120, 110))
    mug = flat(box(85, 60, 150, 130), height_mm=80.0)
    assert not is_bare(seen, [mug], board)


def test_what_ends_with_the_table_on_most_sides_has_no_end_in_sight(board):
    everything = box(0, 0, *SIZE_MM)
    lay(board, everything, WHITE)
    assert is_bare(flat(everything), [], board)
    assert is_bare(flat(box(0, 0, 300, 360)), [], board)
    assert not is_bare(flat(box(300, 100, 500, 160)), [], _with(board, box(300, 100, 500, 160)))


def _with(sight, sheet):
    lay(sight, sheet, (60, 120, 50))
    return sight
