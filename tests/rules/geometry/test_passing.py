"""How lines pass areas, against the library that all other geometry is made with."""

import random

import numpy as np
import pytest
import shapely
from shapely import LineString, Point, Polygon, box
from shapely.affinity import rotate

from rules.geometry.depth import depth_mm, entry_of, rings_of
from rules.geometry.passing import BESIDE, THROUGH, UNSURE, areas_of, passed

NEAR_MM = 5.0
U_SHAPE = Polygon([(0, 0), (60, 0), (60, 50), (50, 50), (50, 10), (10, 10), (10, 50), (0, 50)])


def some_areas(rng):
    shapes = [box(0, 0, 40, 25), Point(0, 0).buffer(30, 16), Point(0, 0).buffer(30) - box(-8, -8, 8, 8), U_SHAPE]
    turned = [rotate(shape, rng.uniform(0, 360)) for shape in shapes]
    return [shapely.affinity.translate(one, rng.uniform(50, 250), rng.uniform(50, 250)) for one in turned]


def asked(line, areas):
    """How a line passes each area, and the measures of those it goes through."""
    shapes = np.array(areas, object)
    which, where = passed(areas_of(shapes), np.array([(*line[0], *line[1])], float), np.full((1, len(areas)), NEAR_MM))
    return {area: (how, row.tolist()) for (_, area, how), row in zip(which.tolist(), where, strict=True)}


@pytest.mark.parametrize("seed", range(60))
def test_as_shapely_says(seed):
    rng = random.Random(seed)
    areas, ends = some_areas(rng), [(rng.uniform(0, 300), rng.uniform(0, 300)) for _ in range(2)]
    line, found = LineString(ends), asked(ends, areas)
    for number, area in enumerate(areas):
        how, (depth, *entries) = found.get(number, (None, [None] * 5))
        assert how != UNSURE
        assert (how == THROUGH) == line.relate_pattern(area, "T********")
        assert (how is not None) == area.dwithin(line, NEAR_MM)
        if how == THROUGH:
            there, back = (entry_of(way, area, rings_of(area)) for way in (line, line.reverse()))
            assert (depth, entries) == (depth_mm(line, area), [there.x, there.y, back.x, back.y])


@pytest.mark.parametrize(
    ("line", "how"),
    [
        (((-20, 10), (20, 10)), THROUGH),
        (((5, 5), (20, 20)), THROUGH),
        (((-20, -4), (80, -4)), BESIDE),
        (((-20, -6), (80, -6)), None),
        (((-20, -5), (80, -5)), UNSURE),
        (((-20, 0), (80, 0)), UNSURE),
        (((-20, 20), (20, -20)), UNSURE),
        (((-20, 10), (0, 10)), UNSURE),
        (((10, 10), (10, 10)), UNSURE),
    ],
)
def test_of_a_box_and_what_only_touches_it_is_in_doubt(line, how):
    assert asked(line, [box(0, 0, 40, 25)]).get(0, (None,))[0] == how


def test_an_area_whose_outline_is_not_simple_is_in_doubt():
    spike = Polygon([(0, 0), (40, 0), (40, 60), (40, 25), (0, 25)])
    assert asked(((0, 50), (80, 50)), [spike])[0][0] == UNSURE
