"""Regions that are known before they are drawn, against the same ones drawn."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, box

from rules.game import RegionRuling
from rules.geometry import region as regions
from rules.geometry.ground import mixed_region
from rules.geometry.levels import Ground
from rules.geometry.region import Drawn

TABLE = box(0, 0, 400, 400)
OPEN = 1 / 100.0
# Outlines go so far into obstacles: what is nearer to the limit than this may be told either way.
RIM_MM = 0.1

places = st.tuples(st.floats(5, 395), st.floats(5, 395))


def a_region(start=(200.0, 200.0), obstacles=(), budget=1.0):
    woods = [Ground(box(150, 210, 260, 290), OPEN * 3), Ground(box(0, 120, 400, 140), OPEN / 2)]
    return mixed_region(start, woods, OPEN, list(obstacles), TABLE, budget)


@settings(max_examples=60, deadline=None)
@given(places, st.lists(places, max_size=8), st.lists(places, min_size=1, max_size=8), st.floats(0.5, 40))
def test_who_is_near_is_who_is_near_the_drawn_region(start, bars, others, within_mm):
    obstacles = [bar for bar in (Point(at).buffer(20) for at in bars) if bar.distance(Point(start)) > 0.01]
    region = a_region(start, obstacles)
    shapes = [Point(at).buffer(9) for at in others]
    rings = [shape.difference(Point(at).buffer(6)) for shape, at in zip(shapes, others, strict=True)]
    for asked in (shapes, rings):
        for shape, near in zip(asked, region.near(asked, within_mm).tolist(), strict=True):
            gap_mm = shape.distance(region.area)
            if abs(gap_mm - within_mm) > RIM_MM:
                assert near == (gap_mm < within_mm)
            assert Drawn(region.area).near([shape], within_mm)[0] == region.area.dwithin(shape, within_mm)


@settings(max_examples=60, deadline=None)
@given(places, st.lists(places, max_size=10), st.floats(0, 1))
def test_whether_it_is_empty_and_how_far_it_goes(start, bars, budget):
    region = a_region(start, [Point(at).buffer(20) for at in bars], budget)
    assert region.is_empty == region.area.is_empty
    if region.area.is_empty:
        assert Drawn(region.area).farthest_mm(start) == -math.inf
    else:
        corners = shapely.get_coordinates(region.area)
        drawn_mm = float(np.hypot(*(corners - start).T).max())
        assert drawn_mm - 1e-5 <= region.farthest_mm(start) <= drawn_mm + 2 * RIM_MM


def test_a_start_shut_in_all_round_is_drawn_before_it_is_called_empty():
    ring = Point(200, 200).buffer(60) - Point(200, 200).buffer(0.05)
    region = a_region(obstacles=[ring])
    assert region.is_empty and region.area.is_empty
    assert not region.near([box(0, 0, 10, 10)], 5.0).any()


def test_who_starts_off_the_table_where_he_cannot_come_in():
    region = a_region((-150.0, 200.0))
    assert region.is_empty == region.area.is_empty


def test_it_is_drawn_once_and_not_before_somebody_looks(monkeypatch):
    drawn, united = [], regions.united
    monkeypatch.setattr(regions, "united", lambda *given: drawn.append(given) or united(*given))
    region = a_region()
    ruling = RegionRuling("reach", "s", "yes", "OMOG-2.5", "may", draw=lambda: region.area)
    assert not region.is_empty and region.near([box(190, 190, 195, 195)], 1.0).all()
    assert [mark.role for mark in ruling.marks] == ["reach"] and not drawn
    assert ruling.geometry is ruling.marks[0].shape and len(drawn) == 1
    assert ruling == RegionRuling("reach", "s", "yes", "OMOG-2.5", "may", draw=lambda: region.area)
    assert ruling != RegionRuling("reach", "s", "yes", "OMOG-2.5", "may", draw=Polygon)


@pytest.mark.parametrize("region", [Drawn(Polygon()), a_region(obstacles=[TABLE])])
def test_nothing(region):
    assert region.is_empty and region.area.is_empty
    assert not region.near([box(0, 0, 10, 10)], 1000.0).any() and not len(region.near([], 1.0))
    assert region.farthest_mm((0.0, 0.0)) == -math.inf
