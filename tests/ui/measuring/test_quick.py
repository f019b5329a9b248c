"""The quick set-up: a mat or cards tell the table, one click says yes, and what will not do is refused."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt

from calibration.fit.correspondence import Correspondences
from calibration.lens import Lens
from calibration.plane import SIGMAS_95
from rules.files.scene_file import read_scene
from rules.setup import CARD_SIZE_MM
from tests.calibration.table_picture import a_camera, a_lens, lay_card, paper, shoot
from ui.cli import run
from ui.measuring.asked_corners import clicked_corners
from ui.measuring.clicked import Click
from ui.measuring.corners import by_three
from ui.measuring.quick import Known, found_table, grid_px, quick_text
from ui.measuring.table import plane_for
from ui.setup.calibration_block import CalibrationBlock, EllipseBlock
from ui.setup.setup_file import read_setup
from ui.setup.wizard import corner_points
from ui.window.confirm import ConfirmDialog
from vision.frame import Frame
from vision.scale.three_corners import Corners, coins_beside
from vision.stream.picture import read_picture

STILL = Path(__file__).parents[3] / "sample_footage" / "stills" / "still-009-plain-table.jpg"
TEXELS = 3
LENS = a_lens((1280, 720))
SIZE_MM = (700.0, 500.0)
CORNERS = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)


def a_mat(camera, tone=200, beyond=60):
    """A light mat on a dark table, with pieces on it."""
    mat = np.full((500 * TEXELS, 700 * TEXELS), tone, np.uint8)
    for x, y in np.random.default_rng(4).uniform((60, 60), (640, 440), (25, 2)):
        cv2.circle(mat, (round(x * TEXELS), round(y * TEXELS)), 12 * TEXELS, 90, -1)
    return cv2.cvtColor(shoot(camera, mat, TEXELS, rays=2, beyond=beyond), cv2.COLOR_GRAY2BGR)


PLACES = ((110, 90, 20), (560, 110, 75), (330, 300, -40), (590, 400, 10))


def cards_only(camera, size_mm=CARD_SIZE_MM["poker"], places=PLACES):
    sheet = np.full((500 * TEXELS, 700 * TEXELS), 70, np.uint8)
    for place in places:
        lay_card(sheet, place, size_mm, TEXELS, 235)
    return cv2.cvtColor(shoot(camera, sheet, TEXELS, rays=2, beyond=70), cv2.COLOR_GRAY2BGR)


def test_a_mat_is_found_by_its_outline_with_pieces_on_it():
    camera = a_camera(55, 1300, lens=LENS)
    found = found_table(Frame(a_mat(camera)), SIZE_MM)
    assert found.way == "outline"
    assert np.allclose(found.plane.to_image(CORNERS), camera.to_image(CORNERS), atol=1.0)


def test_a_mat_is_found_through_a_fisheye_that_was_measured():
    """Its focal length, 0.38 of the width, is no ordinary camera's, and the lens file says so."""
    focal_px = 0.38 * 1280
    matrix = [[focal_px, 0, 637], [0, focal_px, 364], [0, 0, 1]]
    fisheye = Lens.measured((1280, 720), matrix, (0.02, -0.005, 0, 0), fisheye=True)
    camera = a_camera(55, 620, 2, 8, lens=fisheye)
    found = found_table(Frame(a_mat(camera)), SIZE_MM, Known(lens=fisheye))
    assert found.way == "outline"
    assert np.allclose(found.plane.to_image(CORNERS), camera.to_image(CORNERS), atol=0.5)


def test_cards_measure_a_table_without_an_edge():
    camera = a_camera(60, 950, lens=LENS)
    found = found_table(Frame(cards_only(camera)), SIZE_MM)
    assert found.way == "cards"
    corners = found.plane.to_table(camera.to_image(CORNERS))
    assert np.hypot(*(corners[2] - corners[0])) == pytest.approx(np.hypot(*SIZE_MM), rel=0.012)


@pytest.mark.parametrize("tilt_deg", [45, 60])
@pytest.mark.parametrize("known", [None, LENS])
def test_bridge_cards_are_told_by_their_shape(tilt_deg, known):
    """They passed for poker cards: 42 mm off without a lens file, 5 to 6 stated."""
    camera = a_camera(tilt_deg, 950, lens=LENS)
    found = found_table(Frame(cards_only(camera, CARD_SIZE_MM["bridge"])), SIZE_MM, Known(lens=known))
    assert (found.way, found.block.card, found.spec.card_size_mm) == ("bridge cards", "bridge", CARD_SIZE_MM["bridge"])
    assert 'card = "bridge"' in quick_text("pocket", SIZE_MM, found.block)
    corners = found.plane.to_table(camera.to_image(CORNERS))
    assert np.hypot(*(corners[2] - corners[0])) == pytest.approx(np.hypot(*SIZE_MM), rel=0.012)


@pytest.mark.parametrize(("make", "way"), [("poker", "cards"), ("bridge", "bridge cards")])
def test_one_card_through_a_lens_file_tells_its_make(make, way):
    assert one_card(make, 60).way == way


def test_one_card_whose_shape_does_not_tell_its_make_is_refused():
    with pytest.raises(ValueError, match="by cards: their shape fits poker cards and bridge cards"):
        one_card("bridge", 45)
    assert one_card("poker", 45).way == "cards"


def test_in_doubt_of_the_make_cards_measure_where_either_measures_alike(monkeypatch):
    poker_mm = CARD_SIZE_MM["poker"]
    monkeypatch.setattr("ui.measuring.quick.likely_sizes", lambda *_: (poker_mm, poker_mm))
    assert one_card("poker", 60).way == "cards"


def one_card(make, tilt_deg):
    lens = a_lens()
    camera = a_camera(tilt_deg, 700 if tilt_deg == 60 else 800, 10, 20, lens=lens)
    frame = Frame(cards_only(camera, CARD_SIZE_MM[make], PLACES[2:3]))
    return found_table(frame, SIZE_MM, Known(lens=lens))


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        (lambda: a_mat(a_camera(55, 1300, lens=LENS), 24, 22), "dark"),
        (lambda: np.full((720, 1280, 3), 120, np.uint8), "no outline of a sheet of 700 x 500 mm is seen whole"),
        (lambda: a_mat(a_camera(55, 9000, lens=LENS)), "no outline"),
    ],
)
def test_what_will_not_do_is_refused_with_the_reason(picture, reason):
    with pytest.raises(ValueError, match=reason):
        found_table(Frame(picture()), SIZE_MM)


def test_the_command_writes_a_set_up_that_measures(tmp_path, capfd):
    camera = a_camera(55, 1300, lens=LENS)
    picture, out = tmp_path / "table.png", tmp_path / "quick.toml"
    cv2.imwrite(str(picture), a_mat(camera))
    assert run(["setup", str(out), "--quick", "--picture", str(picture), "--game", "pocket"]) == 0
    assert "Found by its outline" in capfd.readouterr().err
    setup = read_setup(out)
    assert setup.rules.game == "pocket" and len(setup.rules.players) == 2
    plane = plane_for(setup, read_picture(picture))
    assert np.allclose(plane.to_table(camera.to_image([[350, 250]])), [[350, 250]], atol=1.0)


def test_a_known_print_is_matched_with_no_marker_and_no_click(tmp_path, monkeypatch, capfd):
    camera, sheet = a_camera(50, 600, 4, 10, lens=LENS, aim_mm=(210, 150)), paper((420, 297), TEXELS)
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("print.png", sheet)
    for x, y in np.random.default_rng(4).uniform((40, 40), (380, 250), (10, 2)):
        cv2.circle(sheet, (round(x * TEXELS), round(y * TEXELS)), 12 * TEXELS, 90, -1)
    picture = shoot(camera, sheet, TEXELS, rays=2, beyond=180)
    cv2.ellipse(picture, (880, 600), (150, 320), 15, 0, 360, 110, -1)
    cv2.imwrite("table.png", picture)
    (tmp_path / "sets").mkdir()
    asked = ["--quick", "--picture", "table.png", "--sheet", "print.png", "--size", "420", "297"]
    assert run(["setup", "sets/quick.toml", *asked]) == 0
    # Of another size it fits as well, and what it is good to is as much larger.
    assert re.search(r"Found by its print, good to 0\.\d mm, if it is 420 x 297 mm\.\n", capfd.readouterr().err)
    setup = read_setup(tmp_path / "sets" / "quick.toml")
    assert setup.calibration.sheet.picture.resolve() == (tmp_path / "print.png").resolve()
    plane, corners = plane_for(setup, read_picture(tmp_path / "table.png")), CORNERS * (420 / 700, 297 / 500)
    assert np.abs(plane.to_table(camera.to_image(corners)) - corners).max() < 0.6


def test_a_known_map_is_found_by_its_roads(tmp_path, capfd):
    camera, lines = (
        a_camera(52, 950, lens=LENS),
        [np.random.default_rng(n).uniform(20, (680, 480), (4, 2)) for n in range(20)],
    )
    sheet = np.full((500 * TEXELS, 700 * TEXELS), 215, np.uint8)
    for line in lines:
        texels = np.c_[line[:, 0] * TEXELS - 0.5, (500 - line[:, 1]) * TEXELS - 0.5]
        cv2.polylines(sheet, [np.round(texels * 16).astype(np.int32)], False, 70, 4, cv2.LINE_AA, 4)
    cv2.imwrite(str(tmp_path / "table.png"), shoot(camera, sheet, TEXELS, rays=2, beyond=60))
    roads = [
        {
            "type": "Feature",
            "properties": {"kind": "road", "class": "a"},
            "geometry": {"type": "LineString", "coordinates": line.tolist()},
        }
        for line in lines
    ]
    drawn = {"type": "FeatureCollection", "schema": "sandtable/map/1", "features": roads}
    (tmp_path / "map.geojson").write_text(json.dumps(drawn))
    out, seen, drawn = (str(tmp_path / name) for name in ("quick.toml", "table.png", "map.geojson"))
    assert run(["setup", out, "--quick", "--picture", seen, "--map", drawn]) == 0
    assert "Found by its roads" in capfd.readouterr().err
    setup = read_setup(tmp_path / "quick.toml")
    assert setup.calibration.roads and setup.rules.map is not None
    plane = plane_for(setup, read_picture(tmp_path / "table.png"))
    assert np.abs(plane.to_table(camera.to_image(CORNERS)) - CORNERS).max() < 2.0


def test_a_quick_set_up_that_finds_nothing_is_one_line_and_no_file(tmp_path, capfd):
    picture, out = tmp_path / "wall.png", tmp_path / "quick.toml"
    cv2.imwrite(str(picture), np.full((480, 640, 3), 130, np.uint8))
    assert run(["setup", str(out), "--quick", "--picture", str(picture)]) == 1
    err = capfd.readouterr().err
    assert "by outline" in err and "by cards" in err and err.count("\n") == 1
    assert not out.exists()


def test_what_is_refused_in_the_end_is_told_of_the_file_that_was_named(tmp_path, capfd, monkeypatch):
    """A hidden file beside it was named."""
    picture, out = tmp_path / "table.png", tmp_path / "quick.toml"
    cv2.imwrite(str(picture), a_mat(a_camera(55, 1300, lens=LENS)))

    def refuse(_, setup):
        raise ValueError(f"{setup.path}: calibration: no table")

    monkeypatch.setattr("ui.setup.viewing.Viewing.check", refuse)
    assert run(["setup", str(out), "--quick", "--picture", str(picture)]) == 1
    assert capfd.readouterr().err.splitlines()[-1] == f"sandtable: {out}: calibration: no table"
    assert not out.exists()


def test_a_size_that_is_no_number_is_said_to_be_none(tmp_path, capfd):
    assert run(["setup", str(tmp_path / "quick.toml"), "--quick", "--size", "700", "abc"]) == 2
    assert "'abc' is not a valid number" in capfd.readouterr().err


def test_a_dark_picture_is_said_to_be_dark_and_nothing_else(tmp_path, capfd):
    picture = tmp_path / "night.png"
    cv2.imwrite(str(picture), np.full((480, 640, 3), 4, np.uint8))
    assert run(["setup", str(tmp_path / "quick.toml"), "--quick", "--picture", str(picture)]) == 1
    assert capfd.readouterr().err == f"sandtable: {picture}: the picture is dark (mean 4 of 255): more light\n"


@pytest.mark.parametrize(("tilt_deg", "lens", "clicked"), [(45, LENS, 3), (70, LENS, 4), (45, None, 4)])
def test_a_bare_table_takes_three_clicks_where_they_do_and_else_says_why_not(tilt_deg, lens, clicked):
    camera, asked, said = a_camera(tilt_deg, 1250, 2, 10, lens=LENS), [], []

    def clicks(names, because="", before=()):
        asked.extend(names[len(before) :])
        return [Click(*px) for px in camera.to_image(CORNERS)[: len(names)].tolist()]

    frame = Frame(np.zeros((720, 1280, 3), np.uint8))
    shown = []
    block = clicked_corners(frame, SIZE_MM, clicks, shown.append, lens, said.append).block
    assert len(asked) == len(block.points) == clicked and not block.ellipses
    assert asked[0] == "the near left corner of the table"
    assert [told.is_clicked for told in shown] == [clicked == 4]
    (line,) = said
    if clicked == 4:
        sides = "no two sides are seen to meet in the far left corner"
        assert line.startswith(f"a fourth corner is needed: {sides}, and only 0 coins")
    else:
        assert line == "the far left corner is told by the lens"


def test_a_table_whose_sides_show_takes_three_clicks_without_a_lens_file():
    camera = a_camera(50, 1300, 2, 10, lens=LENS)
    clicked = [Click(round(u), round(v), 1.5) for u, v in camera.to_image(CORNERS[:3])]
    block = by_three(Frame(a_mat(camera)), SIZE_MM, clicked, None).block
    assert block.card is None and not block.ellipses and len(block.points) == 4
    # Clicks in a small window are sharpened by the sides that show.
    assert block.points_sigma_px == (0.5,) * 4
    assert np.abs(np.array(block.points)[:, :2] - camera.to_image(CORNERS)).max() < 0.4
    assert np.hypot(*(np.array(block.points[3][:2]) - camera.to_image(CORNERS[3:])[0])) < 1.5


def test_a_corner_that_was_told_wrong_is_clicked_instead():
    camera = a_camera(45, 1250, 2, 10, lens=LENS)
    corners_px = [Click(*px) for px in camera.to_image(CORNERS).tolist()]
    frame = Frame(np.zeros((720, 1280, 3), np.uint8))
    instead = iter([Click(300.4, 120.6, 0.9), None])
    told = clicked_corners(frame, SIZE_MM, lambda *_: corners_px[:3], lambda _: next(instead), LENS, lambda _: None)
    assert told.block.points[3] == (300.4, 120.6, 0, 500) and told.block.points_sigma_px == (0.5, 0.5, 0.5, 0.9)


def test_with_coins_on_it_a_bare_table_takes_three_clicks_and_is_written_so(tmp_path):
    frame, setup = read_picture(STILL), read_setup(STILL.with_suffix(".setup.toml"))
    camera = plane_for(setup, frame)
    clicked = [(float(round(u)), float(round(v))) for u, v in camera.to_image(CORNERS[:3])]
    coins = [coin for coin in read_scene(STILL.with_suffix(".truth.geojson")).pieces if coin.elevation_mm == 0]
    corners = Corners(Correspondences.of(clicked, CORNERS[:3]), SIZE_MM, None, None)

    def look(_, plane):
        return [replace(coin, position_mm=tuple(plane.to_table([coin.image_px], 1.8)[0])) for coin in coins]

    ellipses = coins_beside(frame, corners, look)
    block = CalibrationBlock(
        corner_points(clicked, SIZE_MM),
        ellipses=tuple(EllipseBlock(each.centre_px, each.axes_px, each.angle_deg, each.cls) for each in ellipses),
    )
    (tmp_path / "quick.toml").write_text(quick_text("omms", SIZE_MM, block))
    written = read_setup(tmp_path / "quick.toml")
    assert len(written.calibration.points) == 3 and len(written.calibration.ellipses) == len(ellipses) > 12
    plane, corners_px = plane_for(written, frame), camera.to_image(CORNERS)
    off_mm = np.hypot(*(plane.to_table(corners_px) - CORNERS).T)
    assert (off_mm < 1.5 * SIGMAS_95 * plane.sigma_mm(corners_px)).all() and off_mm.max() < 12


def test_coins_of_a_told_currency_play_the_parts(tmp_path):
    block = CalibrationBlock(card="poker")
    (tmp_path / "quick.toml").write_text(quick_text("omms", SIZE_MM, block, currency="eur"))
    legend = read_setup(tmp_path / "quick.toml").rules.legend
    assert [legend[f"eur-{coin}"] for coin in ("1c", "5c", "20c", "1")] == ["settlement", "scout", "invader", "tank"]
    for game, currency in (("omms", "gbp"), ("omms", None), ("omniwar", "eur")):
        assert "[legend]" not in quick_text(game, SIZE_MM, block, currency=currency)


@pytest.mark.parametrize("make", ["poker", "bridge"])
def test_cards_that_can_be_read_make_three_corners_enough(tmp_path, monkeypatch, make):
    """Bridge cards were taken for poker cards that contradict the corners, and a fourth was asked for."""
    camera, cards_mm = a_camera(50, 1250, 2, 10, lens=LENS), CARD_SIZE_MM[make]
    frame = Frame(cards_only(camera, cards_mm))
    clicked = [Click(round(u), round(v)) for u, v in camera.to_image(CORNERS[:3])]
    with pytest.raises(ValueError, match="only 0 coins"):
        by_three(frame, SIZE_MM, clicked, None)
    monkeypatch.setattr("ui.measuring.corners.shows_a_card", lambda *_: True)
    block = by_three(frame, SIZE_MM, clicked, None).block
    assert block.card == make and len(block.points) == 3
    (tmp_path / "quick.toml").write_text(quick_text("pocket", SIZE_MM, block, currency="usd"))
    written = read_setup(tmp_path / "quick.toml")
    assert written.rules.currency == "usd"
    plane, corners_px = plane_for(written, frame), camera.to_image(CORNERS)
    assert (np.hypot(*(plane.to_table(corners_px) - CORNERS).T) < SIGMAS_95 * plane.sigma_mm(corners_px) + 0.3).all()


@pytest.mark.parametrize("by_pipe", [False, True])
def test_a_lens_file_is_written_into_the_quick_set_up(tmp_path, by_pipe):
    """From a pipe it was asked for thrice, and "there is no [camera] in it" said."""
    camera = a_camera(55, 1300, lens=LENS)
    picture, lens, out = tmp_path / "table.png", tmp_path / "lens.toml", tmp_path / "quick.toml"
    cv2.imwrite(str(picture), a_mat(camera))
    focal, (u, v) = LENS.matrix[0, 0], LENS.matrix[:2, 2]
    text = f"[camera]\nsize_px = [1280, 720]\nfx = {focal}\nfy = {focal}\ncx = {u}\ncy = {v}\n"
    if by_pipe:
        reading, writing = os.pipe()  # as the shell's <(...)
        os.write(writing, text.encode())
        os.close(writing)
        lens = Path(f"/dev/fd/{reading}")
    else:
        lens.write_text(text)
    assert run(["setup", str(out), "--quick", "--picture", str(picture), "--lens", str(lens)]) == 0
    setup = read_setup(out)
    assert setup.camera is not None and setup.camera.fx == pytest.approx(focal, abs=1e-3)
    assert plane_for(setup, read_picture(picture)).lens.known


def test_one_click_says_yes(qtbot, shown):
    camera = a_camera(55, 1300, lens=LENS)
    dialog = shown(ConfirmDialog(Frame(a_mat(camera)), grid_px(camera, SIZE_MM), "Found by its outline"))
    corner = camera.to_image([[0, 0]])[0].round().astype(int)
    painted = dialog._canvas.image.pixelColor(*map(int, corner))
    assert (painted.red(), painted.green()) == pytest.approx((240, 228), abs=60)
    dialog.picture.clicked.emit(-40.0, 120.0)  # beside the picture: nobody said yes
    assert dialog.isVisible()
    qtbot.mouseClick(dialog.picture, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    assert dialog.result() == 1 and dialog.answer == "yes"


@pytest.mark.parametrize("by", ["button", "Escape"])
def test_no_asks_for_the_corners(qtbot, shown, by):
    dialog = shown(ConfirmDialog(Frame(np.full((480, 640, 3), 90, np.uint8)), [], "Found"))
    if by == "button":
        dialog.no.click()
    else:
        assert "Escape: no, I click the corners" in dialog.keys.text()
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.result() == 1 and dialog.answer == "corners"
