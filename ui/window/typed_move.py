"""Moving a piece by hand where no camera sees it: typed, or pointed at in the picture."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from rules.match import Match
from rules.scene import Point2
from ui.paint.hexes import hexes_of
from ui.where import on_table, where_mm

# What may be typed: in the field while it is empty, and all of it.
_BY_MEASURE = "x, y or a name", "Millimetres from the near left corner, a piece such as c7, or a place of the map"
_ON_HEXES = (
    "a hex: 3, 5",
    "A hex such as 3, 5, a piece such as c7, or millimetres from the near left corner, such as 120, 80 mm",
)


class TypedMove(QWidget):
    """`typed` carries an event's kind and fields, as the log has them; `refused` says why a place is none."""

    typed = pyqtSignal(str, dict)
    refused = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self._match: Match | None = None
        self._piece: str | None = None
        self.place = QLineEdit()
        self.place.returnPressed.connect(self._go)
        self.point_button, self.remove_button = QPushButton("Point"), QPushButton("Take away")
        self.point_button.setCheckable(True)
        self.point_button.setToolTip("Click in the picture where it goes (M)")
        self.remove_button.clicked.connect(self._remove)
        QShortcut(QKeySequence("M"), self.point_button, self.point_button.click)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.addWidget(QLabel("Move to"), 0, 0)
        layout.addWidget(self.place, 0, 1, 1, 2)
        layout.addWidget(self.point_button, 1, 0, 1, 2)
        layout.addWidget(self.remove_button, 1, 2)
        layout.setColumnStretch(1, 1)
        layout.setColumnStretch(2, 2)
        self.show_piece(None, None)

    @property
    def is_pointing(self) -> bool:
        """Whether the next click in the picture says where the piece goes."""
        return self.point_button.isChecked()

    def show_piece(self, match: Match | None, piece_id: str | None) -> None:
        """Offer to move that piece; hidden for none."""
        if piece_id != self._piece:
            self.place.clear()
            self.point_button.setChecked(False)
        self._match, self._piece = match, piece_id
        hint, whole = _ON_HEXES if match is not None and hexes_of(match) else _BY_MEASURE
        self.place.setPlaceholderText(hint)
        self.place.setToolTip(whole)
        self.setVisible(piece_id is not None)

    def point_at(self, x_mm: float, y_mm: float) -> None:
        """The piece goes to that place, which was clicked; refused beside the table, and the next click may say."""
        self._move(lambda match: on_table((x_mm, y_mm), match))

    def _go(self) -> None:
        self._move(lambda match: where_mm(self.place.text(), match, self._piece))

    def _move(self, where: Callable[[Match], Point2]) -> None:
        if self._match is None:
            return
        try:
            x_mm, y_mm = where(self._match)
        except ValueError as error:
            self.refused.emit(str(error))
            return
        self.point_button.setChecked(False)
        self.place.clear()
        self.place.clearFocus()
        self.typed.emit("move", {"piece": self._piece, "to_mm": [x_mm, y_mm]})

    def _remove(self) -> None:
        self.typed.emit("remove", {"piece": self._piece})
