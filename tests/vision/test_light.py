"""By how much the light of two shrunk pictures differs."""

import numpy as np
import pytest

from vision.change import light_gain


@pytest.mark.parametrize("width", [480, 479, 7, 1])
def test_the_light_is_the_middle_ratio_of_each_colour(width):
    before, after = np.random.default_rng(width).integers(0, 256, (2, 270, width, 3), np.uint8)
    before[..., 1] = np.minimum(before[..., 1], 120)
    told = []
    for colour in range(3):
        was, now = before[::7, ::7, colour], after[::7, ::7, colour]
        known = (was > 20) & (was < 235)
        told.append(np.median(now[known] / was[known].astype(np.float32)))
    assert light_gain(before, after) == tuple(float(np.clip(each, 0.3, 3.0)) for each in told)


def test_where_nothing_tells_it_is_as_it_was():
    assert light_gain(np.zeros((270, 480, 3), np.uint8), np.full((270, 480, 3), 90, np.uint8)) == (1.0, 1.0, 1.0)
