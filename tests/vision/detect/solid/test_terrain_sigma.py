"""How sure the middle of terrain is: by its edges, and by what may go on under another thing."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, affinity, box

from tests.vision.planes import plane_from
from vision.detect.solid.fit import Fit
from vision.detect.solid.forms import BLOCK, DRUM
from vision.detect.solid.terrain_sigma import of_block, of_fit, of_guess, of_sheet
from vision.detection import Detection

SIZE_MM = (400.0, 320.0)
SHEET = box(100, 100, 200, 180)


@pytest.fixture
def plane():
    return plane_from((200, -350, 550), (200, 160))


def thing(cls, outline, sigma_mm=12.0, height_mm=0.0):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", cls, at, outline, sigma_mm, 0.9, (0.0, 0.0), height_mm=height_mm)


@pytest.mark.parametrize(
    ("name", "support", "by_rim", "sigma_mm"),
    [
        ("mug", 0.9, False, 3.0),
        ("mug", 0.7, True, 5.0),
        ("mug", 0.7, False, 12.0),
        ("plate", 0.9, False, 7.1),
        ("unknown", 0.9, True, 12.0),
    ],
)
def test_what_has_a_name_and_fits_well_is_surer_than_what_was_proposed(plane, name, support, by_rim, sigma_mm):
    disc = Point(180, 140).buffer(41)
    fit = Fit(DRUM, np.zeros(6), disc, 90.0, support, 0.0, 0.0)
    assert of_fit(thing(name, disc), name, fit, plane, by_rim=by_rim) == pytest.approx(sigma_mm, abs=0.1)


@pytest.mark.parametrize(("eye_mm", "sigma_mm"), [((200, -80, 800), 5.5), ((200, -350, 300), 13.1)])
def test_a_plate_of_which_the_rim_alone_shows_is_the_less_sure_the_lower_the_camera(eye_mm, sigma_mm):
    """Ordinary plates seen from 30 degrees were 13 to 23 mm off at a sigma of 5.5."""
    disc, plane = Point(180, 140).buffer(80), plane_from(eye_mm, (200, 160))
    fit = Fit(DRUM, np.zeros(6), disc, 15.0, 0.9, 0.0, 0.0)
    assert of_fit(thing("plate", disc), "plate", fit, plane, by_rim=False) == pytest.approx(sigma_mm, abs=0.3)


def test_other_guesses_that_lie_as_well_make_it_less_sure(plane):
    disc = Point(180, 140).buffer(41)
    assert of_fit(thing("mug", disc), "mug", Fit(DRUM, np.zeros(6), disc, 90.0, 0.9, 8.0, 0.0), plane, by_rim=True) > 8


def test_a_sheet_is_as_sure_as_its_edges_where_nothing_is_near(plane):
    proposed, far = thing("napkin", SHEET), thing("plate", affinity.translate(SHEET, 150, 0), height_mm=20.0)
    by_corners = replace(proposed, sigma_mm=3.0)
    assert of_sheet(by_corners, proposed, [proposed, far], plane, SIZE_MM) == pytest.approx(3)
    assert of_sheet(proposed, proposed, [proposed, far], plane, SIZE_MM) == pytest.approx(8, abs=0.1)


def test_the_more_of_it_another_thing_hides_the_less_sure_it_is(plane):
    proposed = thing("napkin", SHEET)
    sure = replace(proposed, sigma_mm=3.0)
    near = [thing("mug", affinity.translate(SHEET, *by), height_mm=20.0) for by in ((90, 70), (101, 0))]
    alone, corner, side = (of_sheet(sure, proposed, [proposed, *some], plane, SIZE_MM) for some in ([], near[:1], near))
    assert alone < corner < side


def test_what_stands_before_it_hides_it_by_its_height(plane):
    proposed = thing("napkin", SHEET)
    before = affinity.translate(SHEET, 0, -110)
    low, high = (
        of_sheet(proposed, proposed, [proposed, thing("box", before, height_mm=tall)], plane, SIZE_MM)
        for tall in (5.0, 60.0)
    )
    assert high > low


def test_what_ends_at_the_tables_edge_is_less_sure_where_only_colours_bound_it(plane):
    at_edge = thing("paper", box(320, 100, 400, 180))
    assert of_sheet(at_edge, at_edge, [], plane, SIZE_MM) > of_sheet(thing("paper", SHEET), at_edge, [], plane, SIZE_MM)
    sure = replace(at_edge, sigma_mm=3.0)
    assert of_sheet(sure, at_edge, [], plane, SIZE_MM) == pytest.approx(3)


def test_a_rectangle_that_lies_well_on_edges_shows_whole_whatever_stands_at_it(plane):
    proposed = thing("napkin", SHEET)
    sure, beside = replace(proposed, sigma_mm=3.0), thing("mug", affinity.translate(SHEET, 90, 70), height_mm=20.0)
    badly, well = (of_sheet(sure, proposed, [proposed, beside], plane, SIZE_MM, support) for support in (0.82, 0.95))
    assert 3 <= well < badly


def test_an_outline_that_is_bent_in_may_be_that_of_two_things(plane):
    bent = thing("napkin", SHEET.union(affinity.translate(SHEET, 70, 70)))
    straight = thing("napkin", bent.footprint.convex_hull)
    assert of_sheet(bent, bent, [], plane, SIZE_MM) > of_sheet(straight, straight, [], plane, SIZE_MM) + 3
    assert of_guess(bent) > 12


def test_what_no_edges_bear_out_is_less_sure_the_larger_it_is():
    small, large = (thing("book", affinity.scale(SHEET, size, size)) for size in (0.5, 3.0))
    assert of_guess(small) == 12
    assert of_guess(large) == pytest.approx(0.13 * np.sqrt(large.footprint.area))


@pytest.mark.parametrize(("before_mm", "doubt_mm", "sigma_mm"), [(12.0, 0.0, 5.0), (3.0, 0.0, 3.0), (12.0, 40.0, 12.0)])
def test_a_block_that_holds_all_that_is_seen_is_surer_but_for_its_doubt(plane, before_mm, doubt_mm, sigma_mm):
    fit = Fit(BLOCK, np.zeros(6), SHEET, 40.0, 0.9, doubt_mm, 0.0)
    assert of_block(thing("unknown", SHEET, before_mm), fit, plane) == pytest.approx(sigma_mm, abs=0.1)
