"""Qt for a program that also loads OpenCV, on machines with and without a display."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PyQt6.QtWidgets import QApplication

# Importing cv2 points these at the Qt 5 plugins of its own wheel, which abort PyQt6.
_CV2_SETTINGS = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")


def has_display() -> bool:
    """Whether a window could be shown: on Linux, whether there is an X or a Wayland display."""
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return False
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def application(*, headless: bool = False) -> QApplication:
    """The one QApplication, made on first call; offscreen if there is no display or `headless` asks for it."""
    import cv2  # noqa: F401  (now, so that its settings are there to be removed and cannot come back later)

    for setting in _CV2_SETTINGS:
        if "cv2" in os.environ.get(setting, ""):
            del os.environ[setting]
    if headless or not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return _application()


@cache
def _application() -> QApplication:
    """Kept, or Python would collect the application with the last name that holds it and Qt would abort."""
    from PyQt6.QtWidgets import QApplication

    running = QApplication.instance()
    return running if isinstance(running, QApplication) else QApplication(["sandtable"])
