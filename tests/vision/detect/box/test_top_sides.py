"""Lines that are printed on a napkin or a book, and the sides of a block that they pass for."""

import cv2
import numpy as np
import pytest
from shapely import MultiPoint, Polygon

from tests.vision.tables import an_empty_table
from vision.detect.box.block_outlines import corners
from vision.detect.box.top_sides import ends
from vision.detect.box.two_faces import block_seen_as
from vision.detect.solid.edges import Edges

RED, DARK_RED, GREY, WHITE = (80, 80, 205), (50, 48, 120), (120, 130, 135), (225, 230, 232)


@pytest.fixture
def close():
    return an_empty_table()


def draw(close, shown_mm, bgr):
    cv2.fillPoly(close.seen, [np.rint(close.view.to_px(np.array(shown_mm))).astype(np.int32)], bgr, cv2.LINE_AA)


def framed(close, shown_mm, bgr, line_bgr, inset_mm, broad_mm):
    """A face on the table as it shows, with a line all round it, so far within its sides."""
    draw(close, shown_mm, bgr)
    outer = Polygon(shown_mm).buffer(-inset_mm, join_style="mitre")
    draw(close, outer.exterior.coords, line_bgr)
    draw(close, outer.buffer(-broad_mm, join_style="mitre").exterior.coords, bgr)


def block_in(close, outline):
    low_mm, high_mm = np.array(outline.bounds).reshape(2, 2)
    return block_seen_as(outline, Edges.within(close.seen, close.plane, close.view, low_mm - 60, high_mm + 60), close)


def shown_as(shape, plane):
    """The table that a block's top hides, and that all of it hides, mm."""
    foot = corners(shape[None])[0]
    top = plane.behind(foot, shape[5])
    return top, MultiPoint([*foot, *top]).convex_hull.exterior.coords


def test_stripes_round_a_napkin_are_no_top_of_a_block_whose_front_is_the_rest_of_it(close):
    """A napkin of 2.4 mm was told as a nameless block of 16.9."""
    block = np.array([190.0, 150.0, 126.0, 126.0, 0.2, 16.0])
    napkin = Polygon(shown_as(block, close.plane)[0]).buffer(11, join_style="mitre")
    framed(close, napkin.exterior.coords, RED, DARK_RED, 9.0, 4.0)
    assert not ends(block, close)


def test_a_block_ends_where_its_top_does_on_every_side(close):
    block = np.array([190.0, 150.0, 126.0, 90.0, 0.2, 16.0])
    top, whole = shown_as(block, close.plane)
    draw(close, whole, GREY)
    draw(close, top, RED)
    assert ends(block, close)


def test_a_frame_printed_on_a_book_is_not_its_cover(close):
    """A book of 24 mm lay on its own cover as one of 7."""
    book = np.array([190.0, 150.0, 150.0, 120.0, 0.2, 24.0])
    top, whole = shown_as(book, close.plane)
    draw(close, whole, GREY)
    framed(close, top, WHITE, (60, 50, 40), 8.0, 1.5)
    found = block_in(close, Polygon(whole))
    assert found is not None
    assert found.height_mm == pytest.approx(24, abs=2)
