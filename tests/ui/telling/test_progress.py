import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ui.telling import progress as bar

WATCHED = """
from ui.telling.progress import progress
from ui.telling.results import say

with progress("watching", 2.0) as advance:
    advance(1.0)
    say("[camera 0] the camera is lost")
    advance(2.0)
"""


def all_of(terminal: int) -> bytes:
    """What was written to a terminal that nobody writes to any more: a read may give a part of it."""
    told = b""
    with contextlib.suppress(OSError):  # Linux's word for the end
        while part := os.read(terminal, 1 << 16):
            told += part
    return told


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals there")
def test_what_is_said_during_work_stands_above_its_bar(tmp_path):
    ours, theirs = os.openpty()
    place = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "TERM": "xterm"}
    terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    done = subprocess.run([sys.executable, "-c", WATCHED], **terminal, check=False, cwd=tmp_path, env=place)
    os.close(theirs)
    told = all_of(ours).decode()
    os.close(ours)
    assert done.returncode == 0 and "Traceback" not in told
    assert "[camera 0] the camera is lost\r\n" in told and "100%" in told


def test_time_left_is_told_once_the_beginning_has_passed(monkeypatch, capsys):
    """Compiling and the first look come but once: "0%, about 2564 s left" was the first line of the demo."""
    clock = iter((0.0, 10.0, 20.0))
    monkeypatch.setattr(bar.time, "monotonic", lambda: next(clock))
    with bar.progress("watching", 50.0) as advance:
        advance(0.2)
        advance(25.0)
    assert capsys.readouterr().err.splitlines() == ["watching: 0%", "watching: 50%, about 20 s left"]
