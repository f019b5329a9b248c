"""Obstacles with longer chords: inside the obstacle, as near to it as is told, and with corners of its own only."""

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, box
from shapely.affinity import rotate

from rules.geometry.chords import with_longer_chords

places = st.floats(-40, 40)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(places, places, st.floats(2, 30)), min_size=1, max_size=4), st.floats(0.02, 0.3))
def test_inside_and_near(discs, sagitta_mm):
    union = shapely.union_all([Point(x, y).buffer(radius, 24) for x, y, radius in discs])
    for solid in shapely.get_parts(union):
        coarse = with_longer_chords(solid, sagitta_mm)
        assert coarse.is_valid
        assert coarse.difference(solid).area < 1e-9
        rim = shapely.points(shapely.get_coordinates(solid))
        assert shapely.distance(coarse, rim).max() <= sagitta_mm + 1e-9
        corners = shapely.get_coordinates(solid)
        assert all((np.abs(corners - corner).sum(axis=1) == 0).any() for corner in shapely.get_coordinates(coarse))


@pytest.mark.parametrize(("radius_mm", "most"), [(11, 45), (22, 60), (100, 130)])
def test_a_disc_needs_few(radius_mm, most):
    """A chord of sagitta s spans 2 acos(1 - s / r): no more than twice as many corners as that takes."""
    disc = Point(0, 0).buffer(radius_mm, 128)
    assert len(with_longer_chords(disc, 0.06).exterior.coords) < most


def test_sharp_corners_and_holes_stay():
    walls = rotate(box(0, 0, 50, 8), 17)
    assert shapely.normalize(with_longer_chords(walls, 0.06)).equals(shapely.normalize(walls))
    ring = Point(0, 0).buffer(30, 64) - Point(0, 0).buffer(20, 64)
    coarse = with_longer_chords(ring, 0.06)
    assert len(coarse.interiors) == 1
    # A hole's rim bends away from the solid: a chord there would add to it.
    assert len(coarse.interiors[0].coords) == len(ring.interiors[0].coords)
    assert isinstance(with_longer_chords(Point(0, 0).buffer(0.01), 0.06), Polygon)
