"""Where frames come from: a camera number, a URL, or a video file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

from vision.frame import Frame
from vision.stream.camera import Camera, Stream, without_password
from vision.stream.health import Trouble, switched
from vision.stream.live import Capture, LiveSource
from vision.stream.video_file import VideoInfo, read_video, video_info

_URL_SCHEMES = ("http", "https", "rtsp", "rtmp", "udp", "tcp")
# An address of any kind; and one without its beginning: a host, a port, and perhaps what lies there.
_KINDS = "a camera's number (0, 1, ...), an address that begins with http:// or rtsp://, or a video file"
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://.*", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/.*)?")


class FileSource:
    """Every frame of a video file, at the pace of whoever asks."""

    live = False
    trouble: Trouble | None = None
    dropped = 0

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.info: VideoInfo = video_info(path)
        self._path = path

    def __iter__(self) -> Iterator[Frame]:
        first: Frame | None = None
        for frame in read_video(self._path):
            first = first or frame
            self.trouble = switched(first.image_bgr, frame.image_bgr)
            yield frame

    def beats(self) -> Iterator[Frame | None]:
        """Every frame; never None, since a file, or a held picture, always has its next frame at hand."""
        return iter(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing to do: a file holds nothing between frames."""


Source = FileSource | LiveSource


def open_source(spec: str, tell: Callable[[str], None] | None = None) -> Source:
    """The source that `spec` names: "0" is a camera, "http://..." or "rtsp://..." a stream, else a video file.

    tell  is given what a camera says of itself, a line each, from the thread that captures
    OSError when it is not there, ValueError when it is no video.
    """
    if spec.isdecimal():
        number = int(spec)
        return LiveSource(lambda: Camera(number, tell), f"camera {number}")
    if spec.partition(":")[0].lower() in _URL_SCHEMES:
        return LiveSource(lambda: _stream(spec), without_password(spec))
    if not spec.strip():
        raise ValueError(f"the source is an empty name; give {_KINDS}")
    if spec.removeprefix("-").isdecimal() and not Path(spec).exists():
        raise ValueError(f"{spec}: no camera has this number; give {_KINDS}")
    if _ADDRESS.fullmatch(spec):
        raise ValueError(f"{without_password(spec)}: no address of a kind that is read; give {_KINDS}")
    if _HOST_AND_PORT.fullmatch(spec) and not Path(spec).exists():
        raise ValueError(f"{spec}: no such file, and an address begins with http:// or rtsp://; write http://{spec}")
    return FileSource(Path(spec))


def _stream(url: str) -> Capture:
    return Stream(url)
