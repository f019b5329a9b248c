"""A picture with a question over it: what all windows of the set-up have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PyQt6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from ui.paint.canvas import Canvas
from ui.window.picture import Picture
from ui.window.room import fit
from vision.frame import ImageBgr

# Beside the picture at its own size: margins, the question, the keys, the buttons.
_AROUND_PX, _OVER_PX = 40, 220
_LEAVE = "close the window: leave it"


class QuestionDialog(QDialog):
    """Asks about a picture, shown as large as the screen allows: a click is the more exact.

    goes_back  the keys that go a step back
    wrong      what is wrong with the picture, a sentence each
    back       what these keys do, said below the picture; Escape never ends the set-up, as it never ends a match
    """

    goes_back: tuple[Qt.Key, ...] = (Qt.Key.Key_Escape,)

    def __init__(self, title: str, bgr: ImageBgr, wrong: Sequence[str] = (), back: str = "") -> None:
        super().__init__()
        self.setWindowTitle(f"Sandtable · {title}")
        height, width = bgr.shape[:2]
        self._canvas = Canvas((width, height))
        self.question, self.notice, self.picture = QLabel(), QLabel("\n".join(wrong)), Picture()
        self.question.setObjectName("question")
        self.notice.setObjectName("notice")
        for label in (self.question, self.notice):
            label.setWordWrap(True)
        self.notice.setVisible(bool(wrong))
        column, self._buttons = QVBoxLayout(self), QHBoxLayout()
        column.addWidget(self.question)
        column.addWidget(self.notice)
        column.addWidget(self.picture, 1)
        self.keys = QLabel(f"{back} · {_LEAVE}")
        self.keys.setWordWrap(True)
        column.addWidget(self.keys)
        column.addLayout(self._buttons)
        self.show_bgr(bgr)
        fit(self, width + _AROUND_PX, height + _OVER_PX)

    def show_bgr(self, bgr: ImageBgr) -> None:
        """Show this picture from now on."""
        self._canvas.load(np.ascontiguousarray(bgr))
        self.picture.show_image(self._canvas.image)

    def go_back(self) -> None:
        """What these keys do."""

    def keyPressEvent(self, event: QKeyEvent | None) -> None:  # noqa: N802 (Qt's name)
        """Escape goes a step back: Qt would close the window, and all clicks be lost."""
        if event is not None and event.key() in self.goes_back:
            self.go_back()
            return
        super().keyPressEvent(event)

    def add_button(self, words: str) -> QPushButton:
        """A button below the picture that Enter does not press."""
        button = QPushButton(words)
        button.setAutoDefault(False)
        self._buttons.addWidget(button)
        return button

    def take_enter(self) -> None:
        """Enter accepts."""
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            QShortcut(QKeySequence(key), self, self.accept)
