"""In strips a net says what it says of the whole view, to the last bit, whoever helps."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from models import loading
from models.loading import load_model, load_parts
from vision.strips import InStrips

NET = "pieces"


def view(rows, columns, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (rows, columns, 3), np.uint8)


def whole(top_bgr):
    picture = np.ascontiguousarray(top_bgr.transpose(2, 0, 1)[None], np.float32)
    return load_model(NET).run(None, {"picture": picture})[0][0]


@pytest.mark.parametrize("rows", [16, 128, 144, 272, 400])
def test_strips_say_what_the_whole_net_says(rows):
    top = view(rows, 176, rows)
    assert np.array_equal(InStrips(load_parts(NET), top).maps(), whole(top))


@pytest.mark.parametrize("seed", range(3))
def test_another_who_helps_changes_nothing(seed):
    top = view(528, 160, seed)
    with ThreadPoolExecutor(1) as beside:
        strips = InStrips(load_parts(NET), top)
        assert np.array_equal(strips.maps(beside, strips.begin(beside)), whole(top))


def test_another_who_is_busy_is_not_waited_for():
    top = view(272, 160)
    leave = Event()
    with ThreadPoolExecutor(1) as beside:
        beside.submit(leave.wait)
        strips = InStrips(load_parts(NET), top)
        said = strips.maps(beside, strips.begin(beside))
        leave.set()
    assert np.array_equal(said, whole(top))


def test_parts_of_another_net_are_left_alone(monkeypatch):
    load_parts.cache_clear()
    read = loading.read_model
    monkeypatch.setattr(loading, "read_model", lambda name: read("die_reader" if name == NET else name))
    assert load_parts(NET) is None
    load_parts.cache_clear()


def test_a_net_that_was_not_cut_has_no_parts():
    assert load_parts("die_reader") is None
