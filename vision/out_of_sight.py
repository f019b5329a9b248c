"""What of the table a camera does not show."""

from __future__ import annotations

import numpy as np
from shapely import MultiPolygon, Polygon, box, segmentize, transform
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane

# A piece that the picture's edge cuts is not found there: half of a miniature's base.
_CUT_MM = 15.0
# Sides are bent by the lens between so many mm, or px.
_APART = 20.0


def out_of_sight(plane: TablePlane, table_size_mm: tuple[float, float]) -> BaseGeometry:
    """The part of the table, mm, that lies beyond the edges of the picture, or is cut by them."""
    table = box(0.0, 0.0, *table_size_mm)
    shown_px = transform(segmentize(table, _APART), plane.to_image)
    width, height = plane.lens.size_px
    if not np.isfinite(shown_px.bounds).all() or not shown_px.is_valid:
        return MultiPolygon()
    picture = segmentize(box(0.0, 0.0, width - 1.0, height - 1.0), _APART)
    if picture.contains(shown_px):
        return MultiPolygon()
    shown = transform(picture.intersection(shown_px), plane.to_table)
    return table.difference(shown.buffer(0)).buffer(_CUT_MM).intersection(table) if shown.area else Polygon(table)
