"""What the rims of discs tell of a camera, and how that changes with it."""

import numpy as np
import pytest

from calibration.fit.correspondence import Circle, Correspondences
from calibration.fit.problem import Problem
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.pose import CameraGuess, Pose

POSE = Pose(np.array([2.2, 0.05, 0.02]), np.array([-350.0, 200.0, 1000.0]))
LENS = Lens.unknown((1920, 1080))


def disc(name, size_only, rng):
    at, radius_mm, turn = rng.uniform(100, 400, 2), rng.uniform(9, 14), np.linspace(0, 2 * np.pi, 20, endpoint=False)
    rim = np.c_[at + radius_mm * np.c_[np.cos(turn), np.sin(turn)], np.full(len(turn), 1.8)]
    return Circle(name, LENS.project(rim, POSE.rvec, POSE.tvec)[0], radius_mm, 1.8, 0.3, size_only)


def problem(kinds):
    rng = np.random.default_rng(5)
    corners_mm = np.array([[0, 0], [600, 0], [600, 450.0]])
    px = LENS.project(np.c_[corners_mm, np.zeros(3)], POSE.rvec, POSE.tvec)[0]
    discs = tuple(disc(f"disc {n}", size_only, rng) for n, size_only in enumerate(kinds))
    return Problem.of(Seen(Correspondences.of(px, corners_mm), discs), LENS)


@pytest.mark.parametrize("kinds", [(True,) * 4, (False,) * 4, (True, False, True)])
def test_discs_seen_as_they_are_misfit_nowhere_and_the_jacobian_is_theirs(kinds):
    asked = problem(kinds)
    at = asked.start(CameraGuess(LENS, POSE))
    off, _ = asked.residuals(at)
    assert np.abs(off).max() < 1e-6
    moved = at + np.random.default_rng(6).normal(0, 1e-3, len(at))
    off, jacobian = asked.residuals(moved)
    for n in range(len(at)):
        step = np.zeros(len(at))
        step[n] = 1e-6
        by = (asked.residuals(moved + step)[0] - asked.residuals(moved - step)[0]) / 2e-6
        # What a disc's size by its distance does to the light's share is left out: it is a thousandth.
        np.testing.assert_allclose(jacobian[:, n], by, rtol=2e-2, atol=2e-2 * max(1.0, np.abs(by).max()))
