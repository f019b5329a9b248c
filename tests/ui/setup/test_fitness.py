"""Whether a table can be played on as its picture shows it: what to change, or why it will not do."""

import re

import numpy as np
import pytest

from calibration.kick.reregister import upside_down
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot
from ui.setup.fitness import elevation_deg_of, faults_in
from vision.frame import Frame

IVORY_BGR = np.array([0.85, 0.96, 1.0])
LENS, SIZE_MM = a_lens((1280, 720)), (700.0, 500.0)


def seen(camera, gain=1.0):
    picture = shoot(camera, paper((700, 500), 3, gray=170), 3, rays=2, beyond=60)
    return Frame((picture[..., None] * gain * IVORY_BGR).astype(np.uint8))


def faults(camera, gain=1.0):
    return faults_in(seen(camera, gain), camera, SIZE_MM)


def test_an_ordinary_picture_has_no_fault():
    camera = a_camera(50, 700, lens=LENS)
    assert faults(camera) == () and elevation_deg_of(camera, SIZE_MM) == pytest.approx(50, abs=3)


@pytest.mark.parametrize(
    ("camera", "gain", "told"),
    [
        (a_camera(27, 700, lens=LENS), 1.0, "from only 2. degrees above it: raise it"),
        (a_camera(50, 700, lens=LENS), 0.25, "too dark .*more light"),
        (a_camera(50, 1000, lens=LENS), 1.0, "too far away .*nearer"),
        (upside_down(a_camera(50, 700, lens=LENS)), 1.0, "upside down: turn the camera over"),
    ],
)
def test_what_spoils_the_reading_is_told_with_what_to_change(camera, gain, told):
    assert any(re.search(told, sentence) for sentence in faults(camera, gain))


@pytest.mark.parametrize(
    ("camera", "gain", "told"),
    [
        (a_camera(15, 700, lens=LENS), 1.0, "from only 1. degrees above it, too flat to measure: raise it"),
        (a_camera(50, 700, lens=LENS), 0.1, "too dark .*: switch on a lamp"),
        (a_camera(50, 1900, lens=LENS), 1.0, "too small in the picture .*: bring the camera nearer"),
    ],
)
def test_what_cannot_be_played_on_is_refused_with_what_to_change(camera, gain, told):
    with pytest.raises(ValueError, match=told):
        faults(camera, gain)


def test_from_straight_above_no_picture_is_upside_down():
    assert faults(upside_down(a_camera(89, 700, lens=LENS))) == ()
