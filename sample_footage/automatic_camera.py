"""A webcam that sets itself: as hands and sleeves come it exposes and balances anew, and hunts for its focus."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float64]

_GAMMA = 2.2
_LINEAR = ((np.arange(256) / 255) ** _GAMMA).astype(np.float32)
# What is metered, as columns and rows of the picture made small; its middle counts for more.
METERED = (48, 27)
MIDDLE_SHARE, MIDDLE = 0.3, (slice(7, 20), slice(12, 36))


@dataclass
class AutomaticCamera:
    """A camera that sets itself. It is shown the frames one after the other.

    exposure_s, balance_s   time in which exposure and balance go two thirds of the way
    dead_band, most         change of light (a logarithm) from which it exposes anew, and the most that it corrects
    balance                 how far it goes towards a grey picture
    focus_change            mean change of metered grey levels from which it looks for its focus again
    hunt_s, rests_s         how long it looks, and how long it then does not look again
    hunt_blur_px, breathes  how soft the picture is half way through, and by which share it is larger
    """

    exposure_s: float = 0.5
    balance_s: float = 2.0
    dead_band: float = 0.04
    most: float = 0.6
    balance: float = 0.5
    focus_change: float = 9.0
    hunt_s: float = 0.9
    rests_s: float = 1.5
    hunt_blur_px: float = 2.5
    breathes: float = 0.006
    _settled: Floats | None = field(default=None, init=False)
    _focused_on: Floats | None = field(default=None, init=False)
    _gain: float = field(default=0.0, init=False)
    _tint: Floats = field(default_factory=lambda: np.zeros(3), init=False)
    _last_s: float = field(default=0.0, init=False)
    _hunts_from_s: float = field(default=-math.inf, init=False)

    def shown(self, picture_bgr: Picture, t_s: float) -> Picture:
        """What it shows of the picture that would be taken if all stayed as at first."""
        small = cv2.resize(picture_bgr, METERED, interpolation=cv2.INTER_AREA)
        light = _LINEAR[small].astype(float)
        seen = MIDDLE_SHARE * light[MIDDLE].mean(axis=(0, 1)) + (1 - MIDDLE_SHARE) * light.mean(axis=(0, 1))
        if self._settled is None:
            self._settled, self._focused_on = seen, small.astype(float)
        self._set_itself(np.log(self._settled / seen), t_s - self._last_s)
        self._look_for_focus(small.astype(float), t_s)
        self._last_s = t_s
        return self._softened(self._exposed(picture_bgr), t_s)

    def _set_itself(self, wanted: Floats, since_s: float) -> None:
        """The gain goes towards what makes the picture as light as at first, the tint towards as grey."""
        light, tint = float(np.clip(wanted.mean(), -self.most, self.most)), self.balance * (wanted - wanted.mean())
        if abs(light - self._gain) > self.dead_band:
            self._gain += (light - self._gain) * (1 - math.exp(-since_s / self.exposure_s))
        self._tint += (tint - self._tint) * (1 - math.exp(-since_s / self.balance_s))

    def _look_for_focus(self, small: Floats, t_s: float) -> None:
        assert self._focused_on is not None
        rested = t_s >= self._hunts_from_s + self.hunt_s + self.rests_s
        if rested and np.abs(small - self._focused_on).mean() >= self.focus_change:
            self._hunts_from_s, self._focused_on = t_s, small

    def _hunts(self, t_s: float) -> bool:
        return t_s < self._hunts_from_s + self.hunt_s

    def _exposed(self, picture_bgr: Picture) -> Picture:
        gains = np.exp(self._gain + self._tint).astype(np.float32)
        levels = np.rint(255 * np.minimum(_LINEAR[:, None] * gains, 1) ** (1 / _GAMMA)).astype(np.uint8)
        return np.asarray(cv2.LUT(picture_bgr, levels[:, None]), np.uint8)

    def _softened(self, picture_bgr: Picture, t_s: float) -> Picture:
        """Out of focus half way through a hunt."""
        if not self._hunts(t_s):
            return picture_bgr
        share = math.sin(math.pi * (t_s - self._hunts_from_s) / self.hunt_s)
        return out_of_focus(picture_bgr, self.hunt_blur_px * share, 1 + self.breathes * share)


def out_of_focus(picture_bgr: Picture, blur_px: float, larger: float) -> Picture:
    """The picture through a lens that is so far out of focus and makes it so much larger about its middle."""
    height, width = picture_bgr.shape[:2]
    about_middle = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 0.0, larger)
    breathed = cv2.warpAffine(picture_bgr, about_middle, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(breathed, (0, 0), max(0.3, blur_px)), np.uint8)


def by_itself(frames: Iterable[Picture], fps: float) -> Iterator[Picture]:
    """The frames as such a camera shows them."""
    camera = AutomaticCamera()
    return (camera.shown(picture, index / fps) for index, picture in enumerate(frames))
