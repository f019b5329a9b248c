"""An RTSP camera on loopback: how late its pictures come, and what happens when it dies and comes back.

    .venv/bin/python -m benchmarks.rtsp [--seconds 10]

tests/vision/rtsp_camera.py serves 640 x 360 MPEG-2 at 30 pictures a second in the same process. Printed: ms from a
picture's handing to the network until it is out of `LiveSource` (median, p95, wall time), pictures passed over, seconds
until a dead camera is told, and from its return until new pictures come.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.latency import number_of, numbered
from tests.vision.rtsp_camera import RtspCamera
from vision.source import open_source

SIZE_PX, NUMBERS, DEAD_S, PATIENCE_S = (640, 360), 1024, 4.0, 20.0
GREY = [
    (120 + np.random.default_rng(n).integers(-4, 5, (SIZE_PX[1], SIZE_PX[0], 1)) + np.zeros(3)).astype(np.uint8)
    for n in range(30)
]


def picture(number: int) -> np.ndarray:
    """A noisy grey table with its number."""
    return numbered(GREY[number % len(GREY)].copy(), number % NUMBERS)


def late_ms(seconds: float) -> None:
    """Print latency, loss and return."""
    camera, late = RtspCamera(picture), list[float]()
    with open_source(camera.url) as source:
        end_s = time.monotonic() + seconds
        for frame in source:
            now_s, number = time.monotonic(), number_of(frame.image_bgr)
            if number in camera.sent_s:
                late.append(1e3 * (now_s - camera.sent_s[number]))
            if now_s > end_s:
                break
        median, p95 = np.percentile(late[len(late) // 5 :], [50, 95])
        print(f"{len(late)} pictures, {source.dropped} passed over: median {median:.0f} ms, p95 {p95:.0f} ms")
        camera.die()
        died_s = time.monotonic()
        told_s = waited_s(source, died_s, lost=True)
        time.sleep(max(0.0, died_s + DEAD_S - time.monotonic()))
        again, back_s = RtspCamera(picture, port=camera.port), time.monotonic()
        print(f"dead: told after {told_s:.2f} s; back: good again after {waited_s(source, back_s, lost=False):.2f} s")
    again.die()


def waited_s(source: object, since_s: float, *, lost: bool) -> float:
    """Seconds until the source says that it is lost, or until it is well and a picture comes; NaN if it never does."""
    for frame in source.beats():  # type: ignore[attr-defined]
        now_s, trouble = time.monotonic(), source.trouble  # type: ignore[attr-defined]
        if (trouble is not None) if lost else (trouble is None and frame is not None):
            return now_s - since_s
        if now_s - since_s > PATIENCE_S:
            break
    return float("nan")


def main() -> None:
    """Measure."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0)
    late_ms(options.parse_args().seconds)


if __name__ == "__main__":
    main()
