"""How sharp the rims of round pieces are: a picture of bare cloth has hardly another edge that tells of blur."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.light.clarity import REACH_PX, spreads
from vision.metric.around import unrolled
from vision.shape.rim import Circles

Array = NDArray[np.float64]

# Edges are looked for on rays, over these shares of the radius; the rim is the steepest one near it.
_RAYS = 48
_SHARES = np.linspace(0.49, 1.51, 35)
_NEAR = 0.12
# From this share of the radius and so many px on a piece is blurred: seven coins on cloth and paper, drawn sharp, have
# 0.065 and 0.85 at most, blurred by 1.5 px 0.069 and 1.5 at least. Many px across forgive some blur.
_BLURRED, _BLURRED_PX = 0.068, 1.05


def blur_px(image_bgr: ImageBgr, plane: TablePlane, circles: Circles, height_mm: Array) -> Array:
    """(n,) px over which the rims of round pieces are spread, a standard deviation; 0 for those that are sharp enough.

    By the median of all rays: light and shadow beside a rim make some of its edges soft, and motion leaves those along
    its way sharp.
    """
    if not len(circles.radius_mm):
        return np.zeros(0)
    at = circles.centre_mm, circles.radius_mm, height_mm
    strips, _ = unrolled(image_bgr, plane, at, _RAYS, _SHARES)
    grey = np.stack([cv2.cvtColor(strip, cv2.COLOR_BGR2GRAY) for strip in strips]).astype(float)
    by_ray = spreads(_across_rims(grey.reshape(-1, len(_SHARES)))) * (_SHARES[1] - _SHARES[0])
    share = np.median(by_ray.reshape(len(strips), _RAYS), axis=1)
    px = share * circles.radius_mm * plane.px_per_mm(circles.centre_mm, height_mm)
    return np.where((share > _BLURRED) & (px > _BLURRED_PX), px, 0.0)


def _across_rims(rays: Array) -> Array:
    """(n, 2 REACH_PX + 1) rising grey levels about the steepest place near the rim of rays (n, steps)."""
    slope = np.gradient(rays, axis=1)
    near = np.flatnonzero(np.abs(_SHARES - 1) < _NEAR)
    middle = near[np.abs(slope[:, near]).argmax(axis=1)]
    steps = np.clip(middle[:, None] + np.arange(-REACH_PX, REACH_PX + 1), 0, rays.shape[1] - 1)
    rows = np.arange(len(rays))
    return np.asarray(np.take_along_axis(rays, steps, axis=1) * np.sign(slope[rows, middle])[:, None], float)
