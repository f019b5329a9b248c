"""Densities of tints and what they say of the light, by the formulas written out."""

import numpy as np
import pytest

from vision.naming.tints import SPREADS, TINTS, densities, pulls

LIGHTS = np.array([(0.1, -0.2), (-0.3, 0.4)])


def some_tints(seed, count=9):
    """Tints of borders, of which so much is not blown out, in light that nothing tells; and what their looks say."""
    rng = np.random.default_rng(seed)
    tints = np.column_stack([rng.normal(0, 0.3, (count, 2)), rng.uniform(0, 1, count), np.zeros(count)])
    return tints, rng.dirichlet(np.ones(7), count)


def bell(away, spread):
    """Of a normal law in two directions at once."""
    return np.exp(-0.5 * np.square(away / spread).sum(axis=-1)) / (2 * np.pi * spread.prod(axis=-1))


def written_out(tints, light):
    """(n, 6) of metals, (n,) of anything's, (n,) how likely a border shows something else."""
    shown = tints[:, :2] - light
    anything = bell(shown - TINTS.mean(axis=0), np.array([0.45, 0.55])) + 1e-6
    return bell(shown[:, None] - TINTS, SPREADS), anything, 1 - 0.9 * np.clip((tints[:, 2] - 0.3) / 0.5, 0, 1)


def test_a_border_is_its_metals_unless_it_shows_something_else():
    tints, _ = some_tints(1)
    for light, told in zip(LIGHTS, densities(tints, LIGHTS), strict=True):
        metals, anything, odd = written_out(tints, light)
        assert told[:, -1] == pytest.approx(anything)
        assert told[:, :-1] == pytest.approx((1 - odd)[:, None] * metals + (odd * anything)[:, None])


def test_each_coin_pulls_the_light_to_where_its_metals_would_show_so():
    tints, looks = some_tints(2)
    for light, weight, pull in zip(LIGHTS, *pulls(tints, LIGHTS, looks), strict=True):
        metals, anything, odd = written_out(tints, light)
        share = looks[:, :-1] * (1 - odd)[:, None] * metals
        share /= (share.sum(axis=1) + odd * anything)[:, None]
        each = share[..., None] / np.square(SPREADS)
        assert weight == pytest.approx(each.sum(axis=(0, 1)))
        assert pull == pytest.approx((each * (tints[:, None, :2] - TINTS)).sum(axis=(0, 1)))


def test_where_the_ground_tells_the_light_metals_keep_their_places_better():
    tints, _ = some_tints(3)
    lit = tints.copy()
    lit[:, 3] = 1
    at_copper = lit[:1].copy()
    at_copper[0, :2], at_copper[0, 2] = TINTS[0] + LIGHTS[0], 1.0
    in_any = at_copper * (1, 1, 1, 0)
    assert densities(at_copper, LIGHTS[:1])[0, 0, 0] > densities(in_any, LIGHTS[:1])[0, 0, 0]
    assert np.array_equal(densities(lit, LIGHTS)[..., -1], densities(tints, LIGHTS)[..., -1])


def test_no_coins_pull_nowhere():
    weight, pull = pulls(np.zeros((0, 4)), LIGHTS, np.zeros((0, 7)))
    assert not weight.any() and not pull.any() and densities(np.zeros((0, 4)), LIGHTS).shape == (2, 0, 7)
