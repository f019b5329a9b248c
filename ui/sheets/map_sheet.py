"""The game map of a set-up, printed at table size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import shapely
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QColor, QPainterPath, QPen
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.map import Map, Place
from ui.sheets.page import Paper, Sheet, pdf_sheet
from ui.sheets.tiles import Tile, Tiling

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
_NAME_MM = 2.8
# Crosses on what two pages share, and the ticks beside it.
_CROSS_MM, _CROSS_EVERY_MM = 2.0, 60.0
_TICK_MM = 4.0
# Of a page's number, right of the first seam's tick.
_LABEL_X_MM = 12.0


def print_map(out: Path, drawn: Map, size_mm: tuple[float, float]) -> Paper:
    """The map on one sheet of the table's size, its lower left corner the table's near left one; that sheet."""
    paper = Paper.for_content(*size_mm)
    with pdf_sheet(out, paper, "Sandtable map") as sheet, sheet.window(0, 0, (0, 0, *size_mm)):
        _map(sheet, drawn, size_mm)
    return paper


def print_map_tiled(out: Path, drawn: Map, size_mm: tuple[float, float], paper_name: str) -> Tiling:
    """The same on pages of the paper that overlap, with marks along which they are cut and laid; these pages."""
    tiling = Tiling.with_fewest_pages(size_mm, paper_name)
    with pdf_sheet(out, tiling.paper, "Sandtable map") as sheet:
        for number, tile in enumerate(tiling, start=1):
            if number > 1:
                sheet.new_page()
            x, y = tile.corner_mm
            with sheet.window(-x, -y, (x, y, *tile.size_mm)):
                _map(sheet, drawn, size_mm)
                _crosses(sheet, tiling)
            _cut_marks(sheet, tiling, tile)
            rows, columns = tiling.shape
            where = (
                f"row {tile.row + 1} of {rows} from the far edge, column {tile.column + 1} of {columns} from the left"
            )
            sheet.text(
                _LABEL_X_MM, tiling.paper.free_height_mm + 5.5, f"page {number} of {rows * columns}: {where}", 2.6
            )
    return tiling


def _map(sheet: Sheet, drawn: Map, size_mm: tuple[float, float]) -> None:
    width, height = size_mm
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
        _place(sheet, place, height)
    for place in drawn.places:
        _name(sheet, place, size_mm)


def _place(sheet: Sheet, place: Place, height_mm: float) -> None:
    """Its outline, where the map tells one, or a circle by its class."""
    if isinstance(place.geometry, Point):
        x, y = place.geometry.x, place.geometry.y
        sheet.circle(x, height_mm - y, _PLACE_RADIUS_MM.get(place.cls, 1.5), 0.3)
        return
    for area in shapely.get_parts(place.geometry):
        sheet.painter.strokePath(_rings(area, height_mm), QPen(QColor("#000000"), 0.3))


def _name(sheet: Sheet, place: Place, size_mm: tuple[float, float]) -> None:
    """Right of and above the place; moved in where it would run over the table's edge."""
    (width, height), centre = size_mm, place.geometry.centroid
    x = min(centre.x + 3.0, width - sheet.text_width_mm(place.name, _NAME_MM))
    sheet.text(max(x, 0.0), max(height - centre.y - 2.5, _NAME_MM), place.name, _NAME_MM)


def _crosses(sheet: Sheet, tiling: Tiling) -> None:
    """Crosses on the seams, the same on both pages: they lie over one another when the pages are laid together."""
    (upright, across), (width, height) = tiling.seams_mm(), tiling.size_mm
    for x in upright:
        for y in np.arange(_CROSS_EVERY_MM / 2, height, _CROSS_EVERY_MM):
            _cross(sheet, x, float(y))
    for y in across:
        for x in np.arange(_CROSS_EVERY_MM / 2, width, _CROSS_EVERY_MM):
            _cross(sheet, float(x), y)


def _cross(sheet: Sheet, x: float, y: float) -> None:
    sheet.line((x - _CROSS_MM, y), (x + _CROSS_MM, y), 0.1)
    sheet.line((x, y - _CROSS_MM), (x, y + _CROSS_MM), 0.1)


def _cut_marks(sheet: Sheet, tiling: Tiling, tile: Tile) -> None:
    """Ticks beside the picture, at both ends of each seam that crosses the page."""
    (left, top), (width, height) = tile.corner_mm, tile.size_mm
    upright, across = tiling.seams_mm()
    for x in (seam - left for seam in upright if 0 < seam - left < width):
        for y, end in ((-1.0, -1.0 - _TICK_MM), (height + 1.0, height + 1.0 + _TICK_MM)):
            sheet.line((x, y), (x, end), 0.2)
    for y in (seam - top for seam in across if 0 < seam - top < height):
        for x, end in ((-1.0, -1.0 - _TICK_MM), (width + 1.0, width + 1.0 + _TICK_MM)):
            sheet.line((x, y), (end, y), 0.2)


def _area(sheet: Sheet, area: Polygon, height_mm: float, colour: str) -> None:
    sheet.painter.fillPath(_rings(area, height_mm), QColor(colour))


def _line(sheet: Sheet, line: BaseGeometry, height_mm: float, width_mm: float, colour: str) -> None:
    path = QPainterPath()
    _add(path, line, height_mm)
    pen = QPen(QColor(colour), width_mm)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    sheet.painter.strokePath(path, pen)


def _rings(area: Polygon, height_mm: float) -> QPainterPath:
    path = QPainterPath()
    for ring in (area.exterior, *area.interiors):
        _add(path, ring, height_mm)
    return path


def _add(path: QPainterPath, line: BaseGeometry, height_mm: float) -> None:
    points = [QPointF(x, height_mm - y) for x, y, *_ in line.coords]
    path.moveTo(points[0])
    for point in points[1:]:
        path.lineTo(point)
