"""Sheets of paper drawn on a table: those as large as letter paper are found by their sides."""

import cv2
import numpy as np
import pytest
from shapely import Point, affinity, box

from models import solids
from tests.vision.planes import plane_from
from tests.vision.sheets import lay, overlap
from vision.detect.sheet.large_sheets import is_played_on, large_sheets
from vision.detect.solid.glance import Sight
from vision.detect.solid.solids import EDGES_PX_PER_MM
from vision.detection import Detection
from vision.metric.topview import TopView

SIZE_MM = (700.0, 500.0)
LETTER = affinity.rotate(box(200, 140, 479.4, 355.9), 14)
WHITE, RED, GREY = (228, 230, 232), (40, 45, 180), (120, 120, 120)


@pytest.fixture
def close():
    """An empty brown table with some grain, darker to the left."""
    plane = plane_from((350, -450, 800), (350, 250))
    view = TopView.of_table(plane, SIZE_MM, EDGES_PX_PER_MM, 0.0, 0.0, solids.STRIDE_PX)
    width, height = view.size_px
    grain = np.random.default_rng(8).normal(0, 4, (height, width, 1)) + np.linspace(-15, 15, width)[None, :, None]
    return Sight(plane, view, np.clip(np.array((70, 100, 140)) + grain, 0, 255).astype(np.uint8))


def test_letter_paper_is_found_with_what_lies_on_it(close):
    lay(close, LETTER, WHITE)
    lay(close, Point(*LETTER.centroid.coords[0]).buffer(30), RED)
    (sheet,) = large_sheets(close)
    assert overlap(sheet.footprint, LETTER) > 0.97
    assert (sheet.cls, sheet.height_mm, sheet.colour) == ("unknown", 0.0, "white")
    off_mm = np.hypot(*np.subtract(sheet.position_mm, LETTER.centroid.coords[0]))
    assert off_mm < 2.45 * sheet.sigma_mm


def test_a_plain_table_has_none(close):
    assert large_sheets(close) == []


@pytest.mark.parametrize(
    "outline",
    [
        Point(350, 250).buffer(130),  # round
        box(300, 200, 400, 300),  # small
        box(60, 60, 640, 420),  # the mat that is played on
        box(450, 100, 700, 320),  # beyond the table's edge
    ],
)
def test_what_is_no_rectangle_or_of_no_such_size_is_none(close, outline):
    lay(close, outline, WHITE)
    assert large_sheets(close) == []


def test_light_that_fades_away_is_none(close):
    patch = np.zeros(close.seen.shape[:2], np.float32)
    px = close.view.to_px(np.array(LETTER.exterior.coords))
    cv2.fillPoly(patch, [np.rint(px).astype(np.int32)], (1.0,))
    soft = cv2.GaussianBlur(patch, (0, 0), 24)[..., None]
    lit = Sight(close.plane, close.view, np.clip(close.seen + 70 * soft, 0, 255).astype(np.uint8))
    assert large_sheets(lit) == []


def test_a_sheet_that_bears_most_of_the_pieces_is_the_ground(close):
    lay(close, LETTER, GREY)
    (sheet,) = large_sheets(close)
    on_it = [_piece(300 + 30 * n, 250) for n in range(3)]
    beside = [_piece(60 + 30 * n, 60) for n in range(3)]
    assert is_played_on(sheet, on_it)
    assert not is_played_on(sheet, on_it[:2])
    assert not is_played_on(sheet, [*on_it, *beside])


def _piece(x, y):
    return Detection("soldier", "foot", (x, y), Point(x, y).buffer(10), 1.0, 0.9, (0.0, 0.0))
