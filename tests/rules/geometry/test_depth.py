"""How deep a segment runs in an area, against cutting the area to the strip beside the segment."""

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, MultiPoint, Point, box
from shapely.affinity import rotate, translate

from rules.geometry.depth import depth_mm, entry_of, rings_of

# No corner lies level with an end of the segment: there rounding decides.
numbers = st.integers(-60, 60).map(lambda number: number + 0.5)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=8), st.floats(0, 360), numbers)
def test_against_the_strip_beside_it(points, turn_deg, shift):
    area = MultiPoint(points).convex_hull
    if area.geom_type != "Polygon" or area.area < 1:
        return
    strip = area & box(0, -500, 50, 500)
    low, high = (strip.bounds[1], strip.bounds[3]) if not strip.is_empty else (0.0, 0.0)
    line = LineString([(0, 0), (50, 0)])
    moved = [translate(rotate(one, turn_deg, origin=(0, 0)), shift, -shift) for one in (line, area)]
    assert depth_mm(*moved) == pytest.approx(max(0.0, min(high, -low)), abs=1e-6)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=8), st.tuples(numbers, numbers))
def test_where_it_is_entered(points, start):
    area, line = MultiPoint(points).convex_hull, LineString([start, (0, 0)])
    if area.geom_type != "Polygon" or area.area < 1:
        return
    where, met = entry_of(line, area, rings_of(area)), line & area
    assert (where is None) == met.is_empty
    if where is not None:
        assert where.distance(Point(start)) == pytest.approx(met.distance(Point(start)), abs=1e-9)


def test_a_hole_is_no_area():
    ring = box(0, 0, 40, 40) - box(10, 10, 30, 30)
    line = LineString([(20, 20), (20, 60)])
    assert shapely.equals_exact(entry_of(line, ring, rings_of(ring)), Point(20, 30), 1e-9)
