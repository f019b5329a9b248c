"""One pixel inside and one outside each mark, and the layer that is drawn once."""

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtGui import QColor
from shapely import GeometryCollection, LineString, Point, box

from rules.game import Mark
from tests.ui.builders import SIZE_PX, TABLE_MM, VIEW, a_frame
from ui import theme
from ui.paint.banner import Banner, banner_box
from ui.paint.canvas import Canvas
from ui.paint.overlay import Overlay, _labelled_box, mark_path
from ui.paint.projection import BoardView

GREY = (90, 90, 90)


QUIET = Banner()


def painted(*marks, banner=QUIET):
    canvas = Canvas(SIZE_PX)
    canvas.load(a_frame().image_bgr)
    Overlay(SIZE_PX, VIEW).paint(canvas.image, marks, banner)
    return canvas.bgr()


def at_mm(picture, x, y):
    u, v = VIEW.to_image([(x, y)])[0]
    return tuple(int(value) for value in picture[round(v), round(u)])


def bgr(colour):
    tint = QColor(colour)
    return tint.blue(), tint.green(), tint.red()


def test_canvas_shares_its_pixels_with_qt():
    canvas = Canvas((64, 48))
    canvas.load(np.full((48, 64, 3), 10, np.uint8))
    canvas.image.setPixelColor(5, 7, QColor(1, 2, 3))
    assert tuple(canvas.bgra[7, 5][:3]) == (3, 2, 1)
    canvas.bgra[7, 6] = (30, 20, 10, 255)
    assert canvas.image.pixelColor(6, 7).getRgb()[:3] == (10, 20, 30)


def test_an_empty_overlay_changes_nothing():
    assert (painted() == 90).all()


def test_a_road_reach_is_drawn_on_the_road_and_nowhere_else():
    picture = painted(Mark("reach", LineString([(40, 120), (200, 120)])))
    assert at_mm(picture, 100, 120) == bgr(theme.SKY)
    assert at_mm(picture, 100, 128) == GREY
    assert at_mm(picture, 210, 120) == GREY


def test_ground_is_filled_and_its_hole_is_not():
    ground = Point(160, 120).buffer(60).difference(Point(160, 120).buffer(20))
    picture = painted(Mark("reach", ground))
    assert at_mm(picture, 200, 120) not in (GREY, bgr(theme.SKY))
    assert at_mm(picture, 160, 120) == GREY
    assert at_mm(picture, 225, 120) == GREY


def test_a_road_and_ground_reach_in_one_mark():
    both = GeometryCollection([LineString([(20, 60), (300, 60)]), Point(160, 160).buffer(20)])
    picture = painted(Mark("reach", both))
    assert at_mm(picture, 290, 60) == bgr(theme.SKY)
    assert at_mm(picture, 160, 160) != GREY


@pytest.mark.parametrize(("role", "colour"), [("owner-red", theme.VERMILLION), ("owner-yellow", theme.YELLOW)])
def test_a_ring_lies_on_the_rim(role, colour):
    picture = painted(Mark(role, Point(160, 120).buffer(20, 64)))
    assert at_mm(picture, 180, 120) == bgr(colour)
    assert at_mm(picture, 160, 120) == GREY
    assert at_mm(picture, 186, 120) == GREY


def test_the_ring_of_the_black_player_shows_on_black_pieces():
    canvas = Canvas(SIZE_PX)
    canvas.load(np.full((SIZE_PX[1], SIZE_PX[0], 3), 12, np.uint8))
    Overlay(SIZE_PX, VIEW).paint(canvas.image, (Mark("owner-black", Point(200, 150).buffer(40)),), QUIET)
    assert canvas.bgr().max() > 150


def test_a_point_is_crossed():
    picture = painted(Mark("blocked", Point(160, 120)))
    assert at_mm(picture, 160, 120) == bgr(theme.VERMILLION)
    assert at_mm(picture, 160, 126) == GREY


class Raising(BoardView):
    def to_image(self, xy_mm, height_mm=0.0, /):
        px = super().to_image(xy_mm)
        px[:, 1] -= height_mm
        return px


def test_a_line_may_rise():
    path = mark_path(Mark("target", LineString([(40, 120, 0), (200, 120, 50)])), Raising(TABLE_MM, SIZE_PX, 0.0), 1.0)
    ends = [path.elementAt(0), path.elementAt(path.elementCount() - 1)]
    assert ends[0].y - ends[1].y == pytest.approx(50)


def test_the_label_of_a_line_stands_at_its_far_end():
    """Several shots go out from one man: at their middles one could not tell whose number is whose."""
    mark = Mark("target", LineString([(40, 120), (280, 60)]), "4+")
    box = _labelled_box(mark, mark_path(mark, VIEW, 1.0), 20.0)
    assert (box.center().x(), box.center().y()) == pytest.approx((560.5, 360.5), abs=1)


def test_a_raised_mark_is_projected_at_its_height():
    overlay, canvas = Overlay(SIZE_PX, Raising(TABLE_MM, SIZE_PX, margin_px=0.0)), Canvas(SIZE_PX)
    canvas.load(a_frame().image_bgr)
    overlay.paint(canvas.image, (Mark("reach", LineString([(40, 120), (280, 120)]), height_mm=40.0),), Banner())
    assert at_mm(canvas.bgr(), 160, 140) == bgr(theme.SKY)
    assert at_mm(canvas.bgr(), 160, 120) == GREY


def test_an_unknown_role_is_still_drawn():
    assert at_mm(painted(Mark("nobody-styled-this", box(100, 100, 200, 200))), 100, 150) == bgr(theme.QUIET)


def test_a_mark_behind_the_camera_is_left_out():
    class Blind(BoardView):
        def to_image(self, xy_mm, height_mm=0.0, /):
            return super().to_image(xy_mm) * np.nan

    overlay, canvas = Overlay(SIZE_PX, Blind(TABLE_MM, SIZE_PX)), Canvas(SIZE_PX)
    canvas.load(a_frame().image_bgr)
    overlay.paint(canvas.image, (Mark("reach", box(0, 0, 9, 9), "here"), Mark("blocked", Point(3, 3))), Banner())
    assert (canvas.bgr() == 90).all()


def test_a_label_is_written_beside_its_mark():
    shape = Point(160, 120).buffer(20, 64)
    plain, labelled = painted(Mark("target", shape)), painted(Mark("target", shape, "wins 42 %"))
    changed = np.argwhere((plain != labelled).any(axis=2))
    assert len(changed) > 200
    assert changed[:, 0].max() < VIEW.to_image([(160, 140)])[0][1]  # above the ring


def test_the_banner_tells_the_verdict_by_colour_and_text():
    banner = Banner("red 5p moved: not legal", "OMMS-3.2: no road leads there", "no", "hand over the table")
    picture = painted(banner=banner)
    strip = banner_box(banner, SIZE_PX)
    left, middle = int(strip.left()) + 2, int(strip.center().y())
    assert tuple(int(v) for v in picture[middle, left]) == bgr(theme.VERMILLION)
    inside = picture[int(strip.top()) + 3 : int(strip.bottom()) - 3, left + 8 : int(strip.right()) - 3]
    assert inside.min() < 40 and inside.max() > 200  # dark strip, light letters
    assert (picture[: int(strip.top()) - 2] == 90).all()


def test_a_long_reason_is_written_on_as_many_lines_as_it_needs():
    reason = "OMMS-3.5: " + "no road of those that it may take leads there, " * 4
    strip = banner_box(Banner("red 5p moved: not legal", reason, "no"), SIZE_PX)
    assert strip.height() > 1.3 * banner_box(Banner("red 5p moved: not legal", "OMMS-3.5", "no"), SIZE_PX).height()
    last = painted(banner=Banner("red 5p moved: not legal", f"{reason}here"))
    assert (last != painted(banner=Banner("red 5p moved: not legal", f"{reason}now"))).any()  # its end shows


def test_a_title_without_room_leaves_out_the_ids_and_then_takes_a_second_line():
    """The place at its end was cut: "red 10p (c3) attacks blue 2p (c8) at Je…"."""
    whole = "red 10p (red-guard-from-the-north) attacks blue 2p (blue-fortification) at Jessamy"
    short = "red 10p attacks blue 2p at Jessamy"
    by_ids = Banner(whole, turn="Turn 1", short=short)
    assert (painted(banner=by_ids) == painted(banner=Banner(short, turn="Turn 1"))).all()
    two_lines = Banner(whole, turn="Turn 1 · attack · Ann", short=f"{short}, where the roads of three counties meet")
    line_px = banner_box(by_ids, SIZE_PX).height()
    assert banner_box(two_lines, SIZE_PX).height() > 1.5 * line_px
    assert (painted(banner=two_lines) != painted(banner=replace(two_lines, short=f"{short}, where the"))).any()


def test_a_phone_held_upright_shows_the_verdict_too():
    """Its letters grew with the picture's height: no word of a title was left, and the status ran out of the strip."""

    def strip(title):
        size_px = (720, 1280)
        canvas = Canvas(size_px)
        canvas.image.fill(0)
        Overlay(size_px, VIEW).paint(
            canvas.image, (), Banner(title, "", "yes", "hand over the table", "Turn 12 · draw")
        )
        return canvas.bgr().astype(int)

    legal = strip("red 5p moved: legal")
    assert (legal != strip("red 5p moved: not legal")).any()
    assert not legal[:, :8].any()  # left of the strip


def test_no_banner_without_words():
    assert banner_box(Banner(), SIZE_PX).isEmpty()


def test_the_layer_is_drawn_anew_only_for_other_marks(monkeypatch):
    overlay, canvas, drawn = Overlay(SIZE_PX, VIEW), Canvas(SIZE_PX), []
    real = Overlay._draw
    monkeypatch.setattr(Overlay, "_draw", lambda self, marks, banner: (drawn.append(1), real(self, marks, banner)))
    marks = (Mark("reach", box(10, 10, 50, 50)),)
    for shown in (marks, marks, marks, (Mark("reach", box(10, 10, 60, 50)),)):
        overlay.paint(canvas.image, shown, Banner("x"))
    assert len(drawn) == 2


def test_turn_phase_and_player_stand_in_one_place_whatever_else_is_told():
    """Neither a film nor a replay told them but in the moment when a phase began."""
    told, hand, none = (
        painted(banner=Banner("red 5p moved: legal", "", "yes", status, turn))
        for status, turn in (("", "Turn 1 · attack · Ann"), ("hand over the table", "Turn 1 · attack · Ann"), ("", ""))
    )
    right = slice(None), slice(520, None)
    assert (told[right] == hand[right]).all() and (told[right] != none[right]).any()
