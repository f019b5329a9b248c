"""The annotated recording: H.264 in MP4 through PyAV, with the source's own time stamps.

veryfast at crf 23 makes a sixth of the bytes of OpenCV's mp4v for twice its CPU (14 ms a frame at 1080p), so it has
a thread of its own behind a bounded queue.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

import av
import cv2
import numpy as np
from av.container import OutputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream
from numpy.typing import NDArray

from rules.files.json_file import behind
from ui.paint.canvas import ImageBgra
from ui.playing.unfinished import held, hidden, keep_part, part_told, set_aside
from ui.telling.fault import reason_of
from ui.telling.results import say
from vision.stream.video_file import BrokenVideoError, read_video

ImageI420 = NDArray[np.uint8]

# Time stamps in milliseconds times 90, as MPEG has counted since 1993: exact for 24, 25, 30, 50 and 60 Hz.
TIME_BASE = Fraction(1, 90000)
# How long a film's only picture is shown; the last one of several as long as the one before, if that was no pause.
_FIRST_STEP, _LONGEST_STEP = round(1 / (30 * TIME_BASE)), round(1 / TIME_BASE)
# The comment in a film that can be made again, from the film of which it was made.
_MADE_AGAIN = "annotated from another film"
CRF = "23"
PRESET, HURRIED_PRESET = "veryfast", "ultrafast"
# A quarter of a second at 30 Hz; a 1080p frame is 3 MB as I420.
QUEUE_LENGTH = 8
# MP4 is read by its index, which is written last. Fragments make even a file that was cut off playable, "hybrid"
# turns them into a plain MP4 at the end, and without "delay_moov" every frame would be two frames late.
_MP4 = {"movflags": "+hybrid_fragmented+frag_keyframe+delay_moov", "frag_duration": "500000"}
# Most of a table stands still: whole pictures every 2 s would be four tenths of the file, every 5 s they are not.
# By time: by a number of pictures a player could jump no nearer than 30 s where they come seldom.
_KEYFRAME_EVERY = round(5 / TIME_BASE)


class Recorder:
    """Writes frames to `path` until it is closed; what was recorded is kept whatever happens.

    live        whether the source cannot wait: if the queue is full, frames are dropped and the encoder hurries from
                then on; a file waits, and no frame is dropped
    played      whether a match is recorded that cannot be played again: then the recording is kept also if the source
                breaks off
    dropped     number of frames that a live recording left out

    An older film of that name is kept under another name, and that is said, unless it was made from another film; so is
    what a killed recording left. An unfinished film made from another is kept beside an older one. OSError if the film
    cannot be written, or another program is recording it.
    """

    def __init__(self, path: Path, size_px: tuple[int, int], *, live: bool = False, played: bool = False) -> None:
        self.path = path
        self.live = live
        self._played = played
        self.dropped = 0
        # H.264 in 4:2:0 has even sides; an odd last row or column is left out.
        self.size_px = (size_px[0] // 2 * 2, size_px[1] // 2 * 2)
        if path.exists() and not path.is_file():
            raise FileExistsError(f"{path}: this is no ordinary file; name one that ends in .mp4")
        self._temporary = hidden(path)
        self._hurry = threading.Event()
        self._queue: queue.Queue[tuple[ImageI420, float] | None] = queue.Queue(QUEUE_LENGTH)
        self._fault: OSError | None = None
        self._last_pts = -1
        self._last_step = _FIRST_STEP
        self._key_pts = 0
        self._container = self._opened()
        if not played:
            self._container.metadata["comment"] = _MADE_AGAIN
        self._stream = self._container.add_stream("libx264", rate=30, options=_options(PRESET))
        self._encoder: VideoCodecContext = self._stream.codec_context
        self._configure(self._encoder)
        self._stream.time_base = TIME_BASE
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def hurried(self) -> bool:
        """Whether the encoder fell back to larger files, to keep up with a live source."""
        return self._hurry.is_set()

    def write(self, bgra: ImageBgra, t_s: float) -> None:
        """Queue a picture (h, w, 4) shown at `t_s`; it is copied. OSError if the disk is full or gone."""
        if self._fault is not None:
            raise self._fault
        even = np.ascontiguousarray(bgra[: self.size_px[1], : self.size_px[0]])
        entry = (np.asarray(cv2.cvtColor(even, cv2.COLOR_BGRA2YUV_I420), np.uint8), t_s)
        if not self.live:
            self._queue.put(entry)
            return
        try:
            self._queue.put_nowait(entry)
        except queue.Full:
            self.dropped += 1
            self._hurry.set()

    def close(self, *, keep: bool = True, whole: bool = True) -> None:
        """Finish the file and give it its name, or throw it away; OSError if writing failed.

        What was written is kept, and stays playable, even then.

        whole  whether nothing more was to come: a part takes the place of no older film
        """
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        try:
            kept = self._finish(keep=keep, whole=whole)
        except OSError as error:
            self._hold.close()
            raise OSError(f"{self.path}: {self._unfinished(error)}") from None
        if self._fault is not None:
            raise OSError(
                f"{self._fault}; what was recorded before that is {f'kept as {kept}' if kept else 'not worth keeping'}"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A faulty input (ValueError) leaves nothing behind; an interruption or a full disk keeps what there is.
        keep = not isinstance(value, ValueError) or (self._played and isinstance(value, BrokenVideoError))
        self.close(keep=keep, whole=value is None)

    def _opened(self) -> OutputContainer:
        try:
            self._hold = held(self.path)
            if _plays(self._temporary):
                self._hold.close()
                aside = set_aside(self._temporary, self.path)
                say(f"{self.path}: an earlier recording was cut off; what it left is kept as {aside}")
                self._hold = held(self.path)
            return av.open(str(self._temporary.absolute()), "w", format="mp4", options=_MP4)
        except BlockingIOError:
            raise
        except OSError as error:
            raise OSError(f"{self.path}: cannot be written: {reason_of(error)}") from None

    def _configure(self, encoder: VideoCodecContext) -> None:
        encoder.width, encoder.height = self.size_px
        encoder.pix_fmt = "yuv420p"
        encoder.time_base = TIME_BASE
        encoder.thread_count = 1

    def _run(self) -> None:
        """The thread: encode until the end mark. After a fault, go on emptying the queue so that nobody waits."""
        while (entry := self._queue.get()) is not None:
            if self._fault is None:
                self._guarded(self._encode, *entry)
        if self._fault is None:
            self._guarded(self._end)

    def _guarded(self, step: Callable[..., None], *arguments: object) -> None:
        try:
            step(*arguments)
        except (FFmpegError, OSError) as error:
            self._fault = OSError(f"{self.path}: {reason_of(error)}")

    def _encode(self, i420: ImageI420, t_s: float) -> None:
        if self.hurried and self._encoder is self._stream.codec_context:
            self._mux(self._encoder.encode(None))
            self._encoder = self._hurried_encoder()
        frame = VideoFrame.from_ndarray(i420, format="yuv420p")
        # Two frames cannot have one time stamp; a tick is 11 microseconds.
        was, self._last_pts = self._last_pts, max(round(t_s / TIME_BASE), self._last_pts + 1)
        self._last_step = min(self._last_pts - was, _LONGEST_STEP) if was >= 0 else _FIRST_STEP
        frame.pts, frame.time_base = self._last_pts, TIME_BASE
        if self._last_pts - self._key_pts >= _KEYFRAME_EVERY:
            frame.pict_type, self._key_pts = PictureType.I, self._last_pts
        self._mux(self._encoder.encode(frame))

    def _end(self) -> None:
        """Write what the encoder still has. FFmpeg ends a film with the packet that is written last, which need not be
        that of the last picture: it is said to last until this has been shown as long as the one before."""
        packets = self._encoder.encode(None)
        if packets:
            packets[-1].duration = self._last_pts + self._last_step - (packets[-1].pts or 0)
        self._mux(packets)

    def _mux(self, packets: Iterable[Packet[VideoStream]]) -> None:
        for packet in packets:
            packet.stream = self._stream
            self._container.mux(packet)

    def _hurried_encoder(self) -> VideoCodecContext:
        """A faster encoder for the rest; its headers travel with its key frames, as the file's own are written."""
        encoder = av.CodecContext.create("libx264", "w")
        assert isinstance(encoder, VideoCodecContext)
        self._configure(encoder)
        encoder.framerate = Fraction(30)
        encoder.options = _options(HURRIED_PRESET) | {"x264-params": "repeat-headers=1"}
        return encoder

    def _finish(self, *, keep: bool, whole: bool) -> Path | None:
        """Close the file and give it its name; the path where it is kept, None if it is not."""
        self._guarded(self._container.close)
        is_kept = keep and self._last_pts >= 0 and (self._fault is None or _plays(self._temporary))
        self._hold.close()
        if not is_kept:
            self._temporary.unlink(missing_ok=True)
            return None
        if not (self._played or (whole and self._fault is None)):
            kept = keep_part(self._temporary, self.path)
            if self._fault is None:
                say(part_told(self.path, kept))
            return kept
        if self.path.is_file() and (self._played or not _can_be_made_again(self.path)):
            say(f"{self.path}: the film that was there is kept as {set_aside(behind(self.path), self.path)}")
        self._temporary.replace(behind(self.path))
        return self.path

    def _unfinished(self, error: OSError) -> str:
        """Why the film has no name, and what became of it."""
        if not self._temporary.exists():
            return "the film is lost: it, or its folder, was removed while it was recorded"
        return f"the film could not be given its name: {reason_of(error)}; it is kept as {self._temporary}"


def _can_be_made_again(film: Path) -> bool:
    try:
        with av.open(str(film.absolute())) as container:
            return container.metadata.get("comment") == _MADE_AGAIN
    except (FFmpegError, OSError):
        return False


def _plays(path: Path) -> bool:
    """Whether there is a picture in what a full disk left of a recording."""
    try:
        return next(read_video(path), None) is not None
    except ValueError:
        return False


def _options(preset: str) -> dict[str, str]:
    return {"preset": preset, "crf": CRF, "g": str(2**30), "forced-idr": "1"}
