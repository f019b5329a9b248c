"""Does the grid lie on the table? One click says yes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QDialog, QLabel, QPushButton, QVBoxLayout

from ui.canvas import Canvas
from ui.qt import answered, application
from ui.window.picture import Picture
from ui.window.style import SHEET
from vision.frame import Frame

LINE_BGR = (66, 228, 240)


class ConfirmDialog(QDialog):
    """Shows the picture with lines drawn in it; accepted by a click in it or by Enter, rejected by the button."""

    def __init__(self, frame: Frame, lines_px: list[NDArray[np.float64]], said: str) -> None:
        super().__init__()
        self.setWindowTitle("Sandtable · is this the table?")
        self.setStyleSheet(SHEET)
        bgr = lined(frame, lines_px)
        canvas = Canvas((bgr.shape[1], bgr.shape[0]))
        canvas.load(np.ascontiguousarray(bgr))
        self._canvas = canvas
        question = QLabel(f"{said}\nDoes the grid lie on the table? Click the picture for yes, or press Enter.")
        question.setStyleSheet("font-size: 22px; padding: 12px;")
        self.picture, self.no = Picture(), QPushButton("No: I click the corners")
        self.picture.show_image(canvas.image)
        self.picture.setCursor(Qt.CursorShape.PointingHandCursor)
        self.picture.clicked.connect(lambda *_: self.accept())
        self.no.clicked.connect(self.reject)
        # Enter would press it otherwise.
        self.no.setAutoDefault(False)
        QShortcut(QKeySequence(Qt.Key.Key_Return), self, self.accept)
        QShortcut(QKeySequence(Qt.Key.Key_Enter), self, self.accept)
        column = QVBoxLayout(self)
        for widget in (question, self.picture, self.no):
            column.addWidget(widget)
        column.setStretch(1, 1)
        self.resize(1280, 800)


def lined(frame: Frame, lines_px: list[NDArray[np.float64]]) -> NDArray[np.uint8]:
    """The frame's picture with lines (n, 2) px drawn in it."""
    bgr = frame.image_bgr.copy()
    seen = [np.round(line).astype(np.int32) for line in lines_px if np.isfinite(line).all()]
    cv2.polylines(bgr, seen, isClosed=False, color=LINE_BGR, thickness=1, lineType=cv2.LINE_AA)
    return bgr


def confirmed(frame: Frame, lines_px: list[NDArray[np.float64]], said: str) -> bool:
    """Whether a person says that the lines lie right."""
    application()
    return answered(ConfirmDialog(frame, lines_px, said))
