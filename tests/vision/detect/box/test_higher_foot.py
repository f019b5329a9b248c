"""Blocks drawn as a camera sees them, and what a fit says that took the end of a shadow for their foot."""

import cv2
import numpy as np
import pytest
from shapely import MultiPoint, Polygon

from tests.vision.tables import an_empty_table
from vision.detect.box.block_outlines import corners
from vision.detect.box.higher_foot import raised
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Fit
from vision.detect.solid.forms import BLOCK

BOX = np.array([190.0, 150.0, 110.0, 80.0, 0.14, 30.0])


@pytest.fixture
def close():
    return an_empty_table()


def draw(close, shown_mm, bgr):
    cv2.fillPoly(close.seen, [np.rint(close.view.to_px(np.array(shown_mm))).astype(np.int32)], bgr, cv2.LINE_AA)


def as_high(shape, height_mm, plane):
    """The block of another height whose top shows where this one's does."""
    eye_mm = np.asarray(plane.camera_position_mm)
    nearer = (eye_mm[2] - height_mm) / (eye_mm[2] - shape[5])
    at_mm = eye_mm[:2] + nearer * (shape[:2] - eye_mm[:2])
    return np.array([*at_mm, *nearer * shape[2:4], shape[4], height_mm])


def shown_by(shape, plane):
    """The table that a block's top hides, and that all of it hides, mm."""
    foot = corners(shape[None])[0]
    top = plane.behind(foot, shape[5])
    return top, MultiPoint([*foot, *top]).convex_hull.exterior.coords


def fitted(shape):
    return Fit(BLOCK, shape, Polygon(corners(shape[None])[0]), float(shape[5]), 0.9, 0.0, 0.0)


def test_a_shadow_that_ends_as_a_higher_front_would_is_none_of_it(close):
    """Under the same top: boxes were told 19 and 68 mm too high, 20 and 34 mm aside."""
    wrong = as_high(BOX, 55.0, close.plane)
    top, whole = shown_by(BOX, close.plane)
    draw(close, shown_by(wrong, close.plane)[1], (33, 50, 72))
    draw(close, whole, (150, 150, 160))
    draw(close, top, (210, 215, 220))
    edges = Edges.within(close.seen, close.plane, close.view, np.array([80.0, 20.0]), np.array([320.0, 300.0]))
    found = raised(fitted(wrong), edges, close)
    assert found.height_mm == pytest.approx(30, abs=2)


def test_a_front_with_a_band_across_it_ends_at_its_foot(close):
    top, whole = shown_by(BOX, close.plane)
    draw(close, whole, (150, 150, 160))
    draw(close, shown_by(as_high(BOX, 15.0, close.plane), close.plane)[1], (40, 40, 160))
    draw(close, top, (210, 215, 220))
    edges = Edges.within(close.seen, close.plane, close.view, np.array([80.0, 20.0]), np.array([320.0, 300.0]))
    block = fitted(BOX)
    assert raised(block, edges, close) is block
