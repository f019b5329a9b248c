"""Soldiers and terrain, read off maps drawn here: what the net would say is known exactly."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Point, Polygon, contains_xy

from models import directions, solids
from tests.vision.planes import plane_from
from vision.detect.figure.figures import find_figures, foot_sigma_mm
from vision.detect.solid.glance import Glance, cells_mm, slant_of
from vision.detect.solid.stitch import stitched
from vision.detect.solid.terrain import find_terrain
from vision.metric.topview import TopView
from vision.metric.upright import UprightView, upright_views

SIZE_MM = (320.0, 256.0)


@pytest.fixture
def plane():
    return plane_from((160, -400, 600), (160, 128))


@pytest.fixture
def view(plane):
    return TopView.of_table(plane, SIZE_MM, 1.0, 0.0, 0.0, solids.STRIDE_PX)


@pytest.fixture
def glance(plane, view):
    return blank(plane, view)


@pytest.fixture
def standing(plane):
    return blank(plane, upright(plane, 1.0))


def upright(plane, px_per_mm):
    """The whole table as one piece."""
    return UprightView.of_piece(plane, np.array([(0.0, 0.0), SIZE_MM]), px_per_mm, 75.0, solids.STRIDE_PX)


def blank(plane, view):
    """An empty grey table, all of which the picture shows."""
    maps = np.zeros((solids.CHANNELS, view.size_px[1] // 4, view.size_px[0] // 4), np.float32)
    maps[solids.HEAT], maps[solids.FIGURE], maps[solids.GROUND.start] = -9, -9, 9
    top = np.full((view.size_px[1], view.size_px[0], 3), 120, np.uint8)
    return Glance(plane, view, top, maps, np.ones(maps.shape[1:], bool))


def say_figure(glance, at_mm, kind, radius_mm=12.0):
    """A peak in the cell of that place, with the rest in its offset."""
    maps = glance.maps
    cell = (glance.view.to_px(np.array([at_mm]))[0] - (solids.CELL_PX - 1) / 2) / solids.CELL_PX
    column, row = np.rint(cell).astype(int)
    maps[solids.HEAT.start + solids.FIGURES.index(kind), row, column] = 4.0
    maps[solids.OFFSET, row, column] = cell - (column, row)
    maps[solids.RADIUS, row, column] = np.log(radius_mm * glance.view.px_per_mm / solids.REFERENCE_RADIUS_PX)


def say_terrain(glance, outline, cls, height_mm):
    """Every cell whose middle lies in the outline is of that class and height."""
    maps, view = glance.maps, glance.view
    rows, columns = maps.shape[1:]
    px = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1) * solids.CELL_PX + (solids.CELL_PX - 1) / 2
    where = contains_xy(outline, *view.to_table(px.reshape(-1, 2)).T).reshape(rows, columns)
    maps[solids.GROUND][:, where] = 0
    maps[solids.GROUND.start + solids.TERRAIN.index(cls)][where] = 9
    maps[solids.HEIGHT][where] = height_mm * view.px_per_mm / solids.HEIGHT_UNIT_PX


@pytest.mark.parametrize("radius_mm", [18, 29])
def test_a_figure_stands_where_the_net_points_on_its_whole_base(standing, radius_mm):
    say_figure(standing, (101.3, 87.6), "mounted", radius_mm)
    (rider,) = find_figures(standing, standing, (), ("red", "blue"))
    assert rider.kind == "soldier"
    assert rider.cls == "mounted"
    assert rider.position_mm == pytest.approx((101.3, 87.6), abs=0.01)
    assert rider.footprint.area == pytest.approx(np.pi * radius_mm**2, rel=0.02)
    assert rider.elevation_mm == 0


def doubted(glance, logit):
    """The same place, of which the net says so much less."""
    glance.maps[solids.HEAT][glance.maps[solids.HEAT] > 0] = logit
    return glance


def test_a_doubtful_figure_is_told_where_the_other_net_sees_one_too(plane, standing):
    say_figure(standing, (100, 100), "foot")
    doubted(standing, 0.3)
    coarse = blank(plane, upright(plane, 0.5))
    assert find_figures(standing, coarse, (), ("red", "blue")) == []
    say_figure(coarse, (100, 100), "foot")
    (man,) = find_figures(standing, coarse, (), ("red", "blue"))
    assert man.position_mm == pytest.approx((100, 100), abs=0.01)


def test_what_the_other_net_sees_elsewhere_is_no_help(plane, standing):
    say_figure(standing, (100, 100), "foot")
    doubted(standing, 0.3)
    coarse = blank(plane, upright(plane, 0.5))
    say_figure(coarse, (180, 100), "foot")
    assert find_figures(standing, coarse, (), ("red", "blue")) == []


def test_the_surer_a_figure_the_smaller_its_sigma(standing):
    say_figure(standing, (100, 100), "foot")
    (sure,) = find_figures(standing, standing, (), ("red", "blue"))
    (unsure,) = find_figures(doubted(standing, 1.0), standing, (), ("red", "blue"))
    assert unsure.confidence < sure.confidence
    assert unsure.sigma_mm > 1.2 * sure.sigma_mm


def test_from_lower_down_a_foot_is_known_worse_along_the_table_and_as_well_across():
    above, slanted = foot_sigma_mm(np.zeros(1), 0.0), foot_sigma_mm(np.zeros(1), 1.5)
    along = np.hypot(1, 1.5)
    assert slanted / above == pytest.approx(np.sqrt((1 + along**2) / 2))


def test_a_figure_whose_foot_shows_on_a_book_stands_on_the_book(plane, glance, standing):
    book = Polygon([(100, 60), (220, 60), (220, 150), (100, 150)])
    say_terrain(glance, book, "book", 30.0)
    shown_mm = plane.to_table(plane.to_image([(160.0, 100.0)], 30.0))[0]
    say_figure(standing, shown_mm, "foot")
    terrain = find_terrain(glance)
    (man,) = find_figures(standing, standing, terrain, ("red", "blue"))
    assert man.elevation_mm == pytest.approx(30, abs=0.5)
    assert man.position_mm == pytest.approx((160, 100), abs=0.5)


def test_a_figure_on_a_top_of_doubtful_height_stands_on_a_doubtful_place(glance, plane, standing):
    say_terrain(glance, Polygon([(100, 60), (220, 60), (220, 150), (100, 150)]), "book", 30.0)
    say_figure(standing, plane.to_table(plane.to_image([(160.0, 100.0)], 30.0))[0], "foot")
    (book,) = find_terrain(glance)
    sure, unsure = (
        find_figures(standing, standing, [replace(book, height_sigma_mm=sigma_mm)], ("red", "blue"))[0]
        for sigma_mm in (0.5, 10.0)
    )
    assert unsure.elevation_sigma_mm == 10.0
    # Ten millimetres up are more than four along the table for a camera at less than 60 degrees.
    assert unsure.sigma_mm > sure.sigma_mm + 3


def test_men_may_stand_on_what_has_no_name_but_was_measured_as_a_block(glance, plane, standing):
    block = Polygon([(100, 60), (220, 60), (220, 150), (100, 150)])
    say_terrain(glance, block, "book", 30.0)
    say_figure(standing, plane.to_table(plane.to_image([(160.0, 100.0)], 30.0))[0], "foot")
    (book,) = find_terrain(glance)
    heap = replace(book, cls="unknown", footprint=block.buffer(3))
    for thing, elevation_mm in ((replace(heap, footprint=block), book.height_mm), (heap, 0.0)):
        (man,) = find_figures(standing, standing, [thing], ("red", "blue"))
        assert man.elevation_mm == elevation_mm


def test_a_figure_on_another_piece_of_the_table_is_left_to_it(plane):
    left_half = np.array([(0.0, 0.0), (160.0, 256.0)])
    seen = blank(plane, UprightView.of_piece(plane, left_half, 1.0, 75.0, solids.STRIDE_PX))
    for x in (150, 170):
        say_figure(seen, (x, 100), "foot", radius_mm=5)
    (man,) = find_figures(seen, seen, (), ("red", "blue"))
    assert man.position_mm == pytest.approx((150, 100), abs=0.01)


def test_a_figure_before_a_book_stands_on_the_table(glance, standing):
    say_terrain(glance, Polygon([(100, 60), (220, 60), (220, 150), (100, 150)]), "book", 30.0)
    say_figure(standing, (160, 50), "foot")
    (man,) = find_figures(standing, standing, find_terrain(glance), ("red", "blue"))
    assert man.elevation_mm == 0


def test_paint_is_the_owners_colour_and_taken_from_the_body_not_the_neighbour(plane, standing):
    for x, bgr in ((100, (40, 40, 190)), (125, (175, 90, 40))):
        say_figure(standing, (x, 100), "foot")
        body = plane.to_table(plane.to_image([(float(x), 100.0)], 20.0))
        u, v = np.rint(standing.view.to_px(body)[0]).astype(int)
        standing.seen[v - 12 : v + 12, u - 5 : u + 6] = bgr
        standing.maps[solids.FIGURE][(v - 12) // 4 : (v + 12) // 4, (u - 5) // 4 : (u + 6) // 4 + 1] = 5
    figures = find_figures(standing, standing, (), ("red", "blue"))
    owners = {round(figure.position_mm[0]): figure.owner for figure in figures}
    assert owners == {100: "red", 125: "blue"}


def test_a_grassed_base_is_not_the_paint_of_who_stands_on_it(standing, plane):
    say_figure(standing, (160, 100), "foot")
    rows, columns = np.indices(standing.seen.shape[:2])
    shown_mm = standing.view.to_table(np.stack([columns, rows], axis=-1).reshape(-1, 2).astype(float))
    is_base = (np.hypot(*(shown_mm - (160.0, 100.0)).T) <= 12).reshape(rows.shape)
    u, v = np.rint(standing.view.to_px(np.array([(160.0, 100.0)]))[0]).astype(int)
    is_body = (abs(columns - u) <= 3) & (rows > v - 24) & (rows < v)
    standing.seen[is_base], standing.seen[is_body] = (50, 130, 70), (170, 85, 40)
    standing.maps[solids.FIGURE] = np.where((is_base | is_body)[::4, ::4], 5, -9)
    (man,) = find_figures(standing, standing, (), ("green", "blue"))
    assert man.owner == "blue"


def test_terrain_has_the_outline_height_and_name_that_the_net_says(glance):
    mug, box = Point(80, 100).buffer(40), Polygon([(180, 80), (280, 100), (268, 160), (168, 140)])
    say_terrain(glance, mug, "mug", 95.0)
    say_terrain(glance, box, "box", 40.0)
    found = {piece.cls: piece for piece in find_terrain(glance)}
    assert set(found) == {"mug", "box"}
    for cls, known in (("mug", mug), ("box", box)):
        outline = found[cls].footprint
        assert outline.intersection(known).area > 0.88 * outline.union(known).area
    assert found["mug"].height_mm == pytest.approx(95, abs=1)
    assert len(found["box"].footprint.exterior.coords) == 5


def test_terrain_that_lies_on_several_pieces_of_the_table_is_one_thing(view):
    plane = plane_from((160, -200, 300), (160, 128))
    pieces = upright_views(plane, view, 1.0, 120.0, solids.STRIDE_PX)
    assert len(pieces) == 4
    box = Polygon([(90, 60), (230, 60), (230, 180), (90, 180)])
    glances = [blank(plane, piece) for piece in pieces]
    for part in glances:
        say_terrain(part, box, "box", 40.0)
    (found,) = find_terrain(stitched(glances, blank(plane, view)))
    assert found.cls == "box"
    assert found.height_mm == pytest.approx(40, abs=1)
    assert found.footprint.intersection(box).area > 0.9 * found.footprint.union(box).area


def test_a_mug_on_a_plate_is_two_things(glance):
    say_terrain(glance, Point(150, 130).buffer(100), "plate", 15.0)
    say_terrain(glance, Point(150, 130).buffer(42), "mug", 90.0)
    assert sorted(piece.cls for piece in find_terrain(glance)) == ["mug", "plate"]


def test_what_the_net_cannot_name_is_unknown(glance):
    say_terrain(glance, Point(150, 130).buffer(40), "mug", 50.0)
    maps = glance.maps
    maps[solids.GROUND.start + solids.TERRAIN.index("box")] = maps[solids.GROUND.start + solids.TERRAIN.index("mug")]
    assert [piece.cls for piece in find_terrain(glance)] == ["unknown"]


def test_strips_of_paper_tell_their_colour(view, glance):
    strip = Polygon([(40, 100), (240, 100), (240, 140), (40, 140)])
    say_terrain(glance, strip, "paper", 0.0)
    cv2.fillPoly(glance.seen, [np.rint(view.to_px(np.array(strip.exterior.coords))).astype(np.int32)], (190, 90, 40))
    (paper,) = find_terrain(glance)
    assert paper.colour == "blue"
    assert paper.rotation_deg == pytest.approx(0, abs=2) or paper.rotation_deg == pytest.approx(180, abs=2)


def test_scraps_are_nothing(glance):
    say_terrain(glance, Point(150, 130).buffer(9), "box", 50.0)
    assert find_terrain(glance) == []


def test_the_net_is_told_where_a_point_above_the_table_shows(plane, view):
    """`to_table` of the picture of a point 10 mm up is off by 10 times what the net is told, to the perspective."""
    columns, rows = (side // solids.SLANT_PX for side in view.size_px)
    slant = slant_of(plane, view)
    assert slant.shape == (2, rows, columns)
    for row, column in ((0, 0), (rows - 1, columns // 2), (rows // 2, columns - 1)):
        at_mm = view.to_table(np.array([(column, row)]) * 4.0 + 1.5)
        shown_px = view.to_px(plane.to_table(plane.to_image(at_mm, 1.0)))[0]
        assert slant[:, row, column] == pytest.approx(shown_px - (column * 4 + 1.5, row * 4 + 1.5), rel=0.01, abs=1e-4)


def test_what_the_edge_of_the_picture_cuts_off_is_not_measured(glance):
    say_terrain(glance, Polygon([(0, 60), (70, 60), (70, 160), (0, 160)]), "napkin", 0.0)
    say_terrain(glance, Polygon([(150, 60), (220, 60), (220, 160), (150, 160)]), "napkin", 0.0)
    assert [piece.position_mm[0] for piece in find_terrain(glance)] == [pytest.approx(185, abs=2)]
    glance.shown[:, 48:] = False
    assert find_terrain(glance) == []


def test_cells_beyond_the_picture_are_known(plane, view):
    whole, half = (view.remap.shows((width, 960), solids.CELL_PX) for width in (1280, 640))
    px = plane.to_image(cells_mm(view).reshape(-1, 2)).reshape(*whole.shape, 2)
    within = ((px > 2) & (px < np.array((640, 960)) - 3)).all(axis=-1)
    assert (half | ~within).all()
    assert whole.any()
    assert half.sum() < 0.75 * whole.sum()
    assert not (half & ~whole).any()


def test_a_game_of_miniatures_sees_bases_where_another_sees_soldiers(standing):
    say_figure(standing, (100, 100), "foot")
    (soldier,) = find_figures(standing, standing, (), ("red", "blue"), ("foot", "mounted", "gun"))
    (base,) = find_figures(standing, standing, (), ("red", "blue"), ("base",))
    assert (soldier.kind, soldier.cls) == ("soldier", "foot")
    assert (base.kind, base.cls) == ("base", "base")


def test_what_looks_like_a_man_is_less_likely_in_a_game_of_miniatures(standing):
    say_figure(standing, (100, 100), "foot")
    coarse = doubted(standing, 1.0)
    (played,) = find_figures(standing, coarse, (), ("red", "blue"), ("foot", "mounted", "gun"))
    (another,) = find_figures(standing, coarse, (), ("red", "blue"), ("base",))
    assert another.confidence < played.confidence < 1


def facing(deg):
    """A reader who sees every soldier face there: degrees from the right by way of the camera."""
    chance = np.exp(9 * np.cos(directions.RAD - np.radians(deg)))

    def read(seen, slant, foot_px, radius_px):
        assert len(slant) == len(foot_px)
        return np.tile(chance / chance.sum(), (len(foot_px), 1))

    return read


@pytest.mark.parametrize(("seen_deg", "facing_deg"), [(0, 0), (90, 270), (180, 180), (270, 90)])
def test_who_faces_the_camera_faces_down_the_table(standing, seen_deg, facing_deg):
    """The camera stands before the middle of this table, so that right is +x and away from it +y."""
    say_figure(standing, (160, 100), "foot")
    (man,) = find_figures(standing, standing, (), ("red", "blue"), read=facing(seen_deg))
    assert np.cos(np.radians(man.facing_deg - facing_deg)) == pytest.approx(1, abs=1e-3)


def test_a_doubtful_direction_is_not_told_nor_that_of_a_base(standing):
    doubtful = np.full((1, directions.COUNT), 1 / directions.COUNT)
    say_figure(standing, (160, 100), "foot")
    (man,) = find_figures(standing, standing, (), ("red", "blue"), read=lambda *_: doubtful)
    (base,) = find_figures(standing, standing, (), ("red", "blue"), ("base",), facing(0))
    assert man.facing_deg is None
    assert base.facing_deg is None


def test_of_a_man_and_a_gun_that_may_face_either_way_the_gun_is_told(standing):
    likely = np.full((2, directions.COUNT), 0.4 / (directions.COUNT - 1))
    likely[:, 0] = 0.6
    for x, kind in ((100, "foot"), (220, "gun")):
        say_figure(standing, (x, 100), kind)
    told = find_figures(standing, standing, (), ("red", "blue"), read=lambda *_: likely)
    assert {figure.cls: figure.facing_deg is None for figure in told} == {"foot": True, "gun": False}


def test_a_small_box_that_touches_a_large_sheet_is_found_beside_it(glance):
    say_terrain(glance, Polygon([(40, 40), (280, 40), (280, 150), (40, 150)]), "napkin", 1.0)
    say_terrain(glance, Polygon([(120, 150), (184, 150), (184, 198), (120, 198)]), "box", 40.0)
    assert {piece.cls for piece in find_terrain(glance)} == {"napkin", "box"}
