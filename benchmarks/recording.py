"""The recording beside OpenCV's mp4v, and the overlay's cached layer beside one that is drawn anew on every frame.

    .venv/bin/python -m benchmarks.recording [--seconds 20]

The first seconds of the sample match, painted, go to both recorders in the same run; CPU ms are of the threads that
work for them. To reach: no frame dropped, at most 1/6 of mp4v's size; an overlay in at most 2 ms a frame.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import cv2

from ui.eyes import eyes_for
from ui.playing.annotation import Painter
from ui.playing.loop import Tick
from ui.playing.recorder import ImageI420, Recorder
from ui.playing.session import opened_session
from ui.qt import application
from ui.setup.setup_file import read_setup
from vision.source import FileSource

MATCH = Path(__file__).parent.parent / "sample_footage" / "omms"
FPS = 25
OVERLAYS = 20


class TimedRecorder(Recorder):
    """Counts the CPU time of its thread."""

    encoding_s = 0.0

    def _encode(self, i420: ImageI420, t_s: float) -> None:
        started = time.thread_time()
        super()._encode(i420, t_s)
        self.encoding_s += time.thread_time() - started


def record_both(seconds: float, folder: Path) -> tuple[Painter, Tick]:
    """Both recordings; the painter and the last tick for what comes next."""
    setup = read_setup(MATCH / "setup.toml")
    ours, theirs = folder / "h264.mp4", folder / "mp4v.mp4"
    spent = {"ours": 0.0, "mp4v": 0.0}
    count = 0
    with FileSource(MATCH / "match.mp4") as source:
        session = opened_session(setup, source, eyes_for(setup.rules))
        painter = Painter.over(session.first, session.plane, setup.rules.table_size_mm)
        writer = cv2.VideoWriter(str(theirs), cv2.VideoWriter.fourcc(*"mp4v"), FPS, painter.canvas.size_px)
        with TimedRecorder(ours, painter.canvas.size_px) as recorder:
            for tick in session.referee.watch(session.frames):
                if tick.frame.t_s > seconds:
                    break
                canvas = painter.paint(tick)
                started = time.process_time()
                writer.write(canvas.bgr())
                spent["mp4v"] += time.process_time() - started
                started = time.thread_time()
                recorder.write(canvas.bgra, tick.frame.t_s)
                spent["ours"] += time.thread_time() - started
                count += 1
            dropped = recorder.dropped
        writer.release()
    spent["ours"] += recorder.encoding_s
    sizes = {"ours": ours.stat().st_size, "mp4v": theirs.stat().st_size}
    for name, spent_s in spent.items():
        print(f"{name:6} {1e3 * spent_s / count:6.1f} CPU ms a frame")
        print(f"       {sizes[name] / 1e6:6.2f} MB for {seconds:.0f} s")
    print(f"size: 1/{sizes['mp4v'] / sizes['ours']:.1f} of mp4v's (promise 1/6); {dropped} frames dropped")
    return painter, tick


def overlay_ms(painter: Painter, tick: Tick, *, anew: bool) -> float:
    """CPU ms to lay the overlay over a frame."""
    marks, said = painter.overlay._drawn or ((), None)
    started = time.process_time()
    for _ in range(OVERLAYS):
        if anew:
            painter.overlay._drawn = None
        if said is not None:
            painter.overlay.paint(painter.canvas.image, marks, said)
    return 1e3 * (time.process_time() - started) / OVERLAYS


def main() -> None:
    """Record the clip both ways and print ms a frame and bytes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=20.0, help="of the match")
    seconds = options.parse_args().seconds
    application(headless=True)
    with tempfile.TemporaryDirectory() as folder:
        painter, tick = record_both(seconds, Path(folder))
    print(f"overlay: cached layer {overlay_ms(painter, tick, anew=False):.2f} CPU ms a frame (promise 2),", end=" ")
    print(f"drawn anew {overlay_ms(painter, tick, anew=True):.2f}")


if __name__ == "__main__":
    main()
