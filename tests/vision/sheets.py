"""Sheets for tests: laid on a close view of the table, and compared with what is found there."""

from __future__ import annotations

import cv2
import numpy as np
from shapely import Polygon

from vision.detect.solid.glance import Sight


def lay(close: Sight, sheet: Polygon, colour: tuple[int, int, int]) -> None:
    """Paint a sheet, its outline in table mm, into the view."""
    px = close.view.to_px(np.array(sheet.exterior.coords))
    cv2.fillPoly(close.seen, [np.rint(px).astype(np.int32)], colour, cv2.LINE_AA)


def overlap(one: Polygon, other: Polygon) -> float:
    """Of what either covers, the share that both do."""
    return one.intersection(other).area / one.union(other).area
