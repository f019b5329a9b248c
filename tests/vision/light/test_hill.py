"""Hills under scattered points: found again, though half of the points lie higher."""

import numpy as np
import pytest

from vision.light.hill import Hill, fit_hill

START = Hill(0.2, np.array([10.0, 8.0]), np.array([3.0, 3.0]), 0.0)


def points(hill, bright_share, seed=0):
    """Places on a grid that shakes, most of them as dark as the hill allows."""
    rng = np.random.default_rng(seed)
    x, y = (axis.ravel() + rng.uniform(-0.4, 0.4, 20 * 16) for axis in np.meshgrid(np.arange(20.0), np.arange(16.0)))
    bright = rng.uniform(size=len(x)) < bright_share
    return x, y, hill.at(x, y) + np.where(bright, rng.uniform(0.2, 0.6, len(x)), rng.uniform(0, 0.005, len(x)))


@pytest.mark.parametrize("flat", [1.0, 2.0])
@pytest.mark.parametrize("bright_share", [0.0, 0.4])
def test_a_hill_is_found_under_points_of_which_some_lie_higher(flat, bright_share):
    hill = Hill(0.5, np.array([10.8, 7.1]), np.array([3.4, 2.4]), 0.5, flat)
    found = fit_hill(*points(hill, bright_share), START)
    x, y = np.meshgrid(np.arange(4.0, 17.0), np.arange(2.0, 13.0))
    assert found.top == pytest.approx(hill.top, abs=0.15)
    assert np.abs(found.at(x, y) - hill.at(x, y)).max() < 0.05


def test_too_few_points_tell_no_hill():
    x, y, light = points(START, 0.0)
    assert fit_hill(x[:5], y[:5], light[:5], START) is None
