"""The window, offscreen: clicks, pause and step, corrections, undo."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from PyQt6.QtCore import QPoint, QRect, QSize, Qt, QUrl
from PyQt6.QtGui import QColor, QImage, QPainter
from PyQt6.QtWidgets import QApplication, QStyle, QStyleOptionComboBox, QVBoxLayout, QWidget
from shapely import Point, box

from rules.course.events import Event
from rules.match import start as begun
from rules.scene import COIN_DIAMETER_MM, Piece
from rules.setup import Player, Setup
from rules.state import State
from tests.ui.builders import SIZE_PX, TABLE_MM, VIEW, ScriptedEyes, a_coin, a_frame, a_scene, a_setup, moved
from ui.playing.loop import Referee
from ui.qt import application
from ui.theme import BLUE
from ui.window.correction import Correction, classes_for
from ui.window.event_list import EventList
from ui.window.main import MainWindow
from ui.window.picture import Picture
from ui.window.piece_panel import piece_html
from ui.window.style import PANEL, RAISED, ROW_PADDING_PX, SHEET
from ui.window.watcher import Watcher

GUARD = a_coin("c1", "gbp-10p", (60.0, 120.0), "red")
ENEMY = a_coin("c2", "gbp-5p", (120.0, 120.0), "blue")
UNKNOWN = a_coin("c3", "unknown", (250.0, 60.0), "blue")
START = a_scene(GUARD, ENEMY, UNKNOWN)
DUEL = Setup(players=(Player("Ann", "green"), Player("Ben", "yellow")))


class Clip:
    """A source whose frames are all there."""

    live = False
    trouble = None
    name = "clip"

    def __init__(self):
        self.closed = False

    def close(self):
        self.closed = True


@pytest.fixture
def opened(shown):
    def opened_(scenes, frames=4, fault=None):
        def given():
            for index in range(frames):
                yield a_frame(index, t_s=index / 50)
            if fault is not None:
                raise fault

        source = Clip()
        watcher = Watcher(given(), source, Referee(a_setup(), ScriptedEyes(scenes)), None)
        window = MainWindow(watcher, VIEW, source, "test")
        window.resize(1100, 700)
        return shown(window)

    return opened_


def shown_at(window, x, y, height=0.0):
    u, v = VIEW.to_image([(x, y)], height)[0]
    return QColor(window._painter.canvas.image.pixel(round(u), round(v)))


def start(window, qtbot, ready=lambda tick: tick.match is not None):
    window.watcher.start()
    qtbot.waitUntil(lambda: window._tick is not None and ready(window._tick), timeout=5000)


def click_mm(window, qtbot, x, y):
    u, v = VIEW.to_image([(x, y)])[0]
    box = window.picture.shown_box()
    scale = box.width() / SIZE_PX[0]
    at = QPoint(round(box.left() + (u + 0.5) * scale), round(box.top() + (v + 0.5) * scale))
    qtbot.mouseClick(window.picture, Qt.MouseButton.LeftButton, pos=at)


def test_a_click_on_a_coin_shows_what_it_may_do(opened, qtbot):
    window = opened({0: START})
    start(window, qtbot)
    off_road = shown_at(window, 30, 120)
    click_mm(window, qtbot, 60, 120)
    assert window.selected == "c1"
    assert shown_at(window, 30, 120) != off_road  # its reach along the A43
    text = window.side.piece.toPlainText()
    assert "10p" in text and "Ann" in text and "TARGETS" in text and "5p (c2)" in text
    click_mm(window, qtbot, 300, 220)
    assert window.selected is None
    assert shown_at(window, 30, 120) == off_road


def test_an_enemy_s_reach_is_shown_and_that_it_is_not_his_turn(opened, qtbot):
    window = opened({0: START})
    window.watcher.referee.state = State(phase="move", active="Ann")
    start(window, qtbot)
    bobs = next(piece for piece in START if piece.id == "c2")
    off_road = shown_at(window, 30, 120)
    click_mm(window, qtbot, *bobs.position_mm)
    text = window.side.piece.toPlainText()
    assert window.selected == "c2" and "MAY MOVE" in text and "it is Ann's turn" in text
    click_mm(window, qtbot, 60, 120)
    assert shown_at(window, 30, 120) != off_road and "Ann's turn" not in window.side.piece.toPlainText()


def test_pause_holds_the_frames_and_step_takes_one(opened, qtbot):
    window = opened({0: START}, frames=400)
    start(window, qtbot)
    qtbot.mouseClick(window.controls.pause_button, Qt.MouseButton.LeftButton)
    assert window.watcher.is_paused
    qtbot.wait(120)
    held = window._tick.frame.index
    qtbot.wait(150)
    assert window._tick.frame.index == held
    qtbot.mouseClick(window.controls.step_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window._tick.frame.index == held + 1, timeout=3000)
    qtbot.wait(100)
    assert window._tick.frame.index == held + 1
    qtbot.mouseClick(window.controls.pause_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window._tick.frame.index > held + 3, timeout=3000)


def test_no_frame_of_a_file_is_left_out(opened, qtbot):
    window = opened({0: START}, frames=40)
    seen = []
    take = window._take
    window.watcher.ticked.disconnect()
    window.watcher.ticked.connect(lambda: (take(), seen.append(window._tick.frame.index)))
    start(window, qtbot, lambda tick: tick.frame.index == 39)
    assert sorted(set(seen)) == list(range(40))


def test_a_film_whose_table_shows_late_is_shown_at_once(qtbot):
    """It is watched from there; as long as it had been black the window stayed empty."""
    watcher = Watcher(iter([a_frame(0, t_s=60.0)]), Clip(), Referee(a_setup(), ScriptedEyes({0: START})), None)
    watcher.start()
    qtbot.waitUntil(lambda: watcher.taken() is not None, timeout=5000)
    watcher.stop()


def test_a_film_whose_recording_paused_goes_on(qtbot):
    """The window showed the picture before the pause for as long as that had lasted."""
    frames = iter([a_frame(0), a_frame(1, t_s=600.0)])
    watcher = Watcher(frames, Clip(), Referee(a_setup(), ScriptedEyes({0: START})), None)
    watcher.start()
    qtbot.waitUntil(lambda: (tick := watcher.taken()) is not None and tick.frame.t_s >= 600.0, timeout=6000)
    watcher.stop()


@pytest.mark.parametrize("room_px", [262, 279, 384])
def test_what_a_piece_is_can_be_read_on_a_narrow_panel(room_px, shown):
    """It was "mounte"; a dark square stood below each arrow."""
    panel = QWidget()
    panel.setStyleSheet(SHEET)
    naming = Correction()
    QVBoxLayout(panel).addWidget(naming)
    panel.layout().setContentsMargins(0, 0, 0, 0)
    naming.show_piece(Piece("s1", "soldier", "mounted", (9.0, 9.0), Point(9, 9).buffer(6.0), "green"), DUEL)
    shown(panel).resize(room_px, 90)
    QApplication.processEvents()
    for chosen in (naming.class_box, naming.owner_box):
        option = QStyleOptionComboBox()
        chosen.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = chosen.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, chosen)
        assert chosen.fontMetrics().horizontalAdvance(chosen.currentText()) <= room.width()


@pytest.mark.parametrize("owner", ["red", "black", "grey", "none"])
def test_the_dot_of_every_owner_is_seen_on_the_panel(owner):
    """A black one was not: its colour is nearly the panel's."""
    match = begun(a_setup(), a_scene(replace(GUARD, owner=owner)))
    colour = re.search("color:(#[0-9A-F]{6})'>[●○]", piece_html(match, match.scene, GUARD.id, [])).group(1)
    assert QColor(colour).lightness() - QColor(PANEL).lightness() > 60


def test_no_line_is_lost_where_the_picture_is_shown_small(shown):
    """On a screen of 800 px the table's sides were, and letters were ragged."""
    lines = QImage(1920, 1080, QImage.Format.Format_RGB32)
    lines.fill(0)
    painter = QPainter(lines)
    for x in range(7, 1920, 61):
        painter.fillRect(x, 0, 2, 1080, 0xFFFFFF)
    painter.end()
    picture = shown(Picture())
    picture.resize(480, 270)
    picture.show_image(lines)
    seen = picture.grab().toImage()
    for x in range(7, 1920, 61):
        assert max(seen.pixelColor(min(x // 4 + by, 479), 100).lightness() for by in (-1, 0, 1)) > 60


def test_the_list_of_a_box_is_as_dark_above_and_below_its_rows(shown):
    """It was white there on a desktop of light colours."""
    application()
    naming = Correction()
    naming.setStyleSheet(SHEET)
    naming.show_piece(GUARD, DUEL)
    shown(naming)
    naming.owner_box.showPopup()
    popup = naming.owner_box.view().window()
    seen = popup.grab().toImage()
    assert max(seen.pixelColor(20, y).lightness() for y in (3, seen.height() - 4)) < 60
    popup.hide()


def test_the_chosen_row_of_a_box_s_list_is_seen(shown):
    """A line of one px, hardly lighter than the ground, ran round it."""
    correction = Correction()
    correction.setStyleSheet(SHEET)
    shown(correction)
    correction.show_piece(GUARD, a_setup())
    box = correction.owner_box
    box.setCurrentIndex(1)
    box.showPopup()
    rows = box.view()
    picture = rows.viewport().grab().toImage()
    colours = [
        picture.pixelColor(rows.visualRect(rows.model().index(row, 0)).topLeft() + QPoint(2, 6)) for row in (0, 1)
    ]
    assert (colours[0], colours[1]) == (QColor(RAISED), QColor(BLUE))
    box.hidePopup()


def test_an_unknown_coin_is_asked_about_named_and_stays_named(opened, qtbot):
    window = opened({0: START, 30: a_scene(GUARD, ENEMY, UNKNOWN, a_coin("c9", at=(20, 20)))}, frames=60)
    start(window, qtbot)
    assert "c3" in window.side.notice.text()
    window.side.notice.linkActivated.emit("c3")
    assert window.selected == "c3"
    box = window.side.correction.class_box
    box.setCurrentIndex(box.findData("gbp-20p"))
    qtbot.mouseClick(window.side.correction.apply_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "c9" in window._tick.match.scene, timeout=5000)
    assert window._tick.match.scene["c3"].cls == "gbp-20p"
    assert not window.side.notice.isVisible()


def test_a_piece_is_asked_for_named_and_taken_away_by_the_keyboard_alone(opened, qtbot):
    """No key pressed a button, followed the name of a piece that is not known, or asked for one of the events."""
    window = opened({0: START})
    start(window, qtbot)
    side = window.side
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=3000)
    side.notice.setFocus()
    qtbot.keyClick(side.notice, Qt.Key.Key_Tab)
    qtbot.keyClick(side.notice, Qt.Key.Key_Return)
    assert window.selected == "c3"
    qtbot.keyClick(side.correction.class_box, Qt.Key.Key_Down)
    qtbot.keyClick(side.correction.apply_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window._tick.match.scene["c3"].cls != "unknown", timeout=3000)
    window.select(None)
    side.events.setCurrentRow(1)
    qtbot.keyClick(side.events, Qt.Key.Key_Return)
    assert window.selected == "c3"
    qtbot.keyClick(side.mover.remove_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "c3" not in window._tick.match.scene, timeout=3000)


def test_a_key_goes_from_piece_to_piece_round_and_round_and_back(opened, qtbot):
    """No key asked for a piece that is known and has no event."""
    window = opened({0: a_scene(*START, replace(GUARD, id="k1", kind="card", cls="AS", owner="none"))})
    window.watcher.referee.state = State(phase="move", active="Ben")
    start(window, qtbot)
    window.activateWindow()
    seen = []
    for _ in range(5):
        qtbot.keyClick(window, Qt.Key.Key_P)
        seen.append(window.selected)
    assert seen == ["c2", "c3", "c1", "k1", "c2"]  # Ben's from left to right, then Ann's, then what they lie on
    assert "5p" in window.side.piece.toPlainText()
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    assert window.selected == "c1"
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    assert window.selected == "k1"


def test_the_key_to_the_next_piece_is_a_letter_where_a_place_is_typed(opened, qtbot):
    window = opened({0: START})
    start(window, qtbot)
    window.activateWindow()
    window.select("c1")
    window.side.mover.place.setFocus()
    qtbot.keyClick(window.side.mover.place, Qt.Key.Key_P)
    assert window.selected == "c1" and window.side.mover.place.text() == "p"


def test_a_letter_chooses_in_a_box_that_tab_has_reached_and_ends_no_phase(opened, qtbot):
    """N for "none" ended the phase, and M for "mug" pointed."""
    window = opened({0: START}, frames=400)
    start(window, qtbot)
    window.activateWindow()
    window.select("c1")
    box, ended = window.side.correction.owner_box, []
    window.controls.phase_ended.connect(lambda: ended.append(True))
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    box.hidePopup()
    assert not box.hasFocus()
    box.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(box, Qt.Key.Key_N)
    assert box.currentData() == "none" and not ended
    qtbot.keyClick(window.controls.phase_button, Qt.Key.Key_N)
    assert ended


@pytest.mark.parametrize(("piece", "said"), [(GUARD, "it is read so already"), (UNKNOWN, "choose in the boxes")])
def test_the_button_says_why_nothing_was_put_right(piece, said, opened, qtbot):
    """It did nothing, without a word."""
    window = opened({0: START})
    select(window, qtbot, piece.id)
    qtbot.mouseClick(window.side.correction.apply_button, Qt.MouseButton.LeftButton)
    assert said in window.side.trouble.text()


def test_what_is_chosen_stays_chosen_while_the_piece_is_measured_anew_and_no_longer(shown):
    correction = shown(Correction())
    correction.show_piece(GUARD, a_setup())
    correction.class_box.setCurrentIndex(correction.class_box.findData("gbp-2p"))
    correction.show_piece(moved(GUARD, 0.1, 0.0), a_setup())
    assert correction.class_box.currentData() == "gbp-2p"  # it was 10p again under the player's hand
    correction.show_piece(None, a_setup())
    correction.show_piece(GUARD, a_setup())
    assert correction.class_box.currentData() == "gbp-10p"  # it was still 2p, which nobody had said


def test_many_unknown_coins_ask_for_their_currency(opened, qtbot):
    heap = [a_coin(f"c{number}", "unknown", (30.0 * number, 40.0)) for number in range(4, 8)]
    window = opened({0: a_scene(GUARD, ENEMY, *heap)}, frames=20)
    start(window, qtbot)
    assert "4 of 6 coins have no name" in window.side.notice.text()


def test_cards_of_another_size_than_told_are_said_beside_what_has_no_name(opened, qtbot):
    small = [Piece(f"k{x}", "card", "unknown", (x, 60.0), box(x - 22, 26, x + 22, 93)) for x in (60.0, 110.0)]
    window = opened({0: a_scene(GUARD, ENEMY, *small)}, frames=20)
    start(window, qtbot)
    assert "The cards are 67 x 44 mm large" in window.side.notice.text()


def test_undo_takes_a_move_back_and_redo_brings_it_again(opened, qtbot):
    window = opened({0: START, 2: a_scene(moved(GUARD, 0, 60), ENEMY, UNKNOWN)}, frames=5)
    start(window, qtbot, lambda tick: tick.frame.index == 4)
    at = lambda: window._tick.match.scene["c1"].position_mm  # noqa: E731
    assert at() == (60, 180)
    qtbot.mouseClick(window.controls.undo_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: at() == (60, 120), timeout=3000)
    qtbot.mouseClick(window.controls.redo_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: at() == (60, 180), timeout=3000)


def test_what_cannot_be_undone_is_said(opened, qtbot):
    window = opened({0: START})
    start(window, qtbot)
    qtbot.mouseClick(window.controls.undo_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "nothing to undo" in window.side.trouble.text(), timeout=3000)


def test_events_are_listed_with_their_reasons(opened, qtbot):
    window = opened({0: START, 2: a_scene(moved(GUARD, 0, 60), ENEMY, UNKNOWN)}, frames=5)
    start(window, qtbot, lambda tick: tick.frame.index == 4)
    rows = [window.side.events.item(row) for row in range(window.side.events.count())]
    assert [row.text() for row in rows][-1].endswith("red 10p (c1) moved: not legal")
    assert "<p>OMMS-3" in rows[-1].toolTip()


def test_the_next_phase_begins(opened, qtbot):
    window = opened({0: START})
    start(window, qtbot)
    qtbot.mouseClick(window.controls.phase_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window._tick.match.state.active == "Ann", timeout=3000)
    assert "Ann" in window.controls.turn.text()


def test_phases_that_are_ended_quickly_follow_one_another(opened, qtbot):
    window = opened({0: START})
    start(window, qtbot)
    for _ in range(4):
        qtbot.keyClick(window, Qt.Key.Key_N)
    phases = lambda: [event for event in window._tick.match.events if event.kind == "phase"]  # noqa: E731
    qtbot.waitUntil(lambda: len(phases()) == 4, timeout=5000)
    assert [event.fields["phase"] for event in phases()] == ["draw", "cards", "move", "attack"]


def test_a_source_at_fault_is_said_and_kept_for_the_exit_status(opened, qtbot):
    window = opened({0: START}, fault=ValueError("clip: the video breaks off at 1 s"))
    start(window, qtbot)
    qtbot.waitUntil(lambda: "breaks off" in window.side.trouble.text(), timeout=3000)
    assert isinstance(window.watcher.fault, ValueError)
    assert window.statusBar().currentMessage().startswith("the watching broke off at 0:00")


class FullDisk:
    """A log that takes the first scene, and more once there is room."""

    def __init__(self):
        self.lines, self.has_room = 0, False

    def append(self, events):
        if self.lines and not self.has_room:
            raise OSError(28, "No space left on device", "m.jsonl")
        self.lines += len(events)


def test_the_match_goes_on_while_the_disk_is_full_and_is_saved_once_there_is_room(opened, qtbot):
    """A full disk ended the watching, with "[Errno 28]": nothing more was seen of the table."""
    window = opened({0: START}, frames=4000)
    window.watcher._log = disk = FullDisk()
    start(window, qtbot)
    for number, said in (
        (100, "m.jsonl: the disk is full; make room on it"),
        (110, "m.jsonl: the disk is full"),
        (90, ""),
    ):
        disk.has_room = not said
        window.watcher.say("move", {"piece": "c1", "to_mm": [number, 120]})
        qtbot.waitUntil(lambda at=number: window._tick.match.scene["c1"].position_mm[0] == at, timeout=5000)
        qtbot.waitUntil(lambda words=said: words in window.side.trouble.text(), timeout=5000)
        assert bool(window.statusBar().currentMessage()) is bool(said)
        assert window.watcher.is_logged is disk.has_room
    assert window.controls.pause_button.isEnabled() and window.watcher.fault is None
    assert window.side.trouble.text() == ""


def test_that_the_film_has_ended_stays_told_while_the_match_goes_on(opened, qtbot):
    """It was told as "the disk is full", until the next key; then nothing said that the film had ended."""
    window = opened({0: START}, frames=4000)

    def full(*_):
        raise OSError("m.mp4: the disk is full; make room on it, or choose another place")

    window.recorder = SimpleNamespace(path=Path("m.mp4"), dropped=0, hurried=False, write=full)
    start(window, qtbot)
    said = "the match goes on, its film does not: m.mp4: the disk is full; make room on it, or choose another place"
    qtbot.waitUntil(lambda: window.side.trouble.text() == said, timeout=5000)
    qtbot.keyClick(window, Qt.Key.Key_N)
    assert window.side.trouble.text() == ""
    window._show_health()
    assert window.statusBar().currentMessage() == said


def test_the_window_fits_a_small_laptop_and_a_long_name_gives_way(opened, qtbot):
    window = opened({0: START})
    name = "Maximiliane <i>von und zu</i> Hohenstein auf Burg Eckstein " * 3
    window.watcher.referee.setup = replace(a_setup(), players=(Player(name, "red"), *a_setup().players[1:]))
    window.watcher.referee.state = State(phase="move", active=name)
    start(window, qtbot)
    window.select("c1")
    window.side.show_trouble("A sentence that goes on and on. " * 5)
    least = window.minimumSizeHint()
    assert least.width() < 840 and least.height() < 640
    turn = window.controls.turn
    assert turn.textFormat() == Qt.TextFormat.PlainText and name in turn.text() == turn.toolTip()
    qtbot.waitUntil(lambda: "move · Maxim" in turn.shown_line() and "…" in turn.shown_line(), timeout=3000)


def test_on_a_small_window_the_rulings_come_before_the_events(opened, qtbot):
    """Four lines of rulings were shown, and as many of events under them."""
    window = opened({0: START})
    start(window, qtbot)
    side = window.side
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: side.notice.text().startswith("Not known: <a"), timeout=3000)
    assert "Click a name" in side.notice.toolTip() and side.heading.isVisible()
    window.select("c1")
    qtbot.waitUntil(lambda: side.piece.height() > 3 * side.events.height(), timeout=3000)
    assert not side.heading.isVisible() and side.events.isVisible()
    window.resize(910, 482)  # 1366 x 768 at a scale of 1.5
    qtbot.waitUntil(lambda: not side.events.isVisible(), timeout=3000)
    window.select(None)
    qtbot.waitUntil(lambda: side.events.isVisible() and side.events.height() > 100, timeout=3000)
    window.resize(1680, 860)
    qtbot.waitUntil(lambda: "Click a name" in side.notice.text(), timeout=3000)


def test_beside_a_piece_few_events_leave_the_height_to_its_rulings(opened, qtbot):
    """Under one event a third of the panel was empty, and the rulings above it had to be scrolled."""
    window = opened({0: START})
    start(window, qtbot)
    window.resize(1680, 860)
    window.select("c1")
    events = window.side.events
    assert events.count() == 1
    qtbot.waitUntil(lambda: events.height() < 2 * events.sizeHintForRow(0) + 20, timeout=3000)
    assert not events.verticalScrollBar().isVisible()


def test_when_the_piece_is_gone_the_events_have_their_height_again(opened, qtbot):
    """Taken away by hand it left two rows of events under half a panel of nothing."""
    window = opened({0: START})
    start(window, qtbot)
    window.resize(1680, 860)
    window.select("c1")
    events = window.side.events
    qtbot.waitUntil(lambda: events.height() < 100, timeout=3000)
    window.side.mover.remove_button.click()
    qtbot.waitUntil(lambda: events.height() > 250, timeout=3000)


@pytest.mark.parametrize("size_px", [(1680, 860), (1200, 677), (775, 564)])
def test_without_a_piece_the_events_have_all_that_how_to_begin_leaves(opened, qtbot, size_px):
    """Half of the panel was empty above eight of twenty events."""
    window = opened({0: START})
    start(window, qtbot)
    side = window.side
    for clicked in (None, "c1", None):
        window.select(clicked)
        window.resize(*size_px)
    qtbot.waitUntil(lambda: side.piece.height() == side.piece.text_height_px(), timeout=3000)
    assert side.piece.verticalScrollBar().maximum() == 0
    assert side.heading.y() - side.piece.geometry().bottom() < 20
    assert side.height() - side.events.geometry().bottom() < 20


def test_the_window_opens_no_larger_than_its_screen(shown):
    source = Clip()
    watcher = Watcher(iter(()), source, Referee(a_setup(), ScriptedEyes({0: START})), None)
    window = shown(MainWindow(watcher, VIEW, source, "test"))
    room = window.screen().availableGeometry()
    assert window.width() <= room.width() and window.height() <= room.height()


def test_on_a_small_screen_all_of_the_window_is_seen(opened, qtbot, monkeypatch):
    """At 640 x 400, as 1280 x 800 is at a scale of 2, a third of the panel lay beyond the edge."""
    monkeypatch.setattr("ui.window.room._SMALL", QSize(1 << 20, 1 << 20))
    window = opened({0: START})
    start(window, qtbot)
    window.select("c3")
    window.side.show_trouble("A sentence that goes on and on. " * 3)
    assert window.isMaximized()
    window.showNormal()

    def fits() -> bool:
        window.resize(640, 340)
        return bool(window.width() == 640 and window.height() == 340)

    qtbot.waitUntil(fits, timeout=3000)
    assert window.side.minimumSizeHint().width() <= window.side.minimumWidth()


def test_a_long_event_is_shown_whole_and_the_newest_stays_in_sight(shown, qtbot):
    events = shown(EventList())
    lost = {"piece": "c22", "class": "unknown", "owner": "unknown", "verdict": "no"}
    match = SimpleNamespace(events=tuple(Event(number, 1, "Ann", "place", lost) for number in range(9)))
    events.resize(600, 260)
    events.show_match(match)
    events.resize(200, 160)
    last, metrics = events.item(8), events.fontMetrics()
    qtbot.waitUntil(lambda: events.viewport().rect().contains(events.visualItemRect(last).center()))
    rows = events.visualItemRect(last).height() // metrics.height()
    assert rows * (events.viewport().width() - 40) > metrics.horizontalAdvance(last.text())


def test_the_newest_stays_in_sight_when_the_keys_come_to_the_list(shown, qtbot):
    """A button that was pressed goes with its piece and leaves the keys to the list, which scrolled to its top."""
    events = shown(EventList())
    lost = {"piece": "c22", "class": "unknown", "owner": "unknown", "verdict": "no"}
    events.resize(300, 160)
    events.show_match(SimpleNamespace(events=tuple(Event(number, 1, "Ann", "place", lost) for number in range(30))))
    events.setFocus()
    qtbot.waitUntil(events.hasFocus)
    assert events.currentRow() == 29
    assert events.viewport().rect().contains(events.visualItemRect(events.item(29)).center())


@pytest.mark.parametrize("count", [2, 30])
def test_a_row_shows_its_whole_text_at_every_width(count, shown, qtbot):
    """Where a line ended just at the edge it was cut with its verdict: "moved: not …"."""
    events = shown(EventList())
    events.setStyleSheet(SHEET)
    lost = {"piece": "c22", "class": "unknown", "owner": "unknown", "verdict": "no"}
    events.show_match(SimpleNamespace(events=tuple(Event(number, 1, "Ann", "place", lost) for number in range(count))))
    item, metrics = events.item(count - 1), events.fontMetrics()
    for width_px in range(260, 360, 10):
        events.resize(width_px, 260)
        room_px = events.viewport().width() - 2 * ROW_PADDING_PX - 24  # the dot and what is left free beside it
        text = metrics.boundingRect(QRect(0, 0, room_px, 999), Qt.TextFlag.TextWordWrap, item.text())
        needed_px = text.height() + 12
        qtbot.waitUntil(lambda needed_px=needed_px: events.visualItemRect(item).height() >= needed_px)
        assert events.visualItemRect(item).width() <= events.viewport().width()


def test_no_room_is_left_below_the_newest_event(shown, qtbot):
    """Scrolled by whole rows the list ended with up to three lines of nothing."""
    events = shown(EventList())
    events.setStyleSheet(SHEET)
    fields = {"class": "gbp-5p", "owner": "blue", "verdict": "yes"}
    told = [Event(n, 1, "Ann", "remove", {**fields, "piece": "c" * (n % 40 + 1)}) for n in range(90)]
    events.resize(300, 215)
    events.show_match(SimpleNamespace(events=tuple(told)))
    last = events.item(89)
    qtbot.waitUntil(lambda: events.visualItemRect(last).bottom() == events.viewport().rect().bottom())


def test_rows_lie_one_below_the_other_with_a_scroll_bar_and_without(shown, qtbot):
    """Beside a scroll bar they lay where they would have been without it: there were gaps of a line."""
    events = shown(EventList())
    events.setStyleSheet(SHEET)
    fields = {"class": "gbp-5p", "owner": "blue", "verdict": "yes"}
    told = [Event(n, 1, "Ann", "remove", {**fields, "piece": "c" * (n % 9 + 1)}) for n in range(20)]

    def rects():
        return [events.visualItemRect(events.item(row)) for row in range(events.count())]

    for count, width_px in ((2, 300), (20, 300), (20, 330), (20, 430), (3, 430), (20, 360)):
        events.resize(width_px, 260)
        events.show_match(SimpleNamespace(events=tuple(told[:count])))
        qtbot.waitUntil(lambda: all(a.bottom() + 1 == b.top() for a, b in pairwise(rects())))


def test_f_and_f11_fill_the_screen_and_escape_gives_it_back_once_it_holds_no_piece(opened, qtbot):
    """Who filled a television's screen had no frame to close the window by, and no key said how."""
    window = opened({0: START}, frames=4000)
    start(window, qtbot)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for key in (Qt.Key.Key_F11, Qt.Key.Key_F11, Qt.Key.Key_F):
        was = window.isFullScreen()
        qtbot.keyClick(window, key)
        qtbot.waitUntil(lambda was=was: window.isFullScreen() != was)
    window.select("c1")
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.selected is None and window.isFullScreen()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()


def test_ctrl_q_closes_the_window_and_ends_the_watching(opened, qtbot):
    window = opened({0: START}, frames=4000)
    start(window, qtbot)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert window.watcher.isFinished() and window.source.closed


def test_closing_the_window_ends_the_watching(opened, qtbot):
    window = opened({0: START}, frames=4000)
    start(window, qtbot)
    window.close()
    assert window.watcher.isFinished() and window.source.closed


def test_the_likeliest_classes_of_an_unknown_coin_come_first():
    assert classes_for(a_coin(cls="unknown"))[0] in ("gbp-1p", "eur-10c")  # the builder's disc has 20 mm


def test_coins_of_the_players_currency_come_before_all_others():
    """To a table of pounds and pence a dime was offered before the penny."""
    five = a_coin("c1", "gbp-5p")
    assert classes_for(five)[1] == "usd-10c"
    ours = [cls for cls in COIN_DIAMETER_MM if cls.startswith("gbp-")]
    assert classes_for(five, "gbp")[:2] == ("gbp-5p", "gbp-1p") and set(classes_for(five, "gbp")[: len(ours)]) == set(
        ours
    )


def select(window, qtbot, piece_id):
    start(window, qtbot)
    window.select(piece_id)
    assert window.side.mover.isVisible()


def type_in(window, qtbot, words):
    qtbot.keyClicks(window.side.mover.place, words)
    qtbot.keyClick(window.side.mover.place, Qt.Key.Key_Return)


def test_a_typed_move_is_judged_and_listed_as_a_seen_one(opened, qtbot):
    typed = opened({0: START})
    select(typed, qtbot, "c1")
    type_in(typed, qtbot, "100, 120")
    qtbot.waitUntil(lambda: typed._tick.match.scene["c1"].position_mm == (100, 120), timeout=3000)
    seen = opened({0: START, 2: a_scene(moved(GUARD, 40, 0), ENEMY, UNKNOWN)}, frames=5)
    start(seen, qtbot, lambda tick: tick.frame.index == 4)
    ours, theirs = (window._tick.match.events[-1] for window in (typed, seen))
    unlike = ("by", "seen_mm", "feature")
    assert {k: v for k, v in ours.fields.items() if k not in unlike} == {
        k: v for k, v in theirs.fields.items() if k not in unlike
    }
    assert ours.fields["by"] == "hand" and ours.kind == theirs.kind == "move"
    last = typed.side.events.item(typed.side.events.count() - 1)
    assert last.text().endswith("red 10p (c1) moved: not legal") and "OMMS-3.5" in last.toolTip()


def test_without_a_new_picture_a_typed_move_is_drawn_over_what_it_could_reach(opened, qtbot):
    """The reach under its arrow was that before the move before: a paused match, a film that is over, a lost camera."""
    window = opened({0: START})
    start(window, qtbot)
    for x_mm in (70.0, 80.0):
        window.watcher.say("move", {"piece": "c1", "to_mm": [x_mm, 120.0]})
        qtbot.waitUntil(lambda at=x_mm: window._tick.match.scene["c1"].position_mm[0] == at, timeout=5000)
    assert window._tick.before.scene["c1"].position_mm == (70.0, 120.0)


def test_a_click_says_where_a_piece_goes(opened, qtbot):
    window = opened({0: START})
    select(window, qtbot, "c1")
    qtbot.keyClick(window, Qt.Key.Key_M)
    assert window.side.mover.is_pointing
    click_mm(window, qtbot, 30, 120)
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm != (60, 120), timeout=3000)
    assert window._tick.match.scene["c1"].position_mm == pytest.approx((30, 120), abs=0.5)
    assert window._tick.match.events[-1].fields["verdict"] == "yes"
    assert not window.side.mover.is_pointing and window.selected == "c1"
    qtbot.mouseClick(window.controls.undo_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm == (60, 120), timeout=3000)


def test_a_click_beside_the_table_is_refused_and_asked_for_again(opened, qtbot):
    window = opened({0: START})
    select(window, qtbot, "c1")
    qtbot.keyClick(window, Qt.Key.Key_M)
    u, v = VIEW.to_image([(338, -35.8)])[0]
    window._click(u, v)
    assert "338, -35.8 is not on the table" in window.side.trouble.text() and window.side.mover.is_pointing
    click_mm(window, qtbot, 30, 120)
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm != (60, 120), timeout=3000)
    assert len(window._tick.match.events) == 2 and not window.side.trouble.text()


def test_what_was_refused_of_one_piece_is_not_said_beside_another(opened, qtbot):
    window = opened({0: START})
    select(window, qtbot, "c1")
    window.side.mover.place.setText("900, 900")
    qtbot.keyClick(window.side.mover.place, Qt.Key.Key_Return)
    assert "900, 900 is not on the table" in window.side.trouble.text() and window.side.trouble.isVisible()
    window.select("c2")
    assert not window.side.trouble.isVisible()
    window.side.show_trouble("the watching broke off")
    window.select("c1")
    assert window.side.trouble.isVisible()  # which is of no piece


def test_no_click_says_where_a_piece_goes_while_the_camera_is_not_measured(opened, qtbot):
    """The place was told by where the camera had stood."""
    window = opened({0: START})
    select(window, qtbot, "c1")
    window.watcher.stop()
    window.show_tick(replace(window._tick, plane=None))
    qtbot.keyClick(window, Qt.Key.Key_M)
    told = []
    window.side.typed.connect(lambda *said: told.append(said))
    click_mm(window, qtbot, 30, 120)
    assert not told and window.side.mover.is_pointing and "wait until it does" in window.side.trouble.text()


def test_a_piece_is_taken_away_by_hand(opened, qtbot):
    window = opened({0: START})
    select(window, qtbot, "c2")
    qtbot.mouseClick(window.side.mover.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "c2" not in window._tick.match.scene, timeout=3000)
    assert window._tick.match.events[-1].fields["verdict"] == "yes"  # the guard can have destroyed it
    assert not window.side.mover.isVisible()


def test_what_is_no_place_is_said_and_kept_to_be_put_right(opened, qtbot):
    window = opened({0: START})
    select(window, qtbot, "c1")
    type_in(window, qtbot, "over there")
    assert "'over there' is no place" in window.side.trouble.text()
    assert window.side.mover.place.text() == "over there"
    assert len(window._tick.match.events) == 1


def test_the_end_of_the_film_is_said_and_stays_said(opened, qtbot):
    window = opened({0: START})
    window.watcher.referee.started_s = 60.0  # taken up again
    recorder = window.recorder = SimpleNamespace(path=Path("m.mp4"), dropped=0, hurried=False, write=lambda *_: None)
    start(window, qtbot, lambda tick: tick.frame.index == 3)
    said = lambda: window.statusBar().currentMessage()  # noqa: E731
    qtbot.waitUntil(lambda: "the film is over" in said(), timeout=3000)
    window._show_health()
    assert said() == "the film is over at 1:00.1: put right what you like (kept in m.mp4), or close the window"
    assert window.clock.text() == "1:00.1"
    assert not window.controls.pause_button.isEnabled() and window.recorder is recorder
    window.select("c1")
    type_in(window, qtbot, "100, 120")
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm == (100, 120), timeout=3000)


def test_with_the_film_over_no_key_of_pictures_presses_another_button(opened, qtbot):
    """The keys went from Pause, which was greyed out, to Undo: Space took back the last event, and that was logged."""
    window = opened({0: START})
    window.controls.pause_button.setFocus()
    start(window, qtbot)
    window.select("c1")
    type_in(window, qtbot, "100, 120")
    qtbot.waitUntil(lambda: window._tick.match.scene["c1"].position_mm == (100, 120), timeout=3000)
    window.controls.pause_button.setFocus()
    qtbot.waitUntil(lambda: not window.controls.pause_button.isEnabled(), timeout=3000)
    before = window._tick.match.events
    for button in (window.focusWidget(), window.controls.undo_button):
        button.setFocus()
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Right):
            qtbot.keyClick(button, key)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    qtbot.wait(200)
    assert window._tick.match.events == before and window.focusWidget() is window.controls.undo_button


def test_time_and_clock_go_on_when_the_match_goes_on_by_hand(opened, qtbot):
    window = opened({0: START})
    referee = window.watcher.referee
    referee.setup = Setup("omog", TABLE_MM, a_setup().players)
    # The last of Ann's two minutes has begun before the clip ends.
    referee.state = State(phase="move-1", active="Ann", counters={"clock_started_s": -119.0})
    start(window, qtbot)
    assert "Ann 0:01" in window.controls.turn.text()
    qtbot.waitUntil(lambda: window._tick.match.events[-1].kind == "clock", timeout=5000)
    assert window._tick.match.events[-1].time_s >= 1.0
    assert "Ann 0:00, time is over" in window.controls.turn.text()


def test_a_link_beside_a_target_declares_the_attack(opened, qtbot):
    near = a_scene(GUARD, moved(ENEMY, -20, 0), UNKNOWN)
    window = opened({0: near})
    start(window, qtbot)
    click_mm(window, qtbot, 60, 120)
    assert window.side.piece.toPlainText().count(" attack") == 1 + window.side.piece.toPlainText().count("may attack")
    window.side.piece.anchorClicked.emit(QUrl("0"))
    qtbot.waitUntil(lambda: window._tick.match.events[-1].kind == "attack", timeout=3000)
    assert window._tick.match.events[-1].fields == {"piece": "c1", "other": "c2"}
    (melee,) = [ruling for ruling in window._tick.match.rulings if ruling.kind == "melee"]
    assert (melee.piece, melee.other, melee.verdict) == ("c1", "c2", "close")  # the dice are not thrown yet


def test_an_enemy_out_of_turn_has_no_link_to_attack(opened, qtbot):
    near = a_scene(GUARD, moved(ENEMY, -20, 0), UNKNOWN)
    window = opened({0: near})
    window.watcher.referee.state = State(phase="attack", active="Ann")
    start(window, qtbot)
    click_mm(window, qtbot, *near["c2"].position_mm)
    assert window.selected == "c2" and "it is Ann's turn" in window.side.piece.toPlainText()
    assert "href" not in window.side.piece.toHtml()


def test_a_unit_in_a_phase_in_which_nothing_moves_says_so(opened, qtbot):
    """Its panel was empty."""
    window = opened({0: START})
    window.watcher.referee.state = State(phase="draw", active="Ann")
    start(window, qtbot)
    click_mm(window, qtbot, 60, 120)
    assert "nothing moves or attacks in the phase 'draw'" in window.side.piece.toPlainText()
    window._say("phase", {"phase": "move", "active": "Ann"})
    qtbot.waitUntil(lambda: window._tick.match.state.phase == "move", timeout=3000)
    assert "nothing moves" not in window.side.piece.toPlainText() and "MAY MOVE" in window.side.piece.toPlainText()
