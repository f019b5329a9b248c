"""Clicking the corners of the table, with the mistakes that people make."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QImage

from calibration.view import ViewError
from tests.calibration.table_picture import a_camera, a_lens
from ui.measuring.asked_corners import TakenBackError, clicked_corners
from ui.measuring.clicked import Click, click_sigma_px
from ui.measuring.corners import CornersError, Told
from ui.setup.calibration_block import CalibrationBlock
from ui.setup.viewing import Viewing
from ui.window.chalk import LINE_BGR, crossed, lined, ringed
from ui.window.clicks import ClickDialog
from ui.window.fourth import FourthDialog
from ui.window.picture import Picture
from vision.frame import Frame

SIZE_MM, LENS = (700.0, 500.0), a_lens((1280, 720))
CAMERA = a_camera(70, 1250, 2, 10, lens=LENS)
CORNERS_MM = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)
BLANK = Frame(np.full((720, 1280, 3), 90, np.uint8))
NAMES = ("the near left corner", "the near right corner")


@pytest.fixture
def nothing_else_tells(monkeypatch):
    """Three corners never do: the eyes would look for coins on a blank table for seconds."""

    def by_three(*_):
        raise ValueError("nothing tells the fourth")

    monkeypatch.setattr("ui.measuring.asked_corners.by_three", by_three)


def corners_px(camera=CAMERA):
    return [Click(*px) for px in camera.to_image(CORNERS_MM).tolist()]


def at(dialog, u, v):
    box = dialog.picture.shown_box()
    scale = box.width() / 1280
    return QPoint(int(box.left() + (u + 0.5) * scale), int(box.top() + (v + 0.5) * scale))


def click(qtbot, dialog, u, v):
    qtbot.mouseClick(dialog.picture, Qt.MouseButton.LeftButton, pos=at(dialog, u, v))


def test_a_double_click_is_one_place(qtbot):
    """The next corner was put at the same place."""
    dialog = ClickDialog(BLANK, NAMES)
    qtbot.addWidget(dialog)
    dialog.show()
    click(qtbot, dialog, 300, 200)
    qtbot.mouseDClick(dialog.picture, Qt.MouseButton.LeftButton, pos=at(dialog, 300, 200))
    assert len(dialog.places) == 1


@pytest.mark.parametrize("ground", [20, 128, 235])
def test_what_is_drawn_is_seen_on_any_ground_and_as_broad_as_a_screen_shows(ground):
    """On a printed map a line of one pixel of 1920, shown at two thirds, could not be seen."""
    bgr = lined(Frame(np.full((1080, 1920, 3), ground, np.uint8)), [np.array([[0.0, 540.0], [1919.0, 540.0]])])
    crossed(bgr, (300, 200))
    ringed(bgr, (900, 200))
    assert (np.abs(bgr[530:550, 960].astype(int) - LINE_BGR).max(axis=1) < 60).sum() >= 2
    # Beside it there is dark, so that it is not lost on a bright ground either.
    for patch in (bgr[530:550, 960], bgr[190:210, 296:304].reshape(-1, 3), bgr[200, 870:900]):
        grey = patch.astype(int).mean(axis=1)
        assert grey.max() - grey.min() > 100


@pytest.mark.parametrize("place", [(300, 200), (0, 1)])
def test_a_mouse_points_at_the_middle_of_the_px_that_its_tip_covers(qtbot, shown, place):
    """Each click told a place half a px of the screen to the left and above, at 0.4 mm a px 0.3 mm of table."""
    picture = Picture()
    picture.show_image(QImage(640, 360, QImage.Format.Format_RGB32))
    shown(picture).resize(640, 360)
    with qtbot.waitSignal(picture.clicked, timeout=3000) as told:
        qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=QPoint(*place))
    assert told.args == pytest.approx(place, abs=1e-6)


def test_a_click_beside_the_picture_is_no_corner(qtbot, shown):
    dialog = shown(ClickDialog(BLANK, NAMES))
    dialog.picture.resize(dialog.picture.width(), dialog.picture.height())
    dialog.picture.clicked.emit(-40.0, 300.0)
    dialog.picture.clicked.emit(200.0, 760.0)
    assert dialog.places == [] and "in the picture" in dialog.question.text()
    click(qtbot, dialog, 300, 600)
    assert len(dialog.places) == 1 and "in the picture" not in dialog.question.text()


def test_a_slip_is_taken_back(qtbot, shown):
    dialog = shown(ClickDialog(BLANK, NAMES, "The table was not found by itself."))
    click(qtbot, dialog, 300, 600)
    assert dialog.question.text().startswith("The table was not found by itself.\nClick the near right corner")
    qtbot.keyClick(dialog, Qt.Key.Key_Backspace)
    assert dialog.places == [] and dialog.question.text().endswith("Click the near left corner")
    qtbot.keyClick(dialog, Qt.Key.Key_Backspace)
    click(qtbot, dialog, 310, 610)
    click(qtbot, dialog, 900, 610)
    assert dialog.result() == 1 and np.array(dialog.places)[:, :2] == pytest.approx(
        np.array([(310, 610), (900, 610)]), abs=1.6
    )


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_Escape])
def test_a_click_of_before_is_taken_back_and_the_window_stays(qtbot, shown, key):
    """Where the fourth corner was asked for nothing took the third back, and Escape threw all away unasked."""
    dialog = shown(ClickDialog(BLANK, NAMES, "A third is needed: none.", [Click(300, 600)]))
    assert dialog.question.text() == "A third is needed: none.\nClick the near right corner"
    assert "Backspace or Escape: take the last click back" in dialog.keys.text()
    qtbot.keyClick(dialog, key)
    assert dialog.isVisible() and dialog.places == [] and dialog.question.text().endswith("Click the near left corner")
    qtbot.keyClick(dialog, key)
    assert dialog.isVisible()


def test_clicked_anew_the_places_of_before_are_enough_and_why_they_were_not_is_told_no_more(qtbot, shown):
    """With all three taken back "a fourth corner is needed" stayed, and other three were not tried."""
    dialog = shown(ClickDialog(BLANK, NAMES, "A second is needed: none.", [Click(300, 600)]))
    top_px = dialog.picture.y()
    qtbot.keyClick(dialog, Qt.Key.Key_Backspace)
    assert "needed" not in dialog.question.text() and dialog.picture.y() == top_px
    click(qtbot, dialog, 310, 610)
    assert dialog.result() == 1 and len(dialog.places) == 1


@pytest.mark.parametrize("width_px", [730, 1280])
def test_the_picture_does_not_jump_back_when_a_place_outside_it_was_clicked_before(qtbot, shown, width_px):
    """The advice took a line more and went with the next click: the picture moved by 26 px under the mouse."""
    dialog = shown(ClickDialog(BLANK, NAMES))
    dialog.resize(width_px, 600)
    low_px = dialog.picture.y()
    dialog._click(-5000, 10)
    qtbot.waitUntil(lambda: dialog.picture.y() > low_px)
    top_px = dialog.picture.y()
    dialog._click(300, 600)
    qtbot.wait(20)
    assert "in the picture" not in dialog.question.text() and dialog.picture.y() == top_px
    dialog.resize(1900, 700)
    qtbot.waitUntil(lambda: dialog.picture.y() < top_px)


def test_other_three_corners_than_those_that_told_no_fourth_are_tried(monkeypatch):
    told = Told("the lens", CalibrationBlock(), CAMERA)
    answers, asked = iter([ValueError("none"), told]), []

    def by_three(*_):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def clicks(names, because="", before=()):
        asked.append((len(names), because))
        return corners_px()[:3]

    monkeypatch.setattr("ui.measuring.asked_corners.by_three", by_three)
    assert clicked_corners(BLANK, SIZE_MM, clicks, lambda _: None, None, lambda _: None) is told
    assert asked == [(3, ""), (4, "A fourth corner is needed: none.")]


@pytest.mark.parametrize("share", [2.0, 1.0, 0.5])
def test_a_click_is_as_exact_as_the_picture_is_shown_large(qtbot, shown, share):
    dialog = shown(ClickDialog(BLANK, NAMES))
    dialog.picture.setFixedSize(round(1280 * share), round(720 * share))
    click(qtbot, dialog, 300, 600)
    click(qtbot, dialog, 900, 610)
    assert [place.sigma_px for place in dialog.places] == pytest.approx([click_sigma_px(1 / share)] * 2, rel=0.02)


def test_a_hand_misses_by_pixels_of_the_screen_and_no_screen_is_finer_than_eyes():
    coarse, fine, finest = (click_sigma_px(1.0, fineness) for fineness in (1.0, 2.0, 3.0))
    assert 0.4 < fine < 0.7 < coarse < 0.85 and fine - finest < 0.02
    assert click_sigma_px(0.01) > 0.15


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ((1, 0, 3), "clicked in another order"),
        ((0, 3, 2), "clicked in another order"),
        ((0, 0, 2), "on the same corner"),
    ],
)
def test_corners_in_another_order_are_asked_for_again_with_the_reason(nothing_else_tells, order, told):
    asked = []

    def clicks(names, because="", before=()):
        asked.append(because)
        return [corners_px()[number] for number in order] if len(asked) == 1 else corners_px()[: len(names)]

    shown = []
    found = clicked_corners(BLANK, SIZE_MM, clicks, shown.append, None, lambda _: None)
    assert asked[0] == "" and told in asked[1]
    assert found.is_clicked and np.abs(found.plane.to_image(CORNERS_MM) - np.array(corners_px())[:, :2]).max() < 2


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ((0, 1, 3, 2), "clicked in another order, or beside the table's"),
        ((1, 2, 3, 0), "No camera sees a table of 700 x 500 mm so: the corners were clicked in another order"),
    ],
)
def test_four_corners_in_another_order_are_asked_for_again_in_a_players_words(nothing_else_tells, order, told):
    """ "the calibration points cross: check which pixel belongs to which place on the table"; and those that began one
    corner on were refused after the last question."""
    asked = []

    def clicks(names, because="", before=()):
        asked.append(because)
        return [corners_px()[number] for number in (order if len(asked) < 3 else range(4))][: len(names)]

    clicked_corners(BLANK, SIZE_MM, clicks, lambda _: None, None, lambda _: None)
    assert told in asked[2] and asked[2].endswith(
        "Once more, in this order: near left, near right, far right, far left."
    )
    assert "calibration" not in asked[2] and "pixel" not in asked[2]


def test_the_last_of_three_clicks_or_of_four_is_taken_back(nothing_else_tells):
    asked, answers = [], iter([TakenBackError, None])

    def clicks(names, because="", before=()):
        asked.append((len(names), len(before)))
        return corners_px()[: len(names)]

    def shown(_):
        if (answer := next(answers)) is not None:
            raise answer

    clicked_corners(BLANK, SIZE_MM, clicks, shown, None, lambda _: None)
    assert asked == [(3, 0), (4, 3), (4, 3)]


def test_a_corner_clicked_amiss_instead_of_one_that_was_told_costs_no_other_click(monkeypatch):
    monkeypatch.setattr("ui.measuring.asked_corners.by_three", lambda *_: Told("the lens", CalibrationBlock(), CAMERA))
    asked, answers = [], iter([Click(640, 600), None])

    def clicks(names, because="", before=()):
        asked.append((len(names), len(before), because))
        return corners_px()[: len(names)]

    clicked_corners(BLANK, SIZE_MM, clicks, lambda _: next(answers), None, lambda _: None)
    (first, second) = asked
    assert first == (3, 0, "") and second[:2] == (4, 3) and "beside the table's" in second[2]


def test_the_grid_of_four_clicks_is_shown_and_can_be_refused(qtbot, shown):
    told = Told("four clicks", CalibrationBlock(), CAMERA, is_clicked=True)
    dialog = shown(FourthDialog(BLANK, SIZE_MM, told))
    u, v = CAMERA.to_image([[350.0, 0.0]])[0].round().astype(int).tolist()
    painted = dialog._canvas.image.pixelColor(u, v)
    assert (painted.red(), painted.green()) == pytest.approx((240, 228), abs=60)
    assert "Does this grid lie on the table" in dialog.question.text()
    click(qtbot, dialog, 640, 360)
    assert dialog.isVisible()
    dialog.no.click()
    assert dialog.result() == 1 and dialog.anew


def test_a_grid_that_is_refused_is_clicked_again(nothing_else_tells):
    answers = iter([CornersError("Once more:"), None])
    asked = []

    def clicks(names, because="", before=()):
        asked.append((len(names), because))
        return corners_px()[: len(names)]

    def shown(_):
        answer = next(answers)
        if answer is not None:
            raise answer

    clicked_corners(BLANK, SIZE_MM, clicks, shown, None, lambda _: None)
    fourth = (4, "A fourth corner is needed: nothing tells the fourth.")
    assert asked == [(3, ""), fourth, (3, "Once more:"), fourth]


def test_a_camera_that_was_moved_while_corners_were_clicked_is_clicked_again(nothing_else_tells, monkeypatch):
    """The places would be those of a picture that nobody will see again."""

    class Sight:
        is_live, taken, moves = True, 0, ["the camera moved by 12 px since its picture was taken", ""]

        def take(self):
            self.taken += 1
            return BLANK

        def moved_since(self, frame, plane, size_mm):
            return self.moves.pop(0)

    asked, said = [], []

    def clicks(names, because="", before=()):
        asked.append(because)
        return corners_px()[: len(names)]

    monkeypatch.setattr("ui.window.clicks.clicks_in", lambda frame: clicks)
    monkeypatch.setattr("ui.window.fourth.shown_in", lambda frame, size_mm: lambda told: None)
    monkeypatch.setattr("ui.setup.viewing.faults_in", lambda *_: ())
    sight = Sight()
    block = Viewing(sight, said.append).by_clicks(SIZE_MM, None)
    assert sight.taken == 2 and len(block.points) == 4
    again = "click the corners once more, and leave it where it is."
    assert asked[2] == f"the camera moved by 12 px since its picture was taken: {again}"
    assert asked[2] in said


def test_a_camera_that_was_refused_is_looked_at_anew(monkeypatch):
    """Raised, and clicked once more: by the picture from before it would be refused for ever."""

    class Sight:
        is_live, taken = True, 0

        def take(self):
            self.taken += 1
            return BLANK

    def refuse(*_):
        raise ViewError("too flat to measure: raise it")

    monkeypatch.setattr("ui.measuring.asked_corners.clicked_corners", refuse)
    sight = Sight()
    viewing = Viewing(sight, lambda _: None)
    for _ in range(2):
        with pytest.raises(ViewError):
            viewing.by_clicks(SIZE_MM, None)
    assert sight.taken == 2


def test_a_view_that_no_click_mends_is_refused_and_not_asked_for_again(nothing_else_tells):
    flat, asked = corners_px(a_camera(10, 900, lens=LENS)), []

    def clicks(names, because="", before=()):
        asked.append(because)
        return flat[: len(names)]

    with pytest.raises(ViewError, match=r"from 1. degrees above it, too flat to measure: raise it"):
        clicked_corners(BLANK, SIZE_MM, clicks, lambda _: None, None, lambda _: None)
    assert asked == ["", "A fourth corner is needed: nothing tells the fourth."]
