"""What a block leaves of a footprint: what neither stands on it nor is hidden by it."""

import numpy as np
import pytest
from shapely import MultiPoint, affinity, box, contains_xy

from tests.vision.planes import plane_from
from vision.detect.box.block_outlines import corners
from vision.detect.solid.remainder import Remainder

EYE_MM = (200.0, -350.0, 550.0)
SEEN = affinity.rotate(box(130, 100, 270, 190), 20)


@pytest.fixture
def plane():
    return plane_from(EYE_MM, (200, 160))


def standing(outline, height_mm, turn_deg=20.0):
    """(1, 6) a block on a rectangle that was turned so."""
    low_x, low_y, high_x, high_y = affinity.rotate(outline, -turn_deg).bounds
    at = outline.centroid
    return np.array([[at.x, at.y, high_x - low_x, high_y - low_y, np.radians(turn_deg), height_mm]])


def test_it_is_what_lies_outside_what_a_block_hides(plane):
    rng = np.random.default_rng(4)
    remainder = Remainder.of(SEEN, plane)
    low, high = (50, -420, 40, 40, 0, 0), (350, 260, 200, 200, 3, 120)
    softly = np.array([0, 0, 10, 10, 0, 0])
    for block in rng.uniform(low, high, (60, 6)):
        foot = corners((block + softly)[None])[0]
        hidden = MultiPoint([*foot, *plane.behind(foot, block[5])]).convex_hull
        expected = 1 - contains_xy(hidden, *remainder.places_mm.T).mean()
        assert remainder.left(block[None])[0] == pytest.approx(expected, abs=0.02)


def test_a_block_that_stands_on_all_that_is_seen_costs_nothing(plane):
    assert Remainder.of(SEEN, plane).cost(standing(SEEN, 30.0))[0] == 0


def test_the_more_a_block_leaves_the_more_it_costs_until_two_things_are_seen(plane):
    remainder = Remainder.of(SEEN, plane)
    smaller = [affinity.scale(SEEN, share, share) for share in (0.9, 0.75, 0.65, 0.4, 0.2)]
    costs = [float(remainder.cost(standing(outline, 6.0))[0]) for outline in smaller]
    assert costs[0] < costs[1] < costs[2] < costs[3] == costs[4]


def test_what_is_seen_of_a_box_counts_as_what_its_top_hides(plane):
    lid = affinity.translate(SEEN, 0, 45)
    tall, flat = (Remainder.of(SEEN.union(lid).convex_hull, plane).left(standing(SEEN, tall))[0] for tall in (45, 6))
    assert tall < 0.1 < flat
