"""How large a window may be: no larger than the screen that it is shown on."""

from __future__ import annotations

from PyQt6.QtCore import QSize
from PyQt6.QtWidgets import QWidget

# What a title bar and a task bar may take of a screen.
_SHARE = 0.94


def fit(window: QWidget, width: int, depth: int) -> None:
    """Make `window` so large, or as large as its screen allows: on a small laptop its buttons would lie below the
    edge."""
    screen = window.screen()
    if screen is None:
        window.resize(width, depth)
        return
    window.resize(QSize(width, depth).boundedTo(screen.availableGeometry().size() * _SHARE))
