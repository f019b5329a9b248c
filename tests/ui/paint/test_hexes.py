"""Hexes are drawn where no picture shows them, and their names can be found and typed."""

from pathlib import Path

import pytest
from PyQt6.QtGui import QColor, QPainter

from rules.match import match_header, start
from rules.setup import Setup
from rules.state import State
from tests.ui.builders import PLAYERS, TABLE_MM, VIEW, a_coin, a_scene
from ui.paint import hex_names
from ui.paint.banner import Banner
from ui.paint.board import SIZE_PX
from ui.paint.canvas import Canvas
from ui.paint.hexes import board_hexes, concerned_hexes, hex_at
from ui.paint.overlay import Overlay, mark_path
from ui.playing.replay import Replay
from ui.where import where_mm
from ui.window.piece_panel import piece_html
from ui.window.typed_move import TypedMove

GRID = {"kind": "hex", "pitch_mm": 40.0, "origin_mm": [40.0, 40.0]}
LOG = Path(__file__).parents[3] / "sample_footage" / "omniwar" / "match.jsonl"


@pytest.fixture
def match():
    """A tank in hex (2, 1): 40 + 2 * 40 + 20 mm, 40 + 34.6 mm."""
    scene = a_scene(a_coin("c1", "gbp-2p", at=(140.0, 74.6)))
    return start(Setup("omniwar", TABLE_MM, PLAYERS, legend={"gbp-2p": "Tank"}), scene, State(grid=GRID))


def test_the_replay_draws_the_grid_that_its_log_tells():
    shown = Replay.read(LOG).match()
    marks = {mark.label: mark.shape for mark in board_hexes(shown)}
    middle = marks["3, 3"].centroid
    assert (middle.x, middle.y) == pytest.approx((100 + 4.5 * 38.1, 66 + 3 * 38.1 * 0.75**0.5))
    assert marks["3, 3"].area == pytest.approx(38.1**2 * 0.75**0.5)


def test_a_game_by_measure_has_no_hexes(match):
    open_table = start(match.setup, match.scene)
    assert board_hexes(open_table) == () == concerned_hexes(open_table, "c1", None)
    assert hex_at(open_table, (140.0, 74.6)) is None


def test_the_hexes_of_a_piece_s_reach_are_named_and_no_others(match):
    names = {mark.label for mark in concerned_hexes(match, "c1", None)}
    assert {"2, 1", "3, 1", "2, 2"} <= names and "5, 4" not in names
    assert concerned_hexes(match, None, None) == ()
    assert "hex\N{NO-BREAK SPACE}(2,\N{NO-BREAK SPACE}1)" in piece_html(match, match.scene, "c1", [])


def test_the_name_is_written_in_its_hex(match):
    overlay, canvas = Overlay((640, 480), VIEW), Canvas((640, 480))
    canvas.bgra[:] = 90
    overlay.paint(canvas.image, concerned_hexes(match, "c1", None), Banner())
    u, v = VIEW.to_image([(140.0, 74.6)])[0]
    row = [QColor(canvas.image.pixel(x, y)).lightness() for x in range(int(u) - 16, int(u) + 16)
           for y in range(int(v) + 22, int(v) + 44)]  # fmt: skip
    assert max(row) > 150 and QColor(canvas.image.pixel(int(u), int(v))).lightness() == 90


@pytest.mark.parametrize("said", ["3, 2", "3 2", "(3, 2)", "hex (3, 2)"])
def test_what_is_typed_is_a_hex(match, said):
    """It was 3 mm and 2 mm from the corner: off the board."""
    assert where_mm(said, match) == (200.0, 109.3)


def test_millimetres_can_still_be_typed(match):
    assert where_mm("30, 20 mm", match) == (30, 20) and where_mm("30.5, 20", match) == (30.5, 20)
    with pytest.raises(ValueError, match=r"no hex \(30, 20\) on the board; for millimetres type 30, 20 mm"):
        where_mm("30, 20", match)


def test_the_field_says_what_it_wants(match, qtbot):
    field = TypedMove()
    qtbot.addWidget(field)
    field.show_piece(match, "c1")
    assert "hex" in field.place.placeholderText() and "mm" in field.place.toolTip()
    field.show_piece(start(match.setup, match.scene), "c1")
    assert field.place.placeholderText() == "x, y or a name"


@pytest.fixture
def lettered(monkeypatch):
    """Where names are written on a canvas of 640 x 480, by name."""
    written = {}
    monkeypatch.setattr(
        hex_names, "_paint_name", lambda _, mark, place: written.__setitem__(mark.label, place)
    )  # fmt: skip

    def letters(marks):
        canvas, outlines = Canvas((640, 480)), [(mark, mark_path(mark, VIEW, 0.44).boundingRect()) for mark in marks]
        painter = QPainter(canvas.image)
        hex_names.paint_hex_names(painter, outlines, letters.taken, (), 480 / 1080)
        painter.end()
        return written, {mark.label: box for mark, box in outlines}

    letters.taken = ()
    return letters


def test_a_name_gives_way_to_a_label(match, lettered):
    """A piece's label covered the names of the two hexes above it."""
    written, boxes = lettered(board_hexes(match))
    assert written["3, 2"].center().y() > boxes["3, 2"].center().y()
    lettered.taken = (written["3, 2"],)
    given_way, _ = lettered(board_hexes(match))
    assert given_way["3, 2"].center().y() < boxes["3, 2"].center().y()


def test_on_a_large_mat_fewer_hexes_are_named_and_these_can_be_read(match, lettered):
    """Each name was 9 px high in a picture that is shown at half its size."""
    small = start(match.setup, match.scene, State(grid={**GRID, "pitch_mm": 12.0}))
    written, _ = lettered(board_hexes(small))
    assert {"0, 0", "4, 4"} <= written.keys() and "3, 4" not in written
    assert min(place.height() for place in written.values()) >= 24 * 0.7 * 480 / 1080
    names = list(written.values())
    assert not any(one.intersects(other) for at, one in enumerate(names) for other in names[:at])


def test_a_replay_shows_every_hex_whole(match):
    """The uppermost row of a large mat was cut off."""
    events = start(match.setup, match.scene, State(grid={**GRID, "origin_mm": [0.0, 5.0]})).events
    shown = Replay(match_header(match.setup, ""), events)
    view, (width_px, depth_px) = shown.tick().plane, SIZE_PX
    for mark in board_hexes(shown.match()):
        px = view.to_image(mark.shape.exterior.coords)
        assert px.min() > 0 and px[:, 0].max() < width_px and px[:, 1].max() < depth_px - 175
