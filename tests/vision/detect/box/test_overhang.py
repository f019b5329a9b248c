"""A box over the edge of a small table, drawn as a camera sees it from above, and what a net might say of it."""

import cv2
import numpy as np
import pytest
from shapely import MultiPolygon, Polygon, affinity, contains_xy

from models import solids
from tests.vision.planes import plane_from
from vision.detect.box.overhang import OverhangMemory, goes_on, overhanging
from vision.detect.solid.glance import Glance, Sight, cells_mm
from vision.detect.solid.solids import EDGES_PX_PER_MM
from vision.detect.solid.stitch import stitched
from vision.detect.solid.terrain import find_terrain
from vision.metric.topview import TopView
from vision.metric.upright import UprightView, upright_views

SIZE_MM, PICTURE_PX, BROWN = (400.0, 300.0), (1280, 960), (60, 90, 130)
BOX = affinity.rotate(Polygon([(150, 220), (260, 220), (260, 345), (150, 345)]), 12)
INSIDE = affinity.translate(BOX, 0, -120)


@pytest.fixture
def plane():
    return plane_from((200, -250, 550), (200, 190), focal_px=1000.0)


@pytest.fixture
def view(plane):
    return TopView.of_table(plane, SIZE_MM, EDGES_PX_PER_MM, 0.0, 10.0, 2 * solids.CELL_PX)


@pytest.fixture
def picture(plane):
    """The box, 40 mm high, on a brown ground."""
    image = np.full((*PICTURE_PX[::-1], 3), BROWN, np.uint8)
    below, above = (plane.to_image(np.array(BOX.exterior.coords), z).astype(np.float32) for z in (0.0, 40.0))
    hull = cv2.convexHull(np.concatenate([below, above])).reshape(-1, 2)
    cv2.fillPoly(image, [np.rint(hull).astype(np.int32)], (150, 150, 160), cv2.LINE_AA)
    cv2.fillPoly(image, [np.rint(above).astype(np.int32)], (210, 215, 220), cv2.LINE_AA)
    return image


def told(plane, view, outline, cls="box", height_mm=40.0):
    """What the net says of each piece of the table where the outline lies, as far as the pieces see."""
    return [said(plane, piece, outline, cls, height_mm) for piece in upright_views(plane, view, 1.0, 120.0, 32)]


def said(plane, piece: UprightView, outline, cls, height_mm):
    maps = np.zeros((solids.CHANNELS, piece.size_px[1] // 4, piece.size_px[0] // 4), np.float32)
    maps[solids.GROUND.start], maps[solids.HAND] = 4.0, -9.0
    cells = contains_xy(outline, *np.moveaxis(cells_mm(piece), -1, 0))
    maps[solids.GROUND.start + solids.TERRAIN.index(cls), cells] = 9.0
    maps[solids.HEIGHT, cells] = height_mm / solids.HEIGHT_UNIT_PX
    top = np.zeros((piece.size_px[1], piece.size_px[0], 3), np.uint8)
    return Glance(plane, piece, top, maps, np.ones(maps.shape[1:], bool))


def within(plane, view, picture, coarse):
    return stitched(coarse, Sight(plane, view, view.resample(picture)).halved)


def looked(plane, view, picture, coarse, known=()):
    return OverhangMemory().of(picture, coarse, within(plane, view, picture, coarse), view, [MultiPolygon(), *known])


def test_a_box_that_the_top_view_cuts_is_measured_where_the_picture_shows_it(plane, view, picture):
    coarse = told(plane, view, BOX.buffer(4))
    assert not find_terrain(within(plane, view, picture, coarse))
    (thing,) = looked(plane, view, picture, coarse)
    assert thing.cls == "box"
    assert thing.footprint.intersection(BOX).area / thing.footprint.union(BOX).area > 0.93
    assert thing.height_mm == pytest.approx(40, abs=3)


def test_what_is_found_already_is_not_found_twice(plane, view, picture):
    coarse = told(plane, view, BOX)
    assert not looked(plane, view, picture, coarse, [affinity.translate(BOX, 20, -20)])


def test_where_no_edges_bear_a_box_out_none_is_told(plane, view, picture):
    assert not looked(plane, view, np.full_like(picture, BROWN), told(plane, view, BOX))


def test_what_lies_within_the_view_is_left_to_others(plane, view, picture):
    wide = view.grown(plane, 224)
    assert not overhanging(told(plane, view, INSIDE), Sight(plane, wide, wide.resample(picture)), view)


@pytest.mark.parametrize(
    ("outline", "cls", "height_mm", "there"),
    [(BOX, "box", 40.0, True), (BOX, "paper", 0.0, False), (INSIDE, "box", 40.0, False)],
)
def test_only_what_stands_over_the_edge_goes_on_beyond_the_view(plane, view, picture, outline, cls, height_mm, there):
    assert goes_on(within(plane, view, picture, told(plane, view, outline, cls, height_mm))) is there


def test_it_is_looked_for_again_only_when_the_net_says_another_thing(plane, view, picture):
    memory, coarse = OverhangMemory(), told(plane, view, BOX)
    surfaces = within(plane, view, picture, coarse)
    (first,) = memory.of(picture, coarse, surfaces, view, [])
    (again,) = memory.of(np.zeros_like(picture), coarse, surfaces, view, [])
    assert again is first
    empty = told(plane, view, INSIDE)
    assert not memory.of(picture, empty, within(plane, view, picture, empty), view, [])
