"""A match over a stream whose camera dies in the middle: `sandtable play` on MJPEG over HTTP and on RTSP, from outside.

    .venv/bin/python -m benchmarks.stream_match [mjpeg rtsp] [--speed 1.0]

The rendered clip `sample_footage/trouble/dim.mp4` (19 s, one move before 7.5 s and one after 13.5 s) is the world; a
camera on 127.0.0.1 shows it at 1280 x 720, ten pictures a second, and is dead from 8 to 12 s: connections are cut and
refused. The command that a user types watches it without a window and is ended with Ctrl-C. Printed: the events of its
log, how many of the two moves were found and what was invented, and whether the pieces kept their ids. `--speed` below
1 slows the world down where the machine is busy.
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.vision.mjpeg_camera import MjpegCamera
from tests.vision.rtsp_camera import RtspCamera
from vision.stream.video_file import read_video

CLIP = Path(__file__).parent.parent / "sample_footage" / "trouble" / "dim.mp4"
SIZE_PX, RATE_HZ = (1280, 720), 10
DIES_S, BACK_S, ENDS_S = 8.0, 12.0, 19.0
PORT_WAIT_S, SAME_PLACE_MM = 0.5, 5.0
MOVES = ("move", "place", "remove")


@dataclass
class World:
    """The clip as JPEG pictures, and a clock that tells the time in it."""

    speed: float
    pictures: list[bytes] = field(default_factory=list)
    began_s: float = 0.0

    def load(self) -> None:
        """Take every picture that the camera will show."""
        for frame in read_video(CLIP):
            if frame.t_s * RATE_HZ >= len(self.pictures):
                small = cv2.resize(frame.image_bgr, SIZE_PX, interpolation=cv2.INTER_AREA)
                self.pictures.append(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())

    @property
    def now_s(self) -> float:
        """Seconds of the clip; it stands at its beginning until somebody watches."""
        return (time.monotonic() - self.began_s) * self.speed if self.began_s else 0.0

    def jpeg(self) -> bytes:
        """What the camera sees now; the first look starts the clock."""
        self.began_s = self.began_s or time.monotonic()
        return self.pictures[min(int(self.now_s * RATE_HZ), len(self.pictures) - 1)]

    def stream(self) -> Iterator[bytes]:
        """The same, time after time."""
        while True:
            yield cv2.imencode(".jpg", self.image(0), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            time.sleep(1 / RATE_HZ)

    def image(self, _: int) -> np.ndarray:
        """The same as pixels, with a sensor's noise: what stands still is no frozen camera."""
        image = cv2.imdecode(np.frombuffer(self.jpeg(), np.uint8), cv2.IMREAD_COLOR)
        image[0, 0] = int(time.monotonic() * 1000) % 256
        return image


def watched(kind: str, speed: float, folder: Path) -> list[dict[str, Any]]:
    """The events of the log of a match over that kind of stream."""
    world, log = World(speed), folder / f"{kind}.jsonl"
    world.load()

    def camera(port: int = 0) -> MjpegCamera | RtspCamera:
        """One that shows the world."""
        return MjpegCamera(world.stream, port) if kind == "mjpeg" else RtspCamera(world.image, RATE_HZ, port)

    first = camera()
    command = [
        "play",
        "--setup",
        str(CLIP.parent / "setup.toml"),
        "--source",
        first.url,
        "--headless",
        "--log",
        str(log),
    ]
    player = subprocess.Popen([sys.executable, "-m", "ui.cli", *command], stderr=subprocess.DEVNULL)
    _wait(lambda: world.now_s >= DIES_S)
    first.die()
    _wait(lambda: world.now_s >= BACK_S)
    again = camera(first.port)
    _wait(lambda: world.now_s >= ENDS_S + 4)
    player.send_signal(signal.SIGINT)
    player.wait(30)
    again.die()
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[1:]]


def _wait(until: Any) -> None:
    while not until():
        time.sleep(PORT_WAIT_S / 5)


def report(kind: str, events: list[dict[str, Any]]) -> None:
    """Print what the log says beside the truth."""
    truth = json.loads(CLIP.with_name(CLIP.stem + ".truth.json").read_text(encoding="utf-8"))
    true = [event for event in truth["events"] if event["event"] in MOVES]
    told = [event for event in events if event["event"] in MOVES]
    found = [
        one
        for one in true
        if any(e["event"] == one["event"] and math.dist(e["to_mm"], one["to_mm"]) < SAME_PLACE_MM for e in told)
    ]
    print(f"{kind}: {len(found)} of {len(true)} moves found, {len(told) - len(found)} invented")
    for event in events:
        what = event.get("sentence") or event.get("text") or event.get("piece") or ""
        print(f"  {event['time_s']:6.2f} s {event['event']:7} {what}")
    scenes = [event for event in events if event["event"] == "scene"]
    first = {feature["id"] for feature in scenes[0]["features"]} if scenes else set()
    moved = {event["piece"] for event in told if event["event"] == "move"}
    print(
        f"  {len(first)} pieces at first; of the pieces that moved {len(moved & first)} of {len(moved)} kept their ids"
    )


def main() -> None:
    """Play the match over each kind of stream and print what was found."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kinds", nargs="*", default=["mjpeg", "rtsp"])
    options.add_argument("--speed", type=float, default=1.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind in given.kinds:
            report(kind, watched(kind, given.speed, Path(folder)))


if __name__ == "__main__":
    main()
