"""The window of a replay: the drawn board, the same panel, and a slider over the events."""

from __future__ import annotations

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QPushButton, QSlider, QVBoxLayout, QWidget

from ui.paint.pointed import piece_at
from ui.paint.projection import Projection
from ui.playing.by_hand import board_painter
from ui.playing.loop import Tick
from ui.playing.replay import Replay
from ui.telling.words import turn_lines
from ui.window.elided import ElidedLabel
from ui.window.keys import pressed_by_enter, shared_keys
from ui.window.picture import Picture
from ui.window.room import fit
from ui.window.side import PICTURE_SHARE, SIDE_SHARE, Side

# In a window narrower than this, as a small laptop's at a scale of 2, the buttons leave their words to the slider.
_NARROW_PX, _LEAST_SLIDER_PX = 800, 70


class ReplayWindow(QMainWindow):
    """Shows one event of a match after another, in both directions."""

    def __init__(self, replay: Replay, title: str) -> None:
        super().__init__()
        self.replay = replay
        self.selected: str | None = None
        self._tick: Tick
        self._wanted = replay.shown
        self._arrival = QTimer(self)
        self._arrival.setSingleShot(True)
        self._arrival.timeout.connect(self._arrive)
        self._begun = replay.match()
        self._painter = board_painter(self._begun.setup)
        self.picture, self.side, self.where, self.turn = Picture(), Side(), QLabel(), ElidedLabel()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(1, len(replay.events))
        self.slider.setMinimumWidth(_LEAST_SLIDER_PX)
        self._lay_out(title)
        pressed_by_enter(self)
        self._connect()
        self.go_to(1)
        self._arrive()

    def _lay_out(self, title: str) -> None:
        self.setWindowTitle(f"Sandtable · {title}")
        self.back, self.next = QPushButton("Back"), QPushButton("Next")
        bar = QHBoxLayout()
        bar.setContentsMargins(14, 8, 14, 10)
        for widget in (self.back, self.next):
            bar.addWidget(widget)
        bar.addWidget(self.slider, 1)
        bar.addWidget(self.where)
        bar.addSpacing(12)
        bar.addWidget(self.turn)
        left = QVBoxLayout()
        left.addWidget(self.picture, 1)
        left.addLayout(bar)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addLayout(left, PICTURE_SHARE)
        row.addWidget(self.side, SIDE_SHARE)
        whole = QWidget()
        whole.setLayout(row)
        self.setCentralWidget(whole)
        # What is past cannot be put right.
        self.side.can_correct = False
        fit(self, 1500, 900)

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802 (Qt's name)
        """Name the buttons as there is room."""
        super().resizeEvent(event)
        for button, word, sign in ((self.back, "Back", "←"), (self.next, "Next", "→")):
            button.setText(sign if self.width() < _NARROW_PX else word)
            button.setToolTip(word)

    def _connect(self) -> None:
        self.back.clicked.connect(lambda: self.go_to(self._wanted - 1))
        self.next.clicked.connect(lambda: self.go_to(self._wanted + 1))
        self.slider.valueChanged.connect(self.go_to)
        self.picture.clicked.connect(self._click)
        self.side.asked.connect(self.select)
        self.side.events.currentRowChanged.connect(self._go_to_row)
        self.side.events.itemClicked.connect(lambda _: self.select(None))
        # Shortcuts of the window: they hold wherever the focus is.
        for key, act in (
            ("Right", self.next.click),
            ("Space", self.next.click),
            ("Left", self.back.click),
            ("Home", lambda: self.go_to(1)),
            ("End", lambda: self.go_to(len(self.replay.events))),
        ):
            QShortcut(QKeySequence(key), self, act)
        shared_keys(self, lambda: self.selected, self.select, lambda: self._tick.match)

    def go_to(self, shown: int) -> None:
        """Show the match after that many events: the number at once, the board as soon as nothing more is pressed. To
        rule on a step takes half a second, and a held key asks for thirty a second."""
        self._wanted = self.replay.at(shown).shown
        self.slider.setValue(self._wanted)
        self.where.setText(f"{self._wanted} of {len(self.replay.events)}")
        self.side.events.show_steps(self._begun, self.replay.events, self._wanted)
        self._arrival.start(0)

    def _go_to_row(self, row: int) -> None:
        if row >= 0:  # while the list is filled it has none
            self.go_to(row + 1)

    def _arrive(self) -> None:
        """Show the board after the last of the steps that were asked for."""
        self._arrival.stop()
        self.replay = self.replay.at(self._wanted)
        self._tick = self.replay.tick()
        self._paint()

    def select(self, piece_id: str | None) -> None:
        """Show what this piece could do then."""
        self.selected = piece_id
        self._paint()

    def _paint(self) -> None:
        canvas = self._painter.paint(self._tick, self.selected)
        self.picture.show_image(canvas.image)
        self.side.show_match(self._tick.match, self.selected)
        if self._tick.match is not None:
            self.turn.show_line(*turn_lines(self._tick.match.state, self._tick.left_s))

    @property
    def projection(self) -> Projection:
        """Where the table shows in the picture: a board of hexes is farther away than a bare one."""
        return self._painter.overlay.projection

    def _click(self, u_px: float, v_px: float) -> None:
        if self._tick.match is not None:
            piece = piece_at(self._tick.match.scene, self.projection, u_px, v_px)
            self.select(piece.id if piece is not None else None)


def show_replay(replay: Replay, title: str, every_s: float | None = None) -> None:
    """Open the window and wait until it is closed; with `every_s` it goes on by itself, an event at a time."""
    from ui.qt import application, interruptible

    running = application()
    window = ReplayWindow(replay, title)
    window.show()
    timer = QTimer(window)
    timer.timeout.connect(window.next.click)
    if every_s is not None:
        timer.start(round(1000 * every_s))
    with interruptible():
        running.exec()
