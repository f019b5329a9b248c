"""One Qt application for all, offscreen."""

import pytest

from ui.qt import application


@pytest.fixture(scope="session")
def qapp():
    return application(headless=True)


@pytest.fixture(autouse=True)
def _offscreen(qapp):
    """Fonts and pictures need the application, whether or not a test shows a window."""
