"""Books drawn on books: how high the upper one stands is told by what shows of the lower one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Polygon, affinity

from tests.vision.tables import SIZE_MM, an_empty_table
from vision.detect.box import storeys
from vision.detect.box.blocks import blocks_near
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import best_fit
from vision.detect.solid.terrain_memory import TerrainMemory
from vision.detect.solid.terrain_shape import Proposal, measured
from vision.detection import Detection

LOWER = affinity.rotate(Polygon([(110, 70), (270, 70), (270, 190), (110, 190)]), 12)
UPPER = affinity.rotate(Polygon([(130, 80), (255, 80), (255, 178), (130, 178)]), 24)
MIDDLE = affinity.rotate(Polygon([(122, 78), (258, 78), (258, 182), (122, 182)]), 5)
TOPMOST = affinity.rotate(Polygon([(135, 88), (245, 88), (245, 172), (135, 172)]), 9)
SIDES = ((150, 150, 160), (120, 140, 150), (170, 150, 120))
LIDS = ((60, 60, 170), (210, 215, 220), (60, 120, 60))


@pytest.fixture
def close():
    return an_empty_table(margin_mm=60.0)


def shown(close, outline, height_mm):
    """As it shows on the table."""
    return Polygon(close.plane.behind(np.array(outline.exterior.coords), height_mm))


def fill(close, outline, colour):
    cv2.fillPoly(close.seen, [np.rint(close.view.to_px(np.array(outline.exterior.coords))).astype(np.int32)], colour)


def put(close, outline, low_mm, high_mm, kind):
    """A book with its foot and its top at these heights."""
    below, above = (shown(close, outline, at) for at in (low_mm, high_mm))
    fill(close, below.union(above).convex_hull, SIDES[kind])
    fill(close, above, LIDS[kind])


def seen_as(cls, outline, height_mm=30.0):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", cls, at, outline, 12.0, 0.9, (0.0, 0.0), height_mm=height_mm, height_sigma_mm=20.0)


def stacked(close):
    """Two books, and what a net sees of them."""
    put(close, LOWER, 0.0, 26.0, 0)
    put(close, UPPER, 26.0, 58.0, 1)
    return seen_as("book", LOWER.union(shown(close, UPPER, 30.0)).convex_hull)


def test_a_book_on_a_book_is_as_high_as_both_and_on_the_second_level(close):
    book = measured(Proposal(stacked(close)), close)
    assert book.level == 2
    assert book.height_mm == pytest.approx(58, abs=4)
    assert book.footprint.intersection(LOWER).area > 0.85 * book.footprint.union(LOWER).area


def test_under_the_upper_of_three_books_are_two(close):
    put(close, LOWER, 0.0, 26.0, 0)
    put(close, MIDDLE, 26.0, 50.0, 2)
    put(close, TOPMOST, 50.0, 70.0, 1)
    upper = shown(close, TOPMOST, 50.0)
    edges = Edges.within(close.seen, close.plane, close.view, np.zeros(2), np.array(SIZE_MM))
    block = best_fit(blocks_near(upper, edges), edges, 1)
    stack = [*storeys.below(block, LOWER, edges), block]
    assert storeys.tops_mm(stack, close.plane) == pytest.approx([26, 50, 70], abs=4)


def test_where_print_bears_out_one_block_after_another_the_search_ends(close, monkeypatch):
    """A pattern in which every block that is asked for lies on lines."""
    stacked(close)
    edges, asked = Edges.within(close.seen, close.plane, close.view, np.zeros(2), np.array(SIZE_MM)), []
    upper = best_fit(blocks_near(UPPER, edges), edges, 1)

    def always(*_):
        asked.append(upper)
        return replace(upper, support=1.0)

    monkeypatch.setattr(storeys, "best_fit", always)
    monkeypatch.setattr(storeys, "is_one_of_several", lambda *_: True)
    found = storeys.below(upper, LOWER, edges, 5)
    assert 5 <= len(found) <= 20 and len(asked) <= 20


def test_a_book_alone_is_on_the_first_level(close):
    put(close, LOWER, 0.0, 26.0, 0)
    book = measured(Proposal(seen_as("book", LOWER)), close)
    assert book.level == 1
    assert book.height_mm == pytest.approx(26, abs=3)


def test_where_the_net_sees_more_than_a_block_and_no_lines_bear_it_out_nothing_is_sure(close):
    put(close, UPPER, 0.0, 32.0, 1)
    book = measured(Proposal(seen_as("book", UPPER.union(affinity.translate(UPPER, 0, -35)).convex_hull)), close)
    assert book.level is None
    assert book.sigma_mm >= 12
    assert book.height_sigma_mm == 20


def test_what_the_net_takes_for_another_block_of_a_stack_goes_out(close):
    whole = stacked(close)
    front = affinity.scale(LOWER, 0.9, 0.3, origin=(190, 75))
    found = TerrainMemory().measured([Proposal(whole), Proposal(seen_as("unknown", front, 18.0))], close)
    assert [thing.level for thing in found] == [2]
