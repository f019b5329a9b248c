"""Asking for places in a picture: one click each."""

from __future__ import annotations

import cv2
import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QDialog, QLabel, QVBoxLayout

from rules.scene import Point2
from ui.canvas import Canvas
from ui.qt import answered, application
from ui.window.picture import Picture
from ui.window.style import SHEET
from ui.wizard import Clicks
from vision.frame import Frame

_SPOT_BGR = (66, 228, 240)


class ClickDialog(QDialog):
    """Shows a picture and asks for one place after another; `places` holds the answers, px."""

    def __init__(self, frame: Frame, names: tuple[str, ...]) -> None:
        super().__init__()
        self.names, self.places = names, list[Point2]()
        self._bgr = frame.image_bgr.copy()
        self._canvas = Canvas((frame.image_bgr.shape[1], frame.image_bgr.shape[0]))
        self.question, self.picture = QLabel(), Picture()
        self.question.setStyleSheet("font-size: 22px; padding: 12px;")
        self.setStyleSheet(SHEET)
        self.setWindowTitle("Sandtable · where is the table?")
        column = QVBoxLayout(self)
        column.addWidget(self.question)
        column.addWidget(self.picture, 1)
        self.picture.clicked.connect(self._click)
        self.picture.setCursor(Qt.CursorShape.CrossCursor)
        self.resize(1280, 800)
        self._ask()

    def _click(self, u_px: float, v_px: float) -> None:
        self.places.append((u_px, v_px))
        at = (round(u_px), round(v_px))
        cv2.drawMarker(self._bgr, at, _SPOT_BGR, cv2.MARKER_CROSS, 36, 2, cv2.LINE_AA)
        if len(self.places) == len(self.names):
            self.accept()
            return
        self._ask()

    def _ask(self) -> None:
        self.question.setText(f"Click {self.names[len(self.places)]}")
        self._canvas.load(np.ascontiguousarray(self._bgr))
        self.picture.show_image(self._canvas.image)


def clicks_in(frame: Frame) -> Clicks:
    """A question that is answered by clicks in `frame`; ValueError if the window is closed before the last."""

    def ask(names: tuple[str, ...]) -> list[Point2]:
        """The places clicked for these names, px."""
        application()
        dialog = ClickDialog(frame, names)
        if not answered(dialog):
            raise ValueError("the window was closed before all places were clicked")
        return dialog.places

    return ask
