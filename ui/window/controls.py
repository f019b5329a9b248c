"""The buttons under the picture: pause, step, take back, again, next phase."""

from __future__ import annotations

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from rules.match import Match
from ui.telling.words import turn_lines
from ui.window.elided import ElidedLabel


class Controls(QWidget):
    """Signals only; what they mean is the window's."""

    paused = pyqtSignal(bool)
    stepped = pyqtSignal()
    undone = pyqtSignal()
    redone = pyqtSignal()
    phase_ended = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.pause_button = self._button("Pause", "Space")
        self.pause_button.setCheckable(True)
        self.pause_button.toggled.connect(self._pause)
        self.step_button, self.undo_button = self._button("Step", "Right"), self._button("Undo", "Ctrl+Z")
        self.redo_button, self.phase_button = self._button("Redo", "Ctrl+Y"), self._button("Next phase", "N")
        self.step_button.clicked.connect(self._step)
        self.undo_button.clicked.connect(self.undone)
        self.redo_button.clicked.connect(self.redone)
        self.phase_button.clicked.connect(self.phase_ended)
        self.turn = ElidedLabel()
        self.turn.setObjectName("turn")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 8, 14, 10)
        for widget in (self.pause_button, self.step_button, self.undo_button, self.redo_button):
            layout.addWidget(widget)
        layout.addSpacing(12)
        layout.addStretch(1)
        layout.addWidget(self.turn)
        layout.addSpacing(6)
        layout.addWidget(self.phase_button)

    def show_match(self, match: Match | None, left_s: float | None = None) -> None:
        """Show whose turn it is and, if a clock runs, the time left."""
        if match is None:
            self.turn.show_line("")
            return
        self.turn.show_line(*turn_lines(match.state, left_s))

    def end(self) -> None:
        """No more pictures come: there is nothing to pause. The keys are left to none of the other buttons."""
        over, window = (self.pause_button, self.step_button), self.window()
        if window is not None and window.focusWidget() in over:
            self.setFocus()
        for button in over:
            button.setEnabled(False)

    def _pause(self, paused: bool) -> None:
        self.pause_button.setText("Go on" if paused else "Pause")
        self.paused.emit(paused)

    def _step(self) -> None:
        self.pause_button.setChecked(True)
        self.stepped.emit()

    def _button(self, text: str, key: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(f"{text} ({key})")
        # A shortcut of the window, not of the button: Space must pause even when another button was clicked last, and
        # press no other when there is nothing to pause any more.
        QShortcut(QKeySequence(key), self, button.click)
        return button
