"""Sight against brute force: shadows cut with shapely, and every segment tested by itself."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, affinity, box

from rules.geometry.clearance import clearance_mm
from rules.geometry.sight import Sightlines, is_visible, visibility_polygon
from tests.rules.geometry.obstacles import TABLE, boxes, course, turned

TOUCHING = [box(100, 100, 150, 150), box(150, 150, 200, 200)]
ON_GRID = st.tuples(st.integers(0, 40), st.integers(0, 30)).map(lambda cell: (10.0 * cell[0], 10.0 * cell[1]))
ANYWHERE = st.tuples(st.floats(0, 400), st.floats(0, 300))


def crosses(a: tuple[float, float], b: tuple[float, float], blockers: list[Polygon]) -> bool:
    """The definition: the segment meets the interior of some blocker."""
    return any(shapely.relate_pattern(LineString((a, b)), blocker, "T********") for blocker in blockers)


def shadowed(eye: tuple[float, float], blockers: list[Polygon]) -> Polygon:
    """The table without blockers and without the shadow of each of their sides, one by one."""
    shadows = []
    for blocker in blockers:
        corners = np.array(blocker.exterior.coords)
        for a, b in itertools.pairwise(corners):
            rays = np.array((a, b)) - eye
            far = np.array((a, b)) + rays / np.hypot(*rays.T)[:, None] * 2000
            shadows.append(Polygon((a, b, far[1], far[0])).buffer(0))
    return TABLE.difference(shapely.union_all([*blockers, *shadows]))


@pytest.mark.parametrize("seed", range(6))
def test_polygon_is_the_table_without_the_shadows(seed: int) -> None:
    eye = (200.0, 150.0)
    blockers = course(seed, 12, eye)
    seen = visibility_polygon(eye, blockers, TABLE)
    assert seen.is_valid
    assert seen.symmetric_difference(shadowed(eye, blockers)).area < 1e-7


@pytest.mark.parametrize(
    ("a", "b", "sees"),
    [
        ((125, 175), (175, 125), True),  # through the point where two corners meet
        ((90, 90), (210, 210), False),  # along the diagonals of both
        ((100, 100), (150, 150), False),  # from corner to corner of one
        ((100, 50), (100, 250), True),  # along an edge, past it at both ends
        ((100, 100), (100, 150), True),  # from corner to corner along the edge
        ((50, 100), (150, 100), True),  # up to a corner, along the edge
        ((125, 100), (125, 50), True),  # from the edge outward
        ((125, 100), (125, 120), False),  # from the edge inward
        ((125, 125), (125, 300), False),  # from the inside
        ((50, 50), (50, 50), True),  # nowhere to go, in the open
    ],
)
def test_touching_does_not_block(a: tuple[float, float], b: tuple[float, float], sees: bool) -> None:
    assert is_visible(a, b, TOUCHING) is sees
    assert is_visible(b, a, TOUCHING) is sees


@pytest.mark.parametrize(
    ("eye", "area_mm2"),
    [
        ((100.0, 100.0), 200 * 200 - 100 * 100),  # on its corner: all but the blocker
        ((100.0, 50.0), 100 * 200 + 100 * 100),  # in line with its side: the left half, and what lies below
        ((150.0, 100.0), 200 * 100),  # on its lower edge: what lies below
        ((100.0, 200.0), 100 * 200),  # where its side meets the table's edge: the left half
        ((-5.0, 20.0), 0.0),  # off the table
    ],
)
def test_polygon_from_corners_and_edges(eye: tuple[float, float], area_mm2: float) -> None:
    square, bounds = box(100, 100, 200, 200), box(0, 0, 200, 200)
    assert visibility_polygon(eye, [square], bounds).area == pytest.approx(area_mm2, abs=1e-4)


def test_inside_a_blocker_nothing_is_seen() -> None:
    assert visibility_polygon((125, 125), TOUCHING, TABLE).is_empty
    beyond = [box(-20, 100, 50, 200)]
    assert [visibility_polygon((x, 150), beyond, TABLE).is_empty for x in (0, 1e-9, 1e-3)] == [True] * 3


def test_overlapping_and_outlying_blockers() -> None:
    blockers = [box(100, 100, 160, 160), box(140, 140, 200, 200), box(380, -50, 450, 80), box(100, 100, 160, 160)]
    seen = visibility_polygon((50.0, 60.0), blockers, TABLE)
    points = np.random.default_rng(1).uniform((0, 0), (400, 300), (500, 2))
    brute = [not crosses((50.0, 60.0), tuple(point), blockers) for point in points]
    assert shapely.covers(seen, shapely.points(points)).tolist() == brute


def test_a_ring_of_books_with_a_hole_hides_what_is_in_it() -> None:
    ring = Polygon(box(100, 100, 200, 200).exterior, [box(120, 120, 180, 180).exterior])
    assert is_visible((130, 130), (170, 170), [ring])
    assert not is_visible((130, 130), (50, 50), [ring])
    assert visibility_polygon((150.0, 150.0), [ring], TABLE).area == pytest.approx(60 * 60, abs=1e-4)


@settings(deadline=None, max_examples=60)
@given(boxes(), ON_GRID, st.lists(ON_GRID, min_size=1, max_size=12))
def test_pairs_follow_the_definition_on_a_grid(blockers: list[Polygon], eye: tuple[float, float], ends: list) -> None:
    seen = Sightlines(tuple(blockers)).pairs([eye], ends)[0]
    assert seen.tolist() == [not crosses(eye, end, blockers) for end in ends]


@settings(deadline=None, max_examples=60)
@given(boxes(), ON_GRID)
def test_polygon_holds_what_the_pair_test_sees(blockers: list[Polygon], eye: tuple[float, float]) -> None:
    points = np.random.default_rng(7).uniform((0, 0), (400, 300), (150, 2))
    region = visibility_polygon(eye, blockers, TABLE)
    assert region.is_valid
    inside = shapely.covers(region, shapely.points(points))
    sharp = shapely.distance(region.boundary, shapely.points(points)) > 1e-6 if not region.is_empty else True
    assert not ((inside != Sightlines(tuple(blockers)).pairs([eye], points)[0]) & sharp).any()


@settings(deadline=None, max_examples=60)
@given(boxes(), st.lists(ANYWHERE, min_size=2, max_size=8))
def test_a_sees_b_just_when_b_sees_a(blockers: list[Polygon], points: list) -> None:
    seen = Sightlines(tuple(blockers)).pairs(points, points)
    assert (seen == seen.T).all()


@settings(deadline=None, max_examples=40)
@given(boxes(), boxes(), ANYWHERE)
def test_a_new_blocker_never_grows_sight(
    blockers: list[Polygon], more: list[Polygon], eye: tuple[float, float]
) -> None:
    before = visibility_polygon(eye, blockers, TABLE)
    after = visibility_polygon(eye, [*blockers, *more], TABLE)
    assert after.difference(before).area < 1e-4


@settings(deadline=None, max_examples=30)
@given(boxes(), ANYWHERE, st.floats(0, 360))
def test_turning_the_table_turns_the_answer(blockers: list[Polygon], eye: tuple[float, float], degrees: float) -> None:
    here = visibility_polygon(eye, blockers, TABLE)
    there = affinity.rotate(Point(eye), degrees, origin=(0, 0))
    seen = visibility_polygon((there.x, there.y), [turned(one, degrees) for one in blockers], turned(TABLE, degrees))
    if min((one.boundary.distance(Point(eye)) for one in (*blockers, TABLE)), default=1.0) > 1e-3:
        assert seen.area == pytest.approx(here.area, abs=1e-3)


def test_sightlines_without_bounds_refuse_a_polygon() -> None:
    with pytest.raises(ValueError, match="bounds"):
        Sightlines(()).polygon_from((0, 0))


@pytest.mark.parametrize(
    ("a", "b", "clear_mm"),
    [
        ((0, 90), (300, 90), 10.0),  # passes below
        ((0, 100), (300, 100), 0.0),  # touches the edge
        ((0, 104), (300, 104), -4.0),  # 4 mm too high
        ((0, 130), (300, 130), -20.0),  # 20 mm too low
        ((150, 50), (150, 110), -50.0),  # ends inside: half the breadth lies on each side
    ],
)
def test_clearance_of_a_box_from_100_to_200_by_100_to_150(a: tuple, b: tuple, clear_mm: float) -> None:
    assert clearance_mm(a, b, box(100, 100, 200, 150)) == pytest.approx(clear_mm, abs=1e-9)
    assert math.copysign(1, clearance_mm(b, a, box(100, 100, 200, 150))) == math.copysign(1, clear_mm)
