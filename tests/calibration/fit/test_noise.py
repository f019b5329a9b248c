"""Noise judged by what the fit leaves, by drawing places that err by unequal amounts."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.fit.correspondence import Correspondences
from calibration.fit.noise import judged_noise

PLACES = 60


def a_line(rng: np.random.Generator, sigma: np.ndarray) -> tuple[float, float, float]:
    """The slope of a line through errors of mean 0, its variance with one noise for all, and with each place's own."""
    across = np.linspace(-1, 1, PLACES)
    jacobian = np.stack([np.ones(2 * PLACES), np.repeat(across, 2)], axis=1)
    errors = rng.normal(size=2 * PLACES) * np.repeat(sigma, 2)
    covariance = np.linalg.inv(jacobian.T @ jacobian)
    fit = covariance @ jacobian.T @ errors
    left = errors - jacobian @ fit
    points = Correspondences.of(np.zeros((PLACES, 2)), np.zeros((PLACES, 2)), ["sheet"] * PLACES, 1.0)
    _, noise = judged_noise(points, left, jacobian, covariance)
    own = covariance @ (jacobian.T * noise) @ jacobian @ covariance
    return float(fit[1]), float(np.mean(left**2) * covariance[1, 1]), float(own[1, 1])


def test_places_on_which_the_plane_hangs_tell_that_they_err_more():
    rng = np.random.default_rng(1)
    told = np.array([a_line(rng, np.linspace(-1, 1, PLACES) ** 2) for _ in range(400)])
    assert np.mean(np.abs(told[:, 0]) <= 1.96 * np.sqrt(told[:, 2])) == pytest.approx(0.95, abs=0.025)
    # With one noise for all it would hold for less.
    assert np.mean(np.abs(told[:, 0]) <= 1.96 * np.sqrt(told[:, 1])) < 0.9


def test_places_that_err_alike_are_stated_as_with_one_noise():
    rng = np.random.default_rng(2)
    told = np.array([a_line(rng, np.ones(PLACES)) for _ in range(200)])
    assert told[:, 2].mean() == pytest.approx(told[:, 1].mean(), rel=0.07)


def test_places_that_err_together_leave_little_to_judge_by():
    """Twelve groups of six that err as one, and curves of nine numbers that follow them far."""
    rng, groups, alike, numbers = np.random.default_rng(3), 12, 6, 9
    across = np.repeat(np.linspace(-1, 1, groups), alike)
    curve = np.polynomial.legendre.legvander(across, numbers - 1)
    jacobian = np.kron(curve, np.eye(2))
    covariance = np.linalg.inv(jacobian.T @ jacobian)
    nowhere = np.zeros((groups * alike, 2))
    points = replace(Correspondences.of(nowhere, nowhere, ["roads"] * len(nowhere), 1.0), crowd=float(alike))
    held = []
    for _ in range(400):
        errors = np.repeat(rng.normal(size=(groups, 2)), alike, axis=0).ravel()
        fit = covariance @ jacobian.T @ errors
        _, noise = judged_noise(points, errors - jacobian @ fit, jacobian, covariance)
        held.append(abs(fit[2]) <= 1.96 * np.sqrt(noise[0] * covariance[2, 2]))
    # Judged as if each had told by itself, it held for 67 %.
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)


def test_few_corners_of_many_things_share_one_noise():
    names = [f"marker {i}" for i in range(15) for _ in range(4)]
    points = Correspondences.of(np.zeros((60, 2)), np.zeros((60, 2)), names, 1.0)
    jacobian = np.ones((120, 1))
    _, noise = judged_noise(points, np.linspace(-2, 2, 120), jacobian, np.eye(1) / 120)
    assert len(np.unique(noise)) == 1
