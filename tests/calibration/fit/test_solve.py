"""Least squares through a long curved valley."""

import numpy as np

from calibration.fit.solve import Solution, levenberg_marquardt


def _valley(parameters):
    """Rosenbrock's, with a floor."""
    x, y = parameters
    return np.array([30 * (y - x**2), 1 - x, 0.5]), np.array([[-60 * x, 30.0], [-1.0, 0.0], [0.0, 0.0]])


def test_the_end_of_a_curved_valley_is_reached_in_the_steps_that_a_camera_gets():
    """Ten times as damped after each step too far, and a tenth after each good one, came half way in 30."""
    found = levenberg_marquardt(_valley, np.array([-3.0, 5.0]))
    assert np.abs(found.parameters - 1).max() < 1e-3


def test_what_nothing_depends_on_stays():
    found = levenberg_marquardt(lambda p: (p[:1] - 3, np.array([[1.0, 0.0]])), np.array([0.0, 7.0]))
    assert np.allclose(found.parameters, [3.0, 7.0], atol=1e-6)


def test_a_step_that_leads_far_astray_costs_without_end_and_is_not_warned_of():
    assert Solution(np.zeros(1), np.array([1e200]), np.eye(1)).cost == np.inf
