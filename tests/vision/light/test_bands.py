"""A lamp that flickers with the mains, seen through a rolling shutter: bands wander, and nothing has moved."""

import cv2
import numpy as np
import pytest

from sample_footage.flicker import flickering
from vision.frame import Frame
from vision.light.bands import band_gains
from vision.motion.change import ChangeGate, shrunk

HZ = 30.0


def table(coin_at=(400, 300), seed=0):
    """A map with a coin on it."""
    rng = np.random.default_rng(seed)
    drawn = cv2.resize(rng.integers(60, 200, (27, 48, 3), np.uint8), (960, 540), interpolation=cv2.INTER_CUBIC)
    cv2.circle(drawn, coin_at, 24, (40, 60, 90), -1, cv2.LINE_AA)
    return drawn


def taken(image, index, depth, mains_hz=50.0):
    """The picture of that number."""
    return flickering(image, index / HZ, depth, mains_hz)


def watched(images):
    """The gate and the changes after the tenth of the pictures, which is agreed on."""
    gate, changes = ChangeGate(), []
    for n, image in enumerate(images):
        frame = Frame(image, n, n / HZ)
        gate, change = gate.seen(frame)
        gate = gate.agreeing(frame) if n == 10 else gate
        changes.append(change)
    return gate, changes[11:]


@pytest.mark.parametrize("mains_hz", [50.0, 60.0])
@pytest.mark.parametrize("depth", [0.05, 0.2])
@pytest.mark.parametrize("turn", [None, cv2.ROTATE_90_CLOCKWISE])
def test_a_flickering_lamp_moves_nothing(depth, mains_hz, turn):
    images = [taken(table(), n, depth, mains_hz) for n in range(40)]
    if turn is not None:
        images = [cv2.rotate(image, turn) for image in images]
    gate, changes = watched(images)
    assert not any(change.is_moving or change.is_changed for change in changes)
    assert gate.trouble is None


def test_a_coin_that_was_moved_is_seen_by_a_flickering_lamp():
    where = [(400, 300)] * 20 + [(520, 300)] * 20
    _, changes = watched([taken(table(at), n, 0.2) for n, at in enumerate(where)])
    assert not any(change.is_changed for change in changes[:8])
    assert all(change.is_changed for change in changes[12:])
    assert not any(change.is_moving for change in changes[16:])


def test_a_sleeve_over_a_third_of_the_table_is_no_lamp():
    before, after = table(), table()
    after[:360, 250:600] = 50
    after[360:420, 200:660] = (after[360:420, 200:660] * 0.8).astype(np.uint8)  # its shadow
    gate, changes = watched([before] * 20 + [after] * 20)
    plain = ChangeGate().agreeing(Frame(before)).seen(Frame(after))[1]
    assert np.count_nonzero(changes[-1].changed) == np.count_nonzero(plain.changed) > 20000
    assert changes[-1].bands == 1.0 and gate.trouble is None


def test_light_that_falls_everywhere_is_no_band():
    assert band_gains(shrunk(table()), shrunk((table() * 0.7).astype(np.uint8))) is None


def test_a_lamp_that_flickers_too_much_is_told():
    gate, _ = watched([taken(table(), n, 0.45) for n in range(40)])
    assert gate.trouble is not None and "50 or 60 Hz" in gate.trouble.sentence
