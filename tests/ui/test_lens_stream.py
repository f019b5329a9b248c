"""The lens from a camera on the network, as a user types it: views collected, a camera that dies, switches, or shows
no board."""

import time

import cv2
import numpy as np
import pytest

from calibration.boards.board import USUAL_BOARDS, Board
from calibration.boards.lens_file import read_lens
from tests.ui.commands.test_calibrate import FOCAL_PX, VIEWS, board_picture
from tests.vision.mjpeg_camera import MjpegCamera
from ui.cli import run
from ui.measuring.lens_views import collected
from vision.frame import Frame
from vision.stream.health import Trouble

HELD_S = 0.3
LOST = Trouble("lost", "camera 0: the camera is lost")


def shown_in_turn(pictures):
    """A camera that shows each picture for `HELD_S`, then hangs up for good."""
    jpegs = [cv2.imencode(".jpg", each, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes() for each in pictures]
    began_s = []

    def stream():
        began_s.append(time.monotonic())
        while (number := int((time.monotonic() - began_s[0]) / HELD_S)) < len(jpegs):
            yield jpegs[number]
            time.sleep(0.03)

    return MjpegCamera(stream)


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr("ui.measuring.lens_views._LOOK_EVERY_S", 0.05)
    monkeypatch.setattr("ui.measuring.lens_views.GIVEN_UP_S", 0.5)
    monkeypatch.setattr("vision.stream.live.RETRY_S", 0.1)
    monkeypatch.setattr("ui.qt.has_display", lambda: False)


def test_views_from_a_stream_that_dies_make_a_lens(tmp_path, capfd):
    out = tmp_path / "lens.toml"
    with shown_in_turn([board_picture(*pose) for pose in VIEWS]) as camera:
        assert run(["calibrate", "lens", "--source", camera.url, "--out", str(out)]) == 0
    err = capfd.readouterr().err
    assert "the camera brings no picture; trying again" in err and "going on with 8 views" in err
    assert f"wrote {out}; its [camera] goes into" in err
    lens = read_lens(out)
    assert lens.matrix[[0, 1], [0, 1]] == pytest.approx([FOCAL_PX, FOCAL_PX], rel=0.01)
    assert lens.matrix[:2, 2] == pytest.approx([319.5, 239.5], abs=5)


def test_three_views_and_a_lost_camera_are_one_line(tmp_path, capfd):
    out = tmp_path / "lens.toml"
    with shown_in_turn([board_picture(*pose) for pose in VIEWS[:3]]) as camera:
        assert run(["calibrate", "lens", "--source", camera.url, "--out", str(out)]) == 1
    last = capfd.readouterr().err.splitlines()[-1]
    assert last.startswith("sandtable: the camera was lost after 3 views, and at least 4 are needed")
    assert not out.exists()


def test_it_is_said_once_that_no_board_is_seen():
    told = []
    walls = [Frame(np.full((480, 640, 3), 130, np.uint8), n, 3.0 * n) for n in range(6)]
    with pytest.raises(ValueError, match="no chessboard or ChArUco board came into view"):
        collected(iter(walls), None, told.append)
    assert len(told) == 1 and told[0].startswith("no board is seen yet: hold one whole")


def test_a_chessboard_is_found_though_boards_without_markers_take_turns():
    flat = np.kron(np.indices((7, 10)).sum(0) % 2, np.ones((50, 50)))
    picture = cv2.copyMakeBorder((60 + 160 * flat).astype(np.uint8), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=220)
    frames = [Frame(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), n, 0.7 * n) for n in range(8)]
    views, board = collected(iter(frames), None, lambda _: None)
    assert (board.columns, board.rows, board.dictionary) == (9, 6, None) and len(views) == 1


def slid_in(columns, rows, lefts_px):
    """A chessboard of so many inner corners that comes into view from the left, then lies at these places."""
    squares = np.kron(np.indices((rows + 1, columns + 1)).sum(0) % 2, np.ones((40, 40)))
    board = np.pad(np.where(squares, 220, 40), 40, constant_values=220).astype(np.float32)
    pictures = []
    for number, left_px in enumerate(lefts_px):
        place = np.float32([[1, 0.1, left_px], [0.02 * number, 1, 30]])
        pictures.append(cv2.warpAffine(board, place, (800, 560), borderValue=130).astype(np.uint8))
    return [Frame(cv2.cvtColor(each, cv2.COLOR_GRAY2BGR), n, 0.7 * n) for n, each in enumerate(pictures)]


@pytest.mark.parametrize(("columns", "rows"), [(9, 6), (7, 7)])
def test_a_chessboard_that_comes_into_view_in_part_is_not_taken_for_a_smaller_one(columns, rows):
    """The session kept the part that it saw first, and no two of its views told the same corners."""
    told = []
    frames = slid_in(columns, rows, [-120, -120, -120, 60, 160, 260, 110, 210, 310])
    views, board = collected(iter(frames), None, told.append)
    assert board == Board(columns, rows)
    assert [len(view.board) for view in views] == [columns * rows] * len(views) and len(views) >= 3
    assert sum("the views begin anew" in line for line in told) == 1


def test_what_lies_beside_a_chessboard_is_not_taken_for_squares_of_it(monkeypatch):
    """The search that grows took one picture of twelve of a 10 x 7 chessboard for 11 x 7."""
    grown = iter([Board(10, 6), Board(9, 6), Board(10, 6), Board(9, 6)])
    monkeypatch.setattr("ui.measuring.lens_views.grown_chessboard", lambda _: next(grown))
    views, board = collected(iter(slid_in(9, 6, [60, 160, 260, 110])), None, lambda _: None)
    assert board == Board(9, 6) and len(views) >= 3


def test_views_of_another_size_do_not_count_and_that_is_said_once():
    told = []
    pictures = [board_picture(*pose) for pose in VIEWS[:2]] + [cv2.resize(board_picture(*VIEWS[2]), (480, 360))] * 3
    frames = [Frame(picture, n, n * 0.7) for n, picture in enumerate(pictures)]
    views, _ = collected(iter(frames), USUAL_BOARDS[0], told.append)
    assert {view.size_px for view in views} == {(640, 480)} and len(views) == 2
    assert [line for line in told if "switched from 640 x 480 to 480 x 360" in line] == told[2:]


def test_the_guide_stays_alive_while_the_camera_brings_nothing():
    camera = type("Camera", (), {"trouble": LOST})()
    shown = []
    looks = iter([True, True, False])
    beats = [Frame(board_picture(*VIEWS[0]), 0, 0.0), None, None, None, None]
    views, _ = collected(
        beats, USUAL_BOARDS[0], lambda _: None, lambda *seen: shown.append(seen) or next(looks), camera
    )
    assert len(views) == 1 and len(shown) == 3
