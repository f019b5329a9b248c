"""How large a window may be: no larger than the screen that it is shown on."""

from __future__ import annotations

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtWidgets import QWidget

from ui.window.style import SHEET, SMALL

# What a title bar and a task bar may take of a screen.
_SHARE = 0.94
# On a screen narrower or lower than this, as 1280 x 800 at a scale of 2, the panel's text was cut at the edge.
_SMALL = QSize(800, 480)


def fit(window: QWidget, width: int, depth: int) -> None:
    """Make `window` so large, or as large as its screen allows: on a small laptop its buttons would lie below the
    edge. On a small screen it fills it, and letters and buttons are smaller."""
    window.setStyleSheet(SHEET + SMALL if is_small(window) else SHEET)
    screen = window.screen()
    if screen is None:
        window.resize(width, depth)
        return
    window.resize(QSize(width, depth).boundedTo(screen.availableGeometry().size() * _SHARE))
    if is_small(window):
        window.setWindowState(Qt.WindowState.WindowMaximized)


def is_small(window: QWidget) -> bool:
    """Whether its screen has no room for letters and buttons of the usual size."""
    screen = window.screen()
    if screen is None:
        return False
    room = screen.availableGeometry()
    return room.width() < _SMALL.width() or room.height() < _SMALL.height()
