import json
import os
import re
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.boards.board import USUAL_BOARDS
from tests.calibration.table_picture import a_camera
from tests.ui.builders import write_setup
from ui.cli import run
from ui.measuring.lens_views import collected
from ui.setup.setup_file import read_camera
from vision.frame import Frame

FOCAL_PX = 500.0
SIZE_PX = (640, 480)


def board_picture(turn_deg, tilt_deg, at_mm):
    """The printed ChArUco board (7 x 5 squares of 34 mm) before an ideal camera, turned and tilted about its middle."""
    board = cv2.aruco.CharucoBoard((7, 5), 34, 25, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    flat = board.generateImage((7 * 80, 5 * 80), marginSize=0)
    turn, tilt = np.radians([turn_deg, tilt_deg])
    rotation = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    )
    corners = np.array([[-119, -85, 0], [119, -85, 0], [119, 85, 0], [-119, 85, 0]]) @ rotation.T + at_mm
    px = (corners[:, :2] / corners[:, 2:] * FOCAL_PX + (319.5, 239.5)).astype(np.float32)
    outline = np.array([[-0.5, -0.5], [559.5, -0.5], [559.5, 399.5], [-0.5, 399.5]], np.float32)
    warped = cv2.warpPerspective(
        flat, cv2.getPerspectiveTransform(outline, px), SIZE_PX, flags=cv2.INTER_AREA, borderValue=200
    )
    return cv2.cvtColor(cv2.GaussianBlur(warped, (3, 3), 0.6), cv2.COLOR_GRAY2BGR)


VIEWS = [
    (0, 25, (0, 0, 330)), (20, -25, (60, 30, 380)), (-20, 30, (-60, 30, 380)), (10, 35, (60, -30, 380)),
    (95, -30, (0, 10, 420)), (-10, 40, (-70, -40, 400)), (180, 30, (20, 0, 350)), (45, 28, (0, 0, 420)),
]  # fmt: skip


def test_the_lens_from_files(tmp_path, capfd):
    files = []
    for number, view in enumerate(VIEWS):
        files.append(str(tmp_path / f"view{number}.png"))
        cv2.imwrite(files[-1], board_picture(*view))
    link = tmp_path / "link.toml"
    link.symlink_to(tmp_path / "lens.toml")  # it stays one; a device such as /dev/stdout had been replaced, too
    assert run(["calibrate", "lens", *files, "--out", str(link)]) == 0
    err = capfd.readouterr().err
    assert "view3.png: " in err and "px RMS" in err and link.is_symlink()
    camera = read_camera(tmp_path / "lens.toml")
    assert camera.size_px == SIZE_PX
    assert (camera.fx, camera.fy) == pytest.approx((FOCAL_PX, FOCAL_PX), rel=0.01)
    assert (camera.cx, camera.cy) == pytest.approx((319.5, 239.5), abs=5)


def test_no_board_in_the_files_is_one_line(tmp_path, capfd):
    picture = tmp_path / "wall.png"
    cv2.imwrite(str(picture), np.full((480, 640, 3), 130, np.uint8))
    assert run(["calibrate", "lens", str(picture), "--out", str(tmp_path / "lens.toml")]) == 1
    err = capfd.readouterr().err
    assert "no chessboard or ChArUco board" in err and err.count("\n") == 1
    assert not (tmp_path / "lens.toml").exists()


def test_a_file_that_is_no_picture_is_passed_over(tmp_path, capfd):
    for number, view in enumerate(VIEWS):
        cv2.imwrite(str(tmp_path / f"view{number}.png"), board_picture(*view))
    (tmp_path / "torn.jpg").write_bytes(b"no picture")
    assert run(["calibrate", "lens", str(tmp_path), "--out", str(tmp_path / "lens.toml")]) == 0
    err = capfd.readouterr().err
    assert f"warning: {tmp_path / 'torn.jpg'}: not a picture that can be read" in err and "passed over" in err
    assert (tmp_path / "lens.toml").exists()


def test_too_few_pictures_beside_one_that_is_none_are_refused(tmp_path, capfd):
    for number, view in enumerate(VIEWS[:2]):
        cv2.imwrite(str(tmp_path / f"view{number}.png"), board_picture(*view))
    (tmp_path / "torn.jpg").write_bytes(b"no picture")
    assert run(["calibrate", "lens", str(tmp_path)]) == 1
    err = capfd.readouterr().err
    assert f"sandtable: {tmp_path}: the " in err and "is seen in 2 pictures; at least 4 are needed" in err
    assert "torn.jpg: not a picture that can be read" in err and err.count("\n") == 1
    assert run(["calibrate", "lens", str(tmp_path / "torn.jpg")]) == 1
    err = capfd.readouterr().err
    assert "torn.jpg: not a picture that can be read" in err and err.count("\n") == 1


def test_a_folder_is_its_pictures(tmp_path, capfd):
    assert run(["calibrate", "lens", str(tmp_path)]) == 1
    err = capfd.readouterr().err
    assert "there is no picture in this folder" in err and err.count("\n") == 1
    (tmp_path / "notes.txt").write_text("not a picture")
    for number, view in enumerate(VIEWS[:2]):
        cv2.imwrite(str(tmp_path / f"view{number}.png"), board_picture(*view))
    assert run(["calibrate", "lens", str(tmp_path)]) == 1
    err = capfd.readouterr().err
    assert "is seen in 2 pictures; at least 4 are needed" in err and err.count("\n") == 1


def test_a_copy_of_a_picture_is_no_view_of_its_own(tmp_path, capfd):
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"view{number}.png"), board_picture(*VIEWS[number]))
    (tmp_path / "copy.png").write_bytes((tmp_path / "view1.png").read_bytes())
    assert run(["calibrate", "lens", str(tmp_path), str(tmp_path / "view0.png")]) == 1
    err = capfd.readouterr().err
    assert "2 of the 5 pictures are copies of others: left out" in err and err.count("\n") == 1
    assert f"{tmp_path} and 1 more: the " in err and "is seen in 3 pictures; at least 4 are needed" in err


def test_copies_are_told_beside_a_lens(tmp_path, capfd):
    for number, view in enumerate(VIEWS):
        cv2.imwrite(str(tmp_path / f"view{number}.png"), board_picture(*view))
    (tmp_path / "copy.png").write_bytes((tmp_path / "view1.png").read_bytes())
    assert run(["calibrate", "lens", str(tmp_path)]) == 0
    assert "1 of the 9 pictures are copies of others: left out\n" in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_a_pipe_is_read_but_once(tmp_path, capfd):
    """Of `calibrate lens <(...)` the first reading, for copies, left nothing to the second."""
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    for number, view in enumerate(VIEWS[1:]):
        cv2.imwrite(str(tmp_path / f"view{number}.png"), board_picture(*view))
    content = cv2.imencode(".png", board_picture(*VIEWS[0]))[1].tobytes()

    def written():
        for each in (content, b"", b"", b""):  # so that a second reading finds nothing, and does not wait for ever
            pipe.write_bytes(each)
            time.sleep(0.5)

    threading.Thread(target=written, daemon=True).start()
    assert run(["calibrate", "lens", str(tmp_path), str(pipe)]) == 0
    err = capfd.readouterr().err
    assert "pipe.png: 24 corners" in err and "passed over" not in err


@pytest.mark.parametrize("given", ["folder", "picture"])
def test_no_lens_takes_the_place_of_a_picture_that_it_was_measured_by(tmp_path, capfd, given):
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"view{number}.png"), board_picture(*VIEWS[number]))
    lost = tmp_path / "view1.png"
    before = lost.read_bytes()
    frames = {"folder": tmp_path, "picture": lost}[given]
    assert run(["calibrate", "lens", str(frames), "--out", str(lost)]) == 1
    err = capfd.readouterr().err
    assert f"{lost}: this name is given twice" in err and err.count("\n") == 1
    assert run(["calibrate", "lens", "--source", str(lost), "--out", str(lost)]) == 1
    assert f"{lost}: this name is given twice" in capfd.readouterr().err
    assert lost.read_bytes() == before


BAD_POINTS = {
    "on a line on the table": [[100, 900, 0, 0], [900, 900, 350, 0], [1700, 900, 700, 0], [400, 100, 350, 1]],
    "the wrong way round": [[1800, 900, 0, 0], [100, 900, 700, 0], [300, 100, 700, 500], [1500, 100, 0, 500]],
    "px per mm of the table": [[900, 600, 0, 0], [980, 600, 700, 0], [970, 540, 700, 500], [910, 540, 0, 500]],
}


@pytest.mark.parametrize("reason", BAD_POINTS)
def test_what_cannot_be_measured_on_is_one_line_with_the_reason(tmp_path, capfd, reason):
    text = 'schema = "sandtable/setup/1"\ngame = "omms"\n[table]\nsize_mm = [700, 500]\n'
    text += f"[calibration]\npoints = {BAD_POINTS[reason]}\n"
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((1080, 1920, 3), 120, np.uint8))
    assert run(["calibrate", "check", str(picture), "--setup", str(write_setup(tmp_path, text))]) == 1
    out, err = capfd.readouterr()
    assert reason in err and err.count("\n") == 1 and not out


@pytest.mark.parametrize("arguments", [[], ["a.png", "--source", "0"]])
def test_either_files_or_a_source(arguments):
    assert run(["calibrate", "lens", *arguments]) == 2


def test_live_views_count_when_the_board_has_moved():
    told = []
    poses = [VIEWS[0], VIEWS[0], VIEWS[1], VIEWS[1], VIEWS[2]]
    frames = [Frame(board_picture(*pose), n, n * 0.7) for n, pose in enumerate(poses)]
    views, board = collected(iter(frames), USUAL_BOARDS[0], told.append)
    assert [view.name for view in views] == ["0.0 s", "1.4 s", "2.8 s"]
    assert board is USUAL_BOARDS[0]
    assert [line.split(":")[0] for line in told] == ["view 1", "view 2", "view 3"]
    assert all("%" in line and ("hold the board" in line or "tilt" in line) for line in told)


def test_frames_between_two_looks_are_passed_over():
    frames = [Frame(board_picture(*pose), n, n * 0.1) for n, pose in enumerate(VIEWS[:3])]
    assert len(collected(iter(frames), USUAL_BOARDS[0], lambda _: None)[0]) == 1


def test_check_tells_how_much_to_believe(tmp_path, capfd):
    camera = a_camera()
    places = np.array([(0, 0), (700, 0), (700, 500), (0, 500)], float)
    rows = [f"[{u:.3f}, {v:.3f}, {x:g}, {y:g}]" for u, v, x, y in np.c_[camera.to_image(places), places]]
    text = 'schema = "sandtable/setup/1"\ngame = "omms"\n[table]\nsize_mm = [700, 500]\n[calibration]\n'
    text += f"points = [{', '.join(rows)}]\n"
    text += "[camera]\nsize_px = [1920, 1080]\nfx = 1449.6\nfy = 1449.6\ncx = 959.5\ncy = 539.5\n"
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.full((1080, 1920, 3), 120, np.uint8))
    assert run(["calibrate", "check", str(picture), "--setup", str(write_setup(tmp_path, text))]) == 0
    out, err = capfd.readouterr()
    assert '"light": "green"' in out and "believe" in err


STILL = Path(__file__).parents[3] / "sample_footage" / "stills" / "still-000-plain.jpg"


@pytest.mark.parametrize(("factor", "light"), [(1.0, "green"), (1.06, "red")])
def test_coins_prove_a_good_measure_and_betray_a_wrong_scale(tmp_path, factor, light):
    text = STILL.with_suffix(".setup.toml").read_text(encoding="utf-8")
    # All lengths of the table 6 % too large: the markers fit as well as before, the coins do not.
    for length in ("700, 500", "40", "20, 20", "680, 20", "680, 480", "20, 480"):
        scaled = ", ".join(f"{float(each) * factor:g}" for each in length.split(", "))
        text = re.sub(rf"(= \[?){length}(\]?[,\n ])", rf"\g<1>{scaled}\g<2>", text)
    out = tmp_path / "check.json"
    assert run(["calibrate", "check", str(STILL), "--setup", str(write_setup(tmp_path, text)), "-o", str(out)]) == 0
    told = json.loads(out.read_text(encoding="utf-8"))
    assert told["light"] == light
    assert len(told["proofs"]) > 15
    assert (told["believe_mm"] > 10) == (light == "red")
