"""RTSP for real: a camera on loopback that speaks it, dies in the middle and comes back."""

import time

import numpy as np

from tests.vision.rtsp_camera import RtspCamera
from vision.source import open_source
from vision.stream.camera import Stream


def picture(number):
    """Grey by number, with a sensor's noise; no two alike."""
    noise = np.random.default_rng(number).integers(-3, 4, (144, 256, 1))
    return np.clip(60 + 4 * (number % 30) + noise + np.zeros((1, 1, 3)), 0, 255).astype(np.uint8)


def next_good(source, until, wait_s=20.0):
    """Plays until the source's trouble and a new picture are as asked; True if that came in time."""
    end_s = time.monotonic() + wait_s
    for frame in source.beats():
        if until(frame, source.trouble):
            return True
        if time.monotonic() > end_s:
            return False
    return False


def test_a_stream_is_played_its_loss_told_and_its_return_seen():
    camera = RtspCamera(picture)
    with open_source(camera.url) as source:
        assert next_good(source, lambda frame, _: frame is not None and frame.image_bgr.shape == (144, 256, 3))
        camera.die()
        assert next_good(source, lambda _, trouble: trouble is not None and trouble.kind in ("lost", "silent"))
        again = RtspCamera(picture, port=camera.port)
        assert next_good(source, lambda frame, trouble: frame is not None and trouble is None)
    again.die()


def test_a_stream_is_seen_from_its_first_picture_on_and_not_from_its_second_key_picture():
    """FFmpeg threw away what it had looked at to tell the format: of a camera with a key picture every 15 s the first
    came after 15 s."""
    camera = RtspCamera(picture)
    stream = Stream(camera.url)
    first = stream.read()
    stream.close()
    camera.die()
    assert first is not None and first.mean() < picture(1).mean()
