"""The loop on its own thread: frames in, ticks out, paused, stepped and paced as the person likes.

Only frozen values cross the thread's border: ticks to the window, events from it. One tick waits at most; a file
waits for the window to take it, a camera replaces it.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from PyQt6.QtCore import QThread, pyqtSignal

from rules.course.events import Event
from rules.files.log import MatchLog
from ui.playing.loop import Referee, Tick
from ui.telling.fault import fault_line
from vision.frame import Frame
from vision.source import Source

# How often a waiting loop looks up: for a typed event, the end of a pause, the end of the program.
_LOOK_UP_S = 0.03
_HICCUP_S = 0.25
# A film whose recording paused, or in which pictures come only where something moves, is not waited for longer.
_LONGEST_PAUSE_S = 3.0


class Watcher(QThread):
    """Runs a referee over frames.

    ticked    a new tick waits; take it with `taken`
    refused   a typed event could not be followed: one sentence
    unlogged  the log cannot be written at the time: one sentence, or "" once it holds all that happened again
    failed    the source is at fault: one sentence
    ended     there are no more frames; the match goes on by hand
    """

    ticked = pyqtSignal()
    refused = pyqtSignal(str)
    unlogged = pyqtSignal(str)
    failed = pyqtSignal(str)
    ended = pyqtSignal()

    def __init__(self, frames: Iterator[Frame | None], source: Source, referee: Referee, log: MatchLog | None) -> None:
        super().__init__()
        self.fault: Exception | None = None
        self._frames, self._source, self.referee, self._log = frames, source, referee, log
        self._typed: queue.SimpleQueue[tuple[str, Mapping[str, Any]]] = queue.SimpleQueue()
        self._slot: Tick | None = None
        self._last: Tick | None = None
        self._free = threading.Condition()
        self._stopping, self._paused, self._steps = threading.Event(), threading.Event(), threading.Semaphore(0)
        self._by_hand_since_s: float | None = None
        self._unlogged = ""

    def taken(self) -> Tick | None:
        """The tick that waits, if any; the loop may bring the next one."""
        with self._free:
            tick, self._slot = self._slot, None
            self._free.notify()
            return tick

    def say(self, kind: str, fields: Mapping[str, Any]) -> None:
        """What the person typed or clicked, an event's kind and data; it is taken in between two frames.

        A `phase` without data is the next one, of the match as it is then: the window may be some clicks behind.
        """
        self._typed.put((kind, fields))

    def pause(self, paused: bool) -> None:
        """Hold the frames, or let them go on."""
        if paused:
            self._paused.set()
        else:
            self._paused.clear()

    @property
    def is_paused(self) -> bool:
        """Whether the frames are held."""
        return self._paused.is_set()

    @property
    def is_logged(self) -> bool:
        """Whether what happens is written to a log."""
        return self._log is not None and not self._unlogged

    def step(self) -> None:
        """Let one more frame through while paused."""
        self._paused.set()
        self._steps.release()

    def stop(self) -> None:
        """End the loop and wait for it."""
        self._stopping.set()
        self._source.close()
        with self._free:
            self._free.notify()
        self.wait()

    def run(self) -> None:
        """What the thread does: frames in, ticks out, until it is stopped or the source ends."""
        self._guarded(self._watch)
        while not self._stopping.is_set() and self._last is not None:
            self._guarded(self._linger)

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do a part of the work, and tell what was at fault: the match goes on by hand."""
        try:
            work()
        except (ValueError, OSError) as error:
            self.fault = self.fault or error
            self.failed.emit(fault_line(error))

    def _watch(self) -> None:
        start_s: float | None = None
        for frame in self._frames:
            if self._stopping.is_set():
                return
            if frame is None:
                self._wait()
                continue
            if self._source.live:
                held = self._paused.is_set() and not self._steps.acquire(blocking=False)
            else:
                # A film whose beginning does not show the table is shown from where it does, at once.
                begun_s = time.monotonic() - frame.t_s if start_s is None else start_s
                held, start_s = False, self._due(frame, begun_s)
            if self._stopping.is_set():
                return
            if not held:
                tick = self.referee.step(frame)
                self._show(tick)
                self.referee.rule_ahead(tick)
            self._listen()
        if not self._stopping.is_set():
            self.ended.emit()

    def _wait(self) -> None:
        """The camera brings nothing: what there is to tell of it, and what the person typed meanwhile."""
        told = self.referee.wait(self._last)
        if told is not None:
            self._show(told)
        self._listen()

    def _show(self, tick: Tick) -> None:
        """Log what the tick brought and hand it to the window."""
        self._last = tick
        self._note(tick.events)
        self._hand_over(tick)

    def _due(self, frame: Frame, start_s: float) -> float:
        """Wait until `frame` of a file is due; the clock's time of the video's beginning, moved on by every pause."""
        start_s = min(start_s, time.monotonic() + _LONGEST_PAUSE_S - frame.t_s)
        while not self._stopping.is_set():
            late_s = time.monotonic() - start_s - frame.t_s
            if self._paused.is_set():
                start_s += late_s
                if self._steps.acquire(blocking=False):
                    break
            elif late_s >= 0:
                break
            self._listen()
            time.sleep(min(_LOOK_UP_S, max(-late_s, 0.001)))
        # A machine that cannot keep up plays slower; it does not race to catch up after a hiccup.
        return max(start_s, time.monotonic() - frame.t_s - _HICCUP_S)

    def _linger(self) -> None:
        """After the last frame, or when the source broke, the match goes on by hand, and its time too: for a moment."""
        if self._last is not None:
            self._last = self._later(self._last)
        self._listen()
        self._run_clock()
        time.sleep(_LOOK_UP_S)

    def _later(self, tick: Tick) -> Tick:
        """The tick as it is now: the last picture, at the time that has gone by since."""
        since_s, self._by_hand_since_s = self._by_hand_since_s, time.monotonic()
        gone_s = self._by_hand_since_s - since_s if since_s is not None else 0.0
        return replace(tick, frame=replace(tick.frame, t_s=tick.frame.t_s + gone_s))

    def _run_clock(self) -> None:
        """Show every second of a clock that runs, and call its end."""
        if self._last is None:
            return
        left_s = self.referee.left_s(self._last.frame.t_s)
        if left_s is not None and math.ceil(left_s) != math.ceil(self._last.left_s or 0.0):
            events = self.referee.call(self._last.frame.t_s)
            self._show(self.referee.brought(self._last, events))

    def _listen(self) -> None:
        """Take in what was typed since, and show it on the last frame."""
        while self._last is not None and not self._typed.empty():
            try:
                events = self.referee.told(*self._typed.get(), self._last.frame.t_s)
            except ValueError as error:
                self.refused.emit(fault_line(error))
                continue
            self._show(self.referee.brought(self._last, events))

    def _note(self, events: tuple[Event, ...]) -> None:
        """Log the events. What a full disk does not take waits in the log for room: the match goes on meanwhile."""
        if self._log is None or not events:
            return
        try:
            self._log.append(events)
            unlogged = ""
        except OSError as error:
            unlogged = fault_line(error)
        if unlogged != self._unlogged:
            self._unlogged = unlogged
            self.unlogged.emit(unlogged)

    def _hand_over(self, tick: Tick) -> None:
        with self._free:
            if not self._source.live:
                self._free.wait_for(lambda: self._slot is None or self._stopping.is_set())
            self._slot = tick
        self.ticked.emit()
