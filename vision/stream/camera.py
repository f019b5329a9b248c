"""Opening a camera by number or a stream by URL."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable
from typing import cast

import av
import av.error
import cv2
from av.container import InputContainer

from vision.frame import ImageBgr
from vision.stream.hdr import image_bgr
from vision.stream.health import SLOW_HZ
from vision.stream.lock import Lock
from vision.stream.square_pixels import squared
from vision.stream.whole import WholePictures

# What we ask a webcam for: our budget of time is built on 1080p30. MJPG, because raw 1080p30 does not fit USB 2.
SIZE_PX = (1920, 1080)
RATE_HZ = 30
# OpenCV's numbers go up to here, and no machine has so many cameras.
_NO_CAMERA = 2**31 - 1
# A stream that says nothing for this long is given up and opened again (microseconds, FFmpeg's unit).
_STREAM_TIMEOUT_US = 3_000_000
# A stream of which too little was whole for so long is told to be broken, before its camera is told to be silent; and
# one of which nothing was is opened anew after so long, for a camera begins with a picture that needs no other.
# The former is as long as their rate is measured (`vision.stream.health`), or "slow" would be said first.
_BROKEN_S, _ANEW_S = 1.3, 4.0
_BROKEN = (
    "its pictures arrive broken; choose a lower resolution or quality in the camera's program, or a better connection"
)
# Between a broken one and the next: a stream that cannot be taken apart any more would keep a core busy.
_PAUSE_S = 0.002
# JPEGs sent as the parts of a page without end, as FFmpeg calls it, and JPEGs one after another with anything between.
# It takes a part for none that says "image/jpg", a charset, or nothing.
_PARTS, _JPEGS, _ONE_FILE = "mpjpeg", "mjpeg", "image2"
_MP4 = "mov,"
# FFmpeg counts a 25th of a second for each JPEG, and would watch ten or 20 of them to tell a rate that nobody asks for.
# It looks no further once it has read so much, and always at a whole picture.
_ONE_PICTURE_BYTES = "2048"
# Of what is sent over this JPEGs are the rule, each of which tells all; of films a piece is watched first.
_JPEGS_BY, _JPEG = "http", "mjpeg"


class Camera:
    """A local camera through OpenCV, focus and exposure held where the driver lets us.

    tell  is given one line that says whether it does, once the picture has settled
    """

    def __init__(self, number: int, tell: Callable[[str], None] | None = None) -> None:
        self._capture = cv2.VideoCapture(min(number, _NO_CAMERA))
        if not self._capture.isOpened():
            raise OSError(f"camera {number}: cannot be opened; is it plugged in and free? try another number")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1])
        self._capture.set(cv2.CAP_PROP_FPS, RATE_HZ)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._lock, self._tell = Lock(self._capture, self._capture.getBackendName()), tell
        self._name = f"camera {number}"

    def read(self) -> ImageBgr | None:
        """The next picture, or None when the camera is gone."""
        good, image = self._capture.read()
        if not good:
            return None
        said = self._lock.see(cast(ImageBgr, image))
        if said is not None and self._tell is not None:
            self._tell(f"{self._name}: {said}")
        return cast(ImageBgr, image)

    def close(self) -> None:
        """Let the camera go."""
        self._capture.release()


def without_password(url: str) -> str:
    """The address as it may be shown and logged: people pass their match logs on."""
    return re.sub(r"(?<=://)[^/?#]*@", "", url)  # to the last one, as FFmpeg reads it: passwords have one, too


def _what_to_do(url: str, error: Exception) -> str:
    """What is to be mended where a stream cannot be opened."""
    if not isinstance(error, av.error.HTTPUnauthorizedError | av.error.HTTPForbiddenError):
        return "is the camera app running, is the address right?"
    shown = without_password(url)
    if shown != url:
        return "it does not take this user and password: mend them in the address"
    return f"it asks for a user and a password: write {shown.replace('://', '://USER:PASSWORD@', 1)}"


def _are_jpegs_by_another_name(container: InputContainer) -> bool:
    """Whether FFmpeg took JPEGs for what they are not: for parts in which it finds none, or, at an address that ends in
    .jpg, for a single file, of which it makes a picture of so many bytes, wherever one ends."""
    kind, video = container.format.name, container.streams.video[0]
    return (kind == _PARTS and not video.width) or (kind == _ONE_FILE and video.codec_context.name == _JPEG)


def _is_film(container: InputContainer) -> bool:
    """Whether it is an MP4 with an index of all its pictures: a camera, which knows none, sends pieces instead."""
    return container.format.name.startswith(_MP4) and container.streams.video[0].frames > 0


class BrokenPicturesError(OSError):
    """Pictures come, and for a while none of them was whole, or too few to follow a hand."""


class Stream:
    """MJPEG over HTTP or RTSP through FFmpeg, with as little buffering as it offers.

    A picture that arrives broken is passed over, and so is what was made from it: half a table would be taken for a
    hand, and what is smeared for pieces. Cameras all of whose pictures break some rule of their format are believed.
    """

    def __init__(self, url: str) -> None:
        scheme, colon, rest = url.partition(":")
        self._url = scheme.lower() + colon + rest  # telephones write "Http://", which FFmpeg does not know
        self._container = self._opened()
        self._refuse_a_film()
        self._pictures = WholePictures(self._container)
        self._opened_s = self._whole_s = time.monotonic()
        # When each picture of the last while came, and whether it was whole.
        self._came: deque[tuple[float, bool]] = deque()
        self._broken_on_end = 0

    def read(self) -> ImageBgr | None:
        """The next whole picture, or None when the stream ended or broke; BrokenPicturesError when for a while most
        that come are broken, and too few are whole: ask again."""
        while True:
            try:
                picture = next(self._pictures)
            except av.error.InvalidDataError:
                time.sleep(_PAUSE_S)
                self._note(is_whole=False)
            except (StopIteration, av.error.FFmpegError):
                return None
            else:
                self._note(is_whole=True)
                return squared(image_bgr(picture), self._container.streams.video[0].sample_aspect_ratio)
            if time.monotonic() - self._whole_s > _ANEW_S and not self._pictures.may_be_believed:
                return None
            if self._is_broken():
                raise BrokenPicturesError(_BROKEN)

    def _note(self, *, is_whole: bool) -> None:
        now_s = time.monotonic()
        self._whole_s = now_s if is_whole else self._whole_s
        self._broken_on_end = 0 if is_whole else self._broken_on_end + 1
        self._came.append((now_s, is_whole))
        while self._came[0][0] < now_s - _BROKEN_S:
            self._came.popleft()

    def _is_broken(self) -> bool:
        """Whether of the last while's pictures most were broken, and fewer whole than a hand can be followed in."""
        whole = sum(is_whole for _, is_whole in self._came)
        is_known = time.monotonic() - self._opened_s > _BROKEN_S
        # A single one may be what a camera left that fell silent in the midst of a picture.
        are_many = self._broken_on_end > 1 and 2 * whole < len(self._came)
        return is_known and are_many and whole < SLOW_HZ * _BROKEN_S

    def close(self) -> None:
        """Close the stream's connection."""
        self._container.close()

    def _refuse_a_film(self) -> None:
        if _is_film(self._container):
            self._container.close()
            raise OSError(
                f"{without_password(self._url)}: this is a film, and no camera, and would run as fast as it arrives;"
                " save it on this machine, and give the file's name"
            )

    def _opened(self) -> InputContainer:
        is_short = self._url.startswith(_JPEGS_BY)
        container = self._asked(is_short=is_short)
        if _are_jpegs_by_another_name(container):
            container.close()
            return self._asked(_JPEGS, is_short=True)
        if is_short and container.streams.video[0].codec_context.name != _JPEG:
            container.close()
            return self._asked()
        return container

    def _asked(self, kind: str | None = None, *, is_short: bool = False) -> InputContainer:
        """The stream as FFmpeg takes it; `is_short` after a single picture of it."""
        options = {"flags": "low_delay", "rw_timeout": str(_STREAM_TIMEOUT_US)}
        if is_short:
            options |= {"probesize": _ONE_PICTURE_BYTES}
        if self._url.startswith("rtsp"):
            # Two pictures are enough to begin with: FFmpeg would watch for 2 s or more to tell the rate.
            options |= {"rtsp_transport": "tcp", "timeout": str(_STREAM_TIMEOUT_US), "fpsprobesize": "2"}
        try:
            container = av.open(self._url, format=kind, options=options, timeout=(10.0, _STREAM_TIMEOUT_US / 1e6))
        except (av.error.FFmpegError, OSError, ValueError) as error:
            reason = str(getattr(error, "strerror", None) or error).splitlines()[0]
            raise OSError(
                f"{without_password(self._url)}: cannot be opened ({reason}); {_what_to_do(self._url, error)}"
            ) from None
        if not container.streams.video:
            raise OSError(f"{without_password(self._url)}: there is no picture in this stream; is the address right?")
        return container
