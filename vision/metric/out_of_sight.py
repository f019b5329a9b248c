"""What of the table a camera does not show."""

from __future__ import annotations

from shapely import MultiPolygon, Polygon, box, segmentize, transform
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.metric.outline import outline_px

# A piece that the picture's edge cuts is not found there: half of a miniature's base.
_CUT_MM = 15.0
# The picture's edges are bent by the lens between so many px.
_APART_PX = 20.0


def out_of_sight(plane: TablePlane, table_size_mm: tuple[float, float]) -> BaseGeometry:
    """The part of the table, mm, that lies beyond the edges of the picture, or is cut by them."""
    shown_px = outline_px(plane, table_size_mm)
    if shown_px is None:
        return MultiPolygon()
    table, (width, height) = box(0.0, 0.0, *table_size_mm), plane.lens.size_px
    picture = segmentize(box(0.0, 0.0, width - 1.0, height - 1.0), _APART_PX)
    if picture.contains(shown_px):
        return MultiPolygon()
    shown = transform(picture.intersection(shown_px), plane.to_table)
    return table.difference(shown.buffer(0)).buffer(_CUT_MM).intersection(table) if shown.area else Polygon(table)
