"""A live source: capture on its own thread, the newest frame wins, a lost camera is tried again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol, Self

from vision.frame import Frame, ImageBgr
from vision.stream.camera import BrokenPicturesError
from vision.stream.health import Health, Trouble

# Waits between attempts to open a lost camera again.
RETRY_S = 1.0
# Pictures arrive broken until none was told to for this long: by then their rate is that of whole ones again.
BROKEN_FOR_S = 1.5
# A camera that has said nothing for this long is lost.
SILENT_AFTER_S = 2.0
# An address that so many times on end gave a single picture each time it was opened gives no more.
_SNAPSHOTS = 2
# Whoever waits for a frame looks up this often.
BEAT_S = 0.25
_LOST = "the camera is lost; trying again (the match is kept)"
_SNAPSHOT = "one picture comes, and no more, as from an address for snapshots; give that of the camera's video"


class Capture(Protocol):
    """One opened device or stream: `read` gives the next picture, or None when it is lost."""

    def read(self) -> ImageBgr | None:
        """Wait for the next picture; BrokenPicturesError when for a while most that come are broken."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


class LiveSource:
    """Frames of a camera or stream. Iterate to get the newest frame each time; older ones are dropped.

    open_capture  opens the device; raises OSError when it is not there
    trouble       what is wrong with the camera now, if anything
    """

    live = True

    def __init__(self, open_capture: Callable[[], Capture], name: str) -> None:
        self.name = name
        self.dropped = 0
        self._open_capture = open_capture
        self._first = open_capture()  # a camera that is not there at the start is an error, not a wait
        self._health = Health()
        self._lost: Trouble | None = None
        self._broken_s = float("-inf")
        self._of_this = self._snapshots = 0
        self._newest: Frame | None = None
        self._newest_unread: Frame | None = None
        self._fresh = threading.Condition()
        self._stopping = threading.Event()
        self._start_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, name=f"capture {name}", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the camera now, if anything."""
        newest = self._newest
        since_s = time.monotonic() - self._start_s - (newest.t_s if newest else 0.0)
        if self._lost is None and since_s > SILENT_AFTER_S:
            return Trouble("silent", f"{self.name}: no picture for {since_s:.0f} s; is it plugged in?")
        return self._lost or self._health.trouble

    @property
    def rate_hz(self) -> float | None:
        """Measured frames a second."""
        return self._health.rate_hz

    def next_frame(self, timeout_s: float) -> Frame | None:
        """The newest frame that was not handed out yet; None when none comes in time."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest_unread is not None or self._stopping.is_set(), timeout_s)
            frame, self._newest_unread = self._newest_unread, None
            return frame

    def __iter__(self) -> Iterator[Frame]:
        return (frame for frame in self.beats() if frame is not None)

    def beats(self) -> Iterator[Frame | None]:
        """The newest frame each time, and None whenever none came for `BEAT_S`, until the source is closed."""
        while not self._stopping.is_set():
            frame = self.next_frame(BEAT_S)
            if not self._stopping.is_set():
                yield frame

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop capturing and let the device go."""
        self._stopping.set()
        with self._fresh:
            self._fresh.notify_all()
        self._thread.join(timeout=SILENT_AFTER_S)

    def _run(self) -> None:
        capture: Capture | None = self._first
        index = 0
        while not self._stopping.is_set():
            try:
                image = capture.read() if capture is not None else None
            except BrokenPicturesError as broken:
                self._lost, self._broken_s = Trouble("broken", f"{self.name}: {broken}"), time.monotonic()
                continue
            if image is None:
                capture = self._opened_again(capture)
                continue
            if time.monotonic() - self._broken_s > BROKEN_FOR_S:
                self._lost = None
            self._hand_over(Frame(image, index, time.monotonic() - self._start_s, self.name))
            self._of_this += 1
            index += 1
        if capture is not None:
            capture.close()

    def _opened_again(self, capture: Capture | None) -> Capture | None:
        """Say that the camera is lost, unless it sends what is broken; wait, and try once."""
        if capture is not None:
            self._snapshots = self._snapshots + 1 if self._of_this == 1 else 0
            self._of_this = 0
        # A camera that is plugged in is at no address: a bad cable gives single pictures, too.
        gives_one = self._snapshots >= _SNAPSHOTS and "://" in self.name
        self._lost = self._lost or Trouble("lost", f"{self.name}: {_SNAPSHOT if gives_one else _LOST}")
        if capture is not None:
            capture.close()
        self._stopping.wait(RETRY_S)
        try:
            return self._open_capture()
        except OSError:
            self._lost, self._snapshots = Trouble("lost", f"{self.name}: {_LOST}"), 0
            return None

    def _hand_over(self, frame: Frame) -> None:
        self._health.see(frame)
        with self._fresh:
            self.dropped += self._newest_unread is not None
            self._newest = self._newest_unread = frame
            self._fresh.notify()
