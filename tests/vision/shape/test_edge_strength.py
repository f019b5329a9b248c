"""Edges along rays, by the formula written out."""

import numpy as np
import pytest

from vision.shape.edge_strength import edge_strengths

# Of colours that rise by a level a step it makes a level.
SLOPE = np.array([-0.2, -0.1, 0.0, 0.1, 0.2], np.float32)
FLOOR = np.float32(3)


def some_colours(seed):
    """Two coins, three rays, nine steps."""
    return np.random.default_rng(seed).integers(0, 255, (2, 3, 9, 3), np.uint8)


def steepness(colours):
    """(n, rays, steps) levels per px above the floor; beyond its ends a ray goes on as it ends."""
    wide = np.pad(colours.astype(float), ((0, 0), (0, 0), (2, 2), (0, 0)), "edge")
    change = sum(weight * wide[:, :, tap : tap + 9] for tap, weight in enumerate(SLOPE))
    return np.maximum(np.linalg.norm(change, axis=3) - FLOOR, 0)


def test_an_edge_counts_by_the_loudest_of_its_ray_and_by_what_is_usual_round_the_coin():
    colours = some_colours(1)
    steep = steepness(colours)
    loudest = steep.max(axis=2)
    beside = loudest + 0.25 * np.median(loudest, axis=1, keepdims=True) + 1e-6
    assert edge_strengths(colours, SLOPE, FLOOR) == pytest.approx(steep / beside[..., None], abs=1e-5)


def test_what_is_below_the_floor_is_no_edge():
    colours = np.tile(np.arange(9, dtype=np.uint8)[:, None], (1, 4, 1, 3))
    assert np.linalg.norm([1, 1, 1]) < FLOOR < np.linalg.norm([2, 2, 2])
    assert not edge_strengths(colours, SLOPE, FLOOR).any() and edge_strengths(2 * colours, SLOPE, FLOOR).any()


def test_no_coins_have_no_edges():
    assert edge_strengths(np.zeros((0, 48, 36, 3), np.uint8), SLOPE, FLOOR).shape == (0, 48, 36)
