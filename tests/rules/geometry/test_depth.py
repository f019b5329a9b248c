"""How deep a segment runs in an area, against cutting the area to the strip beside the segment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, MultiPoint, box
from shapely.affinity import rotate, translate

from rules.geometry.depth import depth_mm

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
