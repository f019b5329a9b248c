"""Painting marks over a picture: one code for the window, the recording and the screenshots.

The marks are drawn once on a transparent premultiplied layer and laid over every frame until they change: 0.5 to
1 ms a frame at 1080p, where drawing 200 outlined polygons anew takes 25 to 46 ms.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from PyQt6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PyQt6.QtGui import QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF
from shapely import LineString, Point, Polygon, segmentize
from shapely.geometry.base import BaseGeometry

from rules.game import Mark
from ui import theme
from ui.paint.banner import Banner, banner_box, paint_banner
from ui.paint.hex_names import paint_hex_names
from ui.paint.hexes import HEX_ROLES
from ui.paint.labels import Label, Room, leader, place_labels
from ui.paint.projection import Projection

# A straight line on the table is a curve in a picture with lens distortion; 8 mm steps keep it within 0.1 px.
_STEP_MM = 8.0
# Half the size of the cross that marks a point, px at the reference height.
_CROSS_PX = 13.0
# Marks on pieces and towns, which labels should not hide.
_PIECE_ROLES = ("owner-", "doubt", "place")
# Ground as high as so many labels has room for its name: a card, a hex, no mug far away.
_ROOMY = 2.0


class Overlay:
    """The layer of marks over pictures of one size, seen through one projection.

    banner_at_top  where the picture has more room beside the table
    """

    def __init__(self, size_px: tuple[int, int], projection: Projection, *, banner_at_top: bool = False) -> None:
        self.size_px = size_px
        self.projection = projection
        self.banner_at_top = banner_at_top
        self._layer = QImage(*size_px, QImage.Format.Format_ARGB32_Premultiplied)
        self._drawn: tuple[tuple[Mark, ...], Banner] | None = None

    def look_through(self, projection: Projection) -> None:
        """Draw with another projection from now on: the camera was measured again."""
        if projection is not self.projection:
            self.projection, self._drawn = projection, None

    def paint(self, image: QImage, marks: tuple[Mark, ...], banner: Banner) -> None:
        """Lay the marks over `image`. The layer is drawn anew only for another tuple of marks or another banner."""
        if self._drawn is None or self._drawn[0] is not marks or self._drawn[1] != banner:
            self._draw(marks, banner)
            self._drawn = (marks, banner)
        painter = QPainter(image)
        painter.drawImage(0, 0, self._layer)
        painter.end()

    def _draw(self, marks: tuple[Mark, ...], banner: Banner) -> None:
        self._layer.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._layer)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = theme.unit_px(self.size_px)
        paths = [(mark, mark_path(mark, self.projection, unit)) for mark in marks]
        for mark, path in paths:
            _paint_path(painter, path, theme.style_of(mark.role), unit, filled=_has_area(mark.shape))
        strip = banner_box(banner, self.size_px, at_top=self.banner_at_top)
        face = theme.font(theme.LABEL_PX * unit, bold=True)
        room = self._room(paths, strip, unit)
        placed = self._placed_labels(QFontMetricsF(face), paths, room, unit)
        hexes = [(mark, path.boundingRect()) for mark, path in paths if mark.role in HEX_ROLES]
        paint_hex_names(painter, hexes, (*room.taken, *(box for _, box in placed)), room.pieces, unit)
        painter.setFont(face)
        for label, box in placed:
            _paint_leader(painter, leader(label, box, room.gap_px), label, unit)
        for label, box in placed:
            _paint_label(painter, label, box, unit)
        paint_banner(painter, banner, strip, unit)
        painter.end()

    def _room(self, paths: list[tuple[Mark, QPainterPath]], strip: QRectF, unit: float) -> Room:
        pieces = tuple(path.boundingRect() for mark, path in paths if mark.role.startswith(_PIECE_ROLES))
        return Room(QRectF(0, 0, *self.size_px), (strip,), pieces, 4 * unit)

    @staticmethod
    def _placed_labels(
        metrics: QFontMetricsF, paths: list[tuple[Mark, QPainterPath]], room: Room, unit: float
    ) -> list[tuple[Label, QRectF]]:
        picture, pad = room.picture, 8 * unit
        height = metrics.height() + pad / 2
        labels = [
            _label(mark, box.intersected(picture), height)
            for mark, box in ((mark, _labelled_box(mark, path, height)) for mark, path in paths if _is_labelled(mark))
            if box.intersects(picture)
        ]
        sizes = [QSizeF(metrics.horizontalAdvance(label.text) + 2 * pad, height) for label in labels]
        return place_labels(labels, sizes, room)


def _is_labelled(mark: Mark) -> bool:
    return bool(mark.label) and mark.role not in HEX_ROLES


def _labelled_box(mark: Mark, path: QPainterPath, height_px: float) -> QRectF:
    """What a label stands at: of a line its far end, for several go out from one place; else all of the mark."""
    if not isinstance(mark.shape, LineString):
        return path.boundingRect()
    end = path.pointAtPercent(1.0)
    return QRectF(end.x() - height_px / 2, end.y() - height_px / 2, height_px, height_px)


def _label(mark: Mark, box: QRectF, height_px: float) -> Label:
    """The mark's label, which is so high; the name of ground is written on it, where there is room between coins."""
    inside = mark.role == "terrain" and box.height() > _ROOMY * height_px
    return Label(mark.label, box, theme.style_of(mark.role).colour, inside, outline=_has_area(mark.shape))


def _paint_leader(painter: QPainter, line: QLineF | None, label: Label, unit: float) -> None:
    if line is None:
        return
    for colour, opacity, width_px in ((theme.INK, 0.55, 6.0), (label.colour, 0.9, 3.0)):
        painter.setPen(_pen(colour, opacity, width_px * unit, ()))
        painter.drawLine(line)


def _paint_label(painter: QPainter, label: Label, box: QRectF, unit: float) -> None:
    painter.setPen(QPen(theme.tinted(label.colour, 0.9), 1.5 * unit))
    painter.setBrush(theme.tinted(theme.INK, 0.78))
    painter.drawRoundedRect(box, 6 * unit, 6 * unit)
    painter.setPen(theme.tinted(theme.PAPER, 1.0))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label.text)


def _paint_path(painter: QPainter, path: QPainterPath, style: theme.Style, unit: float, *, filled: bool) -> None:
    if filled and style.fill > 0:
        painter.fillPath(path, theme.tinted(style.colour, style.fill))
    if style.width <= 0:
        return
    if style.casing > 0:
        painter.strokePath(path, _pen(style.casing_colour, style.casing, (style.width + 2.4) * unit, ()))
    painter.strokePath(path, _pen(style.colour, 1.0, style.width * unit, style.dash))


def _pen(colour: str, opacity: float, width_px: float, dash: Iterable[float]) -> QPen:
    pen = QPen(theme.tinted(colour, opacity), width_px)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pattern = list(dash)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if pattern else Qt.PenCapStyle.RoundCap)
    if pattern:
        pen.setDashPattern(pattern)
    return pen


def mark_path(mark: Mark, projection: Projection, unit: float) -> QPainterPath:
    """The outline of the mark in picture px; a point becomes a cross. Areas keep their holes (odd-even fill)."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    for part in _simple_parts(mark.shape):
        if isinstance(part, Polygon):
            for ring in (part.exterior, *part.interiors):
                path.addPolygon(_polygon(ring, projection, mark.height_mm))
                path.closeSubpath()
        elif isinstance(part, LineString):
            path.addPolygon(_polygon(part, projection, mark.height_mm))
        elif isinstance(part, Point):
            _add_cross(path, projection.to_image([(part.x, part.y)], mark.height_mm)[0], _CROSS_PX * unit)
    # OpenCV's first pixel has its centre at (0, 0), Qt's at (0.5, 0.5).
    path.translate(0.5, 0.5)
    return path


def _polygon(line: BaseGeometry, projection: Projection, height_mm: float) -> QPolygonF:
    places_mm = np.asarray(segmentize(line, _STEP_MM).coords, float)
    risen_mm = places_mm[:, 2] if places_mm.shape[1] > 2 else 0.0
    px = projection.to_image(places_mm[:, :2], height_mm + np.asarray(risen_mm, float))
    # What lies behind the camera has no place in the picture.
    return QPolygonF([QPointF(u, v) for u, v in px[np.isfinite(px).all(axis=1)]])


def _add_cross(path: QPainterPath, at_px: np.ndarray, half_px: float) -> None:
    u, v = float(at_px[0]), float(at_px[1])
    if not (math.isfinite(u) and math.isfinite(v)):
        return
    for sign in (1, -1):
        path.moveTo(u - half_px, v - sign * half_px)
        path.lineTo(u + half_px, v + sign * half_px)


def _simple_parts(shape: BaseGeometry) -> Iterator[BaseGeometry]:
    if shape.is_empty:
        return
    parts = getattr(shape, "geoms", None)
    if parts is None:
        yield shape
        return
    for part in parts:
        yield from _simple_parts(part)


def _has_area(shape: BaseGeometry) -> bool:
    return any(isinstance(part, Polygon) for part in _simple_parts(shape))
