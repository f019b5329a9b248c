"""Which pictures of a stream are whole: none that broke off on its way, nor what was made from such a one."""

from __future__ import annotations

from collections.abc import Iterator

import av
import av.error
import numpy as np
from av.container import InputContainer
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext
from av.video.frame import VideoFrame
from av.video.plane import VideoPlane
from av.video.stream import VideoStream
from numpy.typing import NDArray

# The codec whose pictures stand alone: JPEG after JPEG.
_MJPEG = "mjpeg"
# So many broken pictures on end, and no whole one before them, are how a camera makes them.
_MOST_BROKEN = 60
# One row of a JPEG's blocks, of the smallest pictures that are sent: what some cameras always leave out.
_MOST_VOID = 16 / 480
# Every so manyth chroma value is asked, in both directions: of a block there are at least four.
_EVERY = 4


class WholePictures:
    """A stream's pictures. InvalidDataError for each that is not whole; then the next one is asked for.

    Where every single one breaks some rule of its format they are believed as they are, if nothing of them is missing.
    """

    def __init__(self, container: InputContainer) -> None:
        self._codec = self._decoder = container.streams.video[0].codec_context
        # By one thread: of several FFmpeg asks none whether it could decode its part of the picture.
        self._codec.options, self._codec.thread_count = {"err_detect": "explode"}, 1
        self._container, self._packets = container, container.demux(video=0)
        self._broken, self._had_whole, self._wants_key = 0, False, False

    @property
    def may_be_believed(self) -> bool:
        """Whether all have been broken so far, but too few to believe them: one that is opened anew begins again."""
        return not self._had_whole and 0 < self._broken < _MOST_BROKEN

    def __iter__(self) -> Iterator[VideoFrame]:
        return self

    def __next__(self) -> VideoFrame:
        while True:
            for picture in self._decoded(self._packet()):
                return self._unless_of_broken(picture)

    def _packet(self) -> Packet[VideoStream]:
        try:
            return next(self._packets)
        except av.error.InvalidDataError:
            self._packets = self._container.demux(video=0)
            raise

    def _decoded(self, packet: Packet[VideoStream]) -> list[VideoFrame]:
        try:
            pictures = self._decoder.decode(packet)
        except av.error.InvalidDataError:
            self._broken, self._wants_key = self._broken + 1, self._codec.name != _MJPEG
            if self._had_whole or self._broken < _MOST_BROKEN:
                raise
            return self._believed(packet)
        self._had_whole = self._had_whole or bool(pictures)
        return pictures

    def _unless_of_broken(self, picture: VideoFrame) -> VideoFrame:
        if self._wants_key and not picture.key_frame:
            raise av.error.InvalidDataError(0, "a picture that was made from a broken one")
        self._wants_key = False
        return picture

    def _believed(self, packet: Packet[VideoStream]) -> list[VideoFrame]:
        """The picture of a packet that breaks a rule as all before it did; InvalidDataError where much is missing."""
        lenient = self._lenient()
        if self._codec.name != _MJPEG:
            self._decoder, self._wants_key = lenient, False
            return lenient.decode(packet)
        pictures = lenient.decode(packet)
        if any(void_share(picture) > _MOST_VOID for picture in pictures):
            raise av.error.InvalidDataError(0, "a picture that is cut short")
        return pictures

    def _lenient(self) -> VideoCodecContext:
        decoder = av.CodecContext.create(self._codec.codec, "r")
        assert isinstance(decoder, VideoCodecContext)
        decoder.extradata = self._codec.extradata
        return decoder


def void_share(picture: VideoFrame) -> float:
    """How much of a new decoder's first picture nothing was told of; 0 for grey ones, of which nobody can say.

    A new decoder's memory is zero, and a chroma of zero is a green that no camera sends.
    """
    if len(picture.planes) < 3:
        return 0.0
    blue, red = (_seldom(plane) for plane in picture.planes[1:3])
    return float(np.mean((blue == 0) & (red == 0)))


def _seldom(plane: VideoPlane) -> NDArray[np.uint8]:
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
    return rows[: plane.height : _EVERY, : plane.width : _EVERY]
