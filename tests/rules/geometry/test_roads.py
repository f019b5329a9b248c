"""Road networks, what discs leave of them, and ways through them; figures worked out by hand or by sampling."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point

from rules.geometry.cuts import cut, holes_of
from rules.geometry.discs import half_cover_distance_mm, lens_area_mm2
from rules.geometry.open_ground import clearing
from rules.geometry.road_way import shortest_way
from rules.geometry.roads import RoadPoint, road_network


def cut_at(network, centre, radius, holes=(), window=None):
    return cut(network, np.array([centre], float), np.array([radius], float), holes_of(list(holes)), window)


def part_at(network, centre, radius, holes=()):
    left = cut_at(network, centre, radius, holes)
    return left.where(left.holding(network.nearest(centre, radius)))


STRAIGHT = road_network([LineString([(0, 0), (100, 0)])])
CROSS = road_network([LineString([(-50, 0), (0, 0), (50, 0)]), LineString([(0, -50), (0, 0), (0, 50)])])


def test_vertices_join_and_crossings_do_not():
    bridge = road_network([LineString([(-50, 0), (50, 0)]), LineString([(0, -50), (0, 50)])])
    assert part_at(CROSS, (10, 0), 30).lines.length == pytest.approx(60 - 0 + 2 * math.sqrt(30**2 - 10**2))
    assert part_at(bridge, (10, 0), 30).lines.length == pytest.approx(60)


def test_of_many_frames_a_point_is_held_by_pieces_of_its_own_alone():
    centres, radii = np.array([(-30.0, 0), (10, 0), (30, 0)]), np.array([15.0, 30, 15])
    together = cut(CROSS, centres, radii)
    point = CROSS.nearest((10, 0), 30)
    for frame, (centre, radius) in enumerate(zip(centres, radii, strict=True)):
        held, alone = together.holding(point, frame), cut_at(CROSS, centre, radius)
        assert set(together.frame[held]) <= {frame}
        assert held[together.frame == frame].tolist() == alone.holding(point).tolist()


def test_stretches_without_length_and_doubles_are_dropped():
    network = road_network([LineString([(0, 0), (0, 0), (9, 0)]), LineString([(9, 0), (0, 0)])])
    assert len(network) == 1 and network.road.tolist() == [0]


def test_a_map_without_roads():
    network = road_network([])
    assert len(network) == 0 and network.nearest((0, 0), 100) is None
    assert len(cut_at(network, (0, 0), 100)) == 0


def test_of_equally_near_roads_the_first_is_the_nearest():
    roads = [LineString([(0, 5), (100, 5)]), LineString([(0, -5), (100, -5)])]
    assert road_network(roads).nearest((50, 0), 9) == RoadPoint(0, 0.5, (50.0, 5.0), 5.0)
    assert road_network(roads[::-1]).nearest((50, 0), 9).at_mm == (50.0, -5.0)


def test_the_nearest_point_under_a_disc_is_not_that_of_the_whole_road():
    found = STRAIGHT.nearest_under((30, 8), (50, 3), 10)
    assert found.at_mm[0] == pytest.approx(50 - math.sqrt(100 - 9))


@pytest.mark.parametrize(
    ("hole", "length"),
    [
        (((50, 0), 10), 80),  # across the middle
        (((50, 10), 10), 100),  # touching
        (((50, 6), 10), 84),  # a chord of 16
        (((0, 0), 10), 90),  # over the end
        (((-10, 0), 10), 100),  # touching the end
        (((50, 0), 60), 0),  # over all of it
    ],
)
def test_a_hole_takes_its_chord_and_a_touch_takes_nothing(hole, length):
    assert cut_at(STRAIGHT, (50, 0), 200, [hole]).lines.length == pytest.approx(length)


def test_overlapping_and_touching_holes():
    left = cut_at(STRAIGHT, (50, 0), 200, [((40, 0), 10), ((45, 0), 10), ((60, 0), 5)])
    # 30 to 50 and 35 to 55 overlap, 55 to 65 touches them in a point, which is left.
    assert left.lines.length == pytest.approx(65)
    assert sorted(x for x, _ in left.ends_mm) == pytest.approx([30, 55, 55, 65])


def test_a_frame_keeps_its_closed_disc_and_the_window_its_closed_table():
    assert cut_at(STRAIGHT, (50, 30), 50).lines.length == pytest.approx(80)
    assert cut_at(STRAIGHT, (50, 0), 50).lines.length == pytest.approx(100)
    assert cut_at(STRAIGHT, (50, 0), 50, window=(70, 10)).lines.length == pytest.approx(70)
    assert len(cut_at(STRAIGHT, (50, 0), 50, window=(100, -1))) == 0


def test_a_junction_inside_a_hole_joins_nothing():
    left = cut_at(CROSS, (0, 0), 100, [((0, 0), 5)])
    assert len(set(left.part.tolist())) == 4


def test_a_junction_on_the_edge_of_a_hole_still_joins():
    left = cut_at(CROSS, (0, 0), 100, [((5, 0), 5)])
    assert len(set(left.part[left.low < left.high].tolist())) == 2  # the three other arms, and the one beyond the hole


def test_frames_do_not_mix():
    both = cut(CROSS, np.array([(0.0, 30.0), (0.0, -30.0)]), np.array([20.0, 20.0]))
    assert both.frame.tolist() == sorted(both.frame.tolist())
    assert not set(both.part[both.frame == 0]) & set(both.part[both.frame == 1])


coordinate = st.floats(-60, 60).map(lambda v: round(v, 2))
point = st.tuples(coordinate, coordinate)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(point, st.floats(1, 25)), max_size=6), st.floats(5, 80))
def test_what_is_left_is_what_shapely_leaves(holes, radius):
    # Polygons of 4,096 corners stand for the discs: each chord is wrong by a micrometre at most, unless it hardly
    # touches, when rounding to 0.01 mm keeps it off by more than that or exactly at a touch.
    left = cut_at(CROSS, (0, 0), radius, holes).lines
    expected = (
        LineString([(-50, 0), (50, 0)]).union(LineString([(0, -50), (0, 50)])).intersection(_disc((0, 0), radius))
    )
    for centre, size in holes:
        expected = expected.difference(_disc(centre, size))
    assert left.length == pytest.approx(expected.length, abs=0.5)
    for x, y in shapely.get_coordinates(left):
        assert math.hypot(x, y) <= radius + 1e-6
        assert all(math.dist((x, y), centre) >= size - 1e-6 for centre, size in holes)


def _disc(centre, radius):
    return Point(centre).buffer(radius, 1024)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(point, st.floats(1, 25)), max_size=5), st.floats(5, 60), st.floats(0, 20))
def test_a_larger_disc_never_shrinks_what_is_reached(holes, radius, more):
    kept = [hole for hole in holes if math.dist(hole[0], (0, 0)) >= hole[1]]
    small, large = (part_at(CROSS, (0, 0), size, kept).lines for size in (radius, radius + more))
    assert small.difference(large.buffer(1e-6)).length < 1e-6


# Discs ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("distance", "r", "s"), [(0, 3, 5), (2, 3, 5), (4, 3, 5), (7.9, 3, 5), (8, 3, 5), (5, 4, 4)])
def test_the_area_of_a_lens(distance, r, s):
    polygons = _disc((0, 0), r).intersection(_disc((distance, 0), s))
    assert lens_area_mm2(distance, r, s) == pytest.approx(polygons.area, rel=1e-5, abs=1e-4)


@pytest.mark.parametrize(("r", "s"), [(9.0, 10.15), (12.25, 10.15), (10.7, 12.95), (13.65, 10.15)])
def test_at_the_distance_of_half_cover_half_is_covered(r, s):
    assert lens_area_mm2(half_cover_distance_mm(r, s), r, s) == pytest.approx(math.pi * r * r / 2)


def test_a_cover_that_is_too_small_never_covers_half():
    assert half_cover_distance_mm(10, 7) < 0


# Ways ----------------------------------------------------------------------------------------------------------------

RING = road_network([LineString([(0, 0), (30, 0), (30, 40), (0, 40), (0, 0)]), LineString([(30, 40), (60, 80)])])


def way(start, goal, holes=()):
    whole = cut_at(RING, (0, 0), 500, holes)
    return shortest_way(whole, RING.nearest(start, 1), RING.nearest(goal, 1))


def test_the_shorter_way_round():
    assert way((0, 30), (30, 40)).length == pytest.approx(40)
    assert way((0, 10), (30, 40)).length == pytest.approx(60)
    assert way((0, 9), (60, 80)).length == pytest.approx(31 + 30 + 50)


def test_the_only_way_round():
    assert way((0, 30), (30, 40), [((15, 40), 3)]).length == pytest.approx(30 + 30 + 40)
    assert way((0, 30), (30, 40), [((15, 40), 3), ((15, 0), 3)]) is None


def test_a_way_on_one_stretch_and_to_the_very_place():
    assert way((0, 10), (0, 30)).equals(LineString([(0, 10), (0, 30)]))
    assert way((0, 10), (0, 10)).length == 0


# Open ground ---------------------------------------------------------------------------------------------------------


def test_a_clearing_ends_where_its_area_does():
    area = shapely.box(-10, -10, 100, 100)
    expected = _disc((0, 0), 50).intersection(area)
    assert shapely.hausdorff_distance(clearing(area, (0, 0), 50, []), expected, densify=0.1) < 0.002
    assert clearing(area, (-20, 0), 50, []).is_empty


def test_an_island_cannot_be_walked_to():
    area = shapely.union(shapely.box(-10, -10, 10, 10), shapely.box(20, -10, 40, 10))
    assert clearing(area, (0, 0), 60, []).area == pytest.approx(400)
