"""The corner that nobody clicked is shown, and taken when a person says yes, or clicks another place."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt, QTimer

from tests.calibration.table_picture import a_camera, a_lens
from ui.measuring.corners import Told
from ui.setup.calibration_block import CalibrationBlock
from ui.window.fourth import FourthDialog
from vision.frame import Frame

CAMERA = a_camera(50, 1300, lens=a_lens((1280, 720)))
SIZE_MM = (700.0, 500.0)


@pytest.fixture
def dialog(shown):
    frame = Frame(np.full((720, 1280, 3), 90, np.uint8))
    return shown(FourthDialog(frame, SIZE_MM, Told("the table's far and left sides", CalibrationBlock(), CAMERA)))


def test_a_ring_lies_on_the_corner_and_what_told_it_is_said(dialog):
    u, v = CAMERA.to_image([[0, 500]])[0].round().astype(int).tolist()
    painted = dialog._canvas.image.pixelColor(u + 18, v)
    assert (painted.red(), painted.green()) == pytest.approx((240, 228), abs=60)
    assert "by the table's far and left sides" in dialog.question.text()


def test_enter_takes_it(qtbot, dialog):
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.result() == 1 and dialog.instead is None


def test_nobody_takes_it_unasked(dialog):
    """It took itself after ten seconds, of which the guide says nothing: who fetched a ruler came back to a set-up."""
    assert "wait" not in dialog.question.text() and dialog.findChildren(QTimer) == []


def test_the_mouse_takes_it_too(dialog):
    dialog.yes.click()
    assert dialog.result() == 1 and dialog.instead is None


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_Escape])
def test_the_last_click_is_taken_back(qtbot, dialog, key):
    """Escape closed the window, and all answers were lost."""
    assert "Backspace or Escape: take the last click back" in dialog.keys.text()
    qtbot.keyClick(dialog, key)
    assert dialog.result() == 1 and dialog.taken_back and dialog.instead is None


def test_a_click_says_where_it_is_instead(qtbot, dialog):
    box = dialog.picture.shown_box()
    scale = box.width() / 1280
    at = QPoint(round(box.left() + 300.5 * scale), round(box.top() + 120.5 * scale))
    qtbot.mouseClick(dialog.picture, Qt.MouseButton.LeftButton, pos=at)
    assert dialog.result() == 1 and dialog.instead[:2] == pytest.approx((300, 120), abs=1.0)


def test_a_click_beside_the_picture_is_no_corner(dialog):
    """It was taken for the far left one, and the table went beyond the picture."""
    dialog.picture.clicked.emit(-40.0, 120.0)
    assert dialog.result() == 0 and dialog.instead is None and dialog.isVisible()


def test_a_closed_window_takes_nothing(dialog):
    dialog.close()
    assert dialog.result() == 0
