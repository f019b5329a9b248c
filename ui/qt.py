"""Qt for a program that also loads OpenCV, on machines with and without a display."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Event
from typing import TYPE_CHECKING

from ui.interruption import heard_signals

if TYPE_CHECKING:
    from PyQt6.QtWidgets import QApplication, QDialog

# Importing cv2 points these at the Qt 5 plugins of its own wheel, which abort PyQt6.
_CV2_SETTINGS = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
_WAKE_MS = 200
# Source: initLocale in Qt's qcoreapplication.cpp.
_ON_LOCALES = "Detected locale "
# A display that has not answered by then is as good as none.
_ANSWER_S = 20.0


class ClosedError(ValueError):
    """A person closed a window without an answer."""


def has_display() -> bool:
    """Whether a window could be shown: on Linux, whether there is an X or a Wayland display that answers."""
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return False
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) and _answers()


@cache
def _answers() -> bool:
    """Whether Qt can reach the display that is named, asked in a program of its own: where it cannot, it aborts."""
    asked = [sys.executable, "-c", "from PyQt6.QtGui import QGuiApplication; QGuiApplication([])"]
    place = {name: value for name, value in os.environ.items() if not _is_cv2s(name, value)}
    try:
        return subprocess.run(asked, env=place, capture_output=True, timeout=_ANSWER_S, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _is_cv2s(name: str, value: str) -> bool:
    return name in _CV2_SETTINGS and "cv2" in value


def application(*, headless: bool = False) -> QApplication:
    """The one QApplication, made on first call; offscreen if there is no display or `headless` asks for it."""
    import cv2  # noqa: F401  (now, so that its settings are there to be removed and cannot come back later)

    for name in [name for name, value in os.environ.items() if _is_cv2s(name, value)]:
        del os.environ[name]
    if headless or not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return _application()


@contextmanager
def interruptible() -> Iterator[Event]:
    """While windows are shown Ctrl-C, and the end of the terminal, close them as a click would; the event tells of it.
    One that another program destroyed is closed, too.

    PyQt aborts the program when an interruption reaches a slot, and whatever was recorded would be lost.
    """
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication

    from ui.window.gone import GoneWindows

    ended, waker, gone = Event(), QTimer(), GoneWindows()

    def close(*_: object) -> None:
        """Close them once Qt is at rest."""
        ended.set()
        QTimer.singleShot(0, QApplication.closeAllWindows)

    before = {number: signal.signal(number, close) for number in heard_signals()}
    waker.timeout.connect(lambda: None)  # Python hears a signal only when it runs, and an idle window lets it sleep
    waker.start(_WAKE_MS)
    running = application()
    running.installNativeEventFilter(gone)
    try:
        yield ended
    finally:
        waker.stop()
        running.removeNativeEventFilter(gone)
        for number, handler in before.items():
            signal.signal(number, handler)


@cache
def _application() -> QApplication:
    """Kept, or Python would collect the application with the last name that holds it and Qt would abort."""
    from PyQt6.QtGui import QColor, QPalette
    from PyQt6.QtWidgets import QApplication

    from ui.window.style import RAISED

    running = QApplication.instance()
    with _no_lecture_on_locales():
        running = running if isinstance(running, QApplication) else QApplication(["sandtable"])
    # No style sheet reaches what lies above and below the rows of a box's list: it was white on a light desktop.
    palette = running.palette()
    palette.setColor(QPalette.ColorRole.Base, QColor(RAISED))
    running.setPalette(palette)
    return running


@contextmanager
def _no_lecture_on_locales() -> Iterator[None]:
    """While Qt begins, say what it says without its four lines on a locale such as C, of which it makes C.UTF-8 itself:
    nobody who watches a match has to mend that."""
    from PyQt6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

    def heard(_: QtMsgType, __: QMessageLogContext, said: str | None) -> None:
        if said is not None and not said.startswith(_ON_LOCALES):
            sys.stderr.write(f"{said}\n")

    before = qInstallMessageHandler(heard)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


def answered(dialog: QDialog) -> bool:
    """Whether a dialog was answered and not closed; KeyboardInterrupt where Ctrl-C closed it."""
    with interruptible() as ended:
        accepted = dialog.exec()
    if ended.is_set():
        raise KeyboardInterrupt
    return bool(accepted)
