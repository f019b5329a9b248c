"""Outlines lose only what says nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon

from rules.geometry.outline import straightened

SQUARE = [(0, 0), (10, 0), (10, 10), (0, 10)]


@pytest.mark.parametrize(
    ("outline", "left"),
    [
        (SQUARE, SQUARE),
        ([(0, 0), (3, 0), (7, 0), (10, 0), (10, 10), (0, 10)], SQUARE),
        ([(0, 0), (10, 0), (10, 0), (10, 10), (10, 10), (0, 10)], SQUARE),
        # A tenth of a millimetre aside is a corner, a tenth of a millionth is none.
        ([(0, 0), (5, 0.1), (10, 0), (10, 10)], [(0, 0), (5, 0.1), (10, 0), (10, 10)]),
        ([(0, 0), (5, 1e-7), (10, 0), (10, 10)], [(0, 0), (10, 0), (10, 10)]),
        # A spike stays: what it bounds is the union's to say.
        ([(0, 0), (10, 0), (5, 0), (5, 5)], [(0, 0), (10, 0), (5, 0), (5, 5)]),
        ([(1, 2)], [(1, 2)]),
    ],
)
def test_by_hand(outline, left):
    assert straightened(np.array(outline, float)).tolist() == np.array(left, float).tolist()


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(4, 40), st.integers(1, 9))
def test_a_polygon_with_points_on_its_sides_is_the_same_polygon(seed, corners, between):
    rng = np.random.default_rng(seed)
    turns = (np.arange(corners) + rng.uniform(0, 0.9, corners)) * 2 * np.pi / corners
    star = np.column_stack((np.cos(turns), np.sin(turns))) * rng.uniform(20, 200, (corners, 1))
    after = np.roll(star, -1, axis=0)
    shares = np.linspace(0, 1, between, endpoint=False)[None, :, None]
    dense = (star[:, None] + shares * (after - star)[:, None]).reshape(-1, 2)
    left = straightened(dense)
    assert len(left) <= corners + between
    assert Polygon(left).symmetric_difference(Polygon(star)).area < 1e-3
