"""The shadow of what stands on a mat: as much darker than the mat around it in every colour of light."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, union_all
from shapely.geometry.base import BaseGeometry

from vision.detect.solid.glance import Sight
from vision.light import srgb
from vision.metric.topview import TopView

Pixels = NDArray[np.uint8]

# A shadow begins so near what casts it; the ground's light is that from so far beyond its edge to so far around it.
_AT_MM, _BEYOND_MM, _AROUND_MM = 4.0, 6.0, 30.0
# It is read off every so many mm, of so many places at least; less is none.
_EVERY_MM, _LEAST, _NO_LIGHT = 2.0, 5, 1e-3
# What is left of the colours of light differs by no more than this ratio (beside boxes drawn on green mats it is 1.09
# to 1.25; of green papers on such mats 1.88 and more), and is no more than such a share.
_TINT, _DARKER = 1.5, 0.8


def is_shadow(outline: Polygon, pixels_bgr: Pixels, standing: Sequence[BaseGeometry], close: Sight[TopView]) -> bool:
    """Whether what is taken for a sheet is ground in the shadow of something that stands beside it.

    pixels_bgr  (n, 3) what shows of it
    standing    what hides the table and may cast a shadow, mm
    """
    if all(outline.distance(body) > _AT_MM for body in standing):
        return False
    hidden = union_all([body.buffer(_BEYOND_MM) for body in (*standing, outline)])
    around_bgr = _shown_in(outline.buffer(_AROUND_MM).difference(hidden), close)
    if len(around_bgr) < _LEAST:
        return False
    own, around = (srgb.light(np.median(bgr, axis=0)) for bgr in (pixels_bgr, around_bgr))
    left = own / np.maximum(around, _NO_LIGHT)
    return bool(left.max() < _DARKER and left.max() < _TINT * left.min())


def _shown_in(part: BaseGeometry, close: Sight[TopView]) -> Pixels:
    """(n, 3) what the picture shows all over a part of the table."""
    if part.is_empty:
        return np.zeros((0, 3), np.uint8)
    low_x, low_y, high_x, high_y = part.bounds
    steps = np.arange(low_x, high_x, _EVERY_MM), np.arange(low_y, high_y, _EVERY_MM)
    at_mm = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2)
    px = np.rint(close.view.to_px(at_mm[contains_xy(part, *at_mm.T)])).astype(int)
    px = px[((px >= 0) & (px < close.view.size_px)).all(axis=1)]
    seen = close.seen[px[:, 1], px[:, 0]]
    return np.asarray(seen[seen.any(axis=1)], np.uint8)
