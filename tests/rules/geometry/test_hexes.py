"""Hex geometry against sampled lines, shapely polygons and plain search."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point

from rules.geometry.hexes import (
    SIDES,
    HexGrid,
    blocking,
    costs,
    costs_with_turns,
    distance,
    grid_through,
    is_visible,
    neighbour,
    stretches,
)

BOARD = [(q, r) for q in range(-4, 5) for r in range(-4, 5) if abs(q + r) <= 4]
cells = st.sampled_from(BOARD)
grids = st.builds(
    HexGrid,
    st.floats(10, 60),
    st.tuples(st.floats(-300, 300), st.floats(-300, 300)),
    st.floats(-180, 180),
    st.sampled_from(["pointy", "flat"]),
)


def test_centres_follow_the_formulas_of_the_note():
    root3 = math.sqrt(3)
    pointy, flat = HexGrid(38.1, (10, 20)), HexGrid(38.1, (10, 20), top="flat")
    for q, r in BOARD:
        assert pointy.centre((q, r)) == pytest.approx((10 + 38.1 * (q + r / 2), 20 + 38.1 * r * root3 / 2))
        assert flat.centre((q, r)) == pytest.approx((10 + 38.1 * q * root3 / 2, 20 + 38.1 * (r + q / 2)))


def test_turned_grid_turns_counter_clockwise():
    grid = HexGrid(10, (5, 5), 90)
    assert grid.centre((1, 0)) == pytest.approx((5, 15))


@given(grids, cells, st.floats(-0.999, 0.999), st.floats(0, 2 * math.pi))
@settings(deadline=None, max_examples=60)
def test_a_point_lies_in_the_outline_of_its_cell(grid, cell, depth, angle):
    x, y = grid.centre(cell)
    radius = grid.pitch_mm / 2 * abs(depth)
    point = x + radius * math.cos(angle), y + radius * math.sin(angle)
    assert grid.cell_at(point) == cell
    assert grid.outline(cell).contains(Point(point))
    assert grid.border_mm(point) == pytest.approx(grid.outline(cell).exterior.distance(Point(point)), abs=1e-6)


@pytest.mark.parametrize("radius_mm", [0.5, 14.0, 40.0])
def test_a_point_may_lie_in_every_hex_that_its_error_comes_to(radius_mm):
    """Also in one of which the error takes in a corner only."""
    grid, point = HexGrid(30.0), (12.16, -11.4)
    near = {cell for cell in BOARD if grid.outline(cell).distance(Point(point)) <= radius_mm}
    assert grid.cells_within(point, radius_mm) == near


@given(grids, cells)
@settings(deadline=None, max_examples=30)
def test_sides_face_their_neighbours(grid, cell):
    for side in range(6):
        (x, y), (nx, ny) = grid.centre(cell), grid.centre(neighbour(cell, side))
        assert math.hypot(nx - x, ny - y) == pytest.approx(grid.pitch_mm)
        assert grid.facing(math.degrees(math.atan2(ny - y, nx - x))) == side


@given(grids)
@settings(deadline=None, max_examples=30)
def test_three_centres_set_the_grid(grid):
    found = grid_through([(cell, grid.centre(cell)) for cell in [(0, 0), (3, -1), (-2, 4)]], grid.top)
    for cell in BOARD:
        assert found.centre(cell) == pytest.approx(grid.centre(cell), abs=1e-6)


def test_two_centres_set_no_grid():
    with pytest.raises(ValueError, match="three different hexes"):
        grid_through([((0, 0), (0, 0)), ((1, 0), (10, 0)), ((1, 0), (10, 0))])


def crossed_by_sampling(start, end):
    """Hexes whose interior the segment meets, from 4,000 exact points of it: a point in the open hex counts."""
    met = set()
    steps = 4001  # prime: no sample lands on a corner of a hex for these short lines
    for k in range(1, steps):
        t = Fraction(k, steps)
        q, r = start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t
        base = (math.floor(q), math.floor(r))
        for dq, dr in itertools.product((0, 1), repeat=2):
            a, b = q - base[0] - dq, r - base[1] - dr
            if max(abs(2 * a + b), abs(a + 2 * b), abs(b - a)) < 1:
                met.add((base[0] + dq, base[1] + dr))
    return met


@pytest.mark.parametrize("end", [(3, 0), (1, 1), (2, 2), (2, -1), (3, 1), (4, -2), (-3, 1), (5, -3), (4, 3), (-2, -2)])
def test_crossed_hexes_are_those_of_a_sampled_line(end):
    crossed = {stretch[0] for stretch in stretches((0, 0), end) if len(stretch) == 1}
    assert crossed == crossed_by_sampling((0, 0), end)


@given(cells, cells)
@settings(deadline=None, max_examples=60)
def test_stretches_agree_with_polygons(start, end):
    """Another route, shapely. Crossed: the line has length inside the shrunk hex; along: on its border only."""
    grid = HexGrid(100.0)
    line = LineString([grid.centre(start), grid.centre(end)])
    crossed = {s[0] for s in stretches(start, end) if len(s) == 1}
    along = {cell for s in stretches(start, end) if len(s) == 2 for cell in s}
    if start == end:
        assert crossed == {start}
        return
    for cell in {(q, r) for q in range(-9, 10) for r in range(-9, 10)}:
        outline = grid.outline(cell)
        inside_mm = line.intersection(outline.buffer(-1e-3)).length
        near_mm = line.intersection(outline.buffer(1e-3)).length
        assert (cell in crossed) == (inside_mm > 1e-6)
        assert (cell in along) == (inside_mm <= 1e-6 and near_mm > 1.0)


def test_along_a_side_both_must_be_dense():
    assert stretches((0, 0), (1, 1)) == (((0, 0),), ((0, 1), (1, 0)), ((1, 1),))
    assert is_visible((0, 0), (1, 1), {(0, 1)})
    assert is_visible((0, 0), (1, 1), {(1, 0)})
    assert blocking((0, 0), (1, 1), {(0, 1), (1, 0)}) == ((0, 1), (1, 0))


def test_the_ends_never_block():
    assert is_visible((0, 0), (2, 0), {(0, 0), (2, 0)})
    assert not is_visible((0, 0), (2, 0), {(1, 0)})


@given(cells, cells, st.sets(cells, max_size=25))
@settings(deadline=None, max_examples=100)
def test_sight_is_mutual_and_shrinks_with_every_blocker(a, b, dense):
    seen = is_visible(a, b, dense)
    assert seen == is_visible(b, a, dense)
    if seen:
        assert all(is_visible(a, b, dense - {cell}) for cell in dense)


def exits_of(step_cost):
    """The steps from a hex, for a price by hex and side."""

    def exits(cell):
        prices = ((side, neighbour(cell, side), step_cost(cell, side)) for side in range(6))
        return [step for step in prices if step[2] is not None]

    return exits


def flooded(start, step_cost, budget):
    """Another route: every cell's price lowered until nothing changes (Bellman and Ford)."""
    price = dict.fromkeys(BOARD, math.inf) | {start: 0.0}
    for _ in BOARD:
        for cell, side in itertools.product(BOARD, range(6)):
            goal, step = neighbour(cell, side), step_cost(cell, side)
            if step is not None and goal in price:
                price[goal] = min(price[goal], price[cell] + step)
    return {cell: paid for cell, paid in price.items() if paid <= budget}


@given(cells, st.dictionaries(cells, st.sampled_from([0.5, 2.0, None])), st.integers(0, 5))
@settings(deadline=None, max_examples=25)
def test_costs_are_those_of_a_flood(start, ground, budget):
    def step_cost(cell, side):
        goal = neighbour(cell, side)
        return ground.get(goal, 1.0) if goal in BOARD else None

    assert costs(start, exits_of(step_cost), budget) == flooded(start, step_cost, budget)


def cheapest_by_paths(start, facing, budget):
    """Another route: every sequence of up to `budget` steps ahead, its turns counted by hand."""
    best = {start: 0}
    for length in range(1, budget + 1):
        for path in itertools.product(range(6), repeat=length):
            faces = path if facing is None else (facing, *path)
            turns = sum(min((b - a) % 6, (a - b) % 6) for a, b in itertools.pairwise(faces))
            q = start[0] + sum(SIDES[side][0] for side in path)
            r = start[1] + sum(SIDES[side][1] for side in path)
            paid = length + max(0, turns - 1)
            if paid <= budget:
                best[q, r] = min(best.get((q, r), paid), paid)
    return best


@pytest.mark.parametrize("facing", [None, 0, 2, 5])
@pytest.mark.parametrize("budget", [0, 1, 2, 3, 4])
def test_turns_cost_after_the_first(facing, budget):
    assert costs_with_turns((0, 0), facing, exits_of(lambda cell, side: 1.0), budget) == cheapest_by_paths(
        (0, 0), facing, budget
    )


@given(cells, cells)
@settings(deadline=None, max_examples=40)
def test_distance_is_the_price_of_plain_steps(a, b):
    assert costs(a, exits_of(lambda cell, side: 1.0), 8)[b] == distance(a, b)
