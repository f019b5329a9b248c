"""Boxes drawn as a steep camera sees them, whose tops alone lie on edges as sheets do, and sheets that are none."""

import cv2
import numpy as np
import pytest
from shapely import Polygon, affinity, box

from models import solids
from tests.vision.planes import plane_from
from tests.vision.sheets import overlap
from tests.vision.tables import BROWN_BGR, SIZE_MM
from vision.detect.box.blocks import blocks_near
from vision.detect.box.flat_top import block_under
from vision.detect.solid.glance import Sight
from vision.detect.solid.solids import EDGES_PX_PER_MM
from vision.detect.solid.terrain_shape import Proposal, _edges_around, measured
from vision.detection import Detection
from vision.metric.topview import TopView

BOX, HIGH_MM = affinity.rotate(box(150, 120, 280, 210), 12), 48.0
PINK_BGR, FRONT_BGR = (200, 190, 235), (70, 80, 60)


@pytest.fixture
def close():
    plane = plane_from((200, -80, 620), (200, 160))
    view = TopView.of_table(plane, SIZE_MM, EDGES_PX_PER_MM, 0.0, 25.0, solids.STRIDE_PX)
    return Sight(plane, view, np.full((view.size_px[1], view.size_px[0], 3), BROWN_BGR, np.uint8))


def draw(close, outline_mm, bgr):
    at_px = np.rint(close.view.to_px(np.array(outline_mm.exterior.coords))).astype(np.int32)
    cv2.fillPoly(close.seen, [at_px], bgr, cv2.LINE_AA)


def shown(outline_mm, height_mm, close):
    return Polygon(close.plane.behind(np.array(outline_mm.exterior.coords), height_mm))


def draw_box(close, front_bgr=FRONT_BGR):
    """Returns where its top shows."""
    top = shown(BOX, HIGH_MM, close)
    draw(close, top.union(BOX).convex_hull, front_bgr)
    draw(close, top, PINK_BGR)
    return top


def proposed(outline_mm, cls, height_mm):
    at = (outline_mm.centroid.x, outline_mm.centroid.y)
    return Proposal(Detection("terrain", cls, at, outline_mm, 12.0, 0.9, (0.0, 0.0), height_mm=height_mm))


@pytest.mark.parametrize(("cls", "height_mm"), [("napkin", 2.0), ("paper", 0.3), ("unknown", 4.0)])
def test_a_box_whose_top_alone_the_net_saw_as_a_sheet_is_a_block(close, cls, height_mm):
    top = draw_box(close)
    thing = measured(proposed(top, cls, height_mm), close)
    assert thing.height_mm == pytest.approx(HIGH_MM, abs=3)
    assert overlap(thing.footprint, BOX) > 0.95
    assert np.hypot(*np.subtract(thing.position_mm, BOX.centroid.coords[0])) < 2.45 * thing.sigma_mm
    assert thing.cls == "unknown"


def test_a_sheet_before_which_its_shadow_lies_is_a_sheet(close):
    sheet = shown(BOX, HIGH_MM, close)
    draw(close, sheet.union(BOX).convex_hull, tuple(round(0.6 * level) for level in BROWN_BGR))
    draw(close, sheet, PINK_BGR)
    thing = measured(proposed(sheet, "napkin", 2.0), close)
    assert (thing.cls, thing.height_mm) == ("napkin", 2.0)
    assert overlap(thing.footprint, sheet) > 0.95


def test_what_lies_within_a_border_is_no_top(close):
    napkin = shown(BOX, HIGH_MM, close)
    within = affinity.scale(napkin, 0.86, 0.82)
    draw(close, napkin, FRONT_BGR)
    draw(close, within, PINK_BGR)
    assert block_under(within, _edges_around(within, close), close) is None


def test_no_foot_is_asked_of_what_is_too_low_to_show_a_front(close):
    low = shown(BOX, 8.0, close)
    draw(close, low.union(BOX).convex_hull, FRONT_BGR)
    draw(close, low, PINK_BGR)
    assert block_under(low, _edges_around(low, close), close) is None


def test_the_lines_of_a_hard_edge_lie_where_it_is_steepest(close):
    """A hard edge is enough for an edge over some mm to both sides of it; anywhere there its line was taken to be."""
    draw_box(close)
    best = next(blocks_near(BOX, _edges_around(BOX, close)))
    assert sorted(best.start[2:4]) == pytest.approx([90, 130], abs=1.5)
    assert best.start[:2] == pytest.approx(BOX.centroid.coords[0], abs=1.5)
    assert best.start[5] == pytest.approx(HIGH_MM, abs=2)
