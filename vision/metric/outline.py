"""The table's outline in the picture, and what of a picture an outline encloses."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, box, get_coordinates, get_parts, segmentize, transform
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane

# Sides are bent by the lens between so many mm.
_APART_MM = 20.0


def outline_px(plane: TablePlane, table_size_mm: tuple[float, float]) -> Polygon | None:
    """The table's sides, px, also beyond the picture's edges; None where it goes on behind the camera, or a lens is
    asked for what it cannot show."""
    sides_mm = segmentize(box(0.0, 0.0, *table_size_mm), _APART_MM).exterior.coords
    sides_px = plane.to_image(np.array(sides_mm))
    if not np.isfinite(sides_px).all():
        return None
    outline = Polygon(sides_px)
    return outline if outline.is_valid else None


def shown_px(region_mm: BaseGeometry, plane: TablePlane) -> BaseGeometry:
    """Where a region of the table shows, px; nowhere if it goes on behind the camera, where its outline has no end."""
    if not np.isfinite(plane.to_image(get_coordinates(region_mm))).all():
        return Polygon()
    return transform(region_mm, plane.to_image)


def mask_of(region_px: BaseGeometry, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """(h, w) 255 where a region shows, holes filled; without the parts that go on behind the camera (NaN)."""
    polygons = [part for part in get_parts(region_px) if isinstance(part, Polygon) and not part.is_empty]
    outlines_px = [np.array(polygon.exterior.coords) for polygon in polygons]
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_px:
        if np.isfinite(outline).all():
            cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 255)
    return mask
