"""What stands hides what lies behind it: which part of the table a thing keeps from the camera."""

from __future__ import annotations

import numpy as np
from shapely import LineString, Polygon, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import Detection

# A toy soldier is about so many times as tall as the mean radius of his base (50 mm on 8, `models.training.rendered`).
_TALL_RADII = 6.0


def hidden_by(seen: Detection, plane: TablePlane) -> BaseGeometry:
    """What a thing hides of the table, mm: what lies under it, and behind what stands up to its top."""
    if seen.kind in ("soldier", "base"):
        return _behind_figure(seen, plane)
    if seen.kind == "terrain" and seen.height_mm:
        outline = np.asarray(seen.footprint.exterior.coords)
        top = plane.behind(outline, seen.elevation_mm + seen.height_mm)
        return union_all([seen.footprint, Polygon(top)]).convex_hull
    return seen.footprint


def _behind_figure(seen: Detection, plane: TablePlane) -> BaseGeometry:
    """All that lies behind it up to its head."""
    radius_mm = float(np.sqrt(seen.footprint.area / np.pi))
    foot_and_head_mm = seen.elevation_mm + np.array([0.0, _TALL_RADII * radius_mm])
    return LineString(plane.behind([seen.position_mm] * 2, foot_and_head_mm)).buffer(radius_mm)
