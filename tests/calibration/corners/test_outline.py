"""A sheet by its four sides, where its corners are covered or out of the picture."""

import cv2
import numpy as np
import pytest

from calibration.corners.outline import outlines
from calibration.corners.sheet_corners import find_sheet_corners
from calibration.edges.long_edge import LongEdge, long_edges
from calibration.fit.planar import cross
from calibration.lens import Lens
from tests.calibration.table_picture import a_camera, a_lens, shoot

SIZE = (1280, 720)
# Near left, near right, far right, far left.
QUAD = np.array([[150, 640], [1150, 600], [950, 120], [330, 100]], float)


def side(start, end, left=0.05, right=0.95, rise=80.0, points=80):
    """An edge over a part of a side, light on its left."""
    share = np.linspace(left, right, points)[:, None]
    return LongEdge(start + share * (end - start), 0.1, rise)


def sides(quad, **part):
    return [side(quad[k], quad[(k + 1) % 4], **part) for k in range(4)]


def test_four_sides_make_a_sheet_whose_corners_are_covered():
    found = outlines(sides(QUAD, left=0.15, right=0.85), SIZE)
    assert np.allclose(found[0].corners, QUAD, atol=0.5)


def test_a_dark_sheet_on_light_is_one_too():
    turned = [LongEdge(edge.points_px[::-1], 0.1, 80.0) for edge in sides(QUAD)]
    assert np.allclose(outlines(turned, SIZE)[0].corners, QUAD, atol=0.5)


def test_a_small_picture_s_sides_have_few_points():
    small = QUAD / 16
    assert np.allclose(outlines(sides(small, points=5), (80, 45))[0].corners, small, atol=0.5)


def test_a_corner_may_lie_out_of_the_picture():
    quad = QUAD + np.array([[-200, 20], [0, 0], [0, 0], [0, 0]])
    seen = [LongEdge(e.points_px[(e.points_px > 0).all(axis=1)], 0.1, 80.0) for e in sides(quad, left=0, right=1)]
    assert np.allclose(outlines(seen, SIZE)[0].corners, quad, atol=0.5)


def test_two_pieces_of_a_side_count_together():
    start, end = QUAD[0], QUAD[1]
    pieces = [side(start, end, 0.02, 0.4), side(start, end, 0.7, 0.98)]
    assert np.allclose(outlines([*pieces, *sides(QUAD)[1:]], SIZE)[0].corners, QUAD, atol=0.5)


def test_a_faint_line_beside_a_side_is_not_taken_for_it():
    beyond = side(QUAD[1] + (40, 0), QUAD[2] + (40, 0), 0.0, 1.0, rise=12.0)
    assert np.allclose(outlines([beyond, *sides(QUAD)], SIZE)[0].corners, QUAD, atol=0.5)


def frame_of(quad, share=0.02):
    """A frame printed within a sheet, a fiftieth of its size from its sides."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    whole = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
    inner = square * (1 - 2 * share) + share
    return cv2.perspectiveTransform(inner[None].astype(float), whole)[0]


def test_a_frame_that_stands_out_more_is_not_the_sheet():
    frame = frame_of(QUAD)
    found = outlines([*sides(QUAD, rise=30.0), *sides(frame, rise=90.0)], SIZE)
    assert np.allclose(found[0].corners, QUAD, atol=0.5)
    assert not found[0].margin.any()


@pytest.mark.parametrize("missing", range(4))
def test_where_a_side_does_not_show_its_frame_is_told_to_be_doubtful(missing):
    frame = frame_of(QUAD)
    shown = [edge for k, edge in enumerate(sides(QUAD)) if k != missing]
    found = outlines([*shown, *sides(frame)], SIZE)[0]
    way = QUAD[(missing + 1) % 4] - QUAD[missing]
    apart_px = np.abs(cross(way, frame[[missing, (missing + 1) % 4]] - QUAD[missing])) / np.hypot(*way)
    assert found.margin[missing] == pytest.approx(apart_px.max(), rel=0.25)
    assert not np.delete(found.margin, missing).any()


@pytest.mark.parametrize("faint", range(4))
def test_a_side_that_shows_in_part_only_is_doubtful_where_its_frame_was_taken(faint):
    """A map was 11 mm off for it, 1.3 stated."""
    frame, outer = frame_of(QUAD), sides(QUAD)
    outer[faint] = side(QUAD[faint], QUAD[(faint + 1) % 4], 0.2, 0.78)
    found = outlines([*outer, *sides(frame, left=0.0, right=1.0)], SIZE)[0]
    assert not np.allclose(found.corners, QUAD, atol=2)
    assert found.margin[faint] > 5
    assert not np.delete(found.margin, faint).any()


def test_a_grain_of_the_table_is_no_wider_sheet():
    grain = side(QUAD[2] + (60, -8), QUAD[3] + (-60, -30), 0.0, 1.0)
    found = outlines([grain, *sides(QUAD)], SIZE)
    assert np.allclose(found[0].corners, QUAD, atol=0.5)


def test_an_edge_that_strays_at_its_end_tells_its_side():
    near = side(QUAD[0], QUAD[1], 0.0, 1.0)
    strayed = QUAD[1] + np.outer(np.arange(1, 25), (6.0, 1.0))
    long = LongEdge(np.concatenate([near.points_px, strayed]), 0.1, 80.0)
    assert np.allclose(outlines([long, *sides(QUAD)[1:]], SIZE)[0].corners, QUAD, atol=0.5)


def test_what_the_picture_shows_of_a_side_is_asked_of_the_bent_picture():
    """Only a third of the near side is seen: the lens bends the rest of it out of the picture."""
    seen = [side(QUAD[0], QUAD[1], 0.0, 0.35), *sides(QUAD)[1:]]

    def bent(px):
        return px + np.c_[np.zeros(len(px)), np.where((px[:, 0] > 500) & (px[:, 1] > 600), 120, 0)]

    assert not outlines(seen, SIZE)
    assert np.allclose(outlines(seen, SIZE, bent)[0].corners, QUAD, atol=0.5)


@pytest.mark.parametrize("missing", range(4))
def test_three_sides_make_none(missing):
    assert not outlines([edge for k, edge in enumerate(sides(QUAD)) if k != missing], SIZE)


@pytest.mark.parametrize("k1", [0.0, -0.15])
def test_the_sheet_is_found_through_a_bent_lens_with_pieces_on_two_corners(k1):
    lens = a_lens(SIZE, (k1, 0.0, 0.0, 0.0, 0.0))
    camera = a_camera(55, 620, 5, 10, lens=lens, aim_mm=(210, 150))
    sheet = np.full((297 * 3, 420 * 3), 200, np.uint8)
    for x, y in ((0, 0), (420, 297)):
        cv2.circle(sheet, (x * 3, (297 - y) * 3), 40, 60, -1, cv2.LINE_AA)
    picture = shoot(camera, sheet, 3, rays=2, beyond=60)
    seen = find_sheet_corners(picture, (420, 297), Lens.unknown(SIZE))
    assert np.abs(camera.to_image(seen.table_mm) - seen.image_px).max() < 1.5
    assert len(long_edges(picture)) >= 4


def on_a_board(beyond_mm, camera):
    """A sheet of 420 x 297 mm on a board that ends with it but on the far side."""
    ground = np.full((1400, 1300), 70, np.uint8)
    for far_mm, gray in ((297 + beyond_mm, 110), (297, 170)):
        ground[1200 - 2 * far_mm : 1200, 200:1040] = gray
    return shoot(camera, ground, 2, (-100, -100), rays=2, beyond=60)


@pytest.mark.parametrize(("beyond_mm", "is_doubtful"), [(0, False), (60, True)])
def test_another_outline_that_is_seen_as_well_puts_the_corners_in_doubt(beyond_mm, is_doubtful):
    """A joint of the planks beyond a map was taken for its far side: 72 mm off, 6 stated."""
    camera = a_camera(25, 700, 3, 5, lens=a_lens(SIZE), aim_mm=(210, 150))
    seen = find_sheet_corners(on_a_board(beyond_mm, camera), (420, 297), Lens.unknown(SIZE))
    off_px = np.hypot(*(seen.image_px - camera.to_image(seen.table_mm)).T)
    assert (off_px[:2].max() > 20) == is_doubtful
    assert (off_px < 2.45 * seen.sigma_px).all()
    assert seen.sigma_px[2:].max() < 1


def test_a_sheet_that_stands_out_whole_is_found_through_a_bent_lens():
    """Its right side runs so far aside that no outline is made of sides; lines along bent ones met 1.5 px off."""
    lens = a_lens(SIZE, (-0.12, 0.02, 0.0, 0.0, 0.0))
    camera = a_camera(26, 750, 0, 34, lens=lens, aim_mm=(210, 150))
    seen = find_sheet_corners(on_a_board(0, camera), (420, 297), Lens.unknown(SIZE))
    assert np.abs(camera.to_image(seen.table_mm) - seen.image_px).max() < 0.3
