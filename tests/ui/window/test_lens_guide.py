"""The live lens guide shows where the board has been and where to hold it next; closing it is enough."""

import cv2
import numpy as np
import pytest
from PyQt6.QtWidgets import QApplication

from calibration.boards.board import USUAL_BOARDS
from calibration.boards.lens_file import read_lens
from tests.ui.commands.test_calibrate import FOCAL_PX, SIZE_PX, VIEWS, board_picture
from ui.cli import run
from ui.measuring.lens_views import collected, emptiest, hint
from ui.qt import application
from ui.window.lens import LensGuide
from vision.frame import Frame

FRAMES = [Frame(board_picture(*pose), n, n * 0.7) for n, pose in enumerate(VIEWS[:3])]


@pytest.fixture
def guide(qtbot):
    application(headless=True)
    shown = LensGuide()
    qtbot.addWidget(shown)
    shown.show()
    return shown


def test_what_the_board_has_covered_turns_green(guide):
    views, _ = collected(iter(FRAMES), USUAL_BOARDS[0], lambda _: None, guide.look)
    assert len(views) == 3 and guide.bar.value() == 3
    assert guide.said.text().startswith("3 of 16 views")
    painted, plain = guide._canvas.bgr(), FRAMES[-1].image_bgr
    u, v = np.round(views[0].corners_px[0]).astype(int)
    beside = (v + 9, u + 9)
    # Green takes red away from the white paper and the grey wall.
    assert int(painted[beside][1]) - int(painted[beside][2]) > int(plain[beside][1]) - int(plain[beside][2]) + 20
    assert (painted[2:6, 2:6] == plain[2:6, 2:6]).all()


def test_a_mirrored_board_is_told_once_and_counts_for_nothing():
    said = []
    mirrored = (Frame(frame.image_bgr[:, ::-1], frame.index, 10 + frame.t_s) for frame in FRAMES[:2])
    with pytest.raises(ValueError, match="no chessboard or ChArUco board came into view"):
        collected(mirrored, None, said.append)
    assert len(said) == 1 and said[0].startswith("the board shows mirrored: switch mirroring off")


def test_closing_the_window_says_that_it_is_enough(guide):
    def looked_and_closed(*seen):
        guide.look(*seen)
        guide.close()
        return guide.look(*seen)

    views, _ = collected(iter(FRAMES), USUAL_BOARDS[0], lambda _: None, looked_and_closed)
    assert len(views) == 1


def test_a_picture_without_a_board_says_what_to_do(guide):
    wall = Frame(np.full((480, 640, 3), 130, np.uint8), 0, 0.0)
    with pytest.raises(ValueError, match="no chessboard or ChArUco board"):
        collected(iter([wall]), None, lambda _: None, guide.look)
    assert guide.said.text().startswith("Hold the board so that the camera sees it whole")


@pytest.mark.parametrize(
    ("empty", "name"),
    [((0, 0), "upper left"), ((0, 4), "upper right"), ((3, 0), "lower left"), ((3, 4), "lower right")],
)
def test_the_quarter_with_the_fewest_corners_is_named_and_framed(empty, name):
    coverage = np.ones((6, 8), bool)
    row, column = empty
    coverage[row : row + 3, column : column + 4] = False
    quarter = emptiest(coverage)
    assert quarter.name == name and (quarter.cells[0][0], quarter.cells[1][0]) == empty
    assert hint(coverage) == f"hold the board in the {name}"
    assert emptiest(np.ones((6, 8), bool)) is None and hint(np.ones((6, 8), bool)) == "tilt the board, and go on"


@pytest.mark.parametrize("window", [True, False])
def test_a_camera_that_is_not_there_is_one_line_and_no_window(window, monkeypatch, tmp_path, capfd):
    application(headless=True)
    monkeypatch.setattr("ui.qt.has_display", lambda: window)
    before = {id(shown) for shown in QApplication.topLevelWidgets() if shown.isVisible()}
    missing, out = str(tmp_path / "camera.mp4"), tmp_path / "lens.toml"
    assert run(["calibrate", "lens", "--source", missing, "--out", str(out)]) == 1
    err = capfd.readouterr().err
    assert missing in err and err.count("\n") == 1 and "Traceback" not in err
    assert not out.exists()
    assert {id(shown) for shown in QApplication.topLevelWidgets() if shown.isVisible()} <= before


def test_a_video_of_the_board_goes_through_the_window_to_a_lens_file(monkeypatch, tmp_path, capfd):
    application(headless=True)
    monkeypatch.setattr("ui.qt.has_display", lambda: True)
    guides, shown = [], LensGuide.look
    monkeypatch.setattr(LensGuide, "look", lambda guide, *seen: (guides.append(guide), shown(guide, *seen))[1])
    video, out = tmp_path / "board.mp4", tmp_path / "lens.toml"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"mp4v"), 5.0, SIZE_PX)
    for pose in VIEWS:
        for _ in range(4):
            writer.write(board_picture(*pose))
    writer.release()
    assert run(["calibrate", "lens", "--source", str(video), "--out", str(out)]) == 0
    assert guides[-1].said.text().startswith(f"{len(VIEWS)} of 16 views")
    assert "px RMS" in capfd.readouterr().err
    assert read_lens(out).matrix[0, 0] == pytest.approx(FOCAL_PX, rel=0.02)
    guides[-1].close()
