"""Where the corner lies that nobody clicked: shown, and taken unless another place is clicked."""

from __future__ import annotations

import cv2
import numpy as np
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QDialog, QLabel, QVBoxLayout

from rules.scene import Point2
from ui.canvas import Canvas
from ui.corners import Shown, Told, corners_mm
from ui.qt import answered, application
from ui.quick import grid_px
from ui.window.confirm import LINE_BGR, lined
from ui.window.picture import Picture
from ui.window.style import SHEET
from vision.frame import Frame

# Time enough to look at a grid and to find the mouse.
WAIT_S = 10
_RING_PX = 18


class FourthDialog(QDialog):
    """Shows the grid and the far left corner; accepted by Enter or after a while, or by a click where it is instead.

    `instead` holds that click, px; None if the corner is right.
    """

    def __init__(self, frame: Frame, size_mm: tuple[float, float], told: Told) -> None:
        super().__init__()
        self.setWindowTitle("Sandtable · is this the table?")
        self.setStyleSheet(SHEET)
        self.instead: Point2 | None = None
        self._by, self._left_s = told.by, WAIT_S
        bgr = lined(frame, grid_px(told.plane, size_mm))
        corner_px = told.plane.to_image(corners_mm(size_mm)[3:])[0]
        cv2.circle(bgr, np.round(corner_px).astype(int).tolist(), _RING_PX, LINE_BGR, 2, cv2.LINE_AA)
        self._canvas = Canvas((bgr.shape[1], bgr.shape[0]))
        self._canvas.load(np.ascontiguousarray(bgr))
        self.question, self.picture = QLabel(), Picture()
        self.question.setStyleSheet("font-size: 22px; padding: 12px;")
        self.picture.show_image(self._canvas.image)
        self.picture.setCursor(Qt.CursorShape.CrossCursor)
        self.picture.clicked.connect(self._click)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            QShortcut(QKeySequence(key), self, self.accept)
        column = QVBoxLayout(self)
        column.addWidget(self.question)
        column.addWidget(self.picture, 1)
        self.resize(1280, 800)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._wait)
        self._timer.start(1000)
        self._ask()

    def _click(self, u_px: float, v_px: float) -> None:
        self.instead = (u_px, v_px)
        self.accept()

    def _wait(self) -> None:
        self._left_s -= 1
        if self._left_s <= 0:
            self.accept()
        self._ask()

    def _ask(self) -> None:
        self.question.setText(
            f"The far left corner is told by {self._by}: the ring. Right? Enter, or wait {self._left_s} s."
            "\nIf the grid does not lie on the table, click that corner."
        )

    def done(self, result: int) -> None:
        """Close, and wait no longer."""
        self._timer.stop()
        super().done(result)


def shown_in(frame: Frame, size_mm: tuple[float, float]) -> Shown:
    """Shows in `frame` what was told; ValueError if its window is closed."""

    def show(told: Told) -> Point2 | None:
        """The corner that was clicked instead, px."""
        application()
        dialog = FourthDialog(frame, size_mm, told)
        if not answered(dialog):
            raise ValueError("the window was closed before the table was told")
        return dialog.instead

    return show
