import numpy as np

from vision.circle import RAYS
from vision.stacks import find_stacks

ANGLES = np.arange(RAYS) * 2 * np.pi / RAYS


def shown(centres, radii, order):
    """Which rays of each rim show, when each coin hides what lies before it in `order`."""
    on_rim = np.ones((len(centres), RAYS), bool)
    for position, index in enumerate(order):
        ends = centres[index] + radii[index] * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
        for upper in order[position + 1 :]:
            on_rim[index] &= np.linalg.norm(ends - centres[upper], axis=1) > radii[upper]
    return on_rim


def test_coins_side_by_side_lie_on_the_table():
    centres, radii = np.array([[0.0, 0.0], [22.5, 0.0], [60.0, 10.0]]), np.array([11.0, 11.0, 9.0])
    stacks = find_stacks(centres, radii, np.full(3, 1.8), shown(centres, radii, (0, 1, 2)))
    assert (stacks.elevation_mm == 0).all()
    assert (stacks.below == -1).all()


def test_a_pile_of_three_rises_by_each_thickness():
    centres, radii = np.array([[0.0, 0.0], [8.0, 3.0], [12.0, -4.0]]), np.array([14.0, 12.0, 9.0])
    thickness = np.array([2.5, 1.9, 1.7])
    stacks = find_stacks(centres, radii, thickness, shown(centres, radii, (0, 1, 2)))
    assert np.allclose(stacks.elevation_mm, [0, 2.5, 4.4])
    assert list(stacks.below) == [-1, 0, 1]


def test_a_large_coin_can_lie_on_a_small_one():
    centres, radii = np.array([[0.0, 0.0], [12.0, 0.0]]), np.array([9.0, 14.0])
    stacks = find_stacks(centres, radii, np.array([1.7, 2.5]), shown(centres, radii, (0, 1)))
    assert np.allclose(stacks.elevation_mm, [0, 1.7])


def test_no_coins():
    assert len(find_stacks(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, RAYS), bool)).elevation_mm) == 0
