"""Drawn sheets of which the net sees a part: the whole is found by its colours, and those that touch stay apart."""

import cv2
import numpy as np
import pytest
from shapely import affinity, box

from models import solids
from tests.vision.sheets import lay, overlap
from tests.vision.tables import SIZE_MM, an_empty_table
from vision.detect.sheet.sheets import followed
from vision.detect.solid.glance import Glance
from vision.detect.solid.terrain import find_terrain
from vision.detect.solid.terrain_memory import TerrainMemory
from vision.detect.solid.terrain_shape import Proposal, measured
from vision.detection import Detection

GREEN, GREY, YELLOW = (60, 120, 50), (190, 180, 185), (70, 170, 200)
STRIP = affinity.rotate(box(120, 120, 280, 165), 25)


@pytest.fixture
def close():
    return an_empty_table(grain=4.0)


def proposed(cls, outline, height_mm=0.3):
    at = (outline.centroid.x, outline.centroid.y)
    return Detection("terrain", cls, at, outline, 12.0, 0.9, (0.0, 0.0), height_mm=height_mm)


def part_of(sheet, share=0.5):
    """What the net might see of it."""
    low, _, high, _ = sheet.bounds
    return sheet.intersection(box(low, -1e3, low + share * (high - low), 1e3))


def test_a_sheet_is_followed_from_the_part_that_was_seen_to_its_edges(close):
    lay(close, STRIP, GREEN)
    assert overlap(followed(part_of(STRIP), close), STRIP) > 0.95


def test_one_far_longer_than_what_was_seen_is_followed_farther(close):
    long = affinity.rotate(box(30, 140, 370, 175), 10)
    lay(close, long, GREEN)
    assert overlap(followed(part_of(long, 0.3), close), long) > 0.95


def test_a_checked_one_is_followed_with_all_its_colours(close):
    cloth = box(140, 100, 260, 220)
    lay(close, cloth, GREY)
    for n in range(6):
        lay(close, box(140 + 20 * n, 100, 150 + 20 * n, 220), GREEN)
    assert overlap(followed(part_of(cloth, 0.6), close), cloth) > 0.9


def test_where_nothing_lies_no_colours_bound_anything(close):
    assert followed(STRIP, close) is None
    assert measured(Proposal(proposed("unknown", STRIP)), close) is None
    assert measured(Proposal(proposed("napkin", STRIP)), close) is None


def test_what_is_surely_another_thing_is_none_of_it(close):
    other = affinity.translate(box(0, 0, 60, 45), 280, 165)
    lay(close, STRIP, GREEN)
    lay(close, other, (62, 112, 58))
    assert followed(part_of(STRIP), close, [other]).intersection(other).area < 0.1 * other.area


def test_it_ends_where_the_table_ends(close):
    over = box(300, 100, 425, 160)
    lay(close, over, GREEN)
    assert followed(part_of(over), close).bounds[2] == pytest.approx(400, abs=1)


def test_one_whose_corners_are_found_beyond_the_table_ends_with_it_too(close):
    over = affinity.rotate(box(310, 100, 418, 190), 15)
    lay(close, over, GREEN)
    sheet = measured(Proposal(proposed("napkin", over)), close)
    lying = over.intersection(box(0, 0, *SIZE_MM))
    assert overlap(sheet.footprint, lying) > 0.97
    assert sheet.position_mm == pytest.approx((lying.centroid.x, lying.centroid.y), abs=1.5)
    assert sheet.sigma_mm < 4


def test_one_that_only_colours_bound_is_less_sure(close):
    bent = STRIP.union(affinity.rotate(box(240, 150, 330, 195), -40))
    lay(close, bent, GREEN)
    assert 7 < measured(Proposal(proposed("paper", bent)), close).sigma_mm < 16


def test_too_narrow_a_scrap_is_not_followed(close):
    assert followed(box(100, 100, 160, 104), close) is None


@pytest.mark.parametrize("seen", [box(-60, -60, 500, 400), box(-300, 0, -200, 60), box(100, 100, 106, 106)])
def test_what_covers_all_that_shows_or_nothing_of_it_is_not_followed(close, seen):
    lay(close, seen, GREEN)
    assert followed(seen, close) is None


def test_pieces_of_one_sheet_are_one_and_other_sheets_stay(close):
    lay(close, STRIP, GREEN)
    other = box(60, 220, 150, 290)
    lay(close, other, YELLOW)
    left, right = part_of(STRIP, 0.45), STRIP.difference(part_of(STRIP, 0.6))
    things = [proposed("paper", left), proposed("unknown", right, 4.0), proposed("unknown", other)]
    found = TerrainMemory().measured([Proposal(thing) for thing in things], close)
    assert sorted(thing.cls for thing in found) == ["paper", "unknown"]
    paper, rest = sorted(found, key=lambda thing: thing.cls)
    assert overlap(paper.footprint, STRIP) > 0.93
    assert overlap(rest.footprint, other) > 0.93
    assert paper.position_mm == pytest.approx((STRIP.centroid.x, STRIP.centroid.y), abs=3)


def test_a_sheet_that_touches_another_thing_may_go_on_under_it(close):
    lay(close, STRIP, GREEN)
    thing = proposed("paper", STRIP)
    alone = measured(Proposal(thing), close, [thing])
    touched = measured(Proposal(thing), close, [thing, proposed("plate", affinity.translate(STRIP, 0, 48), 20.0)])
    assert alone.sigma_mm < 4
    assert touched.sigma_mm > 1.5 * alone.sigma_mm
    assert overlap(touched.footprint, alone.footprint) > 0.99


def told(view, sheets, cls):
    """A glance of a net that is sure of some flat outlines, and of all else that it is table."""
    columns, rows = (side // solids.CELL_PX for side in view.size_px)
    maps = np.full((solids.CHANNELS, rows, columns), -8.0, np.float32)
    ground = maps[solids.GROUND]
    ground[0], maps[solids.HEIGHT] = 0.0, 0.0
    for sheet in sheets:
        px = view.to_px(np.array(sheet.exterior.coords)) / solids.CELL_PX - 0.5
        mask = cv2.fillPoly(np.zeros((rows, columns), np.uint8), [np.rint(px).astype(np.int32)], (1,)) > 0
        ground[solids.TERRAIN.index(cls), mask], ground[0, mask] = 8.0, -8.0
    seen = np.zeros((view.size_px[1], view.size_px[0], 3), np.uint8)
    return Glance(None, view, seen, maps, np.ones((rows, columns), bool))


@pytest.mark.parametrize(("apart", "count"), [((0.0, 0.0), 2), ((-45.0, -20.0), 1)])
def test_sheets_that_touch_by_a_corner_are_two(close, apart, count):
    one = box(80, 80, 180, 180)
    other = affinity.translate(box(178, 178, 270, 270), *apart)
    surfaces = told(close.view.halved, [one, other], "napkin")
    surfaces = Glance(close.plane, surfaces.view, surfaces.seen, surfaces.maps, surfaces.shown)
    assert len(find_terrain(surfaces)) == count
