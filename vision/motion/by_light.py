"""Where a lamp's mirror image or a shadow wanders over a piece and nothing moves: nothing was taken or put down there.

Whoever takes a piece moves, and is seen to: from one moment to the next a hand changes all that it passes. A glow that
wanders with the sun, a lamp or a bent map does so too slowly, and lights what lies around the piece as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.affinity import scale
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.metric.outline import mask_of, shown_px
from vision.motion.change import CHANGE_LEVELS, Change, light_gain, lit_by, shrunk

# Whether a place is lit more by now, or less.
Lit = Literal["more", "less"]
# Which way the light changed at the place of a thing, if that is all that changed there since a time, s.
LightAlone = Callable[[Detection, float], Lit | None]

# What lies around a piece, from so many mm beside it to its radius beside it, is lit otherwise where half of it changed
# by so many levels in some channel: where a piece alone went or came, a shrunk picture leaves it as it was. Nor did
# light that creeps over it take it where less than half of its place changed (by `CHANGE_LEVELS`).
_BESIDE_MM, _LEVELS = 2.0, 8.0
# It is lit more where half of its place is brighter.
_MORE = 0.5


@dataclass(eq=False)
class ByLight:
    """Keeps when what a shrunk picture shows moved last."""

    _plane: TablePlane | None = None
    # (h, w) s; -inf where nothing ever moved.
    _moved_s: NDArray[np.float64] | None = None

    def see(self, change: Change, plane: TablePlane, t_s: float, *, is_dim: bool) -> None:
        """Take note of what moves now; seen from elsewhere, or in the dark, anything may."""
        was, self._plane = self._plane, plane
        if self._moved_s is None or self._moved_s.shape != change.moving.shape or is_dim or was is not plane:
            self._moved_s = np.full(change.moving.shape, -np.inf if was is None else t_s)
        if change.is_moving:
            self._moved_s[change.moving > 0] = t_s

    def between(self, before_bgr: ImageBgr, after_bgr: ImageBgr) -> LightAlone:
        """What tells it of the places that differ in two pictures (h, w, 3), by all that moved up to now."""
        before, after = shrunk(before_bgr), shrunk(after_bgr)
        lit = lit_by(before, light_gain(before, after))
        differs = cv2.absdiff(lit, after).max(axis=2)
        brighter = cv2.cvtColor(after, cv2.COLOR_BGR2GRAY) >= cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY)
        to_shrunk = after.shape[1] / after_bgr.shape[1]

        def light_alone(seen: Detection, since_s: float) -> Lit | None:
            wide_mm = 0.0, _BESIDE_MM, seen.radius_mm
            place, edge, around = (self._shown(seen.footprint.buffer(each), to_shrunk) for each in wide_mm)
            beside = around & ~edge
            is_in_view = place.any() and beside.any()
            if self._moved_s is None or not is_in_view or self._moved_s[around].max() > since_s:
                return None
            if np.median(differs[beside]) < _LEVELS and np.median(differs[place]) > CHANGE_LEVELS:
                return None
            return "more" if brighter[place].mean() >= _MORE else "less"

        return light_alone

    def _shown(self, region_mm: BaseGeometry, to_shrunk: float) -> NDArray[np.bool_]:
        """Where a shrunk picture shows a region of the table."""
        if self._plane is None or self._moved_s is None:
            return np.zeros((1, 1), np.bool_)
        shown = scale(shown_px(region_mm, self._plane), to_shrunk, to_shrunk, origin=(0, 0))
        return mask_of(shown, self._moved_s.shape) > 0
