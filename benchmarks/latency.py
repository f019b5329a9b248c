"""How old the table is on the screen: from a 1080p30 MJPEG camera on loopback to the painted picture.

    .venv/bin/python -m benchmarks.latency [CLIP_FOLDER] [--match sample_footage/omog] [--seconds 20]

A second process serves the clip of `benchmarks.busy_table`, or that of a sample match, as a phone's camera app does
(multipart JPEG over HTTP, on 127.0.0.1 only, over when the time is up), 30 pictures a second, each with its number in
black and white squares below the table. Here the source, the loop and the painter run as in `sandtable play`, without
a window. A picture's latency is from the moment when the server begins to send it to the moment when it is
painted: receiving, decoding, waiting, watching, painting; the camera's own exposure and JPEG coding come on top. It is
wall time, so it means something only on a machine with a free core: the load is printed, and `chrt -r 1` before the
command puts it ahead of other work.
First overlay: from opening the source, models and all, to the first picture painted with pieces.

Budget: p95 <= 33 ms, first overlay <= 3 s.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import HTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

import cv2
import numpy as np

from benchmarks.arguments import existing
from benchmarks.busy_table import FPS, write_busy_table
from tests.vision.mjpeg_camera import mjpeg_handler
from ui.eyes import eyes_for
from ui.playing.annotation import Painter
from ui.playing.session import opened_session
from ui.qt import application
from ui.setup.setup_file import read_setup
from vision.source import open_source
from vision.stream.video_file import read_video

# Squares so small and so far apart that the change gate takes them for noise.
BITS, SQUARE_PX, APART_PX, FROM_EDGE_PX, LEVEL = 12, 4, 16, 24, 128
JPEG_QUALITY = 85


def numbered(image_bgr: np.ndarray, number: int) -> np.ndarray:
    """The picture with its number in squares at the lower left."""
    for bit in range(BITS):
        colour = 255 if number >> bit & 1 else 0
        left = bit * APART_PX
        image_bgr[-FROM_EDGE_PX : SQUARE_PX - FROM_EDGE_PX, left : left + SQUARE_PX] = colour
    return image_bgr


def number_of(image_bgr: np.ndarray) -> int:
    """The frame number that is written into a picture."""
    strip = image_bgr[-FROM_EDGE_PX : SQUARE_PX - FROM_EDGE_PX]
    return sum(1 << bit for bit in range(BITS) if strip[:, bit * APART_PX :][:, :SQUARE_PX].mean() > LEVEL)


def serve(clip: Path, seconds: float, sent_s: Sequence[float], port: Connection) -> None:
    """The camera: one client, one stream."""
    jpegs = [
        cv2.imencode(".jpg", numbered(frame.image_bgr, n), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
        for n, frame in enumerate(read_video(clip))
    ]

    def paced() -> Iterator[bytes]:
        """Each picture when its time has come, and when that was."""
        started_s = time.monotonic()
        for count in range(round(seconds * FPS)):
            time.sleep(max(0.0, started_s + count / FPS - time.monotonic()))
            sent_s[count % len(jpegs)] = time.monotonic()
            yield jpegs[count % len(jpegs)]

    server = HTTPServer(("127.0.0.1", 0), mjpeg_handler(paced))
    port.send((server.server_port, sum(map(len, jpegs)) / len(jpegs)))
    server.handle_request()
    server.server_close()


@dataclass
class Latencies:
    """What was measured, ms."""

    quiet: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    first_overlay_s: float = float("nan")
    first_overlay_cpu_s: float = float("nan")
    dropped: int = 0


def measure(folder: Path, url: str, sent_s: Sequence[float], seconds: float) -> Latencies:
    """Plays until the camera is over."""
    latencies, started_s, cpu_s = Latencies(), time.monotonic(), time.process_time()
    setup = read_setup(folder / "setup.toml")
    look = eyes_for(setup.rules)
    with open_source(url) as source:
        session = opened_session(setup, source, look)
        painter = Painter.over(session.first, session.plane, setup.rules.table_size_mm)
        for frame in session.frames:
            if time.monotonic() - started_s > seconds:
                break
            if frame is None:
                continue
            number, came_s = number_of(frame.image_bgr), time.monotonic()
            tick = session.referee.step(frame)
            painter.paint(tick)
            now_s = time.monotonic()
            session.referee.rule_ahead(tick)
            if tick.match is None:
                continue
            if np.isnan(latencies.first_overlay_s):
                latencies.first_overlay_s = now_s - started_s
                latencies.first_overlay_cpu_s = time.process_time() - cpu_s
            (latencies.busy if tick.frozen else latencies.quiet).append(1e3 * (now_s - sent_s[number]))
            latencies.own.append(1e3 * (now_s - came_s))
        latencies.dropped = source.dropped
    return latencies


def say(name: str, values: list[float]) -> None:
    """Print median, p95 and worst of values in ms."""
    if values:
        p50, p95, worst = np.quantile(values, [0.5, 0.95, 1.0])
        print(f"{name:34} {len(values):5d} frames   p50 {p50:6.1f}   p95 {p95:6.1f}   worst {worst:6.1f} ms")


def main() -> None:
    """Serve, play and print the latency."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "sandtable-busy-table")
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument(
        "--match", type=existing, help="a folder with match.mp4 and setup.toml, in place of the busy table"
    )
    given = options.parse_args()
    clip = given.match / "match.mp4" if given.match else write_busy_table(given.folder)
    application(headless=True)
    context = multiprocessing.get_context("spawn")
    sent_s = context.Array("d", 1 << BITS, lock=False)
    here, there = context.Pipe()
    camera = context.Process(target=serve, args=(clip, given.seconds + 30, sent_s, there), daemon=True)
    camera.start()
    port, size = here.recv()
    measured = measure(clip.parent, f"http://127.0.0.1:{port}/video.mjpg", sent_s, given.seconds)
    camera.terminate()
    load = f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"1080p{FPS} MJPEG, {size / 1e3:.0f} kB a picture; {load}")
    say("sent to painted, idle table", measured.quiet)
    say("sent to painted, hands and looks", measured.busy)
    say("sent to painted, all", measured.quiet + measured.busy)
    say("  of which loop and painting", measured.own)
    first = f"first overlay after {measured.first_overlay_s:.2f} s ({measured.first_overlay_cpu_s:.2f} s of CPU)"
    print(f"pictures skipped for newer ones: {measured.dropped}; {first}")


if __name__ == "__main__":
    main()
