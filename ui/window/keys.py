"""The keys that the match's window and the replay's share."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QPushButton, QWidget

from rules.match import Match
from ui.window.pieces import next_piece


def pressed_by_enter(window: QWidget) -> None:
    """Let Enter press the window's buttons, as in a dialog: Space pauses or steps, also where Tab has reached one."""
    for button in window.findChildren(QPushButton):
        button.setAutoDefault(True)


def shared_keys(
    window: QWidget,
    held: Callable[[], str | None],
    select: Callable[[str | None], None],
    match: Callable[[], Match | None],
) -> None:
    """F and F11 fill the screen with `window` or give it back, Ctrl+Q closes it. Escape lets go of the piece that is
    `held`; where none is, it gives back the screen, which has no frame to close the window by. P goes on to the next
    piece of the `match`, Shift+P back."""

    def escape() -> None:
        if held() is not None:
            select(None)
        elif window.isFullScreen():
            _fill_or_give_back(window)

    def go_on(step: int) -> None:
        shown = match()
        if shown is not None:
            select(next_piece(shown, held(), step))

    for key, act in (
        ("P", lambda: go_on(1)),
        ("Shift+P", lambda: go_on(-1)),
        ("F", lambda: _fill_or_give_back(window)),
        ("F11", lambda: _fill_or_give_back(window)),
        ("Ctrl+Q", window.close),
        ("Escape", escape),
    ):
        QShortcut(QKeySequence(key), window, act)


def _fill_or_give_back(window: QWidget) -> None:
    window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
