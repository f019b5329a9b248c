"""A card of which two signs show, measured without a plane: under the tilt that puts most edges beneath its sides.

A card on a white one, or on a light ground, has no bright outline that `calibration.rulers.cards` could find. But its
indices tell where it lies, which way and how large it shows; what is left to look for are two angles of the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.plane import TablePlane
from models.pieces import INDEX_FROM_CORNER_MM
from vision.frame import ImageBgr
from vision.shape.rectangle import INLIER_MM, RectangleFit, fit_rectangles

Array = NDArray[np.float64]

# Tilts (rad) that are tried first, about both axes of the picture; from there the search goes on in smaller steps.
_FIRST_TILTS, _STEPS = np.arange(-0.8, 0.81, 0.2), (0.1, 0.05, 0.025, 0.012)
# So many of the first are gone on from: tilted the other way, sides may lie on edges too.
_CLIMBED = 6
# Sides that lie so far from where the indices have them are another card's, or print.
_ASTRAY_MM = 2.5
# Steps of the scale beside those of the tilts, rad: indices are pointed at to 0.7 mm each, a middle to 1.5 mm.
_SCALE_STEP = 0.25


# How exactly the planes are known that are tried nobody asks.
_UNASKED = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class IndexPair:
    """Where both indices of a card of that size show, px (2, 2), and how likely it is that they say one class."""

    px: Array
    log_prob: float
    size_mm: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Outline:
    """A card measured in the picture: corners_px (4, 2) clockwise, the first side along its length.

    support  share of its outline that is edge
    """

    corners_px: Array
    support: float

    def holds(self, pair: IndexPair) -> bool:
        """Whether one of the two indices lies in the outline."""
        outline = self.corners_px.astype(np.float32)
        return any(cv2.pointPolygonTest(outline, (float(u), float(v)), False) >= 0 for u, v in pair.px)


def outline_of(image_bgr: ImageBgr, pair: IndexPair) -> Outline:
    """The card between two indices."""
    search = _Search(image_bgr, pair, pair.size_mm)
    starts = [np.array([a, b, 1.0]) for a in _FIRST_TILTS for b in _FIRST_TILTS]
    likeliest = sorted(starts, key=search.borne_out)[-_CLIMBED:]
    best = max((search.climbed(state, _STEPS[0]) for state in likeliest), key=search.borne_out)
    for step in _STEPS[1:]:
        best = search.climbed(best, step)
    plane, fit = search.fit(best)
    return Outline(plane.to_image(fit.corners()[::-1]), fit.support)


def index_reach(size_mm: tuple[float, float]) -> tuple[float, float]:
    """How far a card's two indices lie apart along its length and across it, mm."""
    across, along = (2 * each for each in INDEX_FROM_CORNER_MM)
    return size_mm[0] - along, size_mm[1] - across


@dataclass(frozen=True, eq=False)
class _Search:
    """Planes on which both indices of a card are as far apart as they are on a card of that size."""

    image_bgr: ImageBgr
    pair: IndexPair
    size_mm: tuple[float, float]

    def borne_out(self, state: Array) -> float:
        """How much of the card's outline is edge there, and how straight."""
        fit = self.fit(state)[1]
        return fit.support * (1 - (min(fit.residual_mm, INLIER_MM) / INLIER_MM) ** 2)

    def climbed(self, state: Array, step: float) -> Array:
        """The best tilt and scale that steps of one size lead to."""
        ways = step * np.diag([1.0, 1.0, _SCALE_STEP])
        most = self.borne_out(state)
        while True:
            around = [state + sign * way for way in ways for sign in (-1, 1)]
            borne_out = [self.borne_out(other) for other in around]
            if max(borne_out) <= most:
                return state
            state, most = around[int(np.argmax(borne_out))], max(borne_out)

    def fit(self, state: Array) -> tuple[TablePlane, RectangleFit]:
        """The plane of a camera tilted by state[:2] rad, at state[2] times what the indices tell, and its card."""
        along_mm, across_mm = index_reach(self.size_mm)
        near = self._plane(state, 1.0).to_table(self.pair.px)
        times = float(np.hypot(along_mm, across_mm) / np.hypot(*(near[1] - near[0])))
        plane = self._plane(state, times * state[2])
        (ax, ay), (bx, by) = plane.to_table(self.pair.px)
        angle = np.arctan2(by - ay, bx - ax) - np.arctan2(across_mm, along_mm)
        centre = np.array([(ax + bx) / 2, (ay + by) / 2])
        fit = fit_rectangles(self.image_bgr, plane, centre[None], np.array([angle]), self.size_mm)[0]
        astray = np.hypot(*(fit.centre_mm - centre)) > _ASTRAY_MM
        return plane, replace(fit, support=0.0) if astray else fit

    def _plane(self, state: Array, away_mm: float) -> TablePlane:
        """So far from a camera with an ordinary lens; its origin is where the card's middle shows."""
        height, width = self.image_bgr.shape[:2]
        lens = Lens.unknown((width, height))
        rotation = cv2.Rodrigues(np.array([state[0], state[1], 0.0]))[0] @ np.diag([1.0, -1.0, -1.0])
        ray = np.linalg.solve(lens.matrix, np.append(self.pair.px.mean(axis=0), 1.0))
        rvec = np.asarray(cv2.Rodrigues(rotation)[0].ravel(), float)
        return TablePlane(lens, rvec, ray * away_mm, _UNASKED)
