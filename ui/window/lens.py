"""The live lens guide: the camera's picture, which parts of it the board has been in, and where to hold it next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QKeySequence, QPainter, QShortcut
from PyQt6.QtWidgets import QApplication, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from calibration.boards.board import BoardView
from calibration.boards.lens_fit import coverage_of
from ui import theme
from ui.measuring.lens_views import WANTED_VIEWS, emptiest, hint
from ui.paint.canvas import Canvas
from ui.qt import application
from ui.window.picture import Picture
from ui.window.room import fit
from vision.frame import Frame

_TINT, _NEXT_TINT, _GAP_PX, _DOT_PX = 0.30, 0.85, 3.0, 7.0


class LensGuide(QWidget):
    """Shown while views of a board are collected; closing it, Enter or the button say that it is enough."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Sandtable · the lens")
        self._canvas: Canvas | None = None
        self.said, self.picture, self.enough = QLabel(), Picture(), QPushButton("Enough")
        self.said.setObjectName("question")
        self.said.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setRange(0, WANTED_VIEWS)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.bar.setStyleSheet(f"QProgressBar::chunk {{ background: {theme.GREEN}; }}")
        self.enough.clicked.connect(self.close)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            QShortcut(QKeySequence(key), self, self.close)
        column = QVBoxLayout(self)
        for widget in (self.said, self.bar, self.picture, self.enough):
            column.addWidget(widget)
        column.setStretch(2, 1)
        fit(self, 1280, 860)

    def look(self, frame: Frame, board: BoardView | None, views: Sequence[BoardView]) -> bool:
        """Show the next picture, the board in it and what `views` cover; False once the window is closed."""
        height, width = frame.image_bgr.shape[:2]
        self._canvas = self._canvas or Canvas((width, height))
        self._canvas.load(frame.image_bgr)
        painter = QPainter(self._canvas.image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_coverage(painter, views, (width, height))
        if board is not None:
            _paint_corners(painter, board, theme.unit_px((width, height)))
        painter.end()
        self.picture.show_image(self._canvas.image)
        self.said.setText(_sentence(board, views))
        self.bar.setValue(min(len(views), WANTED_VIEWS))
        QApplication.processEvents()
        return self.isVisible()


def lens_guide() -> LensGuide:
    """A guide that is shown."""
    application()
    guide = LensGuide()
    guide.show()
    return guide


def _sentence(board: BoardView | None, views: Sequence[BoardView]) -> str:
    if not views:
        return "Hold the board so that the camera sees it whole: what it has covered turns green"
    seen = "" if board is not None else " (the board is not seen now)"
    share = coverage_of(views).mean()
    return f"{len(views)} of {WANTED_VIEWS} views, {share:.0%} of the picture: {hint(coverage_of(views))}{seen}"


def _paint_coverage(painter: QPainter, views: Sequence[BoardView], size_px: tuple[int, int]) -> None:
    """Green where corners were, and a dashed frame round the quarter that has the fewest."""
    seen = coverage_of(views)
    rows, columns = seen.shape
    width, height = size_px[0] / columns, size_px[1] / rows
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.tinted(theme.GREEN, _TINT))
    for row, column in np.argwhere(seen):
        cell = QRectF(column * width, row * height, width, height)
        painter.drawRoundedRect(cell.adjusted(_GAP_PX, _GAP_PX, -_GAP_PX, -_GAP_PX), 8, 8)
    quarter = emptiest(seen) if views else None
    if quarter is not None:
        top, left = (part[0] for part in quarter.cells)
        box = QRectF(left * width, top * height, len(quarter.cells[1]) * width, len(quarter.cells[0]) * height)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = painter.pen()
        pen.setStyle(Qt.PenStyle.DashLine)
        pen.setWidthF(size_px[1] / 180)
        pen.setColor(theme.tinted(theme.YELLOW, _NEXT_TINT))
        painter.setPen(pen)
        inset = size_px[1] / 60
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 16, 16)


def _paint_corners(painter: QPainter, board: BoardView, unit: float) -> None:
    painter.setPen(theme.tinted(theme.INK, 1.0))
    painter.setBrush(theme.tinted(theme.SKY, 1.0))
    for u, v in board.corners_px:
        painter.drawEllipse(QPointF(float(u) + 0.5, float(v) + 0.5), _DOT_PX * unit, _DOT_PX * unit)
