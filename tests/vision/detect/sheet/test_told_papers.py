"""Papers of told colours drawn on a mat: found by their colour and edge, however they are torn."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, Polygon, box, contains_xy
from shapely.affinity import rotate

from rules.geometry.hexes import HexGrid as Hexes
from tests.vision.planes import plane_from
from tests.vision.sheets import lay, overlap
from vision.detect.box.cast_shadow import is_shadow
from vision.detect.hex.hex_marks import InHexes, near_sides
from vision.detect.hex.hexgrid import HexGrid
from vision.detect.sheet.told_papers import PX_PER_MM, told_papers
from vision.detect.solid.glance import Sight
from vision.detection import Detection
from vision.light import srgb
from vision.memory.hiding import hidden_by
from vision.metric.topview import TopView

SIZE_MM = (700.0, 500.0)
WHITE, GREEN, BLUE, RED = (225, 228, 230), (60, 130, 70), (190, 120, 50), (40, 45, 180)
BROWN, GRASS = (60, 84, 118), (70, 128, 96)
TOLD = {"green": "paper", "blue": "paper"}
TORN = Polygon([(300, 200), (355, 190), (380, 235), (340, 262), (305, 248)])
GRID = HexGrid(40.0, (30.0, 25.0), 0.0, "pointy")


@pytest.fixture
def close():
    """A white mat with some grain, darker to the left."""
    plane = plane_from((350, -450, 800), (350, 250))
    view = TopView.of_table(plane, SIZE_MM, PX_PER_MM, 0.0, 0.0)
    width, height = view.size_px
    grain = np.random.default_rng(8).normal(0, 2, (height, width, 1)) + np.linspace(-15, 15, width)[None, :, None]
    return Sight(plane, view, np.clip(np.array(WHITE) + grain, 0, 255).astype(np.uint8))


def coin_at(x_mm, y_mm):
    return Detection("coin", "gbp-2p", (x_mm, y_mm), Point(x_mm, y_mm).buffer(13), 0.2, 0.99, (0.0, 0.0))


def thing_at(footprint, height_mm):
    at = (footprint.centroid.x, footprint.centroid.y)
    return Detection(
        "terrain", "unknown", at, footprint, 5.0, 0.9, (0.0, 0.0), height_mm=height_mm, height_sigma_mm=2.0
    )


def top_of(thing, plane):
    """Where its top shows on the table."""
    return Polygon(plane.behind(np.array(thing.footprint.exterior.coords), thing.height_mm))


@pytest.mark.parametrize(("colour", "bgr"), [("green", GREEN), ("blue", BLUE)])
def test_a_torn_paper_is_found_by_its_colour(close, colour, bgr):
    lay(close, TORN, bgr)
    (paper,) = told_papers(close, TOLD, [], None)
    assert (paper.kind, paper.cls, paper.colour, paper.height_mm) == ("terrain", "paper", colour, 0.0)
    assert overlap(paper.footprint, TORN) > 0.93
    assert np.hypot(*np.subtract(paper.position_mm, TORN.centroid.coords[0])) < 1.0


def test_what_has_another_colour_is_none(close):
    lay(close, TORN, RED)
    assert told_papers(close, TOLD, [], None) == []


def test_a_coin_at_its_edge_takes_nothing_from_it(close):
    lay(close, TORN, BLUE)
    lay(close, Point(328, 197).buffer(13), RED)
    lay(close, Point(345, 228).buffer(13), RED)
    (paper,) = told_papers(close, TOLD, [coin_at(328, 197), coin_at(345, 228)], None)
    assert overlap(paper.footprint, TORN) > 0.9


def test_what_is_a_piece_is_no_paper(close):
    lay(close, Point(345, 228).buffer(13), BLUE)
    assert told_papers(close, TOLD, [coin_at(345, 228)], None) == []


def test_the_mat_itself_is_none(close):
    lay(close, box(-20, -20, 720, 520), GREEN)
    assert told_papers(close, TOLD, [], None) == []


@pytest.mark.parametrize("ring", [box(15, 15, 685, 485), box(200, 150, 500, 350)])
def test_what_lies_in_a_ring_is_none(close, ring):
    """A frame printed round a mat made its whole board a lake."""
    lay(close, ring, BLUE)
    lay(close, ring.buffer(-14), WHITE)
    assert told_papers(close, TOLD, [], None) == []


def test_a_paper_under_a_large_coin_is_no_ring(close):
    lay(close, Point(345, 228).buffer(24), BLUE)
    lay(close, Point(345, 228).buffer(13), RED)
    (paper,) = told_papers(close, TOLD, [coin_at(345, 228)], None)
    assert overlap(paper.footprint, Point(345, 228).buffer(24)) > 0.85


def fields(close, every):
    """Every so many hexes of the mat filled with green."""
    hexes = Hexes(GRID.pitch_mm, GRID.origin_mm, GRID.turn_deg, GRID.top)
    for q in range(-8, 18):
        for r in range(14):
            if (q + 2 * r) % every == 0:
                lay(close, hexes.outline((q, r)), GREEN)


def test_printed_fields_are_none_but_a_paper_on_them_is(close):
    fields(close, 2)
    lay(close, TORN, BLUE)
    assert [paper.colour for paper in told_papers(close, TOLD, [], GRID)] == ["blue"]


def test_a_few_tiles_laid_in_hexes_are_papers(close):
    fields(close, 13)
    assert len(told_papers(close, TOLD, [], GRID)) > 5


def test_a_hex_at_the_edge_of_a_green_mat_is_the_mat(close):
    """Lines round two hexes were left; the table is brown, hardly a tenth of it as green as these, but the mat is."""
    hexes = Hexes(GRID.pitch_mm, GRID.origin_mm, GRID.turn_deg, GRID.top)
    cells = tuple((q, r) for r in range(4) for q in range(4 - r // 2, 8 - r // 2))
    lay(close, box(-20, -20, 720, 520), BROWN)
    lay(close, box(150, -20, 370, 170), GRASS)
    for cell in cells[:2]:
        lay(close, hexes.outline(cell), (30, 50, 40))
        lay(close, hexes.outline(cell).buffer(-2.0), GRASS)
    assert told_papers(close, TOLD, [], replace(GRID, cells=cells)) == []


def test_a_strip_below_a_coin_as_broad_is_one_paper(close):
    """It was two, and a false move stood in the log."""
    strip = box(200, 200, 330, 222)
    lay(close, strip, BLUE)
    lay(close, Point(260, 211).buffer(13), RED)
    (paper,) = told_papers(close, TOLD, [coin_at(260, 211)], None)
    assert overlap(paper.footprint, strip) > 0.9
    assert np.hypot(*np.subtract(paper.position_mm, (265, 211))) < 1.0


def test_two_papers_below_one_coin_are_two(close):
    lay(close, box(200, 180, 250, 240), BLUE)
    lay(close, box(270, 180, 320, 240), BLUE)
    lay(close, Point(260, 211).buffer(13), RED)
    assert len(told_papers(close, TOLD, [coin_at(260, 211)], None)) == 2


@pytest.mark.parametrize("turn_deg", [0.0, 35.0])
def test_two_papers_hardly_broader_than_the_coin_between_them_are_two(close, turn_deg):
    """The mat shows beside the coin; the hex between two woods was a wood as well."""
    for low in (190, 270):
        lay(close, rotate(box(low, 196, low + 60, 226), turn_deg, (260, 211)), BLUE)
    lay(close, Point(260, 211).buffer(13), RED)
    assert len(told_papers(close, TOLD, [coin_at(260, 211)], None)) == 2


@pytest.mark.parametrize("far", [(), (box(365, 200, 460, 235),)])
def test_papers_that_lie_side_by_side_go_on_under_none_of_them(close, far):
    """A lake that ended at a wood went on below it, by 50 mm or to the next lake, and the wood's hexes were a lake."""
    wood = box(260, 160, 360, 280)
    for lake in (box(150, 200, 255, 235), *far):
        lay(close, lake, BLUE)
    lay(close, wood, GREEN)
    papers = told_papers(close, TOLD, [], None)
    assert len(papers) == 2 + len(far)
    lakes = [paper for paper in papers if paper.colour == "blue"]
    assert not any(wood.buffer(-5).intersects(lake.footprint) for lake in lakes)
    assert max(lake.sigma_mm for lake in lakes) < 3.0


def lines_of(close):
    """(n, 2) the places of the mat, 1 mm apart, on a side of its hexes."""
    at_mm = close.view.to_table(np.indices(close.seen.shape[1::-1]).reshape(2, -1).T)
    return at_mm[near_sides(InHexes.of(GRID, at_mm), GRID.pitch_mm).away_mm < 1.0]


def test_a_printed_lake_is_none_and_a_paper_is(close):
    """The hexes' lines run on across what is printed; a paper hides them."""
    lay(close, TORN, BLUE)
    lines_mm = lines_of(close)
    assert told_papers(close, TOLD, [], GRID, lines_mm) == []
    beside_mm = lines_mm[~contains_xy(TORN, *lines_mm.T)]
    assert len(told_papers(close, TOLD, [], GRID, beside_mm)) == 1


def test_the_top_of_what_stands_is_no_paper(close):
    """A box that had no name was not known there: its blue top was a lake, or several."""
    thing = thing_at(box(300, 180, 370, 230), 30.0)
    lay(close, thing.footprint, (60, 50, 40))
    lay(close, top_of(thing, close.plane), BLUE)
    assert len(told_papers(close, TOLD, [], None)) == 1
    assert told_papers(close, TOLD, [thing], None) == []


@pytest.mark.parametrize(("light", "papers"), [((0.23, 0.22, 0.21), 0), ((0.5, 0.95, 0.5), 1)])
def test_a_shadow_beside_what_stands_is_no_wood(close, light, papers):
    """Three beside boxes on green mats were; a paper of another green is one."""
    thing = thing_at(box(300, 180, 370, 230), 30.0)
    lay(close, box(-20, -20, 720, 520), GRASS)
    shade = srgb.level(srgb.light(np.array(GRASS)) * light)
    lay(close, box(300, 155, 370, 180), tuple(shade.tolist()))
    lay(close, thing.footprint.union(top_of(thing, close.plane)).convex_hull, RED)
    told = told_papers(close, TOLD, [thing], GRID)
    assert [paper.colour for paper in told] == ["green"] * papers


def test_what_shows_no_ground_beside_it_is_no_shadow(close):
    """A lake in the table's corner with boxes on both other sides: the look broke off."""
    lake, boxes = box(-20, -20, 40, 40), [thing_at(box(42, -30, 100, 100), 40.0), thing_at(box(-30, 42, 42, 100), 40.0)]
    assert not is_shadow(lake, np.full((900, 3), BLUE, np.uint8), [hidden_by(one, close.plane) for one in boxes], close)
