"""Drawn strips under what stands on them: pieces of one are joined, and one that does not come out again ends below."""

import pytest
from shapely import MultiPolygon, Point, affinity, box

from tests.vision.sheets import lay, overlap
from tests.vision.tables import an_empty_table
from vision.detect.sheet.covered import whole
from vision.detection import Detection

GREEN, GREY = (60, 120, 50), (190, 180, 185)
STRIP = box(60, 140, 330, 180)
NO_HANDS = MultiPolygon()


@pytest.fixture
def close():
    return an_empty_table()


def piece(cls, outline, height_mm=0.3, kind="terrain"):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection(kind, cls, at, outline, 4.0, 0.9, (0.0, 0.0), height_mm=height_mm)


def shown(low, high):
    return STRIP.intersection(box(low, 0, high, 320))


def sheets_of(found):
    return [thing for thing in found if thing.cls in ("paper", "napkin")]


@pytest.mark.parametrize("turn_deg", [0.0, 40.0])
def test_a_strip_on_which_a_mug_stands_is_one(close, turn_deg):
    turned = [affinity.rotate(each, turn_deg, origin=(200, 160)) for each in (STRIP, shown(0, 165), shown(240, 400))]
    lay(close, turned[0], GREEN)
    mug = piece("mug", Point(202, 150).buffer(38), 60.0)
    found = whole([mug, *(piece("paper", each) for each in turned[1:])], [], NO_HANDS, close)
    (strip,) = sheets_of(found)
    assert overlap(strip.footprint, turned[0]) > 0.97
    assert strip.position_mm == pytest.approx((turned[0].centroid.x, turned[0].centroid.y), abs=1)


def test_a_strip_on_which_a_soldier_stands_or_a_hand_lies_is_one(close):
    lay(close, STRIP, GREEN)
    pieces = [piece("paper", shown(0, 180)), piece("unknown", shown(215, 400))]
    soldier = piece("soldier", Point(197, 132).buffer(18), None, "soldier")
    for figures, hands in (([soldier], NO_HANDS), ([], MultiPolygon([box(178, 100, 217, 320)]))):
        (strip,) = whole(pieces, figures, hands, close)
        assert strip.cls == "paper" and overlap(strip.footprint, STRIP) > 0.97
    assert len(whole(pieces, [], NO_HANDS, close)) == 2


def test_pieces_of_another_colour_name_breadth_or_way_stay(close):
    lay(close, STRIP, GREEN)
    mug = piece("mug", Point(202, 150).buffer(38), 60.0)
    left, right = shown(0, 165), shown(240, 400)
    broad, aside = box(240, 125, 330, 195), affinity.rotate(right, 55, origin=(240, 160))
    for other in (piece("napkin", right), piece("paper", broad), piece("paper", aside)):
        found = sheets_of(whole([mug, piece("paper", left), other], [], NO_HANDS, close))
        assert len(found) == 2
    lay(close, right, GREY)
    assert len(sheets_of(whole([mug, piece("paper", left), piece("paper", right)], [], NO_HANDS, close))) == 2


def test_a_strip_that_does_not_come_out_ends_half_way_below(close):
    lay(close, shown(0, 200), GREEN)
    book = piece("book", box(200, 60, 290, 260), 0.5)
    (strip,) = sheets_of(whole([book, piece("paper", shown(0, 200))], [], NO_HANDS, close))
    assert strip.footprint.bounds == pytest.approx((60, 140, 245, 180), abs=1.5)
    assert 12 < strip.sigma_mm < 16


def test_a_strip_under_a_napkin_ends_below_it_and_the_napkin_does_not_end(close):
    napkin = piece("napkin", box(200, 80, 300, 240))
    found = whole([napkin, piece("paper", shown(0, 200))], [], NO_HANDS, close)
    assert napkin in found
    (strip,) = (thing for thing in found if thing is not napkin)
    assert strip.footprint.bounds[2] == pytest.approx(250, abs=2)


def test_a_strip_under_a_napkin_comes_out_again(close):
    lay(close, STRIP, GREEN)
    napkin = piece("napkin", box(180, 80, 260, 240))
    found = whole([napkin, piece("paper", shown(0, 180)), piece("paper", shown(260, 400))], [], NO_HANDS, close)
    (strip,) = (thing for thing in found if thing.cls == "paper")
    assert overlap(strip.footprint, STRIP) > 0.97 and napkin in found


def test_what_lies_free_or_has_a_corner_covered_stays_as_it_is(close):
    napkin, mug = piece("napkin", box(60, 60, 160, 160)), piece("mug", Point(160, 160).buffer(35), 60.0)
    far = piece("mug", Point(330, 250).buffer(35), 60.0)
    assert whole([napkin, mug], [], NO_HANDS, close) == [mug, napkin]
    assert whole([napkin, far], [], NO_HANDS, close) == [far, napkin]


def test_two_sheets_side_by_side_end_at_one_another(close):
    one, other = piece("paper", box(60, 140, 200, 180)), piece("paper", box(203, 138, 330, 182))
    assert whole([one, other], [], NO_HANDS, close) == [one, other]
