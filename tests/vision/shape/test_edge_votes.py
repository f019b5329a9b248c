"""Edges near a circle, by the formula written out."""

import numpy as np

from vision.shape.edge_votes import votes_near

STEPS = 36


def some_rays(seed):
    """Two coins of three rays: edges anywhere, rims within and beyond what the rays see."""
    rng = np.random.default_rng(seed)
    strength = rng.random((2, 3, STEPS), np.float32)
    steps_mm = np.array([[8.0, 0.2], [7.0, 0.3]])
    return strength, steps_mm, rng.uniform(5, 18, (2, 3)), rng.uniform(0, 4, (2, 3)), rng.uniform(0.1, 0.8, 2)


def written_out(strength, steps_mm, expected_mm, reach_mm):
    away = steps_mm[:, :1, None] + np.arange(STEPS) * steps_mm[:, 1:, None] - expected_mm[..., None]
    near = np.exp(-0.5 * np.square(away / reach_mm[:, None, None])) * strength
    return (near * away).sum(axis=2) / np.maximum(near.sum(axis=2), 1e-6), near.sum(axis=2)


def test_edges_near_the_rim_vote_by_their_distance():
    strength, steps_mm, rim_mm, _, reach_mm = some_rays(1)
    residual, total = votes_near(strength, steps_mm, rim_mm, np.zeros((2, 3)), reach_mm)
    expected_residual, expected_total = written_out(strength, steps_mm, rim_mm, reach_mm)
    assert np.allclose(total, expected_total, atol=1e-4)
    seen = expected_total > 0.01
    assert 0 < seen.sum() < seen.size
    assert np.allclose(residual[seen], expected_residual[seen], atol=1e-3)


def test_a_foot_that_is_clearer_votes_in_place_of_the_rim():
    strength, steps_mm, rim_mm, foot_mm, reach_mm = some_rays(2)
    residual, total = votes_near(strength, steps_mm, rim_mm, foot_mm, reach_mm)
    at_rim, at_foot = (written_out(strength, steps_mm, at, reach_mm) for at in (rim_mm, rim_mm + foot_mm))
    shows_foot = (foot_mm > 2 * reach_mm[:, None]) & (at_foot[1] > 1.5 * at_rim[1])
    assert 0 < shows_foot.sum() < shows_foot.size
    assert np.allclose(total, np.where(shows_foot, at_foot[1], at_rim[1]), atol=1e-4)
    seen = total > 0.01
    assert np.allclose(residual[seen], np.where(shows_foot, at_foot[0], at_rim[0])[seen], atol=1e-3)
