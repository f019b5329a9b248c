"""The game map of a set-up, printed at table size."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QColor, QPainterPath, QPen
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from rules.map import Map
from ui.sheets.page import Paper, Sheet, pdf_sheet

# Width (mm) and colour of each road class, drawn from the least to the greatest.
_ROADS = {
    "minor": (0.5, "#9A9A9A"),
    "b": (0.9, "#E08A1E"),
    "a": (1.1, "#D0392B"),
    "primary": (1.3, "#2E8B57"),
    "motorway": (1.7, "#2B6CB0"),
}
_WATER, _LAND = "#BBD9EE", "#F6F1E4"
_PLACE_RADIUS_MM = {"city": 4.0, "town": 3.0, "village": 1.6, "major-suburb": 2.2, "minor-suburb": 1.4}


def print_map(out: Path, drawn: Map, size_mm: tuple[float, float]) -> None:
    """The map on one sheet of the table's size, its lower left corner the table's near left one."""
    width, height = size_mm
    with pdf_sheet(out, Paper.for_content(width, height), "Sandtable map") as sheet:
        sheet.box(0, 0, width, height, _LAND)
        for area in drawn.water:
            _area(sheet, area, height, _WATER)
        for river in drawn.rivers:
            _line(sheet, river, height, 0.6, _WATER)
        for cls, (road_mm, colour) in _ROADS.items():
            for road in drawn.roads:
                if road.cls == cls:
                    _line(sheet, road.line, height, road_mm, colour)
        for place in drawn.places:
            centre = place.geometry.centroid
            sheet.circle(centre.x, height - centre.y, _PLACE_RADIUS_MM.get(place.cls, 1.5), 0.3)
            sheet.text(centre.x + 3.0, height - centre.y - 2.5, place.name, 2.8)


def _area(sheet: Sheet, area: Polygon, height_mm: float, colour: str) -> None:
    path = QPainterPath()
    for ring in (area.exterior, *area.interiors):
        _add(path, ring, height_mm)
    sheet.painter.fillPath(path, QColor(colour))


def _line(sheet: Sheet, line: BaseGeometry, height_mm: float, width_mm: float, colour: str) -> None:
    path = QPainterPath()
    _add(path, line, height_mm)
    pen = QPen(QColor(colour), width_mm)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    sheet.painter.strokePath(path, pen)


def _add(path: QPainterPath, line: BaseGeometry, height_mm: float) -> None:
    points = [QPointF(x, height_mm - y) for x, y, *_ in line.coords]
    path.moveTo(points[0])
    for point in points[1:]:
        path.lineTo(point)
