"""Oval bases: distances, contact and ways count from the oval, not from the round base of the same area."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, box
from shapely.affinity import rotate, scale

from rules.games.osmcg.ground import Base, Mover, Near
from rules.games.osmcg.units import Unit
from rules.games.osmcg.ways import way_to
from tests.rules.games.osmcg.builders import base as round_piece


def piece(id_, x, y, long_mm=75.0, broad_mm=42.0, turn_deg=0.0, **more):
    disc = scale(Point(x, y).buffer(1, 64), long_mm / 2, broad_mm / 2)
    return replace(round_piece(id_, x, y, **more), footprint=rotate(disc, turn_deg))


def test_gaps_count_from_the_ends_and_sides_of_an_oval():
    along, across = Unit(piece("o", 100, 100), {}), Unit(piece("o", 100, 100, turn_deg=90), {})
    other = Unit(round_piece("r", 180, 100, radius=12.5), {})
    assert along.gap_mm(other) == pytest.approx(80 - 37.5 - 12.5, abs=0.02)
    assert across.gap_mm(other) == pytest.approx(80 - 21 - 12.5, abs=0.02)
    assert other.gap_mm(across) == pytest.approx(across.gap_mm(other), abs=0.001)
    slanting = Unit(piece("o", 100, 100, turn_deg=30), {})
    assert slanting.gap_mm(other) == pytest.approx(slanting.oval.distance(Point(other.at)) - 12.5, abs=0.02)
    assert along.gap_to_mm((100, 130)) == pytest.approx(9, abs=0.02)


def test_overlapping_ovals_lie_as_deep_in_one_another_as_they_would_have_to_part():
    one, other = Unit(piece("a", 100, 100), {}), Unit(piece("b", 100, 138), {})
    assert one.gap_mm(other) == pytest.approx(-4, abs=0.02)


def test_a_round_base_and_one_whose_radius_the_state_tells_are_round():
    assert Unit(round_piece("r", 0, 0), {}).oval is None
    assert Unit(piece("o", 0, 0), {"radius_mm": 20}).oval is None
    square = replace(round_piece("q", 0, 0), footprint=box(-40, -20, 40, 20))
    assert Unit(square, {}).oval is None


@pytest.mark.parametrize(("turn_deg", "opens"), [(0.0, False), (90.0, True)])
def test_the_way_past_an_oval_is_open_on_its_narrow_side(turn_deg, opens):
    oval = Unit(piece("o", 100, 100, turn_deg=turn_deg), {}).oval
    mover = Mover((130, 30), 12.5, 200, False, False)
    # Beside its middle a wall leaves 50 mm: room for a base of 25 mm past 21 mm of it and not past 37.5.
    walls = (box(150, -50, 160, 300), box(-10, 95, 60, 105))
    near = Near(mover, (Base((100, 100), 28, True, oval),), walls, box(0, 0, 300, 300))
    way = way_to((130, 170), 200, near, 0.0)
    assert (way is not None) == opens


def test_the_unit_is_as_large_as_its_oval_in_every_direction():
    oval = Unit(piece("o", 50, 60, turn_deg=45), {})
    ways = np.array([(1, 1), (1, -1)]) / np.sqrt(2)
    assert oval.reach_mm(ways) == pytest.approx([37.5, 21], abs=0.02)
    assert oval.farthest_mm == pytest.approx(37.5, abs=0.02)
    assert oval.far_side_mm((50, 60)) == pytest.approx(37.5, abs=0.02)
