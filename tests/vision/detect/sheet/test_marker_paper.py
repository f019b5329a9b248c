"""Markers drawn on a table as a camera sees them: what lies on their paper is no thing, what hides them is."""

import cv2
import numpy as np
import pytest
from shapely import Polygon, box

from calibration.fiducials.markers import corners_mm, marker_image
from tests.vision.planes import plane_from
from vision.detect.sheet.marker_paper import MarkerMemory, without_markers
from vision.detection import Detection

MIDDLE, SIDE_MM, PAPER_MM = (160.0, 140.0), 60.0, 84.0


@pytest.fixture(scope="module")
def plane():
    return plane_from((200, -380, 560), (200, 150))


def picture(plane, dictionary, marker_id=7, turn_deg=20.0):
    """A marker with a white rim on a dark table, seen by the camera, softened as a lens does."""
    side_px = 240
    rim_px = round(side_px * (PAPER_MM / SIDE_MM - 1) / 2)
    printed = cv2.copyMakeBorder(
        marker_image(dictionary, marker_id, side_px), *(rim_px,) * 4, cv2.BORDER_CONSTANT, value=255
    )
    width, height = plane.lens.size_px
    corners = plane.to_image(corners_mm(MIDDLE, PAPER_MM, turn_deg)).astype(np.float32)
    whole = len(printed)
    flat = cv2.getPerspectiveTransform(np.array([(0, 0), (whole, 0), (whole, whole), (0, whole)], np.float32), corners)
    shown = cv2.warpPerspective(printed, flat, (width, height), flags=cv2.INTER_AREA, borderValue=45)
    return cv2.GaussianBlur(cv2.cvtColor(shown, cv2.COLOR_GRAY2BGR), (0, 0), 0.8)


def thing(outline, height_mm=7.0, cls="unknown"):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", cls, at, outline, 12.0, 0.8, (0.0, 0.0), height_mm=height_mm)


def rim():
    """A strip of paper beside the black border."""
    turn = np.radians(20.0)
    along, aside = np.array((np.cos(turn), np.sin(turn))), np.array((-np.sin(turn), np.cos(turn)))
    middle = np.array(MIDDLE) + 36.0 * along
    return [tuple(middle + a * 6 * along + b * 40 * aside) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


@pytest.mark.parametrize("dictionary", ["DICT_4X4_50", "DICT_6X6_250", "DICT_APRILTAG_36h11"])
def test_a_marker_and_its_rim_are_no_things(plane, dictionary):
    image = picture(plane, dictionary)
    marker, strip = thing(box(130, 110, 190, 170), 0.5, "paper"), thing(Polygon(rim()), cls="pencils")
    beside = thing(box(300, 100, 360, 160), 0.5, "napkin")
    assert without_markers([marker, strip, beside], image, plane) == [beside]


def test_what_is_tall_or_goes_beyond_the_paper_stays(plane):
    image = picture(plane, "DICT_4X4_50")
    box_on_it, sheet = thing(box(135, 115, 185, 165), 40.0, "box"), thing(box(60, 60, 190, 170), 0.5, "paper")
    assert without_markers([box_on_it, sheet], image, plane) == [box_on_it, sheet]


def test_a_marker_that_does_not_read_is_none(plane):
    image = picture(plane, "DICT_4X4_50")
    covered = thing(box(130, 110, 190, 170), 0.5, "napkin")
    px = plane.to_image(np.array(box(140, 120, 190, 160).exterior.coords))
    cv2.fillPoly(image, [np.rint(px).astype(np.int32)], (60, 90, 160))
    assert without_markers([covered], image, plane) == [covered]


def test_the_same_things_are_asked_about_once(plane):
    image = picture(plane, "DICT_4X4_50")
    memory, things = MarkerMemory(), [thing(box(130, 110, 190, 170), 0.5, "paper")]
    assert memory.without(things, image, plane) == []
    assert memory.without(things, np.zeros_like(image), plane) == []
    assert memory.without(list(things), np.zeros_like(image), plane) == things
