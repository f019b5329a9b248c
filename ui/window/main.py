"""The main window: picture and controls at the left, the piece and the events at the right."""

from __future__ import annotations

from PyQt6.QtCore import QTimer
from PyQt6.QtGui import QCloseEvent
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from rules.match import Match
from ui.paint.pointed import piece_at
from ui.paint.projection import Projection
from ui.playing.annotation import Painter
from ui.playing.loop import Tick
from ui.playing.recorder import Recorder
from ui.telling.fault import fault_line
from ui.telling.words import time_words
from ui.window.controls import Controls
from ui.window.keys import pressed_by_enter, shared_keys
from ui.window.picture import Picture
from ui.window.room import fit
from ui.window.side import PICTURE_SHARE, SIDE_SHARE, Side
from ui.window.watcher import Watcher
from vision.source import Source

FILM_OVER, BROKEN_OFF = "the film is over", "the watching broke off"
UNLOGGED = "the match is not saved at the moment"
UNRECORDED = "the match goes on, its film does not"
NOT_MEASURED = "the camera does not show the table as it was measured: wait until it does, or type where the piece goes"
_TROUBLE_EVERY_MS = 500


class MainWindow(QMainWindow):
    """Shows a watched match. Closing it ends the watching."""

    def __init__(
        self, watcher: Watcher, projection: Projection, source: Source, title: str, recorder: Recorder | None = None
    ) -> None:
        super().__init__()
        self.watcher, self.projection, self.source, self.recorder = watcher, projection, source, recorder
        self.selected: str | None = None
        self.fault: Exception | None = None
        self._painter: Painter | None = None
        self._tick: Tick | None = None
        self._told, self._end, self._over, self._unlogged = "", "", "", ""
        self.picture, self.controls, self.side = Picture(), Controls(), Side()
        self._lay_out(title)
        pressed_by_enter(self)
        self._connect()

    def _lay_out(self, title: str) -> None:
        self.setWindowTitle(f"Sandtable · {title}")
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.picture, 1)
        column.addWidget(self.controls)
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left, PICTURE_SHARE)
        row.addWidget(self.side, SIDE_SHARE)
        self.setCentralWidget(whole)
        self.clock = QLabel()
        status = self.statusBar()
        if status is not None:
            status.addPermanentWidget(self.clock)
        fit(self, 1680, 860)

    def _connect(self) -> None:
        self.watcher.ticked.connect(self._take)
        self.watcher.failed.connect(self.side.show_trouble)
        self.watcher.failed.connect(self._tell_end)
        self.watcher.refused.connect(self.side.refuse)
        self.watcher.unlogged.connect(self._tell_unlogged)
        self.watcher.ended.connect(self._tell_end)
        self.picture.clicked.connect(self._click)
        self.controls.paused.connect(self._pause)
        self.controls.stepped.connect(self.watcher.step)
        self.controls.undone.connect(lambda: self._say("undo", {}))
        self.controls.redone.connect(lambda: self._say("redo", {}))
        self.controls.phase_ended.connect(lambda: self._say("phase", {}))
        self.side.asked.connect(self.select)
        self.side.corrected.connect(lambda piece, said: self._say("correction", {"piece": piece, "set": said}))
        self.side.typed.connect(self._say)
        self.side.mover.point_button.toggled.connect(self.picture.show_pointing)
        shared_keys(self, lambda: self.selected, self.select, self._match)
        self._health = QTimer(self)
        self._health.timeout.connect(self._show_health)
        self._health.start(_TROUBLE_EVERY_MS)

    def select(self, piece_id: str | None) -> None:
        """Show what this piece may do; None for no piece."""
        self.selected = piece_id
        self._paint()

    def _take(self) -> None:
        tick = self.watcher.taken()
        if tick is not None:
            self.show_tick(tick)

    def show_tick(self, tick: Tick) -> None:
        """Show what is known after a frame, and record it."""
        self._tick = tick
        if self._painter is None:
            self._painter = Painter.over(tick.frame, self.projection, self.watcher.referee.setup.table_size_mm)
        self._paint()
        self._record(tick)

    def _paint(self) -> None:
        tick = self._tick
        if tick is None or self._painter is None:
            return
        status = self._end or ("paused" if self.watcher.is_paused else "")
        canvas = self._painter.paint(tick, self.selected, status)
        self.picture.show_image(canvas.image)
        self.side.show_match(tick.match, self.selected)
        self.controls.show_match(tick.match, tick.left_s)
        self.clock.setText(time_words(self._match_time_s(tick)))

    def _match(self) -> Match | None:
        return self._tick.match if self._tick is not None else None

    def _match_time_s(self, tick: Tick) -> float:
        """As its events have it: a match that was taken up again began before its film."""
        return self.watcher.referee.started_s + tick.frame.t_s

    def _record(self, tick: Tick) -> None:
        if self.recorder is None or self._painter is None:
            return
        try:
            self.recorder.write(self._painter.canvas.bgra, tick.frame.t_s)
        except OSError as error:
            self.fault, self.recorder = error, None
            self.side.show_trouble(self._unrecorded())

    def _click(self, u_px: float, v_px: float) -> None:
        match = self._match()
        if match is None or self._painter is None:
            return
        if self.side.mover.is_pointing:
            self._point(u_px, v_px)
        else:
            piece = piece_at(match.scene, self._painter.overlay.projection, u_px, v_px)
            self.select(piece.id if piece is not None else None)

    def _point(self, u_px: float, v_px: float) -> None:
        """The selected piece goes to the place on the table under that px, while it is known how the table shows."""
        if self._painter is None or self._tick is None:
            return
        if self._tick.plane is None:
            self.side.refuse(NOT_MEASURED)
            return
        x_mm, y_mm = self._painter.overlay.projection.to_table([(u_px, v_px)])[0]
        self.side.mover.point_at(float(x_mm), float(y_mm))

    def _pause(self, paused: bool) -> None:
        self.watcher.pause(paused)
        self._paint()

    def _say(self, kind: str, fields: dict[str, object]) -> None:
        if self._match() is not None:
            self.side.show_trouble("")
            self.watcher.say(kind, fields)

    def _show_health(self) -> None:
        """What is wrong with the camera, the whole sentence; that the film is over, that the match cannot be saved, or
        that it is recorded."""
        was, self._told = self._told, self._wrong() or self._over_words() or self._saving_words()
        if self._told or was:
            self._tell(self._told)

    def _wrong(self) -> str:
        trouble = self.source.trouble or (self._tick.trouble if self._tick is not None else None)
        if trouble is not None:
            return trouble.sentence
        camera = self._tick.camera if self._tick is not None else None
        return camera.sentence() if camera is not None else ""

    def _tell(self, sentence: str) -> None:
        status = self.statusBar()
        if status is not None:
            status.showMessage(sentence)

    def _tell_end(self, fault: str = "") -> None:
        """No more pictures come: what is told from now on a person tells, until the window is closed."""
        self._end = self._end or (BROKEN_OFF if fault else FILM_OVER)
        at = f" at {time_words(self._match_time_s(self._tick))}" if self._tick is not None else ""
        self._over = f"{self._end}{at}"
        self.controls.end()
        self._show_health()
        self._paint()

    def _over_words(self) -> str:
        if not self._over:
            return ""
        if self._unlogged:
            return f"{self._over}; {self._unlogged}"
        kept = f" (kept in {' and '.join(self._kept())})" if self._kept() else ""
        return f"{self._over}: put right what you like{kept}, or close the window"

    def _tell_unlogged(self, why: str) -> None:
        """That the log cannot be written, until it holds all again: the match goes on, and room may be made."""
        was, self._unlogged = self._unlogged, f"{UNLOGGED}: {why}" if why else ""
        if why or self.side.trouble.text() == was:
            self.side.show_trouble(self._unlogged)
        self._show_health()

    def _saving_words(self) -> str:
        unsaved = "; ".join(filter(None, (self._unlogged, self._unrecorded())))
        return unsaved or (_recording_words(self.recorder) if self.recorder is not None else "")

    def _unrecorded(self) -> str:
        """That the film has ended before the match, and why."""
        return f"{UNRECORDED}: {fault_line(self.fault)}" if self.fault is not None else ""

    def _kept(self) -> list[str]:
        """What the match is written to."""
        recording = [self.recorder.path.name] if self.recorder is not None else []
        return [*recording, *(["the log"] if self.watcher.is_logged else [])]

    def closeEvent(self, event: QCloseEvent | None) -> None:  # noqa: N802 (Qt's name)
        """End the watching with the window, which goes at once: a look that the watching is in may take seconds."""
        self._health.stop()
        self.hide()
        self.watcher.stop()
        # What the thread said last may still be under way to a window that is about to go.
        watcher = self.watcher
        for signal in (watcher.ticked, watcher.failed, watcher.refused, watcher.unlogged, watcher.ended):
            signal.disconnect()
        super().closeEvent(event)


def _recording_words(recorder: Recorder) -> str:
    lost = f", {recorder.dropped} frames left out" if recorder.dropped else ""
    return f"● recording {recorder.path.name}{' (fast encoder)' if recorder.hurried else ''}{lost}"
