"""Asking for places in a picture: one click each."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent

from ui.measuring.clicked import Click, Clicks
from ui.qt import ClosedError, answered, application
from ui.window.chalk import crossed
from ui.window.question import QuestionDialog
from vision.frame import Frame

_BACK = "Backspace or Escape: take the last click back"


class ClickDialog(QuestionDialog):
    """Shows a picture and asks for one place after another; `places` holds the answers.

    because  why the places are asked for
    before   the first places, which were clicked already; they can be taken back too, and once they are clicked anew
             `places` holds these alone
    """

    goes_back = (Qt.Key.Key_Escape, Qt.Key.Key_Backspace)

    def __init__(
        self,
        frame: Frame,
        names: tuple[str, ...],
        because: str = "",
        before: Sequence[Click] = (),
    ) -> None:
        super().__init__("where is the table?", frame.image_bgr, back=_BACK)
        self.names, self.places = names, [*before]
        self._frame, self._because, self._outside = frame, because, False
        self._before, self._anew = len(before) if because else 0, False
        self.picture.clicked.connect(self._click)
        self.picture.setCursor(Qt.CursorShape.CrossCursor)
        self._ask()

    def _click(self, u_px: float, v_px: float) -> None:
        # A window's margin shows no place, and a corner outside the picture cannot be clicked but guessed.
        self._outside = not self.picture.shows(u_px, v_px)
        if not self._outside:
            self.places.append(Click(u_px, v_px, self.picture.click_sigma_px()))
        if len(self.places) == (self._before if self._anew else len(self.names)):
            self.accept()
            return
        self._ask()

    def go_back(self) -> None:
        """Take the last click back; without one nothing happens."""
        if self.places:
            self.places.pop()
        self._outside = False
        if len(self.places) < self._before:
            self._anew = True
        self._ask()

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802 (Qt's name)
        """In a window of another size it has as many lines as it needs."""
        self.question.setMinimumHeight(0)
        super().resizeEvent(event)

    def _ask(self) -> None:
        # Never fewer lines than before: the picture must not move under the mouse of who aims at the next corner.
        if self.isVisible():
            self.question.setMinimumHeight(self.question.height())
        said = f"Click {self.names[len(self.places)]}"
        if self._outside:
            said += ": in the picture. If it does not show, turn the camera, close this window, and begin again"
        because = "" if self._anew else self._because
        self.question.setText(f"{because}\n{said}" if self._because else said)
        bgr = self._frame.image_bgr.copy()
        for place in self.places:
            crossed(bgr, (place.u_px, place.v_px))
        self.show_bgr(bgr)


def clicks_in(frame: Frame) -> Clicks:
    """A question that is answered by clicks in `frame`; `ClosedError` if the window is closed before the last."""

    def ask(names: tuple[str, ...], because: str = "", before: Sequence[Click] = ()) -> list[Click]:
        """The places clicked for these names."""
        application()
        dialog = ClickDialog(frame, names, because, before)
        if not answered(dialog):
            raise ClosedError("the window was closed before all places were clicked")
        return dialog.places

    return ask
