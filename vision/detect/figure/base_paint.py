"""What a base is painted with, about the feet of its miniature: it tells apart two that were moved at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point, Polygon

from vision.detect.solid.glance import Sight
from vision.detection import Detection
from vision.light import srgb
from vision.metric.topview import TopView

# From the feet to the rim, in radii. The miniature hides less than half of that.
_FEET, _RIM = 0.55, 0.9
# Light of less than this share of white is as good as none.
_DARKEST = 0.01


def painted(figures: Iterable[Detection], above: Sight[TopView]) -> list[Detection]:
    """The figures, each sure base with its `Detection.paint`."""
    return [_painted(one, above) if one.kind == "base" and not one.faint else one for one in figures]


def _painted(base: Detection, above: Sight[TopView]) -> Detection:
    middle = Point(base.position_mm)
    rim_mm, feet_mm = (middle.buffer(share * base.radius_mm) for share in (_RIM, _FEET))
    levels = _levels_in(Polygon(rim_mm.exterior.coords, [feet_mm.exterior.coords]), above)
    if not len(levels):
        return base
    blue, green, red = np.log(srgb.light(np.median(levels, axis=0)) + _DARKEST).tolist()
    return replace(base, paint=(blue, green, red))


def _levels_in(ring_mm: Polygon, above: Sight[TopView]) -> NDArray[np.uint8]:
    """(n, 3) what the view shows of a ring, blue, green and red; nothing beyond its edge."""
    rings = ring_mm.exterior, *ring_mm.interiors
    outlines = [np.rint(above.view.to_px(np.array(ring.coords))).astype(np.int32) for ring in rings]
    left, top, width, height = cv2.boundingRect(outlines[0])
    left, top = max(left, 0), max(top, 0)
    cut = above.seen[top : top + height, left : left + width]
    mask = np.zeros(cut.shape[:2], np.uint8)
    if mask.size:
        cv2.fillPoly(mask, [each - (left, top) for each in outlines], 1)
    return cut[mask > 0]
