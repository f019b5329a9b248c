"""Of a stream only whole pictures are taken: half a table would be taken for a hand, smears for pieces."""

import io
import time
from contextlib import suppress
from fractions import Fraction

import av
import av.error
import cv2
import numpy as np
import pytest

from tests.vision.mjpeg_camera import MjpegCamera
from ui.playing.pulse import Pulse
from ui.still import first_of
from vision.source import open_source
from vision.stream.camera import BrokenPicturesError, Stream
from vision.stream.whole import WholePictures

SIZE_PX, KEY_EVERY = (640, 480), 10


def picture(number=0):
    """Noise, of a level that tells its number."""
    noise = np.random.default_rng(number).integers(0, 40, (SIZE_PX[1], SIZE_PX[0], 3))
    return (noise + 60 + 5 * (number % 20)).astype(np.uint8)


def jpeg(share=1.0, number=0):
    """A picture's JPEG, cut short."""
    whole = cv2.imencode(".jpg", picture(number))[1].tobytes()
    return whole[: round(len(whole) * share)]


def paced(pictures):
    """A camera's stream of these, again and again."""
    for _ in range(4000):
        for each in pictures:
            yield each
            time.sleep(0.003)


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr("vision.stream.camera._BROKEN_S", 0.6)


@pytest.mark.parametrize("end", [b"", b"\xff\xd9"])
def test_a_stream_all_of_whose_pictures_are_cut_short_is_no_table(soon, end):
    """After some of them it was believed, its lower part green or of an older picture, and told to be good."""
    with MjpegCamera(lambda: paced([jpeg(0.6) + end])) as camera:
        stream = Stream(camera.url)
        for _ in range(2):
            with pytest.raises(BrokenPicturesError, match="arrive broken; choose a lower resolution"):
                stream.read()
        stream.close()


def test_a_camera_that_always_leaves_out_its_last_blocks_is_believed():
    with MjpegCamera(lambda: paced([jpeg(0.99)])) as camera:
        stream = Stream(camera.url)
        image = stream.read()
        stream.close()
    assert image is not None and cv2.absdiff(image, picture())[:400].mean() < 15


def test_a_slow_camera_is_not_opened_anew_before_enough_were_seen_to_believe_it(monkeypatch):
    """Of one that sends ten a second forty came in the time after which a stream is opened anew, again and again."""
    monkeypatch.setattr("vision.stream.camera._BROKEN_S", 0.1)
    monkeypatch.setattr("vision.stream.camera._ANEW_S", 0.2)
    with MjpegCamera(lambda: (time.sleep(0.01) or jpeg(0.99) for _ in range(1000))) as camera:
        stream = Stream(camera.url)
        image = None
        for _ in range(200):
            with suppress(BrokenPicturesError):
                image = stream.read()
                break
        stream.close()
    assert image is not None and image.shape == (480, 640, 3)


def test_a_stream_that_is_cut_short_in_the_midst_is_told_to_be_broken_until_it_is_whole_again(soon):
    """It was told to be silent, then lost, then good."""
    state = {"share": 1.0}

    def stream():
        for number in range(4000):
            yield jpeg(state["share"], number % 20)
            time.sleep(0.005)

    with MjpegCamera(stream) as camera, open_source(camera.url) as source:
        assert source.next_frame(5.0) is not None
        state["share"] = 0.6
        kinds, end_s = set(), time.monotonic() + 2.5
        while time.monotonic() < end_s:
            kinds.add(source.trouble.kind if source.trouble is not None else None)
            time.sleep(0.05)
        assert kinds == {None, "broken"} and source.trouble.kind == "broken"
        state["share"] = 1.0
        while source.trouble is not None and time.monotonic() < end_s + 5:
            source.next_frame(0.1)
        assert source.trouble is None


@pytest.mark.parametrize("whole_every", [6, 20])
def test_while_most_pictures_are_broken_nothing_else_is_said_of_them(whole_every):
    """That there were too few a second was said, and more light advised; then silent, broken, slow, good, and again."""
    pictures = {share: [jpeg(share, number) for number in range(20)] for share in (1.0, 0.6)}

    def stream():
        for number in range(4000):
            yield pictures[1.0 if number < 12 or number % whole_every == 0 else 0.6][number % 20]
            time.sleep(0.1)

    with MjpegCamera(stream) as camera, open_source(camera.url) as source:
        pulse, told, newest_s, end_s = Pulse(source), [], 0.0, time.monotonic() + 8
        for frame in source.beats():
            newest_s = frame.t_s if frame is not None else newest_s
            told.append(pulse.news(newest_s))
            if time.monotonic() > end_s:
                break
    assert [(news["what"], news["kind"]) for news in told if news] == [("trouble", "broken")]


def test_a_camera_that_falls_silent_within_a_picture_sends_no_broken_pictures():
    """Its next picture came 3 s later, and it was told that they arrive broken."""

    def stream():
        yield from [jpeg(1.0, number) for number in range(8)]
        time.sleep(1.6)
        yield jpeg(0.6)
        yield jpeg()
        time.sleep(3)

    with MjpegCamera(stream) as camera:
        stream = Stream(camera.url)
        assert all(stream.read() is not None for _ in range(9))
        stream.close()


def test_who_waits_for_the_first_picture_is_told_that_it_comes_broken(soon, monkeypatch):
    monkeypatch.setattr("ui.still._PATIENCE_BEATS", 6)
    with (
        MjpegCamera(lambda: paced([jpeg(0.5)])) as camera,
        open_source(camera.url) as source,
        pytest.raises(ValueError, match="its pictures arrive broken"),
    ):
        first_of(source.beats(), source)


def h264(slices, damaged):
    """A raw stream of 30 pictures, a key picture every tenth, of which one lacks a part of its data."""
    encoder = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = *SIZE_PX, "yuv420p", Fraction(1, 30)
    x264 = f"repeat-headers=1:scenecut=0:keyint={KEY_EVERY}:min-keyint={KEY_EVERY}:slices={slices}"
    encoder.options = {"preset": "ultrafast", "tune": "zerolatency", "x264-params": x264}
    made = []
    for number in range(30):
        frame = av.VideoFrame.from_ndarray(picture(number), format="bgr24")
        frame.pts = number
        made += [bytes(packet) for packet in encoder.encode(frame)]
    broken = made[damaged]
    made[damaged] = broken[: len(broken) // 2] + broken[len(broken) // 2 + 900 :]
    return b"".join(made)


def taken(data):
    """The numbers of the pictures that are given, by their level."""
    with av.open(io.BytesIO(data), format="h264") as container:
        pictures, levels = WholePictures(container), []
        while True:
            try:
                levels.append(round((next(pictures).to_ndarray(format="gray").mean() - 79.5) / 5))
            except StopIteration:
                return levels
            except av.error.InvalidDataError:
                continue


@pytest.mark.parametrize("slices", [1, 4])
@pytest.mark.parametrize("damaged", [13, 10])
def test_what_is_made_from_a_broken_picture_is_passed_over_until_one_stands_alone(slices, damaged):
    """They were smeared, and of a picture in several parts nobody even heard that one was broken."""
    levels = taken(h264(slices, damaged))
    assert levels == [number % 20 for number in [*range(damaged), *range(20, 30)]]
