"""Bowls drawn as a camera sees them from above: where they stand and how high they are is known exactly."""

import cv2
import numpy as np
import pytest
from shapely import Point

from calibration.plane import TablePlane
from tests.vision.sheets import overlap
from tests.vision.tables import an_empty_table
from vision.detect.round.bowl_form import BOWL, shown_share
from vision.detect.solid.terrain_shape import Proposal, measured
from vision.detection import Detection

AT, RADIUS_MM, HEIGHT_MM, FOOT_MM = (180.0, 140.0), 65.0, 46.0, 33.0
GLAZE, INSIDE = (90, 60, 170), (150, 120, 215)


@pytest.fixture
def close():
    return an_empty_table()


def fill(close, radius_mm, height_mm, colour, at=AT):
    """A level disc, as it shows."""
    plane: TablePlane = close.plane
    outline = np.array(Point(*at).buffer(radius_mm, 48).exterior.coords)
    px = close.view.to_px(plane.to_table(plane.to_image(outline, height_mm)))
    cv2.fillPoly(close.seen, [np.rint(px * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def draw_bowl(close, wall=GLAZE):
    """A round wall as a pile of thin discs, and what shows within the rim."""
    for up in np.linspace(0, 1, 90):
        fill(close, FOOT_MM + (RADIUS_MM - FOOT_MM) * np.sqrt(up), up * HEIGHT_MM, wall)
    fill(close, RADIUS_MM, HEIGHT_MM, INSIDE)


def proposed(cls, radius_mm=70.0, at=(186.0, 155.0), height_mm=15.0):
    """As the net might, of what shows on the table."""
    return Detection("terrain", cls, at, Point(*at).buffer(radius_mm), 12.0, 0.9, (0.0, 0.0), height_mm=height_mm)


@pytest.mark.parametrize("cls", ["plate", "unknown"])
def test_a_bowl_is_as_high_as_its_wall_tells_and_no_plate(close, cls):
    draw_bowl(close)
    thing = measured(Proposal(proposed(cls)), close)
    assert thing.cls == "unknown"
    assert thing.position_mm == pytest.approx(AT, abs=10)
    assert thing.height_mm == pytest.approx(HEIGHT_MM, abs=11)
    assert overlap(thing.footprint, Point(*AT).buffer(RADIUS_MM)) > 0.8


def test_a_plate_with_its_shadow_before_it_is_no_bowl(close):
    table = close.seen[5, 5].astype(float)
    draw_bowl(close, wall=tuple(float(value) for value in 0.5 * table))
    thing = measured(Proposal(proposed("plate")), close)
    assert thing.cls == "plate"


def test_a_straight_pan_stays_as_high_as_it_is(close):
    for up in np.linspace(0, 1, 90):
        fill(close, RADIUS_MM, up * HEIGHT_MM, GLAZE)
    fill(close, RADIUS_MM, HEIGHT_MM, INSIDE)
    thing = measured(Proposal(proposed("unknown", height_mm=40.0)), close)
    assert thing.position_mm == pytest.approx(AT, abs=3)
    assert thing.height_mm == pytest.approx(HEIGHT_MM, abs=4)


def test_the_wall_of_a_bowl_shows_below_its_rim_from_aside_and_not_from_above():
    shape = np.array([[0.0, 0.0, 65.0, 0.5, 0.5, 46.0]])
    from_aside, from_above = np.array([0.0, -500.0, 400.0]), np.array([0.0, -60.0, 700.0])
    assert shown_share(shape, from_aside)[0] > 0.7
    assert shown_share(shape, from_above)[0] == 0


def test_the_outline_of_a_bowls_wall_is_that_of_its_widest_circles():
    shape, eye_mm = np.array([[0.0, 0.0, 65.0, 0.5, 0.5, 46.0]]), np.array([0.0, -500.0, 400.0])
    _, (points, _, _) = BOWL.outlines(shape, eye_mm)
    up = np.linspace(0, 1, 400)
    larger = eye_mm[2] / (eye_mm[2] - 46.0 * up)
    middles, radii = eye_mm[:2] - eye_mm[:2] * larger[:, None], 65.0 * (0.5 + 0.5 * up**0.5) * larger
    for point in points[0, :, :2]:
        outside = np.hypot(*(point - middles).T) - radii
        assert outside.min() == pytest.approx(0, abs=0.6)
