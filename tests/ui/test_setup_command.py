"""The guided set-up, answered from a pipe."""

import io
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from rules.setup import COLOURS
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot
from ui.cli import cli, run
from ui.measuring.table import plane_for
from ui.qt import ClosedError
from ui.setup.setup_file import read_setup
from ui.window.clicks import ClickDialog
from ui.window.fourth import FourthDialog
from vision.frame import Frame
from vision.stream.picture import read_picture

ROOT = Path(__file__).parents[2]
# As a person answers, who is asked for the coins too.
MARKERS_OF_POCKET = ("pocket", "", "", "", "", "markers", "", "", "y")


def answered(*answers, arguments=("setup", "table.toml")):
    return CliRunner().invoke(cli, list(arguments), input="\n".join([*answers, ""]))


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_answers_that_end_too_soon_are_no_interruption(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("sys.stdin", io.StringIO("omog\n900\n"))
    assert run(["setup", str(tmp_path / "table.toml")]) == 1
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().err.splitlines()[-1] == (
        "sandtable: standard input: ended before all was answered; run it on a terminal"
    )


def test_a_set_up_that_is_to_stay_stays(tmp_path):
    (tmp_path / "table.toml").write_text("mine")
    result = answered("n")
    assert isinstance(result.exception, ValueError) and "table.toml: left as it is" in str(result.exception)
    assert (tmp_path / "table.toml").read_text() == "mine"


def test_markers_and_two_players(tmp_path):
    result = answered("omog", "900", "600", "", "markers", "", "", "y", "", "", "", "", "green", "", "", "", "n")
    assert result.exit_code == 0, result.output
    setup = read_setup(tmp_path / "table.toml")
    assert setup.rules.game == "omog" and setup.rules.table_size_mm == (900, 600)
    assert setup.calibration.markers is not None
    assert setup.calibration.markers.centres == {0: (20, 20), 1: (880, 20), 2: (880, 580), 3: (20, 580)}
    assert [(p.name, p.colour, p.side) for p in setup.rules.players] == [
        ("Ann", "red", "near"),
        ("Ben", "green", "far"),
    ]


@pytest.mark.parametrize(("depth", "side_mm"), [("79", 19), ("20", 5), ("80", 40)])
def test_what_is_offered_as_a_marker_s_side_may_be_taken(tmp_path, depth, side_mm):
    """On a table narrower than 80 mm Enter meant 40, and was refused until the answers ended."""
    result = answered("pocket", "700", depth, "", "markers", "", "", "y", "-", "n")
    assert result.exit_code == 0, result.output
    assert read_setup(tmp_path / "table.toml").calibration.markers.size_mm == side_mm


def test_typed_corners_and_no_player(tmp_path):
    result = answered("pocket", "", "", "", "corners", "1 2", "3", "3 4", "5,6", "7 8", "-", "n")
    assert result.exit_code == 0, result.output
    points = read_setup(tmp_path / "table.toml").calibration.points
    assert points == ((1, 2, 0, 0), (3, 4, 700, 0), (5, 6, 700, 500), (7, 8, 0, 500))


def test_what_is_no_number_is_asked_again(tmp_path):
    """It was taken, and in the end cost all answers."""
    corners = ("corners", "nan 2", "1 2", "3 4", "5 inf", "5 6", "7 8")
    result = answered("pocket", "nan", "600", "inf", "400", "", *corners, "-", "n")
    assert result.exit_code == 0, result.output
    setup = read_setup(tmp_path / "table.toml")
    assert setup.rules.table_size_mm == (600, 400)
    assert setup.calibration.points == ((1, 2, 0, 0), (3, 4, 600, 0), (5, 6, 600, 400), (7, 8, 0, 400))


@pytest.mark.parametrize("option", [("--game", "omog"), ("--size", "900", "600")])
def test_what_a_quick_set_up_alone_takes_is_no_answer(option):
    """It was passed over without a word: the set-up was of another game, or of another table."""
    result = answered("", arguments=("setup", "table.toml", *option))
    assert isinstance(result.exception, SystemExit) and result.exit_code == 2
    assert "--game, --size, --sheet, --map and --lens are for --quick" in result.output


def test_a_lens_file_with_a_byte_order_mark_goes_into_the_set_up(tmp_path):
    """Its byte order mark stood in the midst of the set-up then, which nothing could read."""
    lens = "[camera]\nsize_px = [1280, 720]\nfx = 900\nfy = 900\ncx = 640\ncy = 360\n"
    (tmp_path / "lens.toml").write_text(lens, encoding="utf-8-sig")
    result = answered("pocket", "", "", "lens.toml", "markers", "", "", "y", "-", "n")
    assert result.exit_code == 0, result.output
    assert read_setup(tmp_path / "table.toml").camera.fx == 900


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device there")
def test_what_can_hold_no_set_up_is_told_before_all_questions():
    result = answered("y", "pocket", arguments=("setup", "/dev/null"))
    assert isinstance(result.exception, FileExistsError) and "Which game" not in result.output


def test_a_file_is_not_replaced_unasked(tmp_path):
    (tmp_path / "table.toml").write_text("mine")
    assert answered("n").exit_code == 1
    assert (tmp_path / "table.toml").read_text() == "mine"


def test_a_wrong_answer_in_the_end_leaves_nothing(tmp_path):
    result = answered("omms", "", "", "", "markers", "DICT_OF_MINE")
    assert isinstance(result.exception, ValueError)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def _at_a_terminal(monkeypatch):
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)


@pytest.mark.parametrize(("said", "currency"), [("eur", "eur"), ("", None)])
def test_a_person_is_asked_whose_coins_they_are(tmp_path, _at_a_terminal, said, currency):
    result = answered("pocket", "", "", said, "", "markers", "", "", "y", "-", "n")
    assert result.exit_code == 0, result.output
    assert read_setup(tmp_path / "table.toml").rules.currency == currency


def test_a_game_without_coins_asks_for_none(tmp_path, _at_a_terminal):
    result = answered("omog", "", "", "", "markers", "", "", "y", "-", "n")
    assert result.exit_code == 0 and "coins" not in result.output


def test_a_script_tells_the_currency_beside_its_answers(tmp_path):
    result = answered(
        "omms", "", "", "", "markers", "", "", "y", "-", "", "n", arguments=("setup", "table.toml", "--currency", "usd")
    )
    assert result.exit_code == 0, result.output
    rules = read_setup(tmp_path / "table.toml").rules
    # Only pounds and pence had a part: every coin was seen, and none had a move.
    assert rules.currency == "usd" and rules.legend["usd-1c"] == "settlement" and rules.legend["usd-10c"] == "scout"


def test_a_person_who_mistypes_is_asked_again(tmp_path, _at_a_terminal):
    """A wrong name in the seventh question cost the six answers before it."""
    typed = (
        "omms",
        "",
        "",
        "",
        "nosuch.toml",
        "",
        "markers",
        "DICT_OF_MINE",
        "",
        "",
        "y",
        "-",
        "nomap.geojson",
        "",
        "n",
    )
    result = answered(*typed)
    assert result.exit_code == 0, result.output
    for told in ("nosuch.toml: there is no such file", "DICT_OF_MINE", "nomap.geojson: there is no such file"):
        assert told in result.output
    assert read_setup(tmp_path / "table.toml").calibration.markers.dictionary == "DICT_4X4_50"


def test_a_name_that_is_taken_is_asked_again_at_once(tmp_path, _at_a_terminal):
    """It was accepted, and at the end all answers were gone and a hidden file was named."""
    result = answered(*MARKERS_OF_POCKET, "Ann", "", "", "Ann", "Ann ", "ann", "", "", "-")
    assert result.exit_code == 0, result.output
    assert result.output.count("another player is called Ann; give another name") == 2
    assert [player.name for player in read_setup(tmp_path / "table.toml").rules.players] == ["Ann", "ann"]


def test_a_script_that_names_two_alike_is_told_so(tmp_path):
    result = answered("pocket", "", "", "", "markers", "", "", "y", "Ann", "", "", "Ann", "", "", "", "n")
    assert str(result.exception) == "another player is called Ann; give another name"
    assert list(tmp_path.iterdir()) == []


def test_there_are_no_more_players_than_colours(tmp_path):
    players = [answer for number in range(len(COLOURS)) for answer in (f"P{number}", "", "")]
    result = answered("pocket", "", "", "", "markers", "", "", "y", *players, "n")
    assert result.exit_code == 0, result.output
    assert len(read_setup(tmp_path / "table.toml").rules.players) == len(COLOURS)


def test_every_answer_that_the_set_up_could_not_hold_is_asked_again(tmp_path, _at_a_terminal):
    """Each of these was taken, and cost all answers in the end."""
    (tmp_path / "no.geojson").write_text("no map")
    (tmp_path / "no.png").write_text("no picture")
    result = answered(
        *("omms", "5", "700", "", "", str(tmp_path), "", "markers", "", "", "n", "50", "0", "20 20", "0", ""),
        *("\t\x01", "-", "no.geojson", str(tmp_path), "", "y", "castle", *[""] * 7),
    )
    assert result.exit_code == 0, result.output
    for told in (
        "5.0 is not in the range 20.0<=x<=100000.0",
        f"{tmp_path}: this is a folder; name a file in it",
        "there is no marker 50; they are numbered 0 to 49",
        "marker 0 has its place already",
        "give a name of letters",
        "no.geojson: not valid JSON",
        "no coin plays a 'castle'",
    ):
        assert told in result.output
    result = answered("pocket", "", "", "", "", "sheet", "no.png", "", "-", "n", arguments=("setup", "sheet.toml"))
    assert result.exit_code == 0 and "no.png: not a picture that can be read" in result.output


@pytest.fixture
def a_wall(tmp_path):
    """A picture in which nothing tells a table, as a file."""
    cv2.imwrite(str(tmp_path / "wall.png"), np.full((480, 640, 3), 130, np.uint8))
    return ("setup", "table.toml", "--picture", "wall.png")


def test_a_lens_of_other_pictures_is_asked_again(tmp_path, a_wall, _at_a_terminal):
    """No click could fit it: the corners were asked for again and again."""
    (tmp_path / "lens.toml").write_text("[camera]\nsize_px = [1280, 720]\nfx = 900\nfy = 900\ncx = 640\ncy = 360\n")
    result = answered("pocket", "", "", "", "lens.toml", arguments=a_wall)
    assert "lens.toml: the picture is 640 x 480 but camera.size_px says 1280 x 720" in result.output
    quick = answered(arguments=(*a_wall, "--quick", "--lens", "lens.toml"))
    assert "lens.toml: the picture is 640 x 480" in str(quick.exception)


def test_no_picture_is_told_before_all_questions():
    result = answered("pocket", arguments=("setup", "table.toml", "--picture", "wall.png"))
    assert isinstance(result.exception, FileNotFoundError) and "Which game" not in result.output


def test_what_does_not_fit_the_picture_may_be_kept(tmp_path, a_wall, _at_a_terminal):
    """Markers that a hand hid cost all answers."""
    result = answered(*MARKERS_OF_POCKET, "-", "y", arguments=a_wall)
    assert result.exit_code == 0, result.output
    assert "\ntable.toml: calibration: markers 0, 1, 2, 3 of DICT_4X4_50 are not found" in result.output
    assert "wrote table.toml; mend that first" in result.output
    assert read_setup(tmp_path / "table.toml").calibration.markers is not None


def test_what_the_picture_says_against_an_answer_is_said():
    """A marker's side in cm: all that was said was how well the set-up fits, and only `check` and `play` said more."""
    still = str(ROOT / "sample_footage" / "stills" / "still-000-plain.jpg")
    of_still = ("setup", "table.toml", "--picture", still)
    result = answered("pocket", "", "", "", "markers", "", "4", "", "-", "n", arguments=of_still)
    assert result.exit_code == 0, result.output
    assert result.output.count("times as large as said: measured so; measure the black square") == 1


def test_a_camera_is_looked_at_once_more(tmp_path, a_wall, _at_a_terminal, monkeypatch):
    """The hand is taken away, and all answers serve."""
    refused, looked = ["markers are hidden"], []

    def check(*_):
        if refused:
            raise ValueError(refused.pop())

    monkeypatch.setattr("ui.measuring.sight.Sight.is_live", True)
    monkeypatch.setattr("ui.setup.viewing.Viewing.check", check)
    monkeypatch.setattr("ui.setup.viewing.Viewing.look_again", lambda _: looked.append(True))
    result = answered(*MARKERS_OF_POCKET, "-", "y", arguments=a_wall)
    assert result.exit_code == 0 and "wrote table.toml; next: sandtable play" in result.output
    assert looked == [True]


@pytest.mark.parametrize("said", [["n"], []])
def test_what_does_not_fit_the_picture_is_else_left(tmp_path, a_wall, _at_a_terminal, said):
    result = answered(*MARKERS_OF_POCKET, "-", *said, arguments=a_wall)
    assert result.exit_code == 1 and not (tmp_path / "table.toml").exists()


def test_a_script_is_told_what_does_not_fit_by_the_name_that_it_gave(tmp_path, a_wall):
    """The message named `.table.6fc21589.toml`, which nobody had heard of."""
    result = answered("pocket", "", "", "", "markers", "", "", "y", "-", "n", arguments=a_wall)
    assert str(result.exception).startswith("table.toml: calibration: markers 0, 1, 2, 3 of DICT_4X4_50 are not")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["wall.png"]


def test_a_window_that_was_closed_costs_no_answer(tmp_path, a_wall, _at_a_terminal, monkeypatch):
    def closed(*_):
        raise ClosedError("the window was closed before all places were clicked")

    monkeypatch.setattr("ui.qt.has_display", lambda: True)
    monkeypatch.setattr("ui.setup.viewing.Viewing.by_clicks", closed)
    monkeypatch.setattr("ui.setup.viewing.Viewing.check", lambda *_: None)
    result = answered("pocket", "", "", "", "", "corners", "card", "", "-", "n", arguments=a_wall)
    assert result.exit_code == 0, result.output
    assert "\nthe window was closed before all places were clicked\nWhat tells where the table is" in result.output
    assert read_setup(tmp_path / "table.toml").calibration.card == "poker"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_letters_that_are_none_and_control_d(tmp_path):
    """Half a letter, as a backspace leaves it on some terminals, ended the set-up with words of Python's."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ui.cli", "setup", str(tmp_path / "table.toml"), "--currency", "gbp"]
    with subprocess.Popen(command, stdin=theirs, stderr=subprocess.PIPE, cwd=ROOT, text=True) as asked:
        os.write(ours, b"omms\n\n\n\xff\n\x04")
        _, err = asked.communicate()
    os.close(ours)
    os.close(theirs)
    assert asked.returncode == 1 and "this cannot be read as text (UTF-8); type it once more\n" in err
    assert err.splitlines()[-1] == "sandtable: ended by Ctrl-D before all was answered"
    assert list(tmp_path.iterdir()) == []


def test_three_clicks_in_a_picture_of_a_bare_board(tmp_path, monkeypatch):
    """The guided set-up, its windows shown offscreen: three corners are clicked, the sides tell the fourth."""
    camera = a_camera(50, 1300, 2, 10, lens=a_lens((1280, 720)))
    board = paper((700, 500), 3, gray=170)
    cv2.imwrite(str(tmp_path / "board.png"), shoot(camera, board, 3, rays=2, beyond=60))
    corners_px = camera.to_image([[0, 0], [700, 0], [700, 500], [0, 500]])
    clicked = []

    def act():
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, FourthDialog):
            QTest.keyClick(dialog, Qt.Key.Key_Return)
        elif isinstance(dialog, ClickDialog):
            box, (u, v) = dialog.picture.shown_box(), corners_px[len(dialog.places)]
            scale = box.width() / 1280
            at = QPoint(round(box.left() + (u + 0.5) * scale), round(box.top() + (v + 0.5) * scale))
            clicked.append(dialog.question.text())
            QTest.mouseClick(dialog.picture, Qt.MouseButton.LeftButton, pos=at)

    monkeypatch.setattr("ui.qt.has_display", lambda: True)
    timer = QTimer()
    timer.timeout.connect(act)
    timer.start(20)
    result = answered("pocket", "", "", "", "", "-", "n", arguments=("setup", "table.toml", "--picture", "board.png"))
    timer.stop()
    assert result.exit_code == 0, result.output
    assert [line.partition(" corner of the table")[0] for line in clicked] == [
        "Click the near left",
        "Click the near right",
        "Click the far right",
    ]
    assert "the far left corner is told by the table's far and left sides" in result.output
    assert min(read_setup(tmp_path / "table.toml").calibration.points_sigma_px) > 0.3
    assert read_setup(tmp_path / "table.toml").calibration.seen.name == "table.seen.jpg"
    # What a lens that nobody measured leaves open is said, and once: four clicks on wood told it to nobody.
    assert result.output.count("no lens file: focal length estimated") == 1
    setup = read_setup(tmp_path / "table.toml")
    plane = plane_for(setup, read_picture(tmp_path / "board.png"))
    assert np.hypot(*(plane.to_image([[0, 500]])[0] - corners_px[3])) < 1.5


def test_corners_by_clicks(qtbot, shown):
    names = ("the near left corner", "the far right corner")
    dialog = shown(ClickDialog(Frame(np.full((480, 640, 3), 90, np.uint8)), names))
    assert dialog.question.text() == "Click the near left corner"
    box = dialog.picture.shown_box()
    scale = box.width() / 640
    for u, v in ((100, 400), (500, 60)):
        at = QPoint(round(box.left() + (u + 0.5) * scale), round(box.top() + (v + 0.5) * scale))
        qtbot.mouseClick(dialog.picture, Qt.MouseButton.LeftButton, pos=at)
    assert np.array(dialog.places)[:, :2] == pytest.approx(np.array([(100, 400), (500, 60)]), abs=1.0)
    assert dialog.result() == 1
