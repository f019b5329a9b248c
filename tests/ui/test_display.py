"""A display that is named and not there is none: Qt would abort the program."""

import os
import subprocess
import sys

import pytest

from ui import qt


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch):
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    answers = qt._answers
    answers.cache_clear()
    yield
    answers.cache_clear()


def test_a_display_that_cannot_be_reached_is_none(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":7077")
    assert not qt.has_display()


def test_none_is_asked_for_where_none_is_named(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr("ui.qt._answers", lambda: pytest.fail("asked"))
    assert not qt.has_display()


def test_a_locale_without_utf_8_is_nothing_to_lecture_a_player_on():
    """Qt wrote four lines before each recording and each window; what else it says is heard."""
    begun = (
        "from ui.qt import application; application(headless=True)\n"
        "from PyQt6.QtCore import qWarning; qWarning(b'more')"
    )
    asked = [sys.executable, "-c", begun]
    place = {**os.environ, "LC_ALL": "C", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(asked, env=place, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "more"
