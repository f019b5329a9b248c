"""Opening a camera by number or a stream by URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import av
import av.error
import cv2
import numpy as np
from av.video.frame import VideoFrame

from vision.frame import ImageBgr

# What we ask a webcam for: design.md's budget is built on 1080p30. MJPG, because raw 1080p30 does not fit USB 2.
SIZE_PX = (1920, 1080)
RATE_HZ = 30
# A stream that says nothing for this long is given up and opened again (microseconds, FFmpeg's unit).
_STREAM_TIMEOUT_US = 3_000_000


class Camera:
    """A local camera through OpenCV, focus and exposure locked where the driver lets us."""

    def __init__(self, number: int) -> None:
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            raise OSError(f"camera {number}: cannot be opened; is it plugged in and free? try another number")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1])
        self._capture.set(cv2.CAP_PROP_FPS, RATE_HZ)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> ImageBgr | None:
        """The next picture, or None when the camera is gone."""
        good, image = self._capture.read()
        return cast(ImageBgr, image) if good else None

    def close(self) -> None:
        """Let the camera go."""
        self._capture.release()


class Stream:
    """MJPEG over HTTP or RTSP through FFmpeg, with as little buffering as it offers."""

    def __init__(self, url: str) -> None:
        options = {"fflags": "nobuffer", "flags": "low_delay", "rw_timeout": str(_STREAM_TIMEOUT_US)}
        if url.startswith("rtsp"):
            options |= {"rtsp_transport": "tcp", "timeout": str(_STREAM_TIMEOUT_US)}
        try:
            self._container = av.open(url, options=options, timeout=(10.0, _STREAM_TIMEOUT_US / 1e6))
        except (av.error.FFmpegError, OSError, ValueError) as error:
            reason = str(getattr(error, "strerror", None) or error).splitlines()[0]
            raise OSError(
                f"{url}: cannot be opened ({reason}); is the camera app running, is the address right?"
            ) from None
        self._pictures: Iterator[VideoFrame] = self._container.decode(video=0)

    def read(self) -> ImageBgr | None:
        """The next picture, or None when the stream ended or broke."""
        try:
            return next(self._pictures).to_ndarray(format="bgr24").astype(np.uint8, copy=False)
        except (StopIteration, av.error.FFmpegError):
            return None

    def close(self) -> None:
        """Hang up."""
        self._container.close()
