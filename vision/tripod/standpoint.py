"""A picture of the table as another stand of the camera would have shown it."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from calibration.plane import TablePlane
from vision.frame import Frame, ImageBgr

# The lens bends lines by less than a tenth of a pixel over a kick, so one homography, fitted to these, is enough.
_GRID = 6


def seen_from(
    agreed: Frame, was: TablePlane, now: Frame, plane: TablePlane, table_size_mm: tuple[float, float]
) -> Frame:
    """The picture `agreed`, taken while the camera saw the table by the plane `was`, redrawn as `plane` would show it.

    Where the old picture does not reach, it shows what `now` shows. It holds only for things that lie flat: what stands
    up leans another way. Two frames of different size cannot be redrawn: then it is `now`.
    """
    if agreed.image_bgr.shape != now.image_bgr.shape:
        return now
    width, depth = table_size_mm
    x, y = np.meshgrid(np.linspace(0, width, _GRID), np.linspace(0, depth, _GRID))
    places_mm = np.c_[x.ravel(), y.ravel()]
    before, after = was.to_image(places_mm), plane.to_image(places_mm)
    shown = np.isfinite(before).all(axis=1) & np.isfinite(after).all(axis=1)
    motion, _ = cv2.findHomography(before[shown], after[shown])
    size_px = (now.image_bgr.shape[1], now.image_bgr.shape[0])
    canvas = now.image_bgr.copy()
    moved = cv2.warpPerspective(agreed.image_bgr, motion, size_px, canvas, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    return replace(now, image_bgr=cast(ImageBgr, moved))
