"""Where the picture changed: against the frame a moment ago (motion) and against the agreed table (change).

Works on a picture shrunk to 480 px width, where sensor noise is averaged away and a frame costs about a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, ImageBgr

Mask = NDArray[np.uint8]

WIDTH_PX = 480
# Grey levels between the shrunk pictures. Area averaging over 16 pixels leaves webcam noise (sigma 3 to 6) a sigma of
# about 1.5, and H.264 or MJPEG blocks a few levels more: 18 is beyond both, and a hand or a moved coin is far above.
MOTION_LEVELS = 18
CHANGE_LEVELS = 22
# Motion is looked for over this time, so that a slow hand at 30 pictures a second is seen as well.
MOTION_SPAN_S = 0.12
# Fewer changed pixels than this are noise: a 16 mm coin at the far edge of a 1080p picture covers about 12.
MIN_PIXELS = 6


@dataclass(frozen=True, eq=False)
class Change:
    """Masks (h, w) uint8 0 or 255 at the shrunk size; `scale` is shrunk px per picture px.

    first  nothing was agreed before: all is new
    """

    moving: Mask
    changed: Mask
    scale: float
    first: bool = False

    @property
    def is_moving(self) -> bool:
        """Whether anything moves now."""
        return int(np.count_nonzero(self.moving)) >= MIN_PIXELS

    @property
    def is_changed(self) -> bool:
        """Whether the table differs from the one agreed."""
        return int(np.count_nonzero(self.changed)) >= MIN_PIXELS


@dataclass(frozen=True, eq=False)
class ChangeGate:
    """What the next frame is compared with: the agreed table and the frames of the last moment, all shrunk."""

    agreed: ImageBgr | None = None
    recent: tuple[tuple[float, ImageBgr], ...] = ()

    def seen(self, frame: Frame) -> tuple[ChangeGate, Change]:
        """The gate after `frame`, and what changed in it."""
        small = shrunk(frame.image_bgr)
        past = self.recent[0][1] if self.recent and self.recent[0][1].shape == small.shape else small
        agreed = self.agreed if self.agreed is not None and self.agreed.shape == small.shape else small
        change = Change(
            _differs(past, small, MOTION_LEVELS),
            _differs(agreed, small, CHANGE_LEVELS),
            small.shape[1] / frame.image_bgr.shape[1],
            agreed is small,
        )
        recent = tuple((t, image) for t, image in self.recent if t > frame.t_s - MOTION_SPAN_S)
        kept = self.recent[len(self.recent) - len(recent) - 1 :] if len(recent) < len(self.recent) else recent
        return replace(self, recent=(*kept, (frame.t_s, small))), change

    def agreeing(self, frame: Frame) -> ChangeGate:
        """The gate for which `frame` shows the agreed table."""
        return replace(self, agreed=shrunk(frame.image_bgr))


def shrunk(image_bgr: ImageBgr) -> ImageBgr:
    """The picture at `WIDTH_PX` width, each pixel the mean of those that it stands for."""
    height, width = image_bgr.shape[:2]
    size = (WIDTH_PX, max(1, round(height * WIDTH_PX / width)))
    small = image_bgr
    # OpenCV halves a picture quickly: 1080p in two halvings costs a quarter of one step, for the same result.
    while small.shape[1] >= 2 * WIDTH_PX and not (small.shape[0] % 2 or small.shape[1] % 2):
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small = cast(ImageBgr, cv2.resize(small, half, interpolation=cv2.INTER_AREA))
    return cast(ImageBgr, cv2.resize(small, size, interpolation=cv2.INTER_AREA))


def _differs(before: ImageBgr, after: ImageBgr, levels: int) -> Mask:
    """Where the pictures differ by more than `levels` in some channel, a change of the whole light allowed for."""
    if before is after:
        return np.zeros(after.shape[:2], np.uint8)
    lit = cv2.convertScaleAbs(before, alpha=_light_gain(before, after))
    within = cv2.inRange(cv2.absdiff(lit, after), (0, 0, 0), (levels, levels, levels))
    return cast(Mask, cv2.medianBlur(cv2.bitwise_not(within), 3))


def _light_gain(before: ImageBgr, after: ImageBgr) -> float:
    """How much brighter the table as a whole became: the median ratio over a coarse grid of pixels."""
    old, new = before[::7, ::7].astype(np.float32), after[::7, ::7].astype(np.float32)
    lit = (old > 20) & (old < 235)
    return float(np.clip(np.median(new[lit] / old[lit]), 0.3, 3.0)) if lit.any() else 1.0
