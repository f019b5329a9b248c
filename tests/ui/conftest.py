"""One Qt application for all, offscreen."""

import pytest
from PyQt6.QtCore import QCoreApplication, QEvent

from ui.qt import application


@pytest.fixture(scope="session")
def qapp():
    return application(headless=True)


@pytest.fixture(autouse=True)
def _offscreen(qapp):
    """Fonts and pictures need the application, whether or not a test shows a window."""


@pytest.fixture
def shown(qtbot):
    """Shows a window, and destroys it after the test here and now: left to Python's collector, it might be destroyed
    while it is painted, or by a recorder's thread."""
    windows = []

    def show(window):
        windows.append(window)
        window.show()
        return window

    yield show
    for window in windows:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
