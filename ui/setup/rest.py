"""The picture that a set-up is made from: one in which neither the camera nor a hand moves."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from ui.still import first_of
from vision.frame import Frame, ImageBgr
from vision.light.bands import band_gains
from vision.motion.shade import as_lit
from vision.source import Source, open_source

# A webcam that was just opened takes half a second to settle its light, and a hand rests as long before it goes on.
REST_S = 0.7
# Time until a person is told what is waited for, and until the waiting ends.
_TELL_S, _PATIENCE_S = 1.5, 20.0
# Who sits behind the table is never still: so long it may be but for the picture's uppermost third and its sides.
_ASIDE_S, _MIDDLE = 4.0, ((0.3, 0.92), (0.06, 0.94))
# Compared at this width: the grain of a webcam is averaged, a swing of 4 px of 1920 is still one.
_WIDTH_PX = 480
# Grey levels by which one pixel in 500 may change, more where the picture is grainy, and the whole in its light, a
# lamp's flicker apart.
_CHANGED, _CHANGED_SHARE, _GRAINS, _LIGHT = 12.0, 0.998, 8.0, 6.0
# More than this at every other pixel is no grain.
_GRAINIEST = 6.0


def resting_frame(spec: str, say: Callable[[str], None]) -> Frame:
    """The first picture of a camera or stream in which all has stood still for `REST_S`; of a video its first.

    ValueError if there is none.
    """
    with open_source(spec) as source:
        return rest_of(source, say)


def rest_of(source: Source, say: Callable[[str], None]) -> Frame:
    """The same of an opened source; the last picture after `_PATIENCE_S`, with a word that it moves."""
    beats = source.beats()
    first = first_of(beats, source)
    if not source.live:
        return first
    rest, in_the_middle, told = Rest(first), Rest(first, _middle), False
    for frame in beats:
        if frame is None:
            # A camera that is lost here is told by whoever asked for the picture.
            if source.trouble is not None:
                raise ValueError(f"{source.name}: {source.trouble.sentence}")
            continue
        rests_s, middle_s = rest.see(frame), in_the_middle.see(frame)
        if rests_s >= REST_S:
            return frame
        if middle_s >= _ASIDE_S:
            say("something moves still, but aside: the picture is taken as it is")
            return frame
        if not told and frame.t_s - first.t_s > _TELL_S:
            say("something moves in the picture: let go of the camera, and take hands off the table ...")
            told = True
        if frame.t_s - first.t_s > _PATIENCE_S:
            say("it moves still: the picture is taken as it is")
            return frame
    raise ValueError(f"{source.name}: the camera was lost; plug it in and begin again")


class Rest:
    """For how long a camera's pictures, or a part of them, have been the same, seconds of its clock."""

    def __init__(self, first: Frame, part: Callable[[ImageBgr], ImageBgr] = lambda whole: whole) -> None:
        self._part = part
        self._since_s, self._still = first.t_s, part(_small(first.image_bgr))

    def see(self, frame: Frame) -> float:
        """Look at one more picture; for how many seconds the pictures have been the same by now."""
        now = self._part(_small(frame.image_bgr))
        if now.shape != self._still.shape or _is_changed(self._still, now):
            self._since_s, self._still = frame.t_s, now
        return frame.t_s - self._since_s


def _middle(image_bgr: ImageBgr) -> ImageBgr:
    """A picture without what is aside."""
    rows, columns = (
        slice(*(round(share * size) for share in shares))
        for shares, size in zip(_MIDDLE, image_bgr.shape[:2], strict=True)
    )
    return image_bgr[rows, columns]


def _small(image_bgr: ImageBgr) -> ImageBgr:
    height, width = image_bgr.shape[:2]
    size = (_WIDTH_PX, max(1, round(height * _WIDTH_PX / width)))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def _is_changed(before: ImageBgr, now: ImageBgr) -> bool:
    gains = band_gains(before, now)
    lit = before if gains is None else np.clip(before * gains, 0, 255).astype(np.uint8)
    lighter = float(np.median(_grey(now) - _grey(lit)))
    change = np.abs(_grey(now) - _grey(as_lit(lit, now)))
    grain = float(np.median(change))
    worst = float(np.quantile(change, _CHANGED_SHARE))
    return abs(lighter) > _LIGHT or grain > _GRAINIEST or worst > max(_CHANGED, _GRAINS * grain)


def _grey(image_bgr: ImageBgr) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.float32)
