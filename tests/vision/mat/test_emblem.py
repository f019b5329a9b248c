"""Rings printed on a mat are no thing that stands on it; what stands shows one rim."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Point

from tests.vision.tables import an_empty_table
from vision.detect.solid.terrain_memory import TerrainMemory
from vision.detect.solid.terrain_shape import Proposal, measured
from vision.detection import Detection

PRINTED = ((60.0, (130, 140, 150)), (48.0, (70, 80, 95)), (34.0, (140, 150, 160)), (22.0, (60, 70, 80)))


@pytest.fixture
def close():
    return an_empty_table()


def fill(close, outline, height_mm, colour):
    at = np.array(outline.exterior.coords)
    shown = close.view.to_px(close.plane.to_table(close.plane.to_image(at, height_mm)))
    cv2.fillPoly(close.seen, [np.rint(shown).astype(np.int32)], colour, cv2.LINE_AA)


def nameless(outline, height_mm, likeliest="unknown"):
    """As the net might propose it, without a name that is sure enough."""
    at = (outline.centroid.x, outline.centroid.y)
    told = {likeliest: float(np.log(0.8)), "plate": float(np.log(0.1))}
    return Detection(
        "terrain", "unknown", at, outline, 12.0, 0.9, (0.0, 0.0), height_mm=height_mm, class_log_probs=told
    )


def test_rings_printed_on_a_mat_are_no_drum_however_high_the_net_says_it_is(close):
    for radius, colour in PRINTED:
        fill(close, Point(200, 150).buffer(radius), 0.0, colour)
    assert measured(Proposal(nameless(Point(195, 140).buffer(54), 40.0)), close) is None


def test_a_printed_disc_that_the_net_takes_for_another_thing_is_not_judged_by_its_rings(close):
    for radius, colour in PRINTED:
        fill(close, Point(200, 150).buffer(radius), 0.0, colour)
    assert measured(Proposal(nameless(Point(195, 140).buffer(54), 40.0, "box")), close) is not None


def test_a_bowl_stands_though_it_has_a_rim_a_lip_and_a_foot(close):
    bowl = Point(200, 150).buffer(55)
    fill(close, Point(200, 150).buffer(50), 0.0, (150, 150, 160))
    for height_mm, radius, colour in ((30.0, 55.0, (150, 150, 160)), (60.0, 55.0, (210, 215, 220))):
        fill(close, Point(200, 150).buffer(radius), height_mm, colour)
    fill(close, Point(200, 150).buffer(51), 60.0, (90, 95, 100))
    fill(close, Point(200, 150).buffer(30), 12.0, (140, 145, 150))
    thing = measured(Proposal(nameless(bowl, 55.0)), close)
    assert thing is not None
    assert thing.height_mm == pytest.approx(60.0, abs=15)


def test_one_ring_alone_may_be_a_rim(close):
    fill(close, Point(200, 150).buffer(60), 0.0, (130, 140, 150))
    assert measured(Proposal(nameless(Point(200, 145).buffer(56), 40.0)), close) is not None


def test_a_rim_that_the_net_sees_nothing_below_is_a_ring_of_the_print_that_it_lies_on(close):
    for radius, colour in PRINTED:
        fill(close, Point(200, 150).buffer(radius), 0.0, colour)
    emblem = Proposal(nameless(Point(195, 140).buffer(54), 40.0))
    rim = replace(nameless(Point(200, 130).buffer(20), 90.0), class_log_probs={})
    alone = TerrainMemory().measured([Proposal(rim, (200.0, 130.0, 20.0, 90.0))], close)
    assert len(alone) == 1
    assert TerrainMemory().measured([emblem, Proposal(rim, (200.0, 130.0, 20.0, 90.0))], close) == []
