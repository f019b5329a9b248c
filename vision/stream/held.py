"""One still picture as a source of frames, so that a referee of moving pictures can rule on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from vision.frame import Frame
from vision.source import FileSource
from vision.stream.picture import read_picture
from vision.stream.video_file import VideoInfo

# A table is agreed on within a second (`vision.observe`); more is for pictures that need a second look.
_HELD_S, _RATE_HZ = 5.0, 10.0


class HeldPicture(FileSource):
    """The same picture ten times a second."""

    def __init__(self, path: Path) -> None:
        """OSError if it cannot be read, ValueError if it is no picture."""
        self.name = str(path)
        self._frame = read_picture(path)
        height, width = self._frame.image_bgr.shape[:2]
        self.info = VideoInfo((width, height), _RATE_HZ, _HELD_S)

    def __iter__(self) -> Iterator[Frame]:
        for index in range(int(_HELD_S * _RATE_HZ)):
            yield replace(self._frame, index=index, t_s=index / _RATE_HZ)
