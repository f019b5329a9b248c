"""How soon each trouble of a camera is said, and how soon the picture is good again: a real stream over loopback.

    .venv/bin/python -m benchmarks.camera_trouble

A server on 127.0.0.1 serves 640 x 360 MJPEG at 30 pictures a second, as a phone's camera app does, and misbehaves after
two seconds: the connection is cut and refused (unplugged), it says nothing more, sends the same picture again
and again, a black one, two pictures a second, another resolution, pictures cut off in the middle. After 6 s all is well
again. Printed: seconds from the beginning of the trouble until `LiveSource.trouble` names it, the sentence, and seconds
from its end until `trouble` is None again and new pictures come. Wall time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from tests.vision.mjpeg_camera import MjpegCamera
from vision.source import open_source

FPS, GOOD_S, TROUBLE_S, AGAIN_S = 30, 2.0, 6.0, 8.0
KINDS = ("unplugged", "silent", "frozen", "black", "slow", "switched", "cut off")
NAMED = {"unplugged": "lost", "cut off": "broken"}


def picture(number: int, size_px: tuple[int, int] = (640, 360), level: int = 120) -> bytes:
    """A noisy grey picture; no two are alike."""
    noise = np.random.default_rng(number).normal(0, 3, (size_px[1], size_px[0], 1)) if level else np.zeros((1, 1, 1))
    image = np.clip(level + noise + np.zeros((size_px[1], size_px[0], 3)), 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


GOOD = [picture(n) for n in range(60)]
BLACK, LARGE = picture(0, level=0), [picture(n, (1280, 720)) for n in range(30)]


@dataclass
class Camera:
    """One stream that fails in one way."""

    kind: str
    started_s: float = field(default_factory=time.monotonic)

    @property
    def failing(self) -> bool:
        """Whether the trouble is on."""
        return GOOD_S <= time.monotonic() - self.started_s < GOOD_S + TROUBLE_S

    @property
    def is_unplugged(self) -> bool:
        """Whether connections are cut and refused."""
        return self.failing and self.kind == "unplugged"

    def jpeg(self, number: int) -> bytes:
        """The picture with that number as this camera sends it."""
        good = GOOD[number % len(GOOD)]
        if not self.failing:
            return good
        return {
            "frozen": GOOD[0],
            "black": BLACK,
            "switched": LARGE[number % 30],
            "cut off": good[: len(good) // 3],
        }.get(self.kind, good)

    def refusal(self) -> int | None:
        """By which status it refuses who asks now, if it does."""
        return 503 if self.is_unplugged else None

    def stream(self) -> Iterator[bytes]:
        """Pictures as the trouble will have it."""
        for number in range(10_000):
            if self.is_unplugged:
                return
            while self.failing and self.kind == "silent":
                time.sleep(0.05)
            yield self.jpeg(number)
            time.sleep(0.5 if self.failing and self.kind == "slow" else 1 / FPS)


def drill(kind: str) -> None:
    """Says when the trouble was named and when it was over."""
    camera = Camera(kind)
    wanted = NAMED.get(kind, kind)
    named_s = good_s = None
    sentence, others = "", set[str]()
    with MjpegCamera(camera.stream, refusal=camera.refusal) as server, open_source(server.url) as source:
        camera.started_s = time.monotonic()
        for frame in source.beats():
            now_s = time.monotonic() - camera.started_s
            trouble = source.trouble
            if trouble is not None and trouble.kind == wanted and named_s is None:
                named_s, sentence = now_s - GOOD_S, str(trouble)
            elif trouble is not None and trouble.kind != wanted:
                others.add(trouble.kind)
            over = now_s > GOOD_S + TROUBLE_S
            if over and good_s is None and trouble is None and frame is not None:
                good_s = now_s - GOOD_S - TROUBLE_S
            if now_s > GOOD_S + TROUBLE_S + AGAIN_S or good_s is not None:
                break
    said = "never said" if named_s is None else f"said after {named_s:.2f} s"
    again = "never good again" if good_s is None else f"good again {good_s:.2f} s after its end"
    also = f"; also said: {', '.join(sorted(others))}" if others else ""
    print(f"{kind:10} {said}, {again}{also}\n           {sentence}")


def main() -> None:
    """Drill every trouble."""
    for kind in KINDS:
        drill(kind)


if __name__ == "__main__":
    main()
