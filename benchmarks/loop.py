"""What a frame costs from the decoder to the recording, stage by stage, on an idle and on a busy table of 40 coins.

    .venv/bin/python -m benchmarks.loop [CLIP_FOLDER]

The clip of `benchmarks.busy_table` (1080p30, 40 coins; made first if the folder has none) goes through the session of
`sandtable play`, the painter, the window's picture (1250 x 703, offscreen) and the recorder. All figures are CPU
milliseconds of the whole process, OpenCV's threads included, so that they mean the same on a loaded machine. Frames
are decoded 30 at a time, before the others run, so that the decoder's threads are counted for it alone. Recording is a
second run: its figure is all CPU time spent, and the encoder's own is that of its thread. "Idle" is from after the
first agreed scene to the first hand, "busy" is the rest: hands over the table, two moves, the looks that agree on them.

Budget: 37 ms a frame in all with recording, 23 ms without, an idle table 8 ms beside decoding and display.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.busy_table import IDLE_S, write_busy_table
from benchmarks.stage_clock import StageClock
from ui.eyes import eyes_for
from ui.playing.annotation import Painter
from ui.playing.loop import Referee, Tick
from ui.playing.recorder import Recorder
from ui.playing.session import Session, opened_session
from ui.qt import application
from ui.setup.setup_file import read_setup
from vision.frame import Frame
from vision.motion.change import ChangeGate
from vision.observe import Observer
from vision.source import FileSource
from vision.tripod.stand import Stand

CHUNK = 30
STAGES: tuple[tuple[Any, str, str], ...] = (
    (ChangeGate, "seen", "change gate"),
    (Stand, "check", "camera watch"),
    (Observer, "_agree", "track"),
    (Referee, "_agreed", "rules"),
    (Referee, "step", "the rest of the loop"),
    (Painter, "paint", "paint"),
)
BESIDE = ("decode", "paint", "show")


@dataclass
class Costs:
    """One row a frame: its time and the CPU ms of each stage."""

    rows: list[tuple[float, bool, dict[str, float]]] = field(default_factory=list)

    def of(self, busy: bool) -> list[dict[str, float]]:
        """Those frames' CPU ms by stage, busy or idle ones."""
        return [row for _, is_busy, row in self.rows if is_busy == busy]

    def table(self) -> None:
        """Print mean and p95 by stage in CPU ms."""
        names = ["decode", *(name for _, _, name in STAGES), "looks", "show"]
        print(f"{'CPU ms a frame':24}{'idle: mean':>12}{'p50':>8}{'p95':>8}{'busy: mean':>14}{'p50':>8}{'p95':>8}")
        for name in names:
            self._row(name, lambda row, name=name: row.get(name, 0.0))
        self._row("frame to painted", lambda row: sum(v for k, v in row.items() if k not in ("decode", "show")))
        self._row("beside decode, display", lambda row: sum(v for k, v in row.items() if k not in BESIDE))
        self._row("in all, not recording", lambda row: sum(row.values()))

    def _row(self, name: str, value: Callable[[dict[str, float]], float]) -> None:
        line = f"{name:24}"
        for busy, width in ((False, 12), (True, 14)):
            values = [value(row) for row in self.of(busy)]
            p50, p95 = np.quantile(values, [0.5, 0.95])
            line += f"{np.mean(values):{width}.2f}{p50:8.2f}{p95:8.2f}"
        print(line)


def session_of(clip: Path, clock: StageClock | None) -> Session:
    """The session; its looks are timed as a stage of their own."""
    setup = read_setup(clip.parent / "setup.toml")
    look = eyes_for(setup.rules)
    return opened_session(setup, FileSource(clip), clock.timed("looks", look) if clock else look)


def chunks(session: Session) -> Iterator[tuple[list[Frame], float]]:
    """Frames decoded ahead, and the CPU ms that each took."""
    while True:
        started = time.process_time()
        frames = [frame for frame in islice(session.frames, CHUNK) if frame is not None]
        time.sleep(0.05)  # the decoder's threads come to rest
        if not frames:
            return
        yield frames, 1e3 * (time.process_time() - started) / len(frames)


def measure(clip: Path) -> Costs:
    """The whole way but for the recording."""
    from ui.window.picture import Picture

    running = application(headless=True)
    clock, costs = StageClock(time.process_time), Costs()
    picture = Picture()
    picture.resize(1250, 703)
    picture.show()
    running.processEvents()  # a window that was never exposed paints nothing
    show = clock.timed("show", lambda image: (picture.show_image(image), picture.repaint()))
    painter: Painter | None = None
    with clock.counting(STAGES):
        session = session_of(clip, clock)
        for frames, decode_ms in chunks(session):
            for frame in frames:
                painter = painter or painter_of(session, frame)
                clock.taken()
                known = session.referee.match is not None
                tick = session.referee.step(frame)
                show(painter.paint(tick).image)
                if known:
                    costs.rows.append((frame.t_s, frame.t_s > IDLE_S, {"decode": decode_ms, **clock.taken()}))
    return costs


def painter_of(session: Session, frame: Frame) -> Painter:
    """The painter of a session's overlays over its first frame."""
    return Painter.over(frame, session.plane, session.referee.setup.table_size_mm)


def recorded(clip: Path, out: Path) -> None:
    """All CPU time of the whole way with the recording, and the encoder's own."""
    session = session_of(clip, None)
    by_thread: list[float] = []
    original = Recorder._encode

    def encode(self: Recorder, *arguments: Any) -> None:
        """The recorder's own work, counted."""
        started = time.thread_time()
        original(self, *arguments)
        by_thread.append(1e3 * (time.thread_time() - started))

    Recorder._encode = encode  # type: ignore[method-assign]
    painter, totals = painter_of(session, session.first), {False: 0.0, True: 0.0}
    counts = {False: 0, True: 0}
    with Recorder(out, painter.canvas.size_px) as recorder:
        for frames, decode_ms in chunks(session):
            busy = frames[-1].t_s > IDLE_S + 0.5
            started = time.process_time()
            for frame in frames:
                tick: Tick = session.referee.step(frame)
                recorder.write(painter.paint(tick).bgra, frame.t_s)
            while recorder._queue.qsize():
                time.sleep(0.01)
            time.sleep(0.1)
            if frames[0].index:
                totals[busy] += 1e3 * (time.process_time() - started) + decode_ms * len(frames)
                counts[busy] += len(frames)
    Recorder._encode = original  # type: ignore[method-assign]
    idle, busy_ms = (totals[key] / counts[key] for key in (False, True))
    print(f"in all, recording (no window)     idle {idle:.1f}   busy {busy_ms:.1f}   budget 37")
    print(f"  of which the encoder            {np.mean(by_thread):.1f} mean, {np.quantile(by_thread, 0.95):.1f} p95")


def main() -> None:
    """Run the loop over the clip and print CPU ms by stage."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "sandtable-busy-table")
    clip = write_busy_table(options.parse_args().folder)
    costs = measure(clip)
    print(f"OpenCV threads: {cv2.getNumThreads()}; {len(costs.rows)} frames of {clip.name}")
    costs.table()
    print("budget: in all, not recording 23; idle beside decode and display 8")
    with tempfile.TemporaryDirectory() as folder:
        recorded(clip, Path(folder) / "recording.mp4")


if __name__ == "__main__":
    main()
