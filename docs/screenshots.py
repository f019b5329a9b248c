"""`python docs/screenshots.py [lens]`: the pictures of the windows in this folder, made offscreen: from the sample
match, and the lens guide, or that alone, from a drawn board held before a camera."""

from __future__ import annotations

import sys
from pathlib import Path

from PyQt6.QtWidgets import QApplication

from tests.ui.commands.test_calibrate import board_picture
from ui.eyes import eyes_for
from ui.measuring.lens_views import collected
from ui.playing.replay import Replay
from ui.playing.saved import header_of
from ui.playing.session import opened_session
from ui.qt import application
from ui.setup.setup_file import read_setup
from ui.window.lens import lens_guide
from ui.window.main import MainWindow
from ui.window.replay import ReplayWindow
from ui.window.watcher import Watcher
from vision.frame import Frame
from vision.source import FileSource

HERE = Path(__file__).parent
MATCH = HERE.parent / "sample_footage" / "omms"
# When, what it is called, and which piece is clicked: the one with the widest choice, the last one moved, or none.
SHOTS = ((2.5, "window-reach", "choice"), (39.0, "window-illegal", "last"), (64.0, "window-siege", "none"))
QUALITY = 90
# As on a screen that has room for them; the one that is drawn offscreen has not.
MATCH_PX, REPLAY_PX, LENS_PX = (1680, 860), (1500, 900), (1280, 860)


def main() -> None:
    """Take all pictures, or the lens guide's."""
    application(headless=True)
    if "lens" not in sys.argv[1:]:
        _match()
    _lens()


def _lens() -> None:
    """The guide in the middle of its work: the right half of the picture is still to be covered."""
    poses = ((0, 25, (-60, -30, 330)), (20, -25, (-70, 30, 380)), (-20, 30, (-20, 30, 380)), (10, 35, (-40, -30, 380)))
    guide = lens_guide()
    guide.resize(*LENS_PX)
    frames = [Frame(board_picture(*pose), n, n * 0.7) for n, pose in enumerate(poses)]
    collected(iter(frames), None, lambda _: None, guide.look)
    _save(guide, "window-lens")
    guide.close()


def _match() -> None:
    """Play the sample match and take the pictures on the way."""
    setup = read_setup(MATCH / "setup.toml")
    with FileSource(MATCH / "match.mp4") as source:
        session = opened_session(setup, source, eyes_for(setup.rules))
        watcher = Watcher(session.frames, source, session.referee, None)
        window = MainWindow(watcher, session.plane, source, "the sample match")
        window.show()
        window.resize(*MATCH_PX)
        due = list(SHOTS)
        for tick in session.referee.watch(session.frames):
            if tick.frame.t_s < due[0][0]:
                continue
            _, name, which = due.pop(0)
            window.show_tick(tick)
            window.select(_piece(tick.match, which))
            _save(window, name)
            if not due:
                break
        window.close()
    match = session.referee.match
    if match is not None:
        shown = Replay(header_of(session.referee), match.events)
        replayed = ReplayWindow(shown.at(len(match.events)), "the sample match")
        replayed.show()
        replayed.resize(*REPLAY_PX)
        replayed.go_to(len(match.events))
        _save(replayed, "window-replay")


def _save(window, name):
    QApplication.processEvents()
    window.grab().save(str(HERE / f"{name}.jpg"), quality=QUALITY)
    sys.stdout.write(f"docs/{name}.jpg\n")


def _piece(match, which):
    if match is None or which == "none":
        return None
    if which == "last":
        moved = [event.fields["piece"] for event in match.events if event.kind == "move"]
        return moved[-1] if moved else None
    choice = {r.piece: 0.0 for r in match.rulings if r.kind == "target" and r.verdict == "yes"}
    for ruling in match.rulings:
        if ruling.kind == "reach" and ruling.geometry is not None and (ruling.piece in choice or not choice):
            choice[ruling.piece] = ruling.geometry.length
    return max(choice, key=choice.get, default=None)


if __name__ == "__main__":
    main()
