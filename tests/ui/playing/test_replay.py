import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt

from rules.files.log import MatchLog
from tests.ui.builders import ScriptedEyes, a_coin, a_frame, a_scene, a_setup, moved
from ui.cli import run
from ui.playing.loop import Referee
from ui.playing.replay import Replay, stepped
from ui.playing.saved import header_of
from ui.window.replay import ReplayWindow

ROOT = Path(__file__).parents[3]
GUARD = a_coin("c1", "gbp-10p", (60.0, 120.0), "red")
SCENES = {0: a_scene(GUARD), 2: a_scene(moved(GUARD, 50, 0)), 4: a_scene(moved(GUARD, 50, 80))}


@pytest.fixture
def log(tmp_path):
    referee = Referee(a_setup(), ScriptedEyes(SCENES))
    path = tmp_path / "match.jsonl"
    with MatchLog.create(path, header_of(referee)) as written:
        for tick in referee.watch(a_frame(index) for index in range(6)):
            written.append(tick.events)
    return path


def test_a_match_can_be_stepped_both_ways(log):
    replay = Replay.read(log)
    places = [
        shown.match().scene["c1"].position_mm for shown in stepped(replay, iter(["", "n", "", "b", "1", "9", "q"]))
    ]
    first, second, third = (60, 120), (110, 120), (110, 200)
    assert places == [first, second, third, third, second, first, third]


def test_without_a_terminal_every_event_is_a_line(log, capfd):
    assert run(["replay", str(log), "--text"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "the table as it is" in lines[0]
    assert "red 10p (c1) moved: legal" in lines[1] and "0:00.2" in lines[1]
    assert "red 10p (c1) moved: not legal" in lines[2] and "OMMS-3" in lines[2]


def test_a_log_that_cannot_be_followed_to_its_end_is_told_at_its_beginning(log, capfd):
    """The window had opened, and died at that event."""
    with log.open("a") as file:
        file.write('{"time_s": 9.0, "turn": 1, "player": null, "event": "remove"}\n')
    assert run(["replay", str(log), "--text"]) == 1
    out, err = capfd.readouterr()
    assert out == "" and "match.jsonl: event 'remove' at 9 s: no 'piece'" in err and err.count("\n") == 1


def test_the_end_of_input_ends_a_replay_in_the_terminal(log):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ui.cli", "replay", str(log), "--text"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as told:
        os.write(ours, b"\n\x04")
        shown, said = told.communicate(timeout=60)
    assert told.returncode == 0 and b"interrupted" not in said
    assert len(shown.splitlines()) == 2


def test_typed_moves_that_nobody_judged_are_judged_on_the_way(tmp_path, log, capfd):
    """The packaged matches said that pieces moved, and moved none."""
    head, scene = log.read_text().splitlines()[:2]
    typed = '{"time_s": 1.0, "turn": 1, "player": "Ann", "event": "move", "piece": "c1", "to_mm": [90, 120]}'
    log.write_text("\n".join((head, scene, typed, "")))
    assert run(["replay", str(log), "--text"]) == 0
    assert "Ann: red 10p (c1) moved: legal" in capfd.readouterr().out


def test_the_window_goes_back_and_forth(log, qtbot, shown):
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    where = lambda: window._tick.match.scene["c1"].position_mm  # noqa: E731
    assert where() == (60, 120) and window.turn.text() == "Turn 1"
    qtbot.mouseClick(window.next, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(window.next, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: where() == (110, 200) and window.where.text() == "3 of 3")
    qtbot.mouseClick(window.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: where() == (110, 120))
    window.slider.setValue(1)
    qtbot.waitUntil(lambda: where() == (60, 120))
    u, v = window.projection.to_image([(60, 120)])[0]
    window._click(u, v)
    assert window.selected == "c1" and "10p" in window.side.piece.toPlainText()
    assert not window.side.correction.isVisible()  # what is past cannot be put right


def test_steps_that_are_pressed_quickly_are_shown_as_one(log, qtbot, shown, monkeypatch):
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    ruled = []
    tick = Replay.tick
    monkeypatch.setattr(Replay, "tick", lambda replay: (ruled.append(replay.shown), tick(replay))[1])
    for button in (window.next, window.next, window.next, window.back, window.next):  # the arrow keys click them
        button.click()
    assert window.where.text() == "3 of 3" and ruled == []
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm == (110, 200))
    assert ruled == [3]


@pytest.mark.parametrize("focused", ["slider", "back", "list", "text", "picture"])
def test_keys_step_wherever_the_focus_is(log, qtbot, shown, focused):
    """End did nothing until the slider was clicked."""
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    places = {"slider": window.slider, "back": window.back, "list": window.side.events, "text": window.side.piece}
    focus = places.get(focused, window.picture)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    focus.setFocus()
    told = []
    for key in ("End", "Left", "Home", "Space", "Right"):
        qtbot.keyClick(focus, getattr(Qt.Key, f"Key_{key}"))
        told.append(window.where.text())
    assert told == ["3 of 3", "2 of 3", "1 of 3", "2 of 3", "3 of 3"]


def test_a_click_on_an_event_goes_there(log, qtbot, shown):
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    where, events = lambda: window._tick.match.scene["c1"].position_mm, window.side.events
    assert events.count() == 3 and events.currentRow() == 0
    window.select("c1")
    qtbot.mouseClick(events.viewport(), Qt.MouseButton.LeftButton, pos=events.visualItemRect(events.item(2)).center())
    qtbot.waitUntil(lambda: where() == (110, 200) and window.where.text() == "3 of 3")
    assert window.selected is None  # so that the arrow of the move shows
    qtbot.mouseClick(window.back, Qt.MouseButton.LeftButton)
    assert events.currentRow() == 1 and events.count() == 3


def test_the_window_opens_no_larger_than_its_screen(log, shown):
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    room, least = window.screen().availableGeometry(), window.minimumSizeHint()
    assert window.width() <= room.width() and window.height() <= room.height()
    assert least.width() < 840 and least.height() < 640


def test_the_slider_has_room_in_a_small_window(log, qtbot, shown):
    """On 1280 x 720 at a scale of 2 there was no more of it than its handle."""
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    window.resize(640, 360)
    qtbot.waitUntil(lambda: window.next.text() == "→" and window.slider.width() >= 70)
    assert window.turn.shown_line() in ("Turn 1", "1") and window.next.toolTip() == "Next"
    window.resize(1280, 690)
    qtbot.waitUntil(lambda: window.next.text() == "Next")


def test_a_log_without_a_scene_is_refused(log, capfd):
    header = log.read_text().splitlines()[0]
    log.write_text(header + "\n")
    assert run(["replay", str(log), "--text"]) == 1
    err = capfd.readouterr().err
    assert str(log) in err and err.count("\n") == 1


def test_a_key_goes_from_piece_to_piece_in_a_replay_too(log, qtbot, shown):
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for key in (Qt.Key.Key_P, Qt.Key.Key_P):
        qtbot.keyClick(window, key)
        assert window.selected == "c1"  # the only one
    assert "MAY MOVE" in window.side.piece.toPlainText()


def test_a_replay_fills_the_screen_and_is_closed_by_keys(log, qtbot, shown):
    window = shown(ReplayWindow(Replay.read(log), "match.jsonl"))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_F)
    assert window.isFullScreen()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert not window.isVisible()
