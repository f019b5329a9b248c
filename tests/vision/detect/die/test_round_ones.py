"""A bead about its hole is read as a die's one; it is round, and lies on no edges of a die."""

import cv2
import numpy as np
import pytest

from models.pieces import DIE
from tests.vision.detect.die.test_die_edges import CAMERA, fill, shown
from vision.detect.die import dice
from vision.detect.die.round_ones import are_round
from vision.detect.pieces import Peaks


def bead(at_mm, radius_mm):
    """A picture of a flat red bead on grey cloth, its hole upwards, and where the hole shows on the table."""
    image = np.full((CAMERA.lens.size_px[1], CAMERA.lens.size_px[0], 3), (70, 80, 75), np.uint8)
    turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    spokes = radius_mm * np.c_[np.cos(turn), np.sin(turn)]
    for share, high_mm, colour in ((1.0, 0.0, (40, 40, 110)), (1.0, 3.0, (60, 60, 190)), (0.3, 3.0, (15, 15, 30))):
        fill(image, CAMERA.to_image(at_mm + share * spokes, high_mm), colour)
    noisy = cv2.GaussianBlur(image, (0, 0), 0.7) + np.random.default_rng(1).normal(0, 2, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), CAMERA.to_table(CAMERA.to_image([at_mm], 3.0))


def told(monkeypatch, picture, at_mm, name="1"):
    """What is told of what is read so there."""
    monkeypatch.setattr(dice, "_read", lambda *_: ([name], np.array([0.99])))
    peaks = Peaks(at_mm, np.array([0.9]), np.zeros(1), np.zeros(1))
    return [die.cls for die in dice.find_dice(picture, CAMERA, {DIE: peaks})]


@pytest.mark.parametrize("radius_mm", [5.0, 5.5, 6.0])
def test_a_bead_is_no_one(monkeypatch, radius_mm):
    assert told(monkeypatch, *bead((300.0, 260.0), radius_mm)) == []


@pytest.mark.parametrize("side_mm", [12, 16, 19])
@pytest.mark.parametrize("turn_deg", [0, 30])
def test_a_die_is_one(monkeypatch, side_mm, turn_deg):
    assert told(monkeypatch, *shown((300, 260), turn_deg, side_mm)) == ["1"]


def test_what_shows_more_pips_than_one_is_no_bead(monkeypatch):
    assert told(monkeypatch, *bead((300.0, 260.0), 5.5), name="4") == ["4"]


def test_no_dots_are_asked_about_nothing():
    picture, _ = bead((300.0, 260.0), 5.5)
    assert are_round(picture, CAMERA, np.zeros((0, 2))).shape == (0,)
