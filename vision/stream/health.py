"""Is the camera's picture alive? Black, frozen, slow or silent cameras are named at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from vision.frame import Frame, ImageBgr

# A picture of which hardly anything is brighter than this grey level shows nothing that could be measured.
BLACK_LEVEL = 24
BLACK = "the picture is black: is the lens covered or the room dark?"
# Sensor noise changes some pixel in every exposure: an identical picture for this long is a frozen driver.
FROZEN_AFTER_S = 1.0
# Below this rate a hand's move falls between two pictures.
SLOW_HZ = 5.0
# The rate is that of the last second or so; after a gap as long as this it is measured afresh.
_RATE_WINDOW_S = 1.1
_RATE_GAP_S = 2.0
# Cameras near the slowest rate that will do keep so irregular a time.
_BEAT_S = 0.2

# The last nine are of pictures that come as they should but show too little (`vision.light.clarity`,
# `vision.motion.change`, `vision.motion.unrest`).
TroubleKind = Literal[
    "lost",
    "broken",
    "silent",
    "switched",
    "black",
    "frozen",
    "slow",
    "dark",
    "blurred",
    "far",
    "glare",
    "grainy",
    "grey",
    "coded",
    "flicker",
    "restless",
]


@dataclass(frozen=True)
class Trouble:
    """What is wrong with a camera: its kind, and one sentence for the player."""

    kind: TroubleKind
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass
class Health:
    """Watches one source's frames; `trouble` is None while all is well."""

    trouble: Trouble | None = None
    _first: Frame | None = None
    _last: Frame | None = None
    _changed_s: float = 0.0
    _times_s: list[float] = field(default_factory=list)

    def see(self, frame: Frame) -> None:
        """Take note of the next frame."""
        changed = self._last is None or _differs(self._last.image_bgr, frame.image_bgr)
        if changed:
            self._changed_s = frame.t_s
        if self._last is not None and frame.t_s - self._last.t_s > _RATE_GAP_S:
            self._times_s = []
        self._times_s = [*(t_s for t_s in self._times_s if frame.t_s - t_s <= _RATE_WINDOW_S + _BEAT_S), frame.t_s]
        self._first = self._first or frame
        self.trouble = self._judged(frame)
        self._last = frame

    def _judged(self, frame: Frame) -> Trouble | None:
        if _is_black(frame.image_bgr):
            return Trouble("black", BLACK)
        if frame.t_s - self._changed_s > FROZEN_AFTER_S:
            return Trouble("frozen", "the picture is frozen: unplug the camera and plug it in again")
        # Another size stays until somebody acts, a rate goes up and down: it would be told between the two by turns.
        return self._switched(frame) or self._slow()

    def _switched(self, frame: Frame) -> Trouble | None:
        return switched((self._first or frame).image_bgr, frame.image_bgr)

    def _slow(self) -> Trouble | None:
        rate_hz = self.rate_hz
        if rate_hz is None or rate_hz >= SLOW_HZ:
            return None
        return Trouble("slow", f"only {rate_hz:.1f} pictures a second: more light or a smaller resolution helps")

    @property
    def rate_hz(self) -> float | None:
        """Frames a second over the last second; None until it is over."""
        if not self._times_s or self._times_s[-1] - self._times_s[0] < _RATE_WINDOW_S - _BEAT_S:
            return None
        return (len(self._times_s) - 1) / (self._times_s[-1] - self._times_s[0])


def switched(first_bgr: ImageBgr, now_bgr: ImageBgr) -> Trouble | None:
    """What is wrong where a source's pictures have another size than the first one had."""
    (height, width), (now_height, now_width) = first_bgr.shape[:2], now_bgr.shape[:2]
    if (width, height) == (now_width, now_height):
        return None
    sizes = f"{width} x {height} to {now_width} x {now_height}"
    if (width, height) == (now_height, now_width):
        return Trouble("switched", f"the picture was turned on its side, from {sizes}: turn the camera back")
    why = "until then pieces are measured less surely, or not at all"
    return Trouble("switched", f"the camera switched from {sizes}: switch it back; {why}")


def _differs(before: ImageBgr, after: ImageBgr) -> bool:
    return before.shape != after.shape or not np.array_equal(before[::8, ::8], after[::8, ::8])


def _is_black(image_bgr: ImageBgr) -> bool:
    # Smoothed, for a covered lens is noisy; a few coins on a black cloth are one pixel in 500.
    small = cv2.blur(cv2.cvtColor(image_bgr[::8, ::8], cv2.COLOR_BGR2GRAY), (3, 3))
    return float(np.percentile(small, 99.8)) < BLACK_LEVEL
