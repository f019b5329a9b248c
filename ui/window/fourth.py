"""The grid that clicked corners tell: shown, and taken when a person says yes to it."""

from __future__ import annotations

from PyQt6.QtCore import Qt

from ui.measuring.asked_corners import Shown, TakenBackError
from ui.measuring.clicked import Click
from ui.measuring.corners import CornersError, Told, corners_mm
from ui.measuring.quick import grid_px
from ui.qt import ClosedError, answered, application
from ui.window.chalk import lined, ringed
from ui.window.question import QuestionDialog
from vision.frame import Frame

_BACK = "Backspace or Escape: take the last click back"


class FourthDialog(QuestionDialog):
    """Shows the grid, and the far left corner where nobody clicked it; accepted by Enter or its button, or by a click
    where that corner is instead.

    instead     that click; None if the corner is right
    anew        whether all corners are to be clicked once more
    taken_back  whether the last of them is
    """

    goes_back = (Qt.Key.Key_Escape, Qt.Key.Key_Backspace)

    def __init__(self, frame: Frame, size_mm: tuple[float, float], told: Told) -> None:
        bgr = lined(frame, grid_px(told.plane, size_mm))
        if not told.is_clicked:
            ringed(bgr, tuple(told.plane.to_image(corners_mm(size_mm)[3:])[0].tolist()))
        super().__init__("is this the table?", bgr, back=_BACK)
        self.instead: Click | None = None
        self.anew = self.taken_back = False
        self._told = told
        self.picture.clicked.connect(self._click)
        self.picture.setCursor(Qt.CursorShape.ArrowCursor if told.is_clicked else Qt.CursorShape.CrossCursor)
        self.take_enter()
        self.yes = self.add_button("Yes, it lies right (Enter)")
        self.yes.clicked.connect(self.accept)
        self.no = self.add_button("No: I click all corners again")
        self.no.clicked.connect(self._again)
        self._ask()

    def _click(self, u_px: float, v_px: float) -> None:
        if not self._told.is_clicked and self.picture.shows(u_px, v_px):
            self.instead = Click(u_px, v_px, self.picture.click_sigma_px())
            self.accept()

    def _again(self) -> None:
        self.anew = True
        self.accept()

    def go_back(self) -> None:
        """Take the last click back, and with it what it told."""
        self.taken_back = True
        self.accept()

    def _ask(self) -> None:
        if self._told.is_clicked:
            self.question.setText("Does this grid lie on the table, its sides on the table's? Press Enter for yes.")
            return
        self.question.setText(
            f"The far left corner is told by {self._told.by}: the ring. Right? Press Enter."
            "\nIf the grid does not lie on the table, click that corner."
        )


def shown_in(frame: Frame, size_mm: tuple[float, float]) -> Shown:
    """Shows in `frame` what was told; `ClosedError` if its window is closed, `CornersError` to click them again."""

    def show(told: Told) -> Click | None:
        """Show the corner that nobody clicked; the click if the player corrected it, None if it was accepted."""
        application()
        dialog = FourthDialog(frame, size_mm, told)
        if not answered(dialog):
            raise ClosedError("the window was closed before the table was told")
        if dialog.taken_back:
            raise TakenBackError
        if dialog.anew:
            raise CornersError("Once more:")
        return dialog.instead

    return show
