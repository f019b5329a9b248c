"""Does the grid lie on the table? One click says yes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import NDArray
from PyQt6.QtCore import Qt

from ui.qt import ClosedError, answered, application
from ui.window.chalk import lined
from ui.window.question import QuestionDialog
from vision.frame import Frame

_BACK = "Escape: no, I click the corners"
Answer = Literal["yes", "corners", "again"]


class ConfirmDialog(QuestionDialog):
    """Shows the picture with lines drawn in it; accepted by a click in it or by Enter, or by a button that says what
    to do instead: `answer`.

    wrong  what is wrong with the picture, a sentence each
    live   whether another picture can be taken
    """

    def __init__(
        self,
        frame: Frame,
        lines_px: Sequence[NDArray[Any]],
        said: str,
        wrong: Sequence[str] = (),
        *,
        live: bool = False,
    ) -> None:
        super().__init__("is this the table?", lined(frame, lines_px), wrong, _BACK)
        self.answer: Answer = "yes"
        self.question.setText(f"{said}\nDoes the grid lie on the table? Click the picture for yes, or press Enter.")
        self.picture.setCursor(Qt.CursorShape.PointingHandCursor)
        self.picture.clicked.connect(self._click)
        self.take_enter()
        self.no = self.add_button("No: I click the corners")
        self.no.clicked.connect(lambda: self._say("corners"))
        if live:
            self.again = self.add_button("Take another picture")
            self.again.clicked.connect(lambda: self._say("again"))

    def _click(self, u_px: float, v_px: float) -> None:
        if self.picture.shows(u_px, v_px):
            self.accept()

    def go_back(self) -> None:
        """No."""
        self._say("corners")

    def _say(self, answer: Answer) -> None:
        self.answer = answer
        self.accept()


def confirmed(
    frame: Frame,
    lines_px: Sequence[NDArray[Any]],
    said: str,
    wrong: Sequence[str] = (),
    *,
    live: bool = False,
) -> Answer:
    """Whether a person says that the lines lie right, or what else to do; `ClosedError` where the window was closed."""
    application()
    dialog = ConfirmDialog(frame, lines_px, said, wrong, live=live)
    if not answered(dialog):
        raise ClosedError("the window was closed before the table was told")
    return dialog.answer
