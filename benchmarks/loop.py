"""CPU of the whole loop on the sample match, by stage: decode, observe and judge, paint, record.

    python -m benchmarks.loop [--seconds 30]

Figures are CPU ms a frame (process time, so other programs do not count); `frame to paint` is wall time from a
decoded frame to its painted picture, median and 95 %. Idle: frames in which nothing moves. Busy: frames with a hand
or a look under way. The peers are OpenCV's mp4v writer and an overlay drawn anew on every frame.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from ui.annotation import Painter
from ui.eyes import eyes_for
from ui.qt import application
from ui.recorder import Recorder
from ui.session import opened_session
from ui.setup_file import read_setup
from vision.source import FileSource

MATCH = Path(__file__).parent.parent / "sample_footage" / "omms"


class Stopwatch:
    """CPU ms by stage and by whether the table was idle."""

    def __init__(self):
        self.spent = defaultdict(list)
        self.idle = False

    def time(self, stage, work):
        start = time.process_time()
        result = work()
        self.spent[stage].append(1000 * (time.process_time() - start))
        return result


def run(seconds: float, record: Path | None) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, float]:
    setup = read_setup(MATCH / "setup.toml")
    watch, wall, idle = Stopwatch(), [], []
    begun = time.process_time()
    with FileSource(MATCH / "match.mp4") as source:
        session = opened_session(setup, source, eyes_for(setup.rules))
        height, width = session.first.image_bgr.shape[:2]
        painter = Painter.over(session.first, session.plane, setup.rules.table_size_mm)
        recorder = Recorder(record, (width, height)) if record else None
        while True:
            frame = watch.time("decode", lambda: next(session.frames, None))
            if frame is None or frame.t_s > seconds:
                break
            start = time.perf_counter()
            tick = watch.time("observe and judge", lambda frame=frame: session.referee.step(frame))
            canvas = watch.time("paint", lambda tick=tick: painter.paint(tick))
            wall.append(1000 * (time.perf_counter() - start))
            idle.append(not tick.frozen and not tick.events)
            if recorder is not None:
                recorder.write(canvas.bgra, frame.t_s)
        if recorder is not None:
            recorder.close()
    spent = {stage: np.array(times[: len(wall)]) for stage, times in watch.spent.items()}
    return spent, np.array(wall), np.array(idle), 1000 * (time.process_time() - begun) / len(wall)


def redrawn_each_frame(frames: int = 20) -> float:
    """CPU ms a frame when the overlay's layer is drawn anew each time: what the cache saves."""
    setup = read_setup(MATCH / "setup.toml")
    with FileSource(MATCH / "match.mp4") as source:
        session = opened_session(setup, source, eyes_for(setup.rules))
        ticks = session.referee.watch(session.frames)
        tick = next(tick for tick in ticks if tick.match is not None)
        painter = Painter.over(tick.frame, session.plane, setup.rules.table_size_mm)
        start = time.process_time()
        for _ in range(frames):
            painter.overlay._drawn = None
            painter.paint(tick)
        return 1000 * (time.process_time() - start) / frames


def mp4v(path: Path, seconds: float) -> tuple[float, int]:
    """OpenCV's recorder on the same frames: CPU ms a frame and bytes."""
    with FileSource(MATCH / "match.mp4") as source:
        writer, spent, count = None, 0.0, 0
        for frame in source:
            if frame.t_s > seconds:
                break
            if writer is None:
                size = frame.image_bgr.shape[1::-1]
                writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 25, size)
            start = time.process_time()
            writer.write(frame.image_bgr)
            spent, count = spent + time.process_time() - start, count + 1
        writer.release()
    return 1000 * spent / count, path.stat().st_size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="of the match")
    seconds = parser.parse_args().seconds
    application(headless=True)
    with tempfile.TemporaryDirectory() as folder:
        spent, wall, idle, whole = run(seconds, None)
        for stage, times in spent.items():
            print(f"{stage:20s} idle {times[idle].mean():6.2f}   busy {times[~idle].mean():6.2f} CPU ms a frame")
        print(
            f"{'frame to paint':20s} idle {np.median(wall[idle]):6.2f}   busy {np.median(wall[~idle]):6.2f} ms, median"
        )
        print(
            f"{'':20s} idle {np.quantile(wall[idle], 0.95):6.2f}   busy {np.quantile(wall[~idle], 0.95):6.2f} ms, 95 %"
        )
        print(f"{'whole loop':20s} {whole:.1f} CPU ms a frame without recording, {idle.mean():.0%} of the frames idle")
        recorded = Path(folder) / "h264.mp4"
        *_, with_recording = run(seconds, recorded)
        print(f"{'':20s} {with_recording:.1f} CPU ms a frame with recording ({recorded.stat().st_size / 1e6:.1f} MB)")
        peer_ms, peer_bytes = mp4v(Path(folder) / "mp4v.mp4", seconds)
        print(f"peer: OpenCV mp4v {peer_ms:.1f} CPU ms a frame, {peer_bytes / 1e6:.1f} MB, overlay not included")
        print(f"peer: overlay drawn anew {redrawn_each_frame():.1f} CPU ms a frame")


if __name__ == "__main__":
    main()
