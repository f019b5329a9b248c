"""Soft shadows that come and sway, or a lamp that goes through all colours, change nothing on the table; hands and
pieces do, in them too."""

import cv2
import numpy as np
import pytest

from sample_footage.swaying import among_leaves, under_a_head
from sample_footage.turning_colours import in_turning_colours
from vision.frame import Frame
from vision.motion.change import ChangeGate

HZ = 25.0
PLAIN, MAP = "plain", "map"


def table(ground, coin_at=(400, 300)):
    """A coin on a plain cloth or on a map."""
    marks = (
        np.random.default_rng(3).integers(60, 200, (27, 48, 3), np.uint8)
        if ground == MAP
        else np.full((27, 48, 3), 150)
    )
    drawn = cv2.resize(marks.astype(np.uint8), (960, 540), interpolation=cv2.INTER_CUBIC)
    return cv2.circle(drawn, coin_at, 24, (40, 60, 90), -1, cv2.LINE_AA)


def hand(image, at, bgr=(120, 150, 200)):
    """A sleeve and a hand from the left, without any mark on them."""
    return cv2.line(image.copy(), (-50, at[1]), at, bgr, 90, cv2.LINE_AA)


def changes(images, light=None, depth=0.4):
    """The gate's word on each of the pictures after the first, which is agreed on."""
    gate, told = ChangeGate(), []
    for n, image in enumerate(images):
        frame = Frame(light(image, n / HZ, depth) if light is not None else image, n, n / HZ)
        gate, change = gate.seen(frame)
        gate = gate if n else gate.agreeing(frame)
        told.append(change)
    return told[1:]


LIGHTS = pytest.mark.parametrize("light", [among_leaves, under_a_head, in_turning_colours])


@pytest.mark.parametrize("ground", [PLAIN, MAP])
@LIGHTS
def test_light_that_changes_moves_nothing(ground, light):
    told = changes([table(ground)] * 90, light)
    assert not any(change.is_moving or change.is_changed for change in told)


@pytest.mark.parametrize("ground", [PLAIN, MAP])
@LIGHTS
def test_a_coin_moved_meanwhile_is_seen_where_it_was_and_where_it_is(ground, light):
    there = changes([table(ground)] * 30 + [table(ground, (520, 300))] * 30, light)[-1]
    assert not there.is_moving
    for u, v in [(400, 300), (520, 300)]:
        assert there.changed[round(v * there.scale), round(u * there.scale)]
    assert np.count_nonzero(there.changed) < 2.5 * np.pi * (24 * there.scale) ** 2


@pytest.mark.parametrize("ground", [PLAIN, MAP])
@pytest.mark.parametrize("bgr", [(120, 150, 200), (40, 40, 40), (100, 100, 100), (205, 205, 205)])
def test_a_plain_hand_is_a_hand_all_over(ground, bgr):
    """However like a shadow its colour is, it has an outline."""
    bare = table(ground)
    covered = hand(bare, (300, 200), bgr)
    (there,) = changes([bare, covered])
    within = (
        cv2.resize(np.ptp(np.stack([bare, covered]).astype(np.uint8), axis=0).max(axis=2), there.changed.shape[::-1])
        > 40
    )
    assert there.changed[within].mean() > 0.97 * 255


def test_what_is_too_deep_for_a_shadow_is_none():
    """A head before the camera, out of focus: dark hair over a plain cloth."""
    bare = table(PLAIN)
    blob = cv2.GaussianBlur(
        cv2.ellipse(np.zeros((540, 960), np.float32), (300, 80), (140, 160), 0, 0, 360, 1.0, -1), (0, 0), 12
    )
    hair = (bare * (1 - blob[..., None]) + 35 * blob[..., None]).astype(np.uint8)
    (there,) = changes([bare, hair])
    assert there.changed[round(80 * there.scale), round(300 * there.scale)]
    assert np.count_nonzero(there.changed) > 0.7 * np.count_nonzero(blob > 0.3) * there.scale**2


def test_a_deep_shadow_that_was_agreed_on_is_nothing_when_it_goes():
    """An arm that rested beside the table: where its shadow was the table is two and a half times as light again."""
    grain = np.random.default_rng(5).normal(0, 3, (540, 960, 1))
    bare = (np.full((540, 960, 3), (52, 76, 48)) + grain).astype(np.uint8)
    band = cv2.line(np.zeros((540, 960), np.float32), (-50, 260), (500, 200), 1.0, 50)
    shadowed = (bare * (1 - 0.6 * cv2.GaussianBlur(band, (0, 0), 7))[..., None]).astype(np.uint8)
    for images in ([bare, shadowed], [shadowed, bare]):
        assert not changes(images)[0].is_changed


@pytest.mark.parametrize(("ground", "coin"), [(25, 52), (60, 87), (130, 101)])
def test_a_coin_a_little_paler_or_darker_than_the_cloth_is_seen_where_it_makes_the_place_lighter(ground, coin):
    """Where it comes if it is paler, where it leaves if it is darker."""
    grain = np.random.default_rng(5).normal(0, 2, (2, 540, 960, 3))
    bare = np.full((540, 960, 3), ground, np.float32)
    there = cv2.GaussianBlur(cv2.circle(bare.copy(), (480, 270), 16, (coin,) * 3, -1, cv2.LINE_AA), (0, 0), 1.0)
    images = [(image + noise).astype(np.uint8) for image, noise in zip((bare, there), grain, strict=True)]
    assert changes(images if coin > ground else images[::-1])[0].is_changed


def test_the_cloth_of_a_moved_napkin_is_seen():
    """White on white in all but a few levels, with an outline."""
    bare, napkin = np.full((540, 960, 3), 200, np.uint8), np.full((540, 960, 3), 200, np.uint8)
    napkin[200:400, 300:500] = 230
    (there,) = changes([bare, napkin])
    assert there.changed[round(300 * there.scale), round(400 * there.scale)]


@pytest.mark.parametrize("left", [0.06, 0.04])
def test_a_lamp_that_comes_on_again_changes_nothing_but_what_moved_while_it_was_out(left):
    """In 6 % of its light levels are 3.6 times as low, in 4 % 4.3 times."""
    levels = 255 * (np.arange(256) / 255 * left ** (1 / 2.2))
    dark = cv2.LUT(table(MAP), np.rint(levels).astype(np.uint8)[:, None])
    assert not changes([dark, table(MAP)])[0].is_changed
    moved = changes([dark, table(MAP, (520, 300))])[0]
    assert 0 < np.count_nonzero(moved.changed) < 2.5 * np.pi * (24 * moved.scale) ** 2
