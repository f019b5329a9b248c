"""By how much a sight line clears a blocker, or is blocked by it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import shapely
from shapely import LineString, Polygon

from rules.geometry.sight import Sightlines
from rules.scene import Point2


def clearance_mm(a: Point2, b: Point2, blocker: Polygon) -> float:
    """How far the segment passes from the blocker; negative: how far aside the blocker must go to set it free.

    a, b      ends of the sight line, table mm
    Returns   0 for a touch; -0.0 never; for a blocked line minus the lesser depth of what lies alongside it on its left
              and on its right
    """
    line = LineString((a, b))
    if _alone(blocker).sees(a, b):
        return line.distance(blocker)
    length_mm = math.dist(a, b)
    if length_mm == 0:
        return -line.distance(blocker.boundary)
    ahead = np.subtract(b, a) / length_mm
    left = np.array((-ahead[1], ahead[0]))
    wide_mm = 2 * (length_mm + shapely.hausdorff_distance(line, blocker))
    strip = Polygon((a - wide_mm * left, b - wide_mm * left, b + wide_mm * left, a + wide_mm * left))
    beside = shapely.get_coordinates(shapely.intersection(blocker, strip))
    offsets_mm = (beside - np.asarray(a)) @ left
    return -float(min(offsets_mm.max(), -offsets_mm.min()))


@lru_cache(maxsize=256)
def _alone(blocker: Polygon) -> Sightlines:
    """The one blocker, prepared: terrain stays where it is while lines of sight come and go."""
    return Sightlines((blocker,))
