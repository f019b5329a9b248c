"""What the outline of a sheet tells of its name."""

import numpy as np
import pytest
from shapely import LineString, Point, Polygon, box
from shapely.affinity import rotate

from rules.scene import UNKNOWN
from vision.detect.sheet.sheet_form import is_phone, is_square, is_strip, named_by_form
from vision.detection import Detection

BENT = LineString([(0, 0), (120, 0), (200, 70)]).buffer(25, cap_style="flat", join_style="mitre")
SQUARE = rotate(box(0, 0, 121, 118), 20)


def sheet(outline, cls=UNKNOWN, confidence=0.9, height_mm=1.0):
    at = outline.centroid.coords[0]
    return Detection("terrain", cls, at, outline, 2.0, confidence, (0.0, 0.0), height_mm=height_mm)


def told(**chances):
    return {name: float(np.log(chance)) for name, chance in chances.items()}


@pytest.mark.parametrize("outline", [BENT, box(0, 0, 160, 40), rotate(box(0, 0, 100, 35), 35)])
def test_strips_have_one_breadth(outline):
    assert is_strip(outline)
    assert not is_square(outline)


@pytest.mark.parametrize(
    "outline",
    [
        box(0, 0, 110, 57),
        Point(0, 0).buffer(60),
        Polygon([(0, 0), (200, 0), (0, 70)]),
        box(0, 0, 400, 130),
        box(0, 0, 180, 20),
    ],
    ids=["short", "round", "a wedge", "too broad", "as narrow as a knife"],
)
def test_what_is_short_round_or_uneven_is_no_strip(outline):
    assert not is_strip(outline)


@pytest.mark.parametrize("outline", [box(0, 0, 60, 60), box(0, 0, 121, 90), Point(0, 0).buffer(60)])
def test_squares_are_of_a_napkins_size(outline):
    assert is_square(SQUARE)
    assert not is_square(outline)


def test_a_strip_that_may_be_paper_is():
    named = named_by_form(sheet(BENT), told(paper=0.6, unknown=0.3, napkin=0.1))
    assert (named.cls, named.confidence) == ("paper", pytest.approx(4.8 / 5.2))


def test_a_square_that_may_be_a_napkin_is_one():
    assert named_by_form(sheet(SQUARE), told(paper=0.2, napkin=0.7, unknown=0.1)).cls == "napkin"


def test_a_square_that_passes_for_paper_is_not_named():
    assert named_by_form(sheet(SQUARE, "paper", 0.77), told(paper=0.8, napkin=0.2)).cls == UNKNOWN


@pytest.mark.parametrize(
    ("thing", "chances"),
    [
        (sheet(box(0, 0, 110, 57)), told(paper=0.7, unknown=0.3)),
        (sheet(BENT), told(paper=0.05, unknown=0.95)),
        (sheet(BENT, height_mm=20.0), told(paper=0.7, unknown=0.3)),
        (sheet(BENT), {}),
    ],
    ids=["its form tells nothing", "the net hardly thinks so", "too high", "the net says nothing"],
)
def test_else_it_stays_without_a_name(thing, chances):
    assert named_by_form(thing, chances) == thing


@pytest.mark.parametrize("sides", [(68, 141), (73, 154), (64, 131), (78, 163)])
def test_what_has_a_phones_sides_is_no_sheet(sides):
    outline = rotate(box(0, 0, *sides), 25)
    named = named_by_form(sheet(outline, "paper"), told(paper=0.9, unknown=0.1))
    assert is_phone(outline)
    assert (named.cls, named.confidence) == (UNKNOWN, 0.9)


@pytest.mark.parametrize(
    "outline",
    [box(0, 0, 148, 105), box(0, 0, 99, 210), box(0, 0, 40, 93), box(0, 0, 57, 139), Point(0, 0).buffer(70), BENT],
    ids=["a postcard", "a third of a letter", "a short strip", "a strip", "round", "bent"],
)
def test_sheets_of_other_sides_keep_their_names(outline):
    assert not is_phone(outline)
    assert named_by_form(sheet(outline, "paper"), told(paper=0.9, unknown=0.1)).cls == "paper"
