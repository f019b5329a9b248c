"""Reach against brute force: Dijkstra over all pairs of corners of finely grown obstacles that see each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra
from shapely import Point, Polygon, affinity, box

from rules.geometry.ground import mixed_region
from rules.geometry.grown import grown_for
from rules.geometry.levels import Ground
from rules.geometry.reach import Walk, reachable_region
from rules.geometry.templates import disc
from tests.rules.geometry.obstacles import TABLE, boxes, course, turned

START = (200.0, 150.0)


def lengths_mm(start: tuple[float, float], goals: np.ndarray, obstacles: list[Polygon], radius_mm: float) -> np.ndarray:
    """Shortest path to each goal by the definition, infinite for none; arcs by 80 corners a turn."""
    grown = shapely.union_all([one.buffer(radius_mm, quad_segs=20) for one in obstacles])
    cores = shapely.union_all([one.buffer(radius_mm - 1e-3, quad_segs=20) for one in obstacles])
    shapely.prepare(cores)
    corners = shapely.get_coordinates(grown)
    corners = np.unique(corners[shapely.covers(TABLE, shapely.points(corners))].round(9), axis=0)
    nodes = np.vstack(([start], corners, goals))
    i, j = np.triu_indices(1 + len(corners), 1)
    k, m = np.indices((1 + len(corners), len(goals))).reshape(2, -1)
    i, j = np.concatenate((i, k)), np.concatenate((j, m + 1 + len(corners)))
    free = ~shapely.intersects(cores, shapely.linestrings(np.stack((nodes[i], nodes[j]), axis=1)))
    graph = np.zeros((len(nodes), len(nodes)))
    graph[i[free], j[free]] = np.hypot(*(nodes[i[free]] - nodes[j[free]]).T)
    return dijkstra(graph, directed=False, indices=0)[1 + len(corners) :]


@pytest.mark.parametrize(("seed", "count", "radius_mm"), [(1, 8, 12.5), (2, 12, 8.0), (3, 5, 20.0)])
def test_region_and_lengths_are_those_of_brute_force(seed: int, count: int, radius_mm: float) -> None:
    obstacles = course(seed, count, START, radius_mm + 1)
    goals = np.random.default_rng(seed).uniform((0, 0), (400, 300), (200, 2))
    brute_mm = lengths_mm(START, goals, obstacles, radius_mm)
    budget_mm = float(np.median(brute_mm[np.isfinite(brute_mm)]))
    walk = Walk(START, budget_mm, tuple(obstacles), radius_mm, TABLE)
    clear = (np.abs(brute_mm - budget_mm) > 0.1) & ~_at_the_edge(goals, obstacles, radius_mm)
    inside = shapely.covers(walk.region, shapely.points(goals))
    assert (inside == (brute_mm <= budget_mm))[clear].all()
    ways = [walk.way_to(tuple(goal)) for goal in goals[clear & inside]]
    assert [way.length for way in ways if way] == pytest.approx(brute_mm[clear & inside], abs=0.1)
    assert all(way is not None for way in ways)


def _at_the_edge(goals: np.ndarray, obstacles: list[Polygon], radius_mm: float) -> np.ndarray:
    gaps = np.array([shapely.distance(one, shapely.points(goals)) for one in obstacles]).min(axis=0)
    return np.abs(gaps - radius_mm) < 0.1


@pytest.mark.parametrize("away_mm", [30.0, 45.0, 80.0])
def test_round_a_disc_the_way_is_two_tangents_and_an_arc(away_mm: float) -> None:
    """A taut string round a disc: 2 sqrt(d^2 - r^2) + r (pi - 2 acos(r / d))."""
    radius_mm = 12.5 + 12.5
    start, goal = (200 - away_mm, 150.0), (200 + away_mm, 150.0)
    taut_mm = 2 * math.sqrt(away_mm**2 - radius_mm**2) + radius_mm * (math.pi - 2 * math.acos(radius_mm / away_mm))
    walk = Walk(start, 400.0, (), 12.5, TABLE, (((200.0, 150.0), 12.5),))
    way = walk.way_to(goal)
    assert way is not None
    assert way.length == pytest.approx(taut_mm, abs=0.03)
    for extra_mm in (-0.05, 0.05):
        region = Walk(start, taut_mm + extra_mm, (), 12.5, TABLE, (((200.0, 150.0), 12.5),)).region
        assert region.covers(Point(goal)) is (extra_mm > 0)


@pytest.mark.parametrize(("gap_mm", "passes"), [(25.0, True), (25.1, True), (24.9, False)])
def test_a_base_may_touch_on_both_sides(gap_mm: float, passes: bool) -> None:
    walls = [box(190, 0, 210, 100), box(190, 100 + gap_mm, 210, 300)]
    region = reachable_region((100, 112.5), 300, walls, 12.5, TABLE)
    assert region.covers(Point(300, 112.5 + (gap_mm - 25) / 2)) is passes


def test_between_two_bases_of_the_exact_distance() -> None:
    posts = (((200.0, 120.0), 12.5), ((200.0, 170.0), 12.5))
    walls = (box(195, 0, 205, 115), box(195, 175, 205, 300))
    assert Walk((120, 145), 200, walls, 12.5, TABLE, posts).region.covers(Point(280, 145))
    closer = (((200.0, 120.0), 12.5), ((200.0, 169.8), 12.5))
    assert not Walk((120, 145), 200, walls, 12.5, TABLE, closer).region.covers(Point(280, 145))


def test_open_ground_is_a_disc_cut_at_the_table() -> None:
    region = reachable_region((30, 150), 60, [], 12.5, TABLE)
    assert region.symmetric_difference(disc((30, 150), 60, 0.001).intersection(TABLE)).area < 8
    assert region.bounds == pytest.approx((0, 90, 90, 210), abs=0.05)


def test_no_budget_and_no_way() -> None:
    ring = [box(150, 100, 160, 200), box(240, 100, 250, 200), box(150, 100, 250, 110), box(150, 190, 250, 200)]
    assert reachable_region(START, 0, ring, 5, TABLE).is_empty
    assert Walk(START, 2000, tuple(ring), 5, TABLE).way_to((20, 20)) is None
    assert reachable_region(START, 500, ring, 5, TABLE).area == pytest.approx(70 * 70, abs=1)


def test_a_base_that_leans_on_a_wall_slides_off() -> None:
    wall = [box(200, 0, 220, 200)]
    for overlap_mm in (0.0, 0.4):
        region = reachable_region((187.5 + overlap_mm, 100), 50, wall, 12.5, TABLE)
        assert region.covers(Point(187.0, 140)), overlap_mm
        assert not region.covers(Point(215, 100)), overlap_mm


def test_who_stands_in_an_obstacle_leaves_it_by_the_side_where_he_stands() -> None:
    """Two millimetres in, he came out at the far side too, 100 mm away."""
    book = box(150, 100, 250, 300)
    walk = Walk((152, 200), 150, (book,), 12.5, box(0, 0, 600, 400))
    assert walk.region.covers(Point(120, 200))
    assert not walk.region.covers(Point(280, 200))
    assert walk.way_to((280, 200)) is None
    assert Walk((200, 200), 150, (book,), 12.5, box(0, 0, 600, 400)).region.covers(Point(280, 200))


def test_a_point_that_stands_in_an_obstacle_leaves_it_by_the_side_where_it_stands() -> None:
    """Without a base rounding put every other start inside what was left of the obstacle, which then barred nothing."""
    table, across = box(0, 0, 600, 400), turned(Point(260, 0), 17)
    book = turned(box(150, -200, 250, 200), 17)
    for depth_mm in np.linspace(2, 8, 20):
        here = turned(Point(150 + depth_mm, 0), 17)
        assert not Walk((here.x, here.y), 130, (book,), 0.0, table).region.covers(across)


def test_who_stands_in_the_hollow_of_a_round_wall_does_not_walk_through_it() -> None:
    """Corners of the grown hollow were left out, so that whoever stood beside it was inside, and it was no obstacle."""
    turns = np.linspace(-math.pi / 2, math.pi / 2, 400)
    arc = np.column_stack((np.cos(turns), np.sin(turns)))
    wall = Polygon(np.vstack((arc * 60, arc[::-1] * 40)) + START)
    for turn in np.linspace(-0.5, 0.5, 30):
        start = (START[0] + 30 * math.cos(turn), START[1] + 30 * math.sin(turn))
        assert not reachable_region(start, 45, [wall], 12.5, TABLE).covers(Point(START[0] + 72.7, START[1]))
        assert not grown_for(wall, Point(start), 12.5).contains(Point(start))


def test_spread_of_a_disc_is_a_larger_disc_round_corners() -> None:
    """One move and then another is as good as a move of twice the length, where any place may be stopped at."""
    obstacles = tuple(course(4, 6, START))
    walk = Walk(START, 120.0, obstacles, 10.0, TABLE)
    twice = Walk(START, 60.0, obstacles, 10.0, TABLE)
    assert walk.spread(twice.region, 60.0).symmetric_difference(walk.region).area < 0.002 * walk.region.area


def test_nobody_slips_between_the_table_edge_and_what_stands_on_it() -> None:
    """Two bases bar the way along the edge; their grown discs, cut there, end a rounding error before it."""
    bases = (((552.4822960593374, 119.13355327196098), 25.0), ((593.3165791416137, 118.25676296220979), 10.0))
    walk = Walk((568.167038341641, 83.98431487995998), 101.6, (), 12.5, box(0, 0, 609.6, 609.6), bases)
    beyond = (609.376, 148.719)
    assert not walk.region.intersects(Point(beyond))
    assert walk.way_to(beyond) is None
    assert walk.region.bounds[3] < 150


@settings(deadline=None, max_examples=25)
@given(boxes(), st.floats(5, 150), st.floats(1, 100), st.sampled_from([5.0, 12.5]))
def test_more_budget_never_shrinks_reach(obstacles: list[Polygon], budget: float, more: float, radius: float) -> None:
    less = reachable_region(START, budget, obstacles, radius, TABLE)
    grown = reachable_region(START, budget + more, obstacles, radius, TABLE)
    assert less.is_valid
    assert grown.is_valid
    assert less.difference(grown.buffer(0.05)).area < 1e-3
    assert less.difference(disc(START, budget, 0.001).buffer(0.01)).is_empty


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 50), st.floats(0, 360))
def test_turning_the_table_turns_the_answer(seed: int, degrees: float) -> None:
    obstacles = course(seed, 5, START)
    here = reachable_region(START, 110, obstacles, 12.5, TABLE)
    start = affinity.rotate(Point(START), degrees, origin=(0, 0))
    far = [turned(one, degrees) for one in obstacles]
    there = reachable_region((start.x, start.y), 110, far, 12.5, turned(TABLE, degrees))
    assert turned(here, degrees).symmetric_difference(there).area < 2e-3 * here.area


@settings(deadline=None, max_examples=25)
@given(boxes(), st.sampled_from([5.0, 12.5]))
def test_nobody_ends_on_an_obstacle(obstacles: list[Polygon], radius: float) -> None:
    clear = [one for one in obstacles if one.distance(Point(START)) >= radius]
    region = reachable_region(START, 120, clear, radius, TABLE)
    if clear:
        shrunk = shapely.union_all([one.buffer(radius - 0.05, quad_segs=32) for one in clear])
        assert region.intersection(shrunk).area < 1e-3


@pytest.mark.parametrize("start", [(-30.0, 200.0), (-30.0, -20.0), (630.0, 200.0), (-200.0, 200.0), (-1e-9, 200.0)])
def test_who_stands_off_the_table_comes_in_by_straight_ways(start: tuple[float, float]) -> None:
    """By definition: all that lies within the budget of where the base is, cut at the table's edge (C4.7)."""
    table = box(0, 0, 600, 400)
    wanted = Point(start).buffer(100, 512) & table
    mixed = mixed_region(start, [Ground(box(300, 0, 340, 400), 1 / 50)], 1 / 100, [], table).area
    for region in (reachable_region(start, 100, [], 0.0, table), mixed):
        assert region.symmetric_difference(wanted).area <= 1e-3 * wanted.area
        assert region.difference(table).area < 1e-9


@pytest.mark.parametrize("apart_mm", [0.0, 1e-14, 1e-12])
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_corner_that_is_drawn_twice_is_one_corner(apart_mm: float, place: int) -> None:
    corners = [(200.0, 80.0), (230.0, 150.0), (200.0, 220.0), (190.0, 150.0)]
    x, y = corners[place]
    twice = Polygon([*corners[:place], (x, y), (x + apart_mm, y), *corners[place + 1 :]])
    once = reachable_region((120.0, 150.0), 150.0, [Polygon(corners)], 0.0, TABLE)
    assert reachable_region((120.0, 150.0), 150.0, [twice], 0.0, TABLE).equals_exact(once, 1e-6)


@pytest.mark.parametrize("start", [(0.0, 120.0), (400.0, 0.0), (120.0, 150.0)])
def test_where_obstacles_cover_the_whole_table_nobody_goes_anywhere(start: tuple[float, float]) -> None:
    everything = TABLE if start[0] in (0.0, 400.0) else TABLE - Point(start).buffer(1e-3)
    assert reachable_region(start, 100.0, [everything], 0.0, TABLE).area < 1e-3


def test_who_stands_between_an_obstacle_and_the_tables_edge_goes_nowhere() -> None:
    assert reachable_region((0.0, 36.0), 100.0, [box(0, 0, 90, 90)], 0.0, TABLE).is_empty
    leaning = reachable_region((0.0, 90.0), 100.0, [box(0, 0, 90, 90)], 0.0, TABLE)
    assert TABLE.buffer(1e-6).covers(leaning)
    assert leaning.area > 0.9 * math.pi * 100**2 / 4
