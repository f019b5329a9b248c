"""Frames of a video file, with the file's own time stamps; none is dropped."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from pathlib import Path

import av
import av.error
import numpy as np
from av.container import Container, InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from vision.frame import Frame, ImageBgr
from vision.stream.hdr import image_bgr
from vision.stream.square_pixels import squared

# A video that ends this much before its own stated end has broken off.
MISSING_END_S = 1.0
# Pieces that were written one after another, as cameras that write MPEG-TS do, each begin at their own time: one that
# begins so much earlier than the last one ended goes on from there. So does what comes so much later: the clock was
# set, and no MP4 holds a longer pause at 90 kHz. What is less earlier is a time that was told twice.
_SET_BACK_S, _SET_ON_S = 1.0, 6 * 3600.0
# No video is longer; FFmpeg counts in ticks, of which far later times have more than it can count.
_LONGEST_S = 1e9
# FFmpeg reads any text file as ANSI art, a "video" of letters.
_TEXT_FORMAT = "tty"
# When one of Matroska's tracks ends, hours first: in a tag of it, for the file itself says no more than its own length.
_TRACK_END = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)")
# A camera as Linux names it; OpenCV counts them alike.
_CAMERA = re.compile(r"/dev/video(\d+)")


@dataclass(frozen=True)
class VideoInfo:
    """What the file says of itself: (width, height) as stored, frames a second, and its length where known."""

    size_px: tuple[int, int]
    rate_hz: float
    duration_s: float | None


class BrokenVideoError(ValueError):
    """The video cannot be read on; the message says where it broke off."""


def video_info(path: Path) -> VideoInfo:
    """What the file says of itself; ValueError when it is no video."""
    with _opened(path) as container:
        return _info(container)


def read_video(path: Path, start_s: float = 0.0) -> Iterator[Frame]:
    """Every frame from `start_s` on, in order, its time counted from the first frame of the file.

    A raw stream, as cameras write it without a container, has no times: it is taken to have a steady rate.
    BrokenVideoError, after the good frames, when the file breaks off; MemoryError when there is no room for a frame.
    """
    return (picture.frame() for picture in _pictures(path, start_s) if picture.t_s >= start_s - 1e-6)


def frame_at(path: Path, t_s: float) -> Frame:
    """The frame shown at `t_s`, however long before it came; ValueError beyond the end."""
    shown: _Picture | None = None
    for picture in _pictures(path, min(t_s, _LONGEST_S)):
        if picture.t_s > t_s + 1e-6:
            return (shown or picture).frame()
        shown = picture
    if shown is None or t_s > shown.t_s + 1.0:
        raise ValueError(f"{path}: has no picture at {t_s:g} s; choose a time before its end")
    return shown.frame()


@dataclass(frozen=True)
class _Picture:
    """One picture as it was decoded, and when it is shown."""

    path: Path
    stored: VideoFrame
    pixel: Fraction | None
    index: int
    t_s: float

    def frame(self) -> Frame:
        """The picture upright, as all that looks at it takes it."""
        return Frame(_upright(self.stored, self.pixel), self.index, self.t_s, str(self.path))


@dataclass
class _Clock:
    """When each picture is shown: later than the one before, whatever the file tells.

    step_s  from picture to picture, where their times do not tell
    last_s  when the last one is shown, and `told_s` when it is told to be
    late_s  how much later than shown they are told
    set_s   by how much the file's own clock was set on since
    """

    step_s: float
    last_s: float
    late_s: float = 0.0
    set_s: float = 0.0
    told_s: float = 0.0

    def shown_s(self, told_s: float | None, *, first: bool) -> float:
        """When the next picture is shown, by the time that the file tells of it, if any."""
        next_s = 0.0 if first else self.last_s + self.step_s
        self.told_s = next_s + self.set_s if told_s is None else told_s - self.late_s
        if first:
            self.last_s = self.told_s
        elif -_SET_BACK_S <= self.told_s - self.set_s - self.last_s <= _SET_ON_S:
            at_s = self.told_s - self.set_s
            self.last_s = at_s if at_s > self.last_s else next_s
        else:
            self.set_s, self.last_s = self.told_s - next_s, next_s
        return self.last_s


def _pictures(path: Path, start_s: float) -> Iterator[_Picture]:
    """Every picture from one on that is shown at `start_s` or before it; errors as in `read_video`."""
    with _opened(path) as container:
        info = _info(container)
        stream = container.streams.video[0]
        clock = _Clock(1 / info.rate_hz, start_s)
        try:
            clock.late_s = _late_s(container, path)
            # A raw stream cannot be wound on, and has no length.
            wound = start_s > 0 and info.duration_s is not None and not _is_joined(container, path)
            pictures = _wound_on(container, start_s, clock.late_s) if wound else container.decode(video=0)
            if pictures is None:
                yield from _pictures(path, 0.0)
                return
            for index, picture in enumerate(pictures):
                shown_s = clock.shown_s(_time_s(picture, stream), first=not index)
                yield _Picture(path, picture, stream.sample_aspect_ratio, index, shown_s)
        except MemoryError:  # FFmpeg's too: nothing is wrong with the film
            raise
        except av.error.FFmpegError as error:
            raise BrokenVideoError(
                f"{path}: the video breaks off at {clock.last_s:.1f} s ({_plain(error)}); record or copy it again"
            ) from None
        _refuse_missing_end(path, info, clock.told_s)


def _wound_on(container: InputContainer, start_s: float, late_s: float) -> Iterator[VideoFrame] | None:
    """The pictures from a key picture at or before `start_s` on; None if it must be read from its beginning.

    A stream without an index (MPEG-TS) is wound to where its bytes say, and its next key picture may be seconds later.
    Of the last few pictures of an AVI with B frames no time is told: they are counted on from earlier ones.
    """
    stream, back_s = container.streams.video[0], 0.0
    while start_s - back_s > 0:
        container.seek(_ticks(stream, start_s - back_s), stream=stream, backward=True)
        pictures = container.decode(video=0)
        first = next(pictures, None)
        told_s = _time_s(first, stream) if first is not None else None
        if first is not None and told_s is not None and told_s - late_s <= start_s + 1e-6:
            return chain([first], pictures)
        back_s = 2 * back_s + 2
    return None


def _is_joined(container: Container, path: Path) -> bool:
    """Whether it is of pieces that each begin anew, as MPEG-TS may be: a time alone does not tell what to wind to."""
    if container.format.name != "mpegts":
        return False
    with _opened(path) as again:
        stream = again.streams.video[0]
        ticks = [packet.dts for packet in again.demux(stream) if packet.dts is not None]
    return any((was - now) * (stream.time_base or 0) > _SET_BACK_S for was, now in pairwise(ticks))


def _late_s(container: InputContainer, path: Path) -> float:
    """How much later than shown each picture is told: in AVI the first one tells, elsewhere none is."""
    if not _is_timed_by_decoding(container):
        return 0.0
    with _opened(path) as again:
        stream = again.streams.video[0]
        first = next(again.decode(stream), None)
        return (_time_s(first, stream) if first is not None else None) or 0.0


def _is_timed_by_decoding(container: Container) -> bool:
    """Whether the file says when a picture is decoded and not when it is shown, as AVI does: with B frames, which are
    kept after what is shown after them, FFmpeg guesses the rest wrongly."""
    return container.format.name == "avi"


def _opened(path: Path) -> InputContainer:
    if not path.is_file():
        raise _no_file(path)
    if not os.access(path, os.R_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        container = av.open(str(path.absolute()))  # "12:30.mp4" alone would be an address
    except MemoryError:
        raise
    except (av.error.FFmpegError, ValueError) as error:
        raise ValueError(f"{path}: not a video that can be read ({_plain(error)}); record or copy it again") from None
    if not container.streams.video or container.format.name == _TEXT_FORMAT:
        container.close()
        raise ValueError(f"{path}: not a video: it has no pictures in it; give a video of the table")
    if getattr(container.streams.video[0], "codec_context", None) is None:  # nothing here decodes it
        container.close()
        raise ValueError(f"{path}: its pictures are kept in a way that cannot be read here; save it as MP4 (H.264)")
    container.streams.video[0].thread_type = "AUTO"
    return container


def _no_file(path: Path) -> Exception:
    """What to say of a path that is no ordinary file."""
    camera = _CAMERA.fullmatch(str(path))
    if camera is not None:
        return ValueError(f"{path}: a camera is given by its number; give {camera[1]} in place of this")
    if path.exists() and not path.is_dir():
        what = "a pipe, which cannot be wound back" if path.is_fifo() else "a device, and no video"
        return ValueError(f"{path}: this is {what}; give a camera's number, an address (http://, rtsp://) or a file")
    number = errno.EISDIR if path.is_dir() else errno.ENOENT
    return OSError(number, os.strerror(number), str(path))


def _info(container: InputContainer) -> VideoInfo:
    stream = container.streams.video[0]
    return VideoInfo((stream.width, stream.height), float(stream.average_rate or 0) or 30.0, _duration_s(container))


def _duration_s(container: InputContainer) -> float | None:
    """Of the pictures, where the file says it: its sound may go on after them."""
    stream = container.streams.video[0]
    if stream.duration:
        return float(stream.duration * (stream.time_base or 0))
    whole_s = container.duration / av.time_base if container.duration else None
    return _tagged_s(stream) or whole_s


def _tagged_s(stream: VideoStream) -> float | None:
    """The length of Matroska's pictures, by the time of their end; None where it is not told."""
    told = _TRACK_END.fullmatch(stream.metadata.get("DURATION", ""))
    if told is None:
        return None
    hours, minutes, seconds = map(float, told.groups())
    return max(3600 * hours + 60 * minutes + seconds - _start_s(stream), 0.0)


def _upright(picture: VideoFrame, pixel: Fraction | None) -> ImageBgr:
    """The picture as it is to be shown: a telephone stores it as its sensor lies and says how far to turn it, other
    cameras narrower, and say how broad a pixel is."""
    image = squared(image_bgr(picture), pixel)
    quarters = round(picture.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, quarters)) if quarters else image


def _time_s(picture: VideoFrame, stream: VideoStream) -> float | None:
    """When it is shown (in AVI: when it came out of the decoder); None where that is not told."""
    ticks = picture.dts if _is_timed_by_decoding(stream.container) else picture.pts
    return None if ticks is None else float(ticks * (picture.time_base or 0)) - _start_s(stream)


def _start_s(stream: VideoStream) -> float:
    return float((stream.start_time or 0) * (stream.time_base or 0))


def _ticks(stream: VideoStream, t_s: float) -> int:
    return int(t_s / float(stream.time_base or 1)) + (stream.start_time or 0)


def _refuse_missing_end(path: Path, info: VideoInfo, last_s: float) -> None:
    if info.duration_s is not None and last_s < info.duration_s - MISSING_END_S - 1 / info.rate_hz:
        raise BrokenVideoError(
            f"{path}: the video breaks off at {last_s:.1f} s of {info.duration_s:.1f} s; record or copy it again"
        )


def _plain(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).splitlines()[0]
