"""Rims of bases: ovals are told where edges clearly say so, and a base keeps its form from look to look."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Point, Polygon
from shapely.affinity import rotate, scale

from tests.vision.tables import an_empty_table
from vision.detect.figure.base_rims import BaseRimMemory
from vision.detect.solid.glance import Sight
from vision.detection import Detection
from vision.memory.agree import agreed
from vision.memory.tracker import Tracker
from vision.metric.topview import TopView
from vision.shape.oval import Oval

AT, THICK_MM = (200.0, 150.0), 3.5


def outline(long_mm: float, broad_mm: float, turn_deg: float, at=AT) -> Polygon:
    return rotate(scale(Point(at).buffer(1, 32), long_mm / 2, broad_mm / 2), turn_deg)


@pytest.fixture
def above() -> Sight[TopView]:
    return an_empty_table()


def stand(above: Sight[TopView], base: Polygon) -> None:
    """A black base with green soil and a man on it."""
    upper = scale(base, 0.94, 0.94)
    for shape, height_mm, colour in (
        (base, 0.0, (15, 15, 15)),
        (upper, THICK_MM, (15, 15, 15)),
        (scale(base, 0.86, 0.86), THICK_MM, (40, 110, 60)),
        *((Point(AT).buffer(7 - z / 6), THICK_MM + z, (160, 150, 200)) for z in range(30)),
    ):
        shown = above.view.to_px(above.plane.to_table(above.plane.to_image(shape.exterior.coords, height_mm)))
        cv2.fillPoly(above.seen, [np.rint(shown).astype(np.int32)], colour, cv2.LINE_AA)


def told(radius_mm: float, x: float = 203.0, y: float = 148.0, oval: Oval | None = None) -> Detection:
    """As the net tells a base: near its place, a circle."""
    disc = Point(x, y).buffer(radius_mm)
    return Detection("base", "base", (x, y), disc, 1.0, 0.95, (0.0, 0.0), owner="unknown", oval=oval)


@pytest.mark.parametrize(("long_mm", "broad_mm", "turn_deg"), [(75, 42, 30), (60, 35, 120), (52, 30, 90)])
def test_an_oval_base_is_measured_as_an_oval(above, long_mm, broad_mm, turn_deg):
    true = outline(long_mm, broad_mm, turn_deg)
    stand(above, true)
    (base,) = BaseRimMemory().of([told(np.sqrt(long_mm * broad_mm) / 2)], above)
    assert base.footprint.intersection(true).area > 0.88 * base.footprint.union(true).area
    assert np.hypot(*np.subtract(base.position_mm, AT)) < 1.5


@pytest.mark.parametrize("radius_mm", [12.5, 16, 25, 30])
def test_a_round_base_stays_the_circle_that_it_was(above, radius_mm):
    stand(above, outline(2 * radius_mm, 2 * radius_mm, 0))
    seen = told(radius_mm, 201, 149)
    (base,) = BaseRimMemory().of([seen], above)
    assert replace(base, oval=None) == seen


def look(x: float, y: float, odds: float, turn_deg: float = 0.0) -> Detection:
    """At a base of 75 x 42 mm that is told as an oval or not."""
    base, oval = told(28, x, y), Oval(outline(75, 42, turn_deg, (x, y)), turn_deg, odds)
    return (
        replace(base, oval=oval, footprint=oval.outline, rotation_deg=turn_deg)
        if odds > 0
        else replace(base, oval=oval)
    )


def test_an_oval_that_is_moved_and_seen_badly_is_as_long_as_it_was():
    stood = Tracker().after([look(100, 100, 0.15)], 0.0)
    (moved,) = stood.after([look(250, 200, -0.05, 90)], 1.0).tracks
    assert moved.seen.footprint.bounds == pytest.approx((229, 162.5, 271, 237.5), abs=0.1)


def test_a_round_one_that_is_once_taken_for_an_oval_stays_round():
    stood = Tracker().after([look(100, 100, -0.15)], 0.0)
    (moved,) = stood.after([look(250, 200, 0.05, 90)], 1.0).tracks
    assert moved.seen.footprint.bounds == pytest.approx((222, 172, 278, 228), abs=0.1)


def test_of_several_looks_most_say_whether_a_base_is_round():
    looks = [(look(100, 100, odds),) for odds in (0.1, -0.05, 0.1)]
    (base,) = agreed(looks)
    assert base.oval is not None
    assert base.oval.is_told
