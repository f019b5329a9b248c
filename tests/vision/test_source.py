"""Files give every frame with true times; live sources give the newest and survive a lost camera."""

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.clips import turned_clip, write_clip
from tests.vision.mjpeg_camera import MjpegCamera
from vision.frame import Frame, ImageBgr
from vision.source import open_source
from vision.stream.camera import Stream, without_password
from vision.stream.health import Health
from vision.stream.live import LiveSource
from vision.stream.picture import pictures_in, read_picture
from vision.stream.video_file import BrokenVideoError, frame_at, read_video, video_info

UNEVEN_S = [0.0, 0.1, 0.15, 0.4, 1.0, 1.05, 2.0]


def grey(value: int) -> ImageBgr:
    image = np.full((96, 128, 3), value, np.uint8)
    image[0, 0] = 255 - value
    return image


def test_a_file_keeps_its_own_times(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "a.mp4", UNEVEN_S)
    frames = list(open_source(str(path)))
    assert [frame.t_s for frame in frames] == pytest.approx(UNEVEN_S, abs=1e-3)
    assert [frame.image_bgr[80, 64].mean() for frame in frames] == pytest.approx([40 + 3 * n for n in range(7)], abs=7)


@pytest.mark.parametrize("clockwise_deg", [90, 180, 270])
def test_a_telephones_film_is_seen_as_it_is_shown(tmp_path: Path, clockwise_deg: int) -> None:
    path = write_clip(tmp_path / "a.mp4", UNEVEN_S)
    stored, shown = list(read_video(path)), list(read_video(turned_clip(path, clockwise_deg)))
    assert [frame.t_s for frame in shown] == [frame.t_s for frame in stored]
    for lying, upright in zip(stored, shown, strict=True):
        assert np.array_equal(upright.image_bgr, np.rot90(lying.image_bgr, -clockwise_deg // 90))


@pytest.mark.parametrize(("pixel", "size_px"), [("4/3", (171, 96)), ("3/4", (128, 128)), ("1/1", (128, 96))])
def test_a_film_of_narrow_pixels_is_seen_as_it_is_shown(tmp_path: Path, pixel: str, size_px: tuple[int, int]) -> None:
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        stream.codec_context.sample_aspect_ratio = Fraction(pixel)
        image = np.zeros((96, 128, 3), np.uint8)
        image[:48, :64] = 255
        container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode())
    (frame,) = read_video(path)
    assert frame.image_bgr.shape == (size_px[1], size_px[0], 3)
    bright = frame.image_bgr[..., 1] > 128
    assert bright[:, 5].sum() == pytest.approx(size_px[1] / 2, abs=1)
    assert bright[5].sum() == pytest.approx(size_px[0] / 2, abs=1)


def test_a_raw_stream_without_times_has_a_steady_rate(tmp_path: Path) -> None:
    times = [n / 10 for n in range(12)]
    with av.open(write_clip(tmp_path / "a.mp4", times)) as clip, av.open(tmp_path / "a.h264", "w") as raw:
        stream = raw.add_stream_from_template(clip.streams.video[0])
        for packet in clip.demux(video=0):
            packet.stream = stream
            if packet.dts is not None:
                raw.mux(packet)
    frames = list(read_video(tmp_path / "a.h264"))
    steps_s = np.diff([frame.t_s for frame in frames])
    assert len(frames) == 12 and steps_s.min() > 0.01 and np.ptp(steps_s) < 1e-9
    late_s = frames[-1].t_s
    assert (
        next(iter(read_video(tmp_path / "a.h264", late_s))).t_s == frame_at(tmp_path / "a.h264", late_s).t_s == late_s
    )


def test_a_film_of_pieces_that_each_begin_anew_goes_on(tmp_path: Path) -> None:
    """As a camera leaves it that was switched off and on, or `cat` makes it of a recorder's pieces."""
    pieces = [write_clip(tmp_path / name, [n / 25 for n in range(50)]) for name in ("a.ts", "b.ts", "c.ts")]
    film = tmp_path / "film.ts"
    film.write_bytes(b"".join(piece.read_bytes() for piece in pieces))
    times_s = [frame.t_s for frame in read_video(film)]
    assert len(times_s) == 150
    assert np.diff(times_s) == pytest.approx(np.full(149, 0.04), abs=0.01)
    assert [frame_at(film, at_s).index for at_s in (1.0, 3.0, 5.0)] == [25, 75, 125]


def told_at(film: Path, told_s: Callable[[float], float], copy: Path) -> Path:
    """A copy that tells other times of its pictures, in milliseconds."""
    with av.open(str(film)) as clip, av.open(str(copy), "w") as out:
        stream = out.add_stream_from_template(clip.streams.video[0])
        for packet in clip.demux(video=0):
            if packet.pts is not None:
                at_s = told_s(float(packet.pts * packet.time_base))
                packet.stream, packet.time_base = stream, Fraction(1, 1000)
                packet.pts = packet.dts = round(1000 * at_s)
                out.mux(packet)
    return copy


def test_pictures_told_to_be_shown_at_one_time_follow_one_another(tmp_path: Path) -> None:
    film = write_clip(tmp_path / "a.mp4", [n / 25 for n in range(50)])
    twice = told_at(film, lambda at_s: int(at_s * 12.5 + 1e-3) / 12.5, tmp_path / "twice.mkv")
    times_s = [frame.t_s for frame in read_video(twice)]
    assert times_s[::2] == pytest.approx([n / 12.5 for n in range(25)], abs=2e-3)
    assert min(np.diff(times_s)) > 0


@pytest.mark.parametrize(("pause_s", "told_s"), [(600.0, 600.0), (4e5, 0.0)])
def test_a_film_may_pause_but_a_clock_that_was_set_by_days_is_no_pause(tmp_path, pause_s, told_s) -> None:
    film = write_clip(tmp_path / "a.mp4", [n / 25 for n in range(50)])
    paused = told_at(film, lambda at_s: at_s + pause_s * (at_s > 0.99), tmp_path / "paused.mkv")
    assert [frame.t_s for frame in read_video(paused)][-1] == pytest.approx(1.96 + told_s, abs=0.05)


def test_frame_at_shows_what_was_on_the_screen_then(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "a.mp4", UNEVEN_S)
    assert frame_at(path, 0.39).t_s == pytest.approx(0.15, abs=1e-3)
    assert frame_at(path, 0.4).t_s == pytest.approx(0.4, abs=1e-3)
    assert frame_at(path, 1.9).t_s == pytest.approx(1.05, abs=1e-3)  # it was the one that came after
    with pytest.raises(ValueError, match="no picture at 90 s"):
        frame_at(path, 90.0)


def test_a_transport_stream_is_wound_to_before_the_time_asked_for(tmp_path: Path) -> None:
    """It has no index: the picture shown was the next key picture, up to four seconds later."""
    path = write_clip(tmp_path / "a.ts", [n / 5 for n in range(60)], key_every=20)
    asked_s = [0.2, 1.0, 3.6, 4.0, 7.8, 11.8]
    assert [frame_at(path, at_s).t_s for at_s in asked_s] == pytest.approx(asked_s, abs=1e-3)
    assert [next(read_video(path, at_s)).t_s for at_s in asked_s] == pytest.approx(asked_s, abs=1e-3)


@pytest.mark.parametrize("codec", ["libx264", "mpeg4"])
def test_pictures_kept_in_another_order_than_they_are_shown_have_their_own_times(tmp_path: Path, codec: str) -> None:
    """AVI says when a picture is decoded: they were told up to three late, and not even in order; of the last one of
    MPEG-4 nothing is said, and a film wound to it broke off there."""
    path = tmp_path / "a.avi"
    with av.open(str(path), "w") as container:
        options = {"bf": "3", "b-adapt": "0", "g": "20"} if codec == "libx264" else {"bf": "2", "g": "3"}
        stream = container.add_stream(codec, rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        for number in range(50):
            picture = av.VideoFrame.from_ndarray(grey(20 + 4 * number), format="bgr24")
            picture.pts, picture.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    frames = list(read_video(path))
    assert [frame.t_s for frame in frames] == pytest.approx([number / 25 for number in range(50)])
    for late in (1, 20, 33, 49):
        for found in (frame_at(path, late / 25), next(read_video(path, late / 25))):
            assert found.t_s == pytest.approx(late / 25)
            assert np.array_equal(found.image_bgr, frames[late].image_bgr)


def test_too_little_memory_is_no_fault_of_the_film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was said to break off there, and to record it again."""

    def full(*_: object) -> ImageBgr:
        raise av.error.MemoryError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    path = write_clip(tmp_path / "a.mp4", UNEVEN_S)
    monkeypatch.setattr("vision.stream.video_file._upright", full)
    with pytest.raises(MemoryError):
        list(read_video(path))


def test_a_video_that_breaks_off_says_where(tmp_path: Path) -> None:
    whole = write_clip(tmp_path / "whole.mp4", [n / 10 for n in range(60)], moov_first=True).read_bytes()
    path = tmp_path / "half.mp4"
    path.write_bytes(whole[: len(whole) // 2])
    frames: Iterator[Frame] = read_video(path)
    with pytest.raises(BrokenVideoError, match="breaks off"):
        list(frames)


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
@pytest.mark.parametrize("begins_s", [0, 3])
def test_sound_that_goes_on_after_the_pictures_is_no_video_that_breaks_off(
    tmp_path: Path, ending: str, begins_s: int
) -> None:
    """Also where the pictures begin after it."""
    path = tmp_path / f"a{ending}"
    with av.open(str(path), "w") as container:
        video, sound = container.add_stream("libx264", rate=10), container.add_stream("aac", rate=8000)
        video.width, video.height, video.pix_fmt, sound.layout = 128, 96, "yuv420p", "mono"
        for number in range(20):
            picture = av.VideoFrame(128, 96, "yuv420p")
            picture.pts, picture.time_base = 10 * begins_s + number, Fraction(1, 10)
            container.mux(video.encode(picture))
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 40000), np.float32), format="fltp", layout="mono")
        silence.sample_rate = 8000
        container.mux([*video.encode(), *sound.encode(silence), *sound.encode()])
    assert len(list(read_video(path))) == 20


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_what_is_no_ordinary_file_is_said_to_be_there(tmp_path: Path) -> None:
    """Of /dev/null it was said that there is none: "is null meant?"."""
    os.mkfifo(tmp_path / "pipe")
    for spec, said in (
        (os.devnull, "this is a device, and no video; give a camera's number"),
        (str(tmp_path / "pipe"), "this is a pipe, which cannot be wound back; give a camera's number"),
        ("/dev/video97", "/dev/video97: a camera is given by its number; give 97"),
    ):
        with pytest.raises(ValueError, match=said):
            open_source(spec)


@pytest.mark.parametrize("content", [b"", b"just some words\n" * 50])
def test_text_is_no_video_and_no_picture(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"notes\.txt: not a video"):
        open_source(str(path))
    with pytest.raises(ValueError, match=r"notes\.txt: not a picture"):
        read_picture(path)


class FakeCapture:
    """Gives its pictures at 50 Hz, then is lost."""

    def __init__(self, pictures: list[ImageBgr]) -> None:
        self._pictures = iter(pictures)

    def read(self) -> ImageBgr | None:
        time.sleep(0.02)
        return next(self._pictures, None)

    def close(self) -> None:
        pass


def one_by_one(captures: Sequence[FakeCapture]) -> Callable[[], FakeCapture]:
    """Opens one after another, and then none."""
    left = iter(captures)

    def open_capture() -> FakeCapture:
        capture = next(left, None)
        if capture is None:
            raise OSError("gone")
        return capture

    return open_capture


def test_a_lost_camera_is_named_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.stream.live.RETRY_S", 0.05)
    captures = [FakeCapture([grey(n) for n in range(30, 40)]), FakeCapture([grey(n) for n in range(130, 180)])]
    with LiveSource(one_by_one(captures), "camera 0") as source:
        last = 0.0
        for frame in source:
            last = float(frame.image_bgr[50, 50].mean())
            if last >= 179:
                break
        time.sleep(0.3)
        assert last == 179
        assert source.trouble is not None
        assert source.trouble.kind == "lost" and "trying again" in str(source.trouble)


def test_an_address_of_snapshots_is_told_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The camera was lost, once a second, while its pictures came."""
    monkeypatch.setattr("vision.stream.live.RETRY_S", 0.05)
    snapshot, lost = "give that of the camera's video", "the camera is lost"
    said: list[str] = []
    with LiveSource(lambda: FakeCapture([grey(100)]), "http://camera/shot.jpg") as source:
        end_s = time.monotonic() + 5.0
        while not (said and snapshot in said[-1]) and time.monotonic() < end_s:
            said.append(str(source.trouble))
            time.sleep(0.005)
    assert snapshot in said[-1] and any(lost in each for each in said)  # once a camera may well be lost


def gives_single_pictures(source: LiveSource) -> list[str]:
    """What is said meanwhile, by turns."""
    said: list[str] = []
    end_s = time.monotonic() + 0.8
    while time.monotonic() < end_s:
        now = str(source.trouble)
        said += [now] if now != (said or [""])[-1] else []
        time.sleep(0.005)
    return said


def test_a_camera_whose_cable_gives_single_pictures_is_at_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.stream.live.RETRY_S", 0.05)
    with LiveSource(lambda: FakeCapture([grey(100)]), "camera 0") as source:
        said = gives_single_pictures(source)
    assert any("the camera is lost" in each for each in said) and not any("snapshots" in each for each in said)


def test_an_address_of_snapshots_that_answers_no_more_is_a_lost_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.stream.live.RETRY_S", 0.05)
    captures = [FakeCapture([grey(n)]) for n in range(100, 106)]
    with LiveSource(one_by_one(captures), "http://camera/shot.jpg") as source:
        said = gives_single_pictures(source)
    assert any("snapshots" in each for each in said) and "the camera is lost" in said[-1]


def test_a_camera_that_is_not_there_is_an_error_at_once() -> None:
    with pytest.raises(OSError, match="camera 42"):
        open_source("42")


@pytest.mark.parametrize(
    ("values", "said"),
    [([5] * 40, "black"), ([90] * 60, "frozen"), (list(range(60, 160)), None)],
)
def test_health(values: list[int], said: str | None) -> None:
    health = Health()
    for index, value in enumerate(values):
        image = np.full((96, 128, 3), value, np.uint8)
        health.see(Frame(image, index, index / 30))
    assert health.trouble is None if said is None else said in str(health.trouble)


@pytest.mark.parametrize(("coins", "said"), [(0, "black"), (3, None)])
def test_coins_on_a_black_cloth_are_no_covered_lens_however_noisy_that_is(coins: int, said: str | None) -> None:
    rng = np.random.default_rng(3)
    health = Health()
    for index in range(40):
        image = np.clip(rng.normal(10, 6, (720, 1280, 3)), 0, 255).astype(np.uint8)
        for coin in range(coins):
            cv2.circle(image, (300 + 200 * coin, 350), 22, (150, 150, 150), -1)
        health.see(Frame(image, index, index / 30))
    assert health.trouble is None if said is None else said in str(health.trouble)


def test_a_file_that_changes_its_picture_size_says_so_as_a_camera_does(tmp_path: Path) -> None:
    path, told = tmp_path / "a.mjpeg", list[str]()
    sizes = [(640, 360)] * 3 + [(320, 180)] * 2 + [(360, 640)] * 2 + [(640, 360)]
    path.write_bytes(b"".join(cv2.imencode(".jpg", np.full((h, w, 3), 90, np.uint8))[1].tobytes() for w, h in sizes))
    with open_source(str(path)) as source:
        for _ in source.beats():
            told.append(str(source.trouble or ""))
    assert told[:3] == ["", "", ""] and told[7] == ""
    assert told[3] == told[4] and "switched from 640 x 360 to 320 x 180: switch it back" in told[3]
    assert told[5] == told[6] == "the picture was turned on its side, from 640 x 360 to 360 x 640: turn the camera back"


def test_another_picture_size_is_told_and_not_by_turns_with_a_rate_that_is_near_the_slowest() -> None:
    """Six entries in a log within five seconds: on its side, slow, on its side, slow ..."""
    health, told = Health(), list[str]()
    for index in range(20):
        shape = (360, 640, 3) if index < 2 else (640, 360, 3)
        health.see(Frame(np.full(shape, 90 + index, np.uint8), index, index * (0.19 if index < 10 else 0.22)))
        told.append(health.trouble.kind if health.trouble is not None else "")
    assert told == ["", "", *["switched"] * 18]


def brightening() -> Iterator[bytes]:
    """A hundred JPEG pictures, each brighter than the one before."""
    for value in range(60, 160):
        yield cv2.imencode(".jpg", grey(value))[1].tobytes()
        time.sleep(0.01)


def a_dark_jpeg() -> bytes:
    """Noise, dark all over; where it breaks off the rest of it would be grey."""
    return cv2.imencode(".jpg", np.random.default_rng(0).integers(0, 60, (96, 128, 3), np.uint8))[1].tobytes()


def breaking_off() -> Iterator[bytes]:
    """Pictures of which every third breaks off in the middle."""
    jpeg = a_dark_jpeg()
    for number in range(60):
        yield jpeg if number % 3 else jpeg[: len(jpeg) // 3]
        time.sleep(0.01)


def test_broken_pictures_of_a_stream_are_passed_over() -> None:
    with MjpegCamera(breaking_off) as camera:
        stream = Stream(camera.url)
        pictures = [stream.read() for _ in range(8)]
        stream.close()
    # A picture that broke off is grey (about 128) in its lower half; these are dark all over.
    assert all(picture is not None and picture[60:].mean() < 60 for picture in pictures)


def test_a_stream_of_broken_pictures_that_ends_is_lost_and_no_error() -> None:
    jpeg = a_dark_jpeg()
    with MjpegCamera(lambda: [jpeg[: len(jpeg) // 3]] * 80) as camera:
        stream = Stream(camera.url)
        assert stream.read() is None
        stream.close()


@pytest.mark.parametrize("scheme", ["http", "Http"])
def test_mjpeg_over_http(scheme: str) -> None:
    with MjpegCamera(brightening) as camera, open_source(f"{scheme}://127.0.0.1:{camera.port}/video") as source:
        frames = [frame for frame, _ in zip(source, range(3), strict=False)]
    assert frames[0].image_bgr.shape == (96, 128, 3)
    assert frames[0].t_s < frames[2].t_s


@pytest.mark.parametrize("kind", ["image/jpg", "image/jpeg; charset=utf-8"])
def test_mjpeg_whose_parts_have_another_name(kind: str) -> None:
    """FFmpeg takes such a part for none: no picture came, in 15 s."""
    with MjpegCamera(lambda: chain.from_iterable(brightening() for _ in range(20)), kind=kind) as camera:
        stream = Stream(camera.url)
        image = stream.read()
        stream.close()
    assert image is not None and image.shape == (96, 128, 3)


@pytest.mark.parametrize("path", ["video.jpg", "video.JPEG?size=1", "axis.cgi?name=.jpg"])
@pytest.mark.parametrize("kind", ["image/jpg", None])
def test_jpegs_without_end_at_an_address_that_ends_as_a_file_does(path: str, kind: str | None) -> None:
    """FFmpeg takes them for one file: each piece of so many bytes was a picture, and all were broken."""
    noise = np.random.default_rng(0).integers(0, 255, (480, 640, 3), np.uint8)
    jpegs = [cv2.imencode(".jpg", picture)[1].tobytes() for picture in (noise, 255 - noise)]
    with MjpegCamera(lambda: jpegs * 4, kind=kind) as camera:
        stream = Stream(camera.url.replace("video", path))
        images = [stream.read() for _ in range(4)]
        stream.close()
    assert [image is not None and image.shape for image in images] == [(480, 640, 3)] * 4


@pytest.mark.parametrize("moov_first", [True, False])
def test_a_film_on_a_server_is_no_camera(tmp_path: Path, moov_first: bool) -> None:
    """It ran as fast as it came, and one whose index comes last was a camera that is lost, for ever."""
    film = write_clip(tmp_path / "film.mp4", [0, 0.1, 0.2], moov_first=moov_first).read_bytes()
    with MjpegCamera(lambda: [film], kind=None) as server, pytest.raises(OSError, match="save it on this machine"):
        Stream(server.url)


def test_pieces_of_a_film_may_be_a_camera_s(tmp_path: Path) -> None:
    film = write_clip(tmp_path / "film.mp4", [0, 0.1, 0.2], in_pieces=True).read_bytes()
    with MjpegCamera(lambda: [film], kind=None) as camera:
        stream = Stream(camera.url)
        image = stream.read()
        stream.close()
    assert image is not None and image.shape == (96, 128, 3)


@pytest.mark.parametrize("kind", ["image/jpg", None])
def test_a_slow_cameras_jpegs_begin_with_a_few_of_them(kind: str | None) -> None:
    """Twenty of strange parts, ten without parts were waited for: 4 and 2 s of a camera that sends five a second."""
    seen = threading.Event()

    noise = np.random.default_rng(0).integers(0, 255, (480, 640, 3), np.uint8)

    def four() -> Iterator[bytes]:
        yield from [cv2.imencode(".jpg", noise)[1].tobytes()] * 4
        seen.wait(2.0)
        waited.append(not seen.is_set())

    waited: list[bool] = []
    with MjpegCamera(four, kind=kind) as camera:
        stream = Stream(camera.url)
        image = stream.read()
        seen.set()
        stream.close()
    assert image is not None and not any(waited)


@pytest.mark.parametrize("spec", ["192.168.0.5:8080/video", "localhost:8080"])
def test_an_address_without_its_beginning_is_told_what_it_lacks(spec: str) -> None:
    with pytest.raises(ValueError, match=f"write http://{spec}$"):
        open_source(spec)


def test_what_is_transparent_is_paper(tmp_path: Path) -> None:
    """A map of black lines as drawing programs export it: its ground is black, too, and transparent."""
    path = tmp_path / "map.png"
    drawn = np.zeros((80, 100, 4), np.uint8)
    drawn[:, 30:50, 3], drawn[:, 50:60, 3] = 255, 51
    assert cv2.imwrite(str(path), drawn)
    row = read_picture(path).image_bgr[40, :, 0]
    assert row[[10, 40, 55, 90]].tolist() == [255, 0, 204, 255]


@pytest.mark.parametrize("ending", [".png", ".tif"])
def test_what_is_transparent_is_paper_in_sixteen_bits_too(tmp_path: Path, ending: str) -> None:
    """Of a TIFF one decoder made 11 of what another made 10, and it stayed black."""
    path = tmp_path / f"map{ending}"
    drawn = np.full((80, 100, 4), 10 * 256 + 200, np.uint16)
    drawn[..., 3] = 0
    drawn[:, 30:50, 3] = 65535
    assert cv2.imwrite(str(path), drawn)
    row = read_picture(path).image_bgr[40, :, 0]
    assert row[10] == 255 and row[40] in (10, 11)


def test_a_transparency_that_would_leave_nothing_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    assert cv2.imwrite(str(path), np.dstack([np.full((80, 100, 3), 90, np.uint8), np.zeros((80, 100), np.uint8)]))
    assert (read_picture(path).image_bgr == 90).all()


def test_a_telephones_heic_is_seen_as_it_is_shown() -> None:
    """Stored lying on its side, red to the left; shown, red is on top."""
    image = read_picture(Path(__file__).parents[1] / "pictures" / "turned.heic").image_bgr
    assert image.shape == (96, 64, 3)
    np.testing.assert_allclose(image[[5, -5], 32], [(30, 30, 230), (230, 30, 30)], atol=3)


def test_a_broken_heic_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic" + bytes(200))
    with pytest.raises(
        ValueError, match=r"table\.jpg: a HEIC picture that cannot be read \(.+\); save it as JPEG or PNG"
    ):
        read_picture(path)


@pytest.mark.parametrize("begins", [b"\0\0\0\x20ftypisom", b"\x1aE\xdf\xa3\0\0", b"RIFF\0\0\0\0AVI LIST"])
def test_a_film_with_a_picture_s_name_is_told_to_be_one(tmp_path, begins):
    """It was told to give a video."""
    path = tmp_path / "match.jpg"
    path.write_bytes(begins + bytes(200))
    with pytest.raises(ValueError, match=r"match\.jpg: a film by what it holds, .* name it as one, such as \.mp4"):
        read_picture(path)


def test_a_film_where_a_picture_is_wanted_is_not_told_to_bear_the_name_that_it_has(tmp_path):
    path = write_clip(tmp_path / "match.mp4", UNEVEN_S)
    with pytest.raises(ValueError, match=r"match\.mp4: a film, and a picture is wanted here; .* by --source"):
        read_picture(path)


@pytest.mark.parametrize("ending", [".jpg", ".webp"])
def test_a_picture_that_is_cut_short_is_not_asked_to_be_a_jpeg(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"half{ending}"
    noise = np.random.default_rng(1).integers(0, 255, (100, 100, 3), np.uint8)
    whole = cv2.imencode(ending, noise)[1].tobytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="a picture that is cut short or damaged; copy it again"):
        read_picture(path)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_an_avif_is_turned_as_it_says(tmp_path: Path, quarters: int) -> None:
    image, exif = grey(90), Image.Exif()
    image[:20] = (200, 60, 60)
    exif[0x0112] = {1: 6, 2: 3, 3: 8}[quarters]  # TIFF 6.0: which side of what is stored is the upper one
    Image.fromarray(np.rot90(image, quarters)).save(tmp_path / "a.avif", exif=exif, quality=98)
    found = read_picture(tmp_path / "a.avif").image_bgr
    assert found.shape == image.shape
    assert found[10, 64] == pytest.approx([60, 60, 200], abs=8) and found[80, 64] == pytest.approx([90] * 3, abs=8)


def test_what_is_transparent_in_an_avif_is_paper(tmp_path: Path) -> None:
    drawn = np.dstack([np.zeros((96, 128, 3), np.uint8), np.zeros((96, 128), np.uint8)])
    drawn[:, 64:, 3] = 255
    Image.fromarray(drawn).save(tmp_path / "a.avif")
    found = read_picture(tmp_path / "a.avif").image_bgr
    assert found[50, 20].min() > 250 and found[50, 100].max() < 5


def test_a_broken_avif_is_no_film(tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(b"\0\0\0\x20ftypavif" + bytes(200))
    with pytest.raises(ValueError, match=r"table\.jpg: not a picture that can be read"):
        read_picture(path)


@pytest.mark.skipif(sys.platform != "linux", reason="names need not be text there alone")
@pytest.mark.parametrize("is_one", [True, False])
def test_a_name_that_is_no_utf_8_does_not_end_the_program(tmp_path: Path, is_one: bool) -> None:
    """It ended by a segmentation fault in OpenCV; such names come out of old archives."""
    content = cv2.imencode(".png", grey(90))[1].tobytes() if is_one else b"words"
    path = tmp_path / os.fsdecode(b"k\xfcche")
    path.write_bytes(content)
    loaded = "import sys; from pathlib import Path; from vision.stream.picture import is_picture; "
    asked = [sys.executable, "-c", f"{loaded}print(is_picture(Path(sys.argv[1])))", path]
    done = subprocess.run(asked, check=False, capture_output=True)
    assert (done.returncode, done.stdout.decode().strip()) == (0, str(is_one))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_a_folders_pictures_are_files(tmp_path: Path) -> None:
    """A folder in it, "copies.jpg", ended `calibrate lens`, and a pipe held it up for ever."""
    (tmp_path / "copies.jpg").mkdir()
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "gone.jpg").symlink_to(tmp_path / "nothing.jpg")
    with pytest.raises(ValueError, match="there is no picture in this folder"):
        pictures_in(tmp_path)
    (tmp_path / "a.JPG").write_bytes(b"")
    assert pictures_in(tmp_path) == (tmp_path / "a.JPG",)


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="no such devices there")
def test_a_device_is_no_picture() -> None:
    """/dev/zero, or a camera's own name, was read until the memory was full."""
    with pytest.raises(ValueError, match=f"{os.devnull}: this is a device, and no picture; give a file"):
        read_picture(Path(os.devnull))


def test_what_a_decoder_says_of_a_broken_picture_is_part_of_the_one_line(tmp_path, capfd):
    """libpng writes to standard error itself."""
    path = tmp_path / "cut.png"
    noise = np.random.default_rng(1).integers(0, 255, (100, 100, 3), np.uint8)
    path.write_bytes(cv2.imencode(".png", noise)[1].tobytes()[:9000])
    with pytest.raises(ValueError, match=r"cut\.png: not a picture that can be read \(libpng error.*\); give a JPEG"):
        read_picture(path)
    assert capfd.readouterr().err == ""


def test_a_password_in_an_address_is_neither_shown_nor_logged() -> None:
    address = "http://ann:secret@127.0.0.1:1/video"
    with pytest.raises(OSError, match=r"^http://127\.0\.0\.1:1/video: cannot be opened"):
        open_source(address)
    assert without_password("rtsp://u:p@cam/a@b") == "rtsp://cam/a@b"
    assert without_password("http://cam/a@b") == "http://cam/a@b"
    assert without_password("rtsp://ann:p@ss@cam/live") == "rtsp://cam/live"


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("", "it asks for a user and a password: write http://USER:PASSWORD@127.0.0.1:"),
        ("ann:secret@", "it does not take this user and password: mend them in the address"),
    ],
)
def test_a_camera_that_wants_a_password_is_not_asked_whether_it_runs(who: str, said: str) -> None:
    with (
        MjpegCamera(list, refusal=lambda: 401) as camera,
        pytest.raises(OSError, match="cannot be opened") as told,
    ):
        open_source(f"http://{who}127.0.0.1:{camera.port}/video")
    assert said in str(told.value) and "secret" not in str(told.value) and "app running" not in str(told.value)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "the source is an empty name; give a camera's number"),
        ("-1", "-1: no camera has this number; give a camera's number"),
        ("ftp://ann:secret@cam/video", "ftp://cam/video: no address of a kind that is read; give a camera's number"),
    ],
)
def test_a_source_that_is_none_is_told_what_to_give(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}"):
        open_source(spec)


def test_an_address_that_is_none() -> None:
    with pytest.raises(OSError, match=r"^http://\[::1: cannot be opened"):
        open_source("http://[::1")


def test_a_name_with_a_colon_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_clip(tmp_path / "12:30.mp4", [0.0, 0.1])
    monkeypatch.chdir(tmp_path)
    assert len(list(read_video(Path("12:30.mp4")))) == 2


def a_drawn_picture(path: Path) -> Path:
    """An SVG: FFmpeg takes it for a video, and has nothing to read it with."""
    path.write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    return path


@pytest.mark.parametrize("opened", [video_info, lambda path: list(read_video(path))])
def test_a_video_that_nothing_here_can_read(tmp_path: Path, opened: Callable[[Path], object]) -> None:
    with pytest.raises(ValueError, match=r"p\.svg: its pictures are kept in a way that cannot be read here; save it"):
        opened(a_drawn_picture(tmp_path / "p.svg"))


def test_a_small_file_that_says_it_is_a_huge_picture(tmp_path: Path) -> None:
    """A few bytes may say that 60,000 by 60,000 pixels follow."""
    path = tmp_path / "huge.pgm"
    path.write_bytes(b"P5 60000 60000 255\n" + bytes(100))
    with pytest.raises(ValueError, match=r"huge\.pgm: not a picture that can be read \(it has more pixels than"):
        read_picture(path)
