"""In strips a net's parts say what they say of the whole view, to the last bit, whoever helps."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from models import loading
from models.loading import CENTRED, load_model, load_parts
from vision.metric.centred import centred_planes
from vision.metric.strips import InStrips

NET = "pieces"


def view(rows, columns, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (rows, columns, 3), np.uint8)


def whole(top_bgr):
    """What the four parts say, each run over the whole view at once."""
    near, far, sticks, join = load_parts(NET)
    quarter, eighth, thin = near.run(None, {CENTRED: centred_planes(top_bgr)})
    (back,) = far.run(None, {far.get_inputs()[0].name: eighth})
    (last,) = sticks.run(None, {sticks.get_inputs()[0].name: thin})
    names = (each.name for each in join.get_inputs())
    (first,) = join.run(None, dict(zip(names, (quarter, back), strict=True)))
    return np.concatenate([first[0], last[0]])


def test_planes_are_the_picture_about_the_middle_of_a_byte():
    top = view(16, 24)
    assert np.array_equal(centred_planes(top), top.transpose(2, 0, 1)[None].astype(np.float32) - 128)


def test_the_parts_say_nearly_what_the_net_says_that_they_were_cut_from():
    top = np.repeat(np.repeat(view(34, 22, 5), 8, axis=0), 8, axis=1)
    said = load_model(NET).run(None, {CENTRED: centred_planes(top)})[0][0]
    assert np.abs(whole(top) - said).mean() < 0.1
    assert np.corrcoef(whole(top).ravel(), said.ravel())[0, 1] > 0.998


@pytest.mark.parametrize("rows", [16, 128, 144, 272, 400])
def test_strips_say_what_the_whole_view_says(rows):
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
