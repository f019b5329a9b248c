"""A window that is closed goes at once, the files are finished, and the program waits for no look."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
from PyQt6.QtWidgets import QApplication

from tests.ui.builders import VIEW, ScriptedEyes, a_coin, a_frame, a_scene, a_setup
from ui.playing.loop import Referee
from ui.playing.recorder import Recorder
from ui.playing.watching import watch
from vision.stream.video_file import read_video

START = a_scene(a_coin("c1", "gbp-10p", (60.0, 120.0), "red"))


class Film:
    """A source whose frames never end."""

    live = False
    trouble = None
    name = "film"

    def close(self):
        pass


class SlowEyes(ScriptedEyes):
    """Looks, at the fourth frame, until no window is shown, for a few seconds at most."""

    def update(self, frame):
        if frame.index == 3:
            os.kill(os.getpid(), signal.SIGINT)
            end_s = time.monotonic() + 3
            while any(window.isVisible() for window in QApplication.topLevelWidgets()) and time.monotonic() < end_s:
                time.sleep(0.02)
            self.waited_s = 3 - (end_s - time.monotonic())
        return super().update(frame)


class InterruptingEyes(ScriptedEyes):
    """A Ctrl-C comes with the eleventh frame."""

    def update(self, frame):
        if frame.index == 10:
            os.kill(os.getpid(), signal.SIGINT)
        return super().update(frame)


def watched(tmp_path, eyes):
    frames = (a_frame(index, t_s=index / 30) for index in range(10_000))
    session = SimpleNamespace(first=a_frame(0), frames=frames, plane=VIEW, referee=Referee(a_setup(), eyes))
    return watch(session, Film(), "test", tmp_path / "match.mp4", tmp_path / "match.jsonl")


@pytest.fixture(autouse=True)
def heard():
    """A shell lets what runs in the background ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_window_goes_before_the_look_ends_that_it_waits_for(qapp, tmp_path):
    """It stood there, dead, until the look was over."""
    eyes = SlowEyes({0: START})
    watched(tmp_path, eyes)
    assert eyes.waited_s < 2
    assert (tmp_path / "match.jsonl").read_text(encoding="utf-8").count("\n") == 2  # its head, and the first scene


def test_a_second_interruption_does_not_break_off_the_film(qapp, tmp_path, monkeypatch):
    """Ctrl-C twice left the film in a hidden file, and the program said that it was interrupted."""
    finish = Recorder._finish

    def finish_interrupted(self, **how):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        return finish(self, **how)

    monkeypatch.setattr(Recorder, "_finish", finish_interrupted)
    with suppress(KeyboardInterrupt):
        watched(tmp_path, InterruptingEyes({0: START}))
    assert len(list(read_video(tmp_path / "match.mp4"))) > 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.jsonl", "match.mp4"]


def test_the_program_ends_though_a_look_goes_on():
    """On a busy machine it took 2 to 7 s more."""
    code = (
        "import time; from vision.beside import beside_frames; from ui.cli import _leave\n"
        "beside_frames().submit(time.sleep, 30); print('kept'); _leave(3)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=25, check=False)
    assert (told.returncode, told.stdout, told.stderr) == (3, "kept\n", "")
