"""Noise judged by few residuals, by drawing it."""

import numpy as np
import pytest

from calibration.fit.few_residuals import allowance


@pytest.mark.parametrize("spare", [1, 2, 4, 12])
def test_the_interval_is_one_of_95_percent_however_few_judge_it(spare):
    rng = np.random.default_rng(spare)
    judged = (2 + rng.chisquare(spare, 40000)) / (2 + spare)
    error = np.hypot(*rng.normal(size=(2, 40000)))
    assert np.mean(error <= 2.4477 * np.sqrt(allowance(spare) * judged)) == pytest.approx(0.95, abs=0.004)


def test_none_and_many_leave_the_noise_as_it_is():
    assert allowance(0.0) == allowance(1e4) == 1.0
