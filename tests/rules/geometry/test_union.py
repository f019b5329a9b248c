"""Many outlines as one area: against shapely's own union, and by hand where outlines barely meet."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, box

from rules.geometry.union import GRID_MM, _fewer, _loops, united

ORIGIN = (0.0, 0.0)


def outlines_of(polygons):
    """The corners of polygons without holes, counter-clockwise, and where each begins."""
    rings = [shapely.get_coordinates(polygon.exterior)[:-1] for polygon in shapely.orient_polygons(polygons)]
    first = np.cumsum([0, *map(len, rings)])
    return np.concatenate([np.empty((0, 2)), *rings]), first


def union_of(polygons, holes=(), speck_mm2=0.0):
    return united(*outlines_of(polygons), holes, ORIGIN, speck_mm2)


def test_squares_that_overlap():
    area = union_of([box(0, 0, 10, 10), box(5, 5, 15, 15), box(40, 0, 50, 10)])
    assert area.area == pytest.approx(100 + 75 + 100)
    assert len(area.geoms) == 2
    # Corners on the grid stay where they are, to the last bit.
    assert area.bounds == (0, 0, 50, 15)


def test_a_ring_of_strips_keeps_its_hole_and_what_stands_in_it():
    strips = [box(0, 0, 30, 5), box(0, 25, 30, 30), box(0, 0, 5, 30), box(25, 0, 30, 30), box(12, 12, 18, 18)]
    area = union_of(strips)
    assert area.area == pytest.approx(30 * 30 - 20 * 20 + 36)
    assert sorted(len(part.interiors) for part in area.geoms) == [0, 1]


def test_holes_are_left_out():
    lake = Point(10, 10).buffer(4) - Point(10, 10).buffer(2)
    area = union_of([box(0, 0, 20, 20)], [lake, box(18, -5, 40, 5), box(100, 100, 110, 110)])
    assert area.area == pytest.approx(400 - lake.area - 10)
    assert area.contains(Point(10, 10)) and not area.contains(Point(13, 10))


def test_specks_go():
    crumbs = [box(0, 0, 10, 10), box(20, 0, 20.1, 0.1)]
    assert len(union_of(crumbs).geoms) == 2
    assert len(union_of(crumbs, speck_mm2=0.05).geoms) == 1
    pinhole = union_of([box(0, 0, 10, 10)], [box(5, 5, 5.1, 5.1)], speck_mm2=0.05)
    assert not pinhole.geoms[0].interiors


def test_nothing():
    assert union_of([]).is_empty
    thin = Polygon([(0, 0), (10, 0), (5, GRID_MM / 8)])
    assert union_of([thin]).is_empty
    assert union_of([box(0, 0, 1, 1)], [box(-1, -1, 2, 2)]).is_empty


def test_corners_that_meet_leave_a_valid_area():
    area = union_of([box(0, 0, 10, 10), box(10, 10, 20, 20), box(0, 10, 10, 20), box(10, 0, 20, 10)], [box(4, 4, 6, 6)])
    assert area.is_valid and area.area == pytest.approx(400 - 4)
    bow = union_of([box(0, 0, 10, 10), box(10, 10, 20, 20)])
    assert bow.is_valid and bow.area == pytest.approx(200)


shards = st.lists(
    st.tuples(st.floats(-80, 80), st.floats(-80, 80), st.floats(1, 40), st.integers(3, 12)), min_size=1, max_size=12
)


@settings(max_examples=60, deadline=None)
@given(shards, shards)
def test_as_shapely_unites(lit, shut):
    def shapes(rows):
        return [Polygon([(x + r * np.cos(t), y + r * np.sin(t)) for t in np.arange(n) * 2.4]) for x, y, r, n in rows]

    # Stars that cross themselves become their hulls: outlines are simple.
    outlines, holes = ([shape.convex_hull for shape in shapes(rows)] for rows in (lit, shut))
    merged = shapely.get_parts(shapely.union_all(holes)).tolist()
    area = union_of(outlines, merged)
    expected = shapely.union_all(outlines) - shapely.union_all(holes)
    assert area.is_valid
    assert area.symmetric_difference(expected).area < 1e-2


def many_discs(number):
    """Discs along a spiral, each over a dozen neighbours, and now and then what is but a line on the grid."""
    turns = np.arange(number) / 12
    discs = [Point(4 * t * np.cos(t), 4 * t * np.sin(t)).buffer(14) for t in turns]
    return [Polygon([(0, 0), (10, 0), (5, GRID_MM / 8)]) if n % 150 < 70 else disc for n, disc in enumerate(discs)]


def test_many_outlines_are_what_one_sweep_makes_of_them(monkeypatch):
    discs, hole = many_discs(500), box(-20, -20, 20, 3)
    area = union_of(discs, [hole], speck_mm2=0.05)
    monkeypatch.setattr("rules.geometry.union._AT_ONCE", len(discs))
    at_once = union_of(discs, [hole], speck_mm2=0.05)
    assert len(shapely.get_coordinates(area)) == len(shapely.get_coordinates(at_once))
    assert area.hausdorff_distance(at_once) < 3 * GRID_MM


def test_of_many_outlines_that_overlap_few_corners_are_left_for_the_last_sweep():
    outlines, first = outlines_of(many_discs(500))
    left = _fewer(_loops(outlines, first, ORIGIN))
    assert len(left) < 500 and sum(len(list(loop)) for loop in left) < len(outlines) / 3
