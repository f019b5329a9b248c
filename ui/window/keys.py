"""Pressing by the keyboard: Space pauses or steps, so that a button which Tab has reached is pressed by Enter."""

from __future__ import annotations

from PyQt6.QtWidgets import QPushButton, QWidget


def pressed_by_enter(window: QWidget) -> None:
    """Let Enter press the window's buttons, as in a dialog."""
    for button in window.findChildren(QPushButton):
        button.setAutoDefault(True)
