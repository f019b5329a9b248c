"""Stated chances against what came true."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.reliability import reliability


def test_each_band_tells_what_it_stated_and_what_came_true() -> None:
    chances = np.array([0.01, 0.6, 0.6, 0.65, 0.69, 1.0])
    came_true = np.array([False, True, False, True, False, True])
    rows = list(reliability(chances, came_true))
    assert [count for count, _, _ in rows] == [1, 4, 1]
    assert rows[1][1:] == pytest.approx((0.635, 0.5))
