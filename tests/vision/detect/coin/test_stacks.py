import numpy as np

from vision.detect.coin.lift import Lifts
from vision.detect.coin.stacks import find_stacks
from vision.shape.circle import RAYS

ANGLES = np.arange(RAYS) * 2 * np.pi / RAYS


def shown(centres, radii, order):
    """Which rays of each rim show, when each coin hides what lies before it in `order`."""
    on_rim = np.ones((len(centres), RAYS), bool)
    for position, index in enumerate(order):
        ends = centres[index] + radii[index] * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
        for upper in order[position + 1 :]:
            on_rim[index] &= np.linalg.norm(ends - centres[upper], axis=1) > radii[upper]
    return on_rim


def unseen(count):
    """Sides that tell nothing."""
    return Lifts(np.zeros(count), np.zeros(count), np.zeros(count, bool), np.zeros(count))


def test_coins_side_by_side_lie_on_the_table():
    centres, radii = np.array([[0.0, 0.0], [22.5, 0.0], [60.0, 10.0]]), np.array([11.0, 11.0, 9.0])
    stacks = find_stacks(centres, radii, np.full(3, 1.8), shown(centres, radii, (0, 1, 2)), unseen(3), centres)
    assert (stacks.elevation_mm == 0).all()
    assert (stacks.below == -1).all()


def test_a_pile_of_three_rises_by_each_thickness():
    centres, radii = np.array([[0.0, 0.0], [8.0, 3.0], [12.0, -4.0]]), np.array([14.0, 12.0, 9.0])
    thickness = np.array([2.5, 1.9, 1.7])
    stacks = find_stacks(centres, radii, thickness, shown(centres, radii, (0, 1, 2)), unseen(3), centres)
    assert np.allclose(stacks.elevation_mm, [0, 2.5, 4.4])
    assert list(stacks.below) == [-1, 0, 1]


def test_a_large_coin_can_lie_on_a_small_one():
    centres, radii = np.array([[0.0, 0.0], [12.0, 0.0]]), np.array([9.0, 14.0])
    stacks = find_stacks(centres, radii, np.array([1.7, 2.5]), shown(centres, radii, (0, 1)), unseen(2), centres)
    assert np.allclose(stacks.elevation_mm, [0, 1.7])


def test_no_coins():
    none = np.zeros(0)
    stacks = find_stacks(np.zeros((0, 2)), none, none, np.zeros((0, RAYS), bool), unseen(0), np.zeros((0, 2)))
    assert len(stacks.elevation_mm) == 0


def test_a_coin_on_one_in_sight_is_as_high_as_that_and_what_it_hides():
    centres, radii, thickness = np.array([[0.0, 0.0], [8.0, 3.0]]), np.array([12.0, 9.0]), np.array([1.9, 1.7])
    lifts = Lifts(np.array([3.6, 4.9]), np.array([0.4, 0.6]), np.array([True, True]), np.zeros(2))
    stacks = find_stacks(centres, radii, thickness, shown(centres, radii, (0, 1)), lifts, centres)
    assert np.allclose(stacks.elevation_mm, [3.6, 5.5])
    assert np.allclose(stacks.sigma_mm, [0.4, 0.4])


def test_the_top_of_a_stack_that_only_shows_before_another_coin_does_not_lie_on_that():
    centres, radii, thickness = np.array([[0.0, 0.0], [14.0, 0.0]]), np.array([10.0, 10.0]), np.array([1.9, 1.7])
    placed, on_rim = np.array([[0.0, 0.0], [19.5, 0.0]]), shown(centres, radii, (0, 1))
    lifts = Lifts(np.array([0.0, 5.4]), np.array([0.0, 0.5]), np.array([False, True]), np.zeros(2))
    stacks = find_stacks(centres, radii, thickness, on_rim, lifts, placed)
    assert np.allclose(stacks.elevation_mm, [0, 5.4])
    assert list(stacks.below) == [-1, -1]
