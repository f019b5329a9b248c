"""By how much the light of two shrunk pictures differs."""

import numpy as np
import pytest

from vision.frame import Frame
from vision.motion.change import ChangeGate, light_gain


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


def a_frame(image: np.ndarray, t_s: float) -> Frame:
    return Frame(image, round(t_s * 12), t_s)


def test_what_was_agreed_in_the_dark_is_no_hand_when_the_light_is_back():
    rng = np.random.default_rng(3)
    table = np.repeat(rng.integers(60, 220, (270, 480, 1), np.uint8), 3, axis=2)
    lit, dark = table.copy(), (table * 0.13 + rng.normal(0, 1.5, table.shape)).astype(np.uint8)
    moved = lit.copy()
    moved[100:112, 200:212] = 255 - moved[100:112, 200:212]
    gate = ChangeGate().agreeing(a_frame(lit, 0.0)).agreeing(a_frame(dark, 1.0))
    assert not gate.seen(a_frame(dark, 1.1))[1].is_changed
    changed = gate.seen(a_frame(moved, 2.0))[1].changed
    assert changed[100:112, 200:212].any()
    changed[95:117, 195:217] = 0
    assert not changed.any()
    assert gate.agreeing(a_frame(moved, 2.0)).lit is None


def test_a_lamp_that_falls_by_a_third_leaves_but_one_picture_to_compare_with():
    lit = np.full((270, 480, 3), 150, np.uint8)
    assert ChangeGate().agreeing(a_frame(lit, 0.0)).agreeing(a_frame((lit * 0.7).astype(np.uint8), 1.0)).lit is None
