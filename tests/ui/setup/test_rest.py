"""The picture that a set-up is made from: one in which neither the camera nor a hand moves."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from sample_footage.company import with_company
from sample_footage.flicker import flickering
from sample_footage.swaying import among_leaves, under_a_head
from sample_footage.turning_colours import in_turning_colours
from ui.setup.rest import REST_S, rest_of
from vision.frame import Frame
from vision.stream.health import Trouble

RATE_HZ = 10


class Camera:
    """Shows `picture(t_s)` ten times a second of its own clock; None is nothing new."""

    live = True
    name = "a camera"
    trouble = None

    def __init__(self, picture, seconds=30.0):
        self.picture, self.seconds = picture, seconds

    def beats(self) -> Iterator[Frame | None]:
        for number in range(round(self.seconds * RATE_HZ)):
            image = self.picture(number / RATE_HZ)
            yield None if image is None else Frame(image, number, number / RATE_HZ)


NOISE = np.random.default_rng(5).standard_normal((7, 360, 640)).astype(np.float32)
DISCS = np.full((360, 640), 110, np.uint8)
for at in np.random.default_rng(3).integers((30, 30), (610, 330), (14, 2)).tolist():
    cv2.circle(DISCS, at, 9, 60, -1, cv2.LINE_AA)


def a_table(t=0.0, grain=1.0, gain=1.0, shift=(0, 0)):
    """Discs on a plain ground, with a webcam's noise."""
    moved = cv2.warpAffine(DISCS, np.float32([[1, 0, shift[0]], [0, 1, shift[1]]]), (640, 360), borderMode=1)
    noisy = np.clip(moved * gain + grain * NOISE[round(10 * t) % 7], 0, 255).astype(np.uint8)
    return cv2.cvtColor(noisy, cv2.COLOR_GRAY2BGR)


def rested(picture, seconds=30.0):
    said = []
    return rest_of(Camera(picture, seconds), said.append), said


@pytest.mark.parametrize("grain", [0.5, 2.0, 4.0])
def test_a_camera_that_stands_is_believed_at_once_whatever_its_grain(grain):
    frame, said = rested(lambda t: a_table(t, grain))
    assert frame.t_s == pytest.approx(REST_S, abs=0.11) and not said


@pytest.mark.parametrize("depth", [0.1, 0.25])
def test_a_lamp_that_flickers_is_not_waited_for(depth):
    frame, said = rested(lambda t: flickering(a_table(t), t, depth, 60.0))
    assert frame.t_s < REST_S + 0.2 and said == []


@pytest.mark.parametrize("light", [among_leaves, under_a_head])
def test_soft_shadows_that_sway_are_not_waited_for(light):
    frame, said = rested(lambda t: light(a_table(t), t, 0.4))
    assert frame.t_s < REST_S + 0.2 and said == []


@pytest.mark.parametrize("depth", [0.25, 0.4])
def test_a_lamp_that_goes_through_all_colours_is_not_waited_for(depth):
    frame, said = rested(lambda t: in_turning_colours(a_table(t), t, depth))
    assert frame.t_s < REST_S + 0.2 and said == []


def test_who_sits_behind_the_table_is_not_waited_for_long():
    frame, said = rested(lambda t: with_company(a_table(t), t, 0.28))
    assert frame.t_s == pytest.approx(4.0, abs=0.2)
    assert said[-1] == "something moves still, but aside: the picture is taken as it is"


def test_a_camera_in_a_hand_is_waited_for_and_it_is_said():
    frame, said = rested(lambda t: a_table(t, shift=(6 * np.sin(3 * t), 4 * np.sin(2 * t)) if t < 4 else (3, 2)))
    assert 4.5 < frame.t_s < 5.2
    assert len(said) == 1 and "let go of the camera, and take hands off the table" in said[0]


def test_a_hand_over_a_corner_of_the_table_is_waited_for():
    def picture(t):
        image = a_table(t)
        if t < 3:
            cv2.ellipse(image, (round(100 + 30 * t), 300), (30, 70), 10, 0, 360, (110, 140, 190), -1)
        return image

    assert 3.5 < rested(picture)[0].t_s < 4.2


def test_a_webcam_that_settles_its_light_is_waited_for():
    assert rested(lambda t: a_table(t, gain=min(1.0, 0.3 + 0.5 * t)))[0].t_s > 1.7


def test_what_never_rests_is_taken_as_it_is_with_a_word():
    frame, said = rested(lambda t: a_table(t, shift=(20 * np.sin(3 * t), 0)))
    assert frame.t_s > 15 and said[-1] == "it moves still: the picture is taken as it is"


def test_a_camera_that_is_lost_meanwhile_is_told():
    camera = Camera(lambda t: a_table(t, shift=(20 * t, 0)) if t < 1 else None)
    camera.trouble = Trouble("lost", "the camera is lost: plug it in")
    with pytest.raises(ValueError, match="a camera: the camera is lost: plug it in"):
        rest_of(camera, lambda _: None)


def test_of_a_video_the_first_picture_is_taken():
    camera = Camera(lambda t: a_table(t, shift=(20 * np.sin(3 * t), 0)))
    camera.live = False
    assert rest_of(camera, lambda _: None).t_s == 0
